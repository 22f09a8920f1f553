//! The view of a position for networks of this project.

use super::{Planes, PlanesError};
use crate::go::Go;
use std::sync::Arc;
use tesuji::NetworkSymmetry;
use tesuji_net::{Evaluator, Network, Symmetry};

/// Looks at positions with a network of this project.
#[derive(Clone, Debug)]
pub(super) struct PlainView {
    evaluator: Evaluator,
    planes: Planes,
    symmetry: NetworkSymmetry,
    input: Vec<f32>,
    turned: Vec<f32>,
    policy: Vec<f32>,
    back: Vec<f32>,
    /// The planes of several positions, turned.
    inputs: Vec<f32>,
}

impl PlainView {
    /// # Errors
    /// If the network has too few planes to show a position, or other moves than Go.
    pub(super) fn new(network: Arc<Network>, symmetry: NetworkSymmetry) -> Result<PlainView, PlanesError> {
        let shape = *network.shape();
        let planes = Planes::of(&shape)?;
        let turns = symmetry != NetworkSymmetry::None;
        let zeros = |n, wanted| vec![0.0; if wanted { n } else { 0 }];
        Ok(PlainView {
            evaluator: Evaluator::new(network),
            planes,
            symmetry,
            input: zeros(shape.inputs(), true),
            turned: zeros(shape.inputs(), turns),
            policy: zeros(shape.moves(), turns),
            back: zeros(shape.moves(), turns),
            inputs: Vec::new(),
        })
    }

    /// A hash of all that the network sees.
    pub(super) fn hash<const STRIDE: usize, const LEN: usize>(&self, position: &Go<STRIDE, LEN>) -> u64 {
        self.planes.hash(position)
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        let PlainView { evaluator, input, turned, policy, back, inputs, .. } = self;
        let numbers = [input, turned, policy, back, inputs].map(|numbers| numbers.capacity());
        evaluator.bytes() + numbers.iter().sum::<usize>() * size_of::<f32>()
    }

    /// Writes the logits of a position and returns its value, in [-1, 1].
    pub(super) fn look<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        hash: u64,
        logits: &mut [f32],
    ) -> f32 {
        self.planes.write(position, &mut self.input);
        match self.symmetry {
            NetworkSymmetry::None => self.evaluator.evaluate(&self.input, logits),
            NetworkSymmetry::Random => {
                let value = self.turn(Symmetry::ALL[(hash % 8) as usize]);
                logits.copy_from_slice(&self.back);
                value
            }
            NetworkSymmetry::Average => {
                let share = 1.0 / Symmetry::ALL.len() as f32;
                logits.fill(0.0);
                let add = |value: f32, symmetry| {
                    let more = self.turn(symmetry);
                    logits.iter_mut().zip(&self.back).for_each(|(logit, x)| *logit += share * x);
                    value + share * more
                };
                Symmetry::ALL.into_iter().fold(0.0, add)
            }
        }
    }

    /// Makes room for `positions` positions at once.
    pub(super) fn reserve(&mut self, positions: usize) {
        self.evaluator.reserve(positions);
        self.inputs.reserve_exact((positions * self.input.len()).saturating_sub(self.inputs.len()));
    }

    /// Writes the logits of positions, `[position, move]`, and their values; each as
    /// [`PlainView::look`] does.
    pub(super) fn look_at_all<'a, const STRIDE: usize, const LEN: usize>(
        &mut self,
        positions: impl ExactSizeIterator<Item = (&'a Go<STRIDE, LEN>, u64)> + Clone,
        logits: &mut [f32],
        values: &mut [f32],
    ) {
        let shape = *self.evaluator.network().shape();
        let rows = logits.chunks_exact_mut(shape.moves());
        if self.symmetry == NetworkSymmetry::Average {
            for (((position, hash), logits), value) in positions.zip(rows).zip(values) {
                *value = self.look(position, hash, logits);
            }
            return;
        }
        let turn = |hash: u64| match self.symmetry {
            NetworkSymmetry::Random => Symmetry::ALL[(hash % 8) as usize],
            _ => Symmetry::default(),
        };
        let needed = positions.len() * shape.inputs();
        self.inputs.resize(self.inputs.len().max(needed), 0.0);
        let inputs = self.inputs.chunks_exact_mut(shape.inputs());
        for ((position, hash), input) in positions.clone().zip(inputs) {
            if self.symmetry == NetworkSymmetry::None {
                self.planes.write(position, input);
            } else {
                self.planes.write(position, &mut self.input);
                turn(hash).planes(shape.board, &self.input, input);
            }
        }
        self.evaluator.evaluate_many(&self.inputs[..needed], logits, values);
        if self.symmetry != NetworkSymmetry::None {
            for ((_, hash), logits) in positions.zip(logits.chunks_exact_mut(shape.moves())) {
                self.policy.copy_from_slice(logits);
                turn(hash).inverse().policy(shape.board, &self.policy, logits);
            }
        }
    }

    /// Writes the logits of a position, looked at in this symmetry, and returns its value, in [-1,
    /// 1].
    pub(super) fn raw<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        symmetry: Symmetry,
        logits: &mut [f32],
    ) -> f32 {
        self.planes.write(position, &mut self.input);
        self.turned.resize(self.input.len(), 0.0);
        self.policy.resize(logits.len(), 0.0);
        self.back.resize(logits.len(), 0.0);
        let value = self.turn(symmetry);
        logits.copy_from_slice(&self.back);
        value
    }

    /// The value of what the planes show, turned; the logits are turned back.
    fn turn(&mut self, symmetry: Symmetry) -> f32 {
        let board = self.evaluator.network().shape().board;
        symmetry.planes(board, &self.input, &mut self.turned);
        let value = self.evaluator.evaluate(&self.turned, &mut self.policy);
        symmetry.inverse().policy(board, &self.policy, &mut self.back);
        value
    }
}
