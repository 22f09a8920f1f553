//! Measures of a network on held-out games.

use crate::error::ReplayError;
use crate::game::TrainingGame;
use crate::replay::{Goal, Pick};
use crate::trainable::TrainableGame;
use std::collections::BTreeMap;
use std::sync::Arc;
use tesuji_net::graph::{BoardGraph, Graph, GraphEvaluator};
use tesuji_net::{Batch, Evaluator, Network, Parameters, Shape, Symmetry};

/// From the rows of the board, planes and numbers for the whole position to logits and a value.
type Evaluation = dyn FnMut(usize, &[f32], &[f32], &mut [f32]) -> f32;

/// The losses of a network on positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measures {
    /// The number of positions.
    pub positions: u64,
    /// Mean cross entropy of the policy, in nats.
    pub policy: f64,
    /// Mean squared error of the value, on the scale from -1 to 1.
    pub value: f64,
    /// The greatest value minus the least, on the same scale: 0 if the value head gives all
    /// positions the same value.
    pub value_range: f64,
    /// The share of positions in which the network and the target have the same most likely move.
    pub top1: f64,
    /// Mean entropy of the network's policy, in nats.
    pub entropy: f64,
    /// Mean entropy of the target policy, which is the lower bound of the cross entropy.
    pub target_entropy: f64,
}

impl Measures {
    /// Measures a network on at most `most` positions of the games that are trained on. A pooling
    /// network evaluates each game on the board of the game.
    ///
    /// # Errors
    /// If a game cannot be replayed.
    #[expect(
        clippy::missing_panics_doc,
        reason = "a graph of parameters has convolutions of 3x3 and 1x1 only"
    )]
    pub fn of<'a>(
        game: &dyn TrainableGame,
        parameters: &Parameters,
        goal: &Goal,
        games: impl IntoIterator<Item = &'a TrainingGame>,
        most: usize,
    ) -> Result<Measures, ReplayError> {
        let shape = *parameters.shape();
        let mut evaluate: Box<Evaluation> = match Graph::of(parameters) {
            None => {
                let mut evaluator = Evaluator::new(Arc::new(Network::new(parameters)));
                Box::new(move |_, planes, _, logits| evaluator.evaluate(planes, logits))
            }
            Some(graph) => {
                let made = move |board: usize| {
                    let graph = BoardGraph::new(&graph, board).expect("its convolutions are 3x3 and 1x1");
                    GraphEvaluator::new(Arc::new(graph))
                };
                let mut evaluators: BTreeMap<usize, GraphEvaluator> = BTreeMap::new();
                Box::new(move |board, planes, globals, logits| {
                    let evaluator = evaluators.entry(board).or_insert_with(|| made(board));
                    let outputs = evaluator.evaluate(planes, globals);
                    logits.copy_from_slice(&outputs.policy);
                    let [win, loss, _] = outputs.probabilities(false);
                    (win - loss) as f32
                })
            }
        };
        Measures::by(game, shape, goal, games, most, |batch| {
            let shape = batch.shape();
            let mut logits = vec![0.0; batch.policies().len()];
            let value = |(i, logits): (usize, &mut [f32])| {
                let planes = &batch.planes()[i * shape.inputs()..][..shape.inputs()];
                evaluate(shape.board, planes, &batch.globals()[i * shape.globals..][..shape.globals], logits)
            };
            let values = logits.chunks_exact_mut(shape.moves()).enumerate().map(value).collect();
            (logits, values)
        })
    }

    /// [`Measures::of`] whatever gives the logits and values of the positions of a batch.
    ///
    /// # Errors
    /// As there.
    pub fn by<'a>(
        game: &dyn TrainableGame,
        shape: Shape,
        goal: &Goal,
        games: impl IntoIterator<Item = &'a TrainingGame>,
        most: usize,
        mut evaluate: impl FnMut(&Batch) -> (Vec<f32>, Vec<f32>),
    ) -> Result<Measures, ReplayError> {
        let mut sums = Measures::default();
        let [mut least, mut greatest] = [f32::INFINITY, f32::NEG_INFINITY];
        for record in games {
            let count = record.positions().min(most - sums.positions as usize);
            if count == 0 {
                continue;
            }
            let picks: Vec<Pick> =
                (0..count).map(|position| Pick { position, symmetry: Symmetry::ALL[0] }).collect();
            let board = if shape.pools() { record.size } else { shape.board };
            let mut batch = Batch::new(Shape { board, ..shape });
            game.add_positions(record, goal, &picks, &mut batch)?;
            let (logits, values) = evaluate(&batch);
            let moves = batch.shape().moves();
            let targets = batch.policies().chunks_exact(moves).zip(batch.values());
            let found = logits.chunks_exact(moves).zip(values);
            for ((logits, value), (policy, &wanted)) in found.zip(targets) {
                sums.add(logits, policy, f64::from(value - wanted));
                (least, greatest) = (least.min(value), greatest.max(value));
            }
        }
        if sums.positions > 0 {
            sums.value_range = f64::from(greatest - least);
        }
        let n = sums.positions.max(1) as f64;
        for sum in
            [&mut sums.policy, &mut sums.value, &mut sums.top1, &mut sums.entropy, &mut sums.target_entropy]
        {
            *sum /= n;
        }
        Ok(sums)
    }

    fn add(&mut self, logits: &[f32], policy: &[f32], error: f64) {
        let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f64 = logits.iter().map(|&x| f64::from(x - highest).exp()).sum();
        for (&x, &p) in logits.iter().zip(policy) {
            let log = f64::from(x - highest) - total.ln();
            self.policy -= f64::from(p) * log;
            self.entropy -= log.exp() * log;
            if p > 0.0 {
                self.target_entropy -= f64::from(p) * f64::from(p).ln();
            }
        }
        self.positions += 1;
        self.value += error * error;
        self.top1 += f64::from(u8::from(best(logits) == best(policy)));
    }
}

/// The place of the greatest number.
fn best(numbers: &[f32]) -> Option<usize> {
    (0..numbers.len()).max_by(|&a, &b| numbers[a].total_cmp(&numbers[b]))
}
