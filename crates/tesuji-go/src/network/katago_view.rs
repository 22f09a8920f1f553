//! How networks of KataGo's kind look at positions.

use super::RawScore;
use super::katago_planes::{GLOBALS, KataGoPlanes, PLANES};
use crate::Go;
use std::sync::Arc;
use tesuji::{Expectation, NetworkSymmetry};
use tesuji_net::Symmetry;
use tesuji_net::graph::{BoardGraph, GraphEvaluator};

/// Looks at positions with a network of KataGo's kind.
#[derive(Clone, Debug)]
pub(super) struct KataGoView {
    evaluator: GraphEvaluator,
    planes: KataGoPlanes,
    symmetry: NetworkSymmetry,
    input: Vec<f32>,
    globals: Vec<f32>,
    /// The planes turned; empty where none are.
    turned: Vec<f32>,
    /// The logits as the network has them, turned back.
    back: Vec<f32>,
    /// The hash of the position looked at last.
    seen: Option<u64>,
    /// What the last look found beside the value, in rows from A1.
    lead: f32,
    deviation: f32,
    ownership: Vec<f32>,
}

impl KataGoView {
    pub(super) fn new(graph: Arc<BoardGraph>, symmetry: NetworkSymmetry) -> KataGoView {
        let board = graph.board();
        let inputs = PLANES * board * board;
        KataGoView {
            planes: KataGoPlanes::new(board, graph.areas_as_with_suicide()),
            symmetry,
            input: vec![0.0; inputs],
            globals: vec![0.0; GLOBALS],
            turned: vec![0.0; if symmetry == NetworkSymmetry::None { 0 } else { inputs }],
            back: vec![0.0; graph.moves()],
            seen: None,
            lead: 0.0,
            deviation: 0.0,
            ownership: vec![0.0; board * board],
            evaluator: GraphEvaluator::new(graph),
        }
    }

    /// A hash of all that the network sees.
    pub(super) fn hash<const STRIDE: usize, const LEN: usize>(&self, position: &Go<STRIDE, LEN>) -> u64 {
        self.planes.hash(position)
    }

    /// What it finds beside the value of a position; where the last look was at this one it does not look again. Logits may be
    /// overwritten.
    pub(super) fn expectation<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        logits: &mut [f32],
    ) -> Expectation {
        let hash = self.hash(position);
        if self.seen != Some(hash) {
            self.look(position, hash, logits);
        }
        let (lead, deviation) = (self.lead, self.deviation);
        Expectation { lead, deviation, ownership: self.ownership.clone() }
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        let KataGoView { evaluator, input, globals, turned, back, ownership, .. } = self;
        let numbers = [input, globals, turned, back, ownership].map(|numbers| numbers.capacity());
        evaluator.bytes() + numbers.iter().sum::<usize>() * size_of::<f32>()
    }

    /// Writes the logits of a position, in rows from A1, and returns its value, in [-1, 1]: a game without a result counts 0.
    pub(super) fn look<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        hash: u64,
        logits: &mut [f32],
    ) -> f32 {
        self.seen = Some(hash);
        self.planes.write(position, &mut self.input, &mut self.globals);
        (self.lead, self.deviation) = (0.0, 0.0);
        self.ownership.fill(0.0);
        logits.fill(0.0);
        let can_fail = position.rules().told.can_fail();
        match self.symmetry {
            NetworkSymmetry::None => self.add(Symmetry::default(), 1.0, can_fail, logits),
            NetworkSymmetry::Random => self.add(Symmetry::ALL[(hash % 8) as usize], 1.0, can_fail, logits),
            NetworkSymmetry::Average => {
                let share = 1.0 / Symmetry::ALL.len() as f32;
                Symmetry::ALL.into_iter().map(|symmetry| self.add(symmetry, share, can_fail, logits)).sum()
            }
        }
    }

    /// Writes the logits of a position, looked at in this symmetry, and returns the probabilities of a win, a loss and no result, and
    /// what the network says of the score.
    pub(super) fn raw<const STRIDE: usize, const LEN: usize>(
        &mut self,
        position: &Go<STRIDE, LEN>,
        symmetry: Symmetry,
        logits: &mut [f32],
    ) -> ([f64; 3], RawScore) {
        self.seen = None;
        self.planes.write(position, &mut self.input, &mut self.globals);
        (self.lead, self.deviation) = (0.0, 0.0);
        self.ownership.fill(0.0);
        logits.fill(0.0);
        self.turned.resize(self.input.len(), 0.0);
        let can_fail = position.rules().told.can_fail();
        self.add(symmetry, 1.0, can_fail, logits);
        let outputs = self.evaluator.outputs();
        let result = outputs.probabilities(can_fail);
        let (mean, deviation) = (f64::from(outputs.score), f64::from(outputs.deviation));
        let ends = 1.0 - result[2];
        let score = RawScore {
            lead: self.lead.into(),
            mean: ends * mean,
            square: ends * (mean * mean + deviation * deviation),
            ownership: self.ownership.clone(),
        };
        (result, score)
    }

    /// Adds a share of what the network says of the planes, turned, and returns that share of the value.
    fn add(&mut self, symmetry: Symmetry, share: f32, can_fail: bool, logits: &mut [f32]) -> f32 {
        let board = self.evaluator.graph().board();
        let outputs = if symmetry == Symmetry::default() {
            self.evaluator.evaluate(&self.input, &self.globals)
        } else {
            symmetry.planes(board, &self.input, &mut self.turned);
            self.evaluator.evaluate(&self.turned, &self.globals)
        };
        let [win, loss, none] = outputs.probabilities(can_fail);
        self.lead += share * outputs.lead * (1.0 - none) as f32;
        self.deviation += share * outputs.deviation;
        let inverse = symmetry.inverse();
        let add = |from: &[f32], to: &mut [f32], back: &mut [f32]| {
            inverse.planes(board, from, back);
            // Rows from the top become rows from A1.
            let rows = to.chunks_exact_mut(board).zip(back.chunks_exact(board).rev());
            rows.for_each(|(to, from)| to.iter_mut().zip(from).for_each(|(to, x)| *to += share * x));
        };
        let (points, pass) = logits.split_at_mut(board * board);
        let (logits, pass_logit) = outputs.policy.split_at(board * board);
        add(logits, points, &mut self.back[..board * board]);
        add(&outputs.ownership, &mut self.ownership, &mut self.back[..board * board]);
        pass[0] += share * pass_logit[0];
        share * (win - loss) as f32
    }
}
