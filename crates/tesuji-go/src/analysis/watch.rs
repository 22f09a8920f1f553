//! The score and the owners of points, by the evaluations of a search.

use crate::engine::Move;
use crate::go::Go;
use crate::vertex::Vertex;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tesuji::{Evaluate, Expectation, Player, Value};

/// Listens to the evaluator of one search after another. For each move of the root, it adds up the
/// expected scores and owners of points. It also flattens the priors of the root. Copies share the
/// sums.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Mutex<Tally>>);

/// The evaluations of a search.
#[derive(Debug, Default)]
struct Tally {
    /// How many moves the root is away from the last set-up.
    root: u32,
    /// The root's priors become p^(1/T).
    temperature: f32,
    /// Of the root itself, and of the positions behind each of its moves, by the number of its
    /// point; the pass is the last.
    sums: Vec<Sum>,
    itself: Sum,
}

/// The sum of expectations, for the first player.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    count: u32,
    lead: f64,
    /// Of the squares of the scores.
    square: f64,
    /// In rows from A1.
    ownership: Vec<f32>,
}

impl Sum {
    fn add(&mut self, expectation: &Expectation, sign: f32) {
        let (lead, deviation) = (f64::from(sign * expectation.lead), f64::from(expectation.deviation));
        self.count += 1;
        self.lead += lead;
        self.square += lead * lead + deviation * deviation;
        self.ownership.resize(expectation.ownership.len(), 0.0);
        self.ownership.iter_mut().zip(&expectation.ownership).for_each(|(sum, x)| *sum += sign * x);
    }

    fn merge(&mut self, other: &Sum) {
        self.count += other.count;
        self.lead += other.lead;
        self.square += other.square;
        self.ownership.resize(self.ownership.len().max(other.ownership.len()), 0.0);
        self.ownership.iter_mut().zip(&other.ownership).for_each(|(sum, x)| *sum += x);
    }

    /// The means, if anything was said: lead, standard deviation, and ownership in rows from A1.
    pub(super) fn means(&self) -> Option<(f64, f64, Vec<f64>)> {
        let count = f64::from(self.count);
        let lead = self.lead / count;
        let deviation = (self.square / count - lead * lead).max(0.0).sqrt();
        let ownership = self.ownership.iter().map(|&sum| f64::from(sum) / count).collect();
        (self.count > 0).then_some((lead, deviation, ownership))
    }
}

impl Watch {
    fn open(&self) -> MutexGuard<'_, Tally> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search begins at a position `root` moves behind the last set-up; its priors become
    /// p^(1/T).
    pub(super) fn begin(&self, root: usize, temperature: f64) {
        let mut tally = self.open();
        *tally = Tally { root: root as u32, temperature: temperature as f32, ..Tally::default() };
    }

    /// What was said of the positions behind a move of the root.
    pub(super) fn behind(&self, m: Move, size: usize) -> Sum {
        let cell = m.map_or(size * size, |p| usize::from(p.row) * size + usize::from(p.column));
        self.open().sums.get(cell).cloned().unwrap_or_default()
    }

    /// What was said of the root and of all positions behind it.
    pub(super) fn all(&self) -> Sum {
        let tally = self.open();
        let mut all = tally.itself.clone();
        tally.sums.iter().for_each(|sum| all.merge(sum));
        all
    }

    /// This evaluator, with the watch listening. Remembered evaluations are made again, so the
    /// evaluator should have no cache.
    pub fn over<const STRIDE: usize, const LEN: usize>(
        &self,
        evaluator: Box<dyn Evaluate<Go<STRIDE, LEN>>>,
    ) -> Box<dyn Evaluate<Go<STRIDE, LEN>>> {
        Box::new(Watched { evaluator, watch: self.clone() })
    }
}

#[derive(Debug)]
struct Watched<const STRIDE: usize, const LEN: usize> {
    evaluator: Box<dyn Evaluate<Go<STRIDE, LEN>>>,
    watch: Watch,
}

impl<const STRIDE: usize, const LEN: usize> Evaluate<Go<STRIDE, LEN>> for Watched<STRIDE, LEN> {
    fn evaluate(
        &mut self,
        position: &Go<STRIDE, LEN>,
        moves: &[Vertex<STRIDE>],
        priors: &mut Vec<f32>,
    ) -> Value {
        let first = priors.len();
        let value = self.evaluator.evaluate(position, moves, priors);
        let expectation = self.evaluator.expectation(position);
        let mut tally = self.watch.open();
        let behind = position.move_after(tally.root as usize);
        if behind.is_none() && tally.temperature != 1.0 {
            let exponent = 1.0 / tally.temperature;
            let priors = &mut priors[first..];
            // Relative to the largest, which does not vanish.
            let largest = priors.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
            priors.iter_mut().for_each(|prior| *prior = (*prior / largest).powf(exponent));
        }
        if let Some(expectation) = expectation {
            let sign = if tesuji::Game::to_move(position) == Player::FIRST { 1.0 } else { -1.0 };
            let sum = match behind {
                None => &mut tally.itself,
                Some(cell) => {
                    let cells = position.size() * position.size() + 1;
                    tally.sums.resize_with(cells, Sum::default);
                    &mut tally.sums[cell]
                }
            };
            sum.add(&expectation, sign);
        }
        value
    }

    fn expectation(&mut self, position: &Go<STRIDE, LEN>) -> Option<Expectation> {
        self.evaluator.expectation(position)
    }

    fn new_game(&mut self, start: &Go<STRIDE, LEN>) {
        self.evaluator.new_game(start);
    }

    fn bytes(&self) -> usize {
        self.evaluator.bytes()
    }

    fn boxed(&self) -> Box<dyn Evaluate<Go<STRIDE, LEN>>> {
        Box::new(Watched { evaluator: self.evaluator.boxed(), watch: self.watch.clone() })
    }
}
