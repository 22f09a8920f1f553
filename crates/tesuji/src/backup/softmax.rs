//! Softmax MCTS.

use super::max::greatest;
use super::own::OwnSamples;
use super::table::LookupTable;
use super::{Backup, NodeMut};
use crate::game::SearchGame;
use crate::math::{exp, root};
use crate::monotone::Monotone;
use crate::tree::BackupState;
use alloc::vec::Vec;

/// Softmax MCTS: the mean of the children's values x with weights proportional to n e^(w x),
/// blended with the node's own sample (Softmax and Monotone MCTS, section 3.2).
///
/// v = (k r + M S) / (k + M), where S = sum n x e^(w x) / sum n e^(w x), M = sum n, and r is the
/// mean of the k samples of the node itself, usually one. The weight w grows with the node's visits
/// by a [`Schedule`]: w = 0 is the mean, and the larger w, the nearer S comes to the greatest
/// value, to within ln(children M / n) / w. Samples go up as they are.
///
/// An update takes time proportional to the number of children, or with an allowed `error` mostly
/// constant time. Then each node keeps three sums for a weight w0, in which one child changes at a
/// time. At the weight w0 + d, S is S(w0) + d V(w0), where the variance V of x is the derivative of
/// S. Because |V'| <= V for values in [0, 1], the error is at most d² V e^d / 2. If it might exceed
/// `error`, the sums are computed again.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Softmax {
    /// The growth of the weight w with the visits N of a node.
    ///
    /// Default: `root`.
    pub schedule: Schedule,
    /// The factor a of the schedule, if it has one.
    ///
    /// Range: 0 to 1000000 (1/value). Default: 0.4.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "1/value")))]
    pub weight: f64,
    /// The values of g = ln f' at the knots, evenly spaced from 0 to B visits; [-3, 6] is the usual
    /// box.
    ///
    /// Range: list of 1 to 64, each -60 to 60. Default: `[0.0,0.0,0.0,0.0,0.0]`.
    #[cfg_attr(feature = "recipe", schemars(length(min = 1, max = 64), inner(range(min = -60.0, max = 60.0))))]
    pub knots: Vec<f64>,
    /// B: visits over which the knots are spread, usually the simulations a move.
    ///
    /// Range: 1 to 1000000 (visits). Default: 5000.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1, max = 1_000_000), extend("unit" = "visits")))]
    pub simulations: u32,
    /// The use of the node's own sample.
    ///
    /// Default: `blend`.
    pub own: OwnSample,
    /// The largest allowed error of S at one node, given the children. An error above 0 saves
    /// computing S again at each update. With 0, and in trees that recycle, prove, have two
    /// levels or are changed by several threads at once, S is always computed again.
    ///
    /// Range: 0 to 0.1 (value). Default: 0.0001.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 0.1), extend("unit" = "value")))]
    pub error: f64,
    #[cfg_attr(feature = "recipe", serde(skip))]
    weights: LookupTable,
}

/// The growth of the weight of [`Softmax`] with the number N of visits, the newest one included.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum Schedule {
    /// w = a.
    Constant,
    /// w = a N.
    Linear,
    /// w = a sqrt(N).
    #[default]
    Root,
    /// w = f(N / B), a rising function with f(0) = 0 given by its knots. From the first game on it
    /// is tabulated up to a little more than 2 B visits (at most 2^20), and goes on as a line.
    /// It is exact up to 1024 visits and interpolated between 64 visits an octave beyond them.
    Knots,
}

/// The use of the sample that a node was given when it was new.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum OwnSample {
    /// It has its share 1/N.
    #[default]
    Blend,
    /// It is dropped as soon as there is a child.
    Drop,
    /// It counts as a child of one visit.
    AsChild,
}

impl Default for Softmax {
    /// w = 0.4 sqrt(N), the own sample blended, S within 10^-4.
    fn default() -> Softmax {
        Softmax {
            schedule: Schedule::Root,
            weight: 0.4,
            knots: [0.0; 5].to_vec(),
            simulations: 5000,
            own: OwnSample::Blend,
            error: 1e-4,
            weights: LookupTable::default(),
        }
    }
}

impl PartialEq for Softmax {
    fn eq(&self, other: &Softmax) -> bool {
        let key = |s: &Softmax| (s.schedule, s.weight, s.simulations, s.own, s.error);
        key(self) == key(other) && self.knots == other.knots
    }
}

impl Softmax {
    /// The backup with this schedule and a, and all else as by default.
    pub fn new(schedule: Schedule, weight: f64) -> Softmax {
        Softmax { schedule, weight, ..Softmax::default() }
    }

    /// The schedule of the weight as a function of u = N / B, where it is given by knots.
    pub fn function(&self) -> Monotone {
        Monotone::new(0.0, &self.knots)
    }

    /// The weight w at a node of `visits` visits.
    #[inline]
    pub fn weight_at(&self, visits: u32) -> f64 {
        match self.schedule {
            Schedule::Constant => self.weight,
            Schedule::Linear => self.weight * f64::from(visits),
            Schedule::Root => self.weight * root(f64::from(visits)),
            Schedule::Knots => self.weights.exact(visits).unwrap_or_else(|| self.far_weight(visits)),
        }
    }

    /// The weight by knots where it is not tabulated for each visit.
    #[inline(never)]
    fn far_weight(&self, visits: u32) -> f64 {
        let end = self.weights.end();
        if end == 0 {
            return self.function().value(f64::from(visits) / f64::from(self.simulations.max(1)));
        }
        if visits <= end {
            return self.weights.at(visits);
        }
        let half = self.weights.at(end / 2);
        let rise = (self.weights.at(end) - half) / f64::from(end - end / 2);
        half + rise * f64::from(visits - end / 2)
    }
}

impl Backup for Softmax {
    fn backup_state(&self) -> usize {
        if self.is_incremental() { OwnSamples::NUMBERS + Kept::NUMBERS } else { OwnSamples::NUMBERS }
    }

    fn turns_values(&self) -> bool {
        true
    }

    fn looks_at_changes(&self) -> bool {
        self.is_incremental()
    }

    #[inline]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let visits = node.visit();
        let own = OwnSamples::learn(node, sample);
        let w = self.weight_at(visits);
        let known = if self.is_incremental() { self.nudge(node, w) } else { None };
        let (m, soft) = match known {
            Some(soft) => (f64::from(visits) - own.count, soft),
            None => self.anew(node, w, own),
        };
        let blended = own.blend(node, visits, sample, (m, soft));
        let value = if self.own == OwnSample::Blend || m == 0.0 { blended } else { node.turn(soft) };
        node.set_value(value);
        sample
    }

    fn new_game<G: SearchGame>(&mut self, _: &G) {
        if self.schedule == Schedule::Knots {
            let (f, span) = (self.function(), f64::from(self.simulations.max(1)));
            self.weights =
                LookupTable::new(self.simulations.saturating_mul(2), |n| f.value(f64::from(n) / span));
        }
    }

    fn bytes(&self) -> usize {
        self.weights.bytes() + self.knots.capacity() * size_of::<f64>()
    }
}

impl Softmax {
    /// Whether sums are kept.
    #[inline]
    fn is_incremental(&self) -> bool {
        self.error > 0.0 && self.own != OwnSample::AsChild
    }

    /// S by the sums that are kept at the node, with the child that has changed brought up to date;
    /// none if they do not say it well enough.
    #[inline]
    fn nudge(&self, node: &mut impl NodeMut, w: f64) -> Option<f64> {
        let change = node.change()?;
        let kept = Kept::of(node.backup_state());
        let d = w - kept.w;
        if kept.sums.weight == 0.0 || d > 0.5 {
            return None;
        }
        let mut sums = kept.sums;
        let (n, x) = change.before;
        sums.add(-f64::from(n), x, kept.w, 1.0);
        let (n, x) = change.now;
        sums.add(f64::from(n), x, kept.w, 1.0);
        if sums.weight < 1e-6 * kept.most {
            // What is left is mostly rounding.
            return None;
        }
        let mean = sums.value / sums.weight;
        let variance = (sums.square / sums.weight - mean * mean).max(0.0);
        // e^0.5 / 2 < 0.83
        if 0.83 * d * d * variance > self.error {
            return None;
        }
        Kept { sums, most: kept.most.max(sums.weight), ..kept }.store(node.backup_state());
        Some((mean + d * variance).min(1.0))
    }

    /// The visits of the children and S, from all of them.
    #[inline(never)]
    fn anew(&self, node: &mut impl NodeMut, w: f64, own: OwnSamples) -> (f64, f64) {
        // Values are at most 1: only a large w needs to know the greatest.
        let near = w <= NEAR;
        let extra = (self.own == OwnSample::AsChild).then(|| (own.count, node.turn(own.mean)));
        let top = if near { 1.0 } else { greatest_with(node, extra) };
        let (mut sums, mut visits) = (Sums::default(), 0.0);
        for (n, x) in node.children() {
            visits += f64::from(n);
            sums.add(f64::from(n), x, w, top);
        }
        if let Some((n, x)) = extra {
            sums.add(n, x, w, top);
        } else if self.is_incremental() {
            let sums = if near { sums } else { Sums::default() };
            Kept { w, sums, most: sums.weight }.store(node.backup_state());
        }
        (visits, if sums.weight > 0.0 { sums.value / sums.weight } else { 0.0 })
    }
}

/// e^(w (x - 1)) does not vanish for any x in [0, 1] up to this w.
const NEAR: f64 = 500.0;

/// The greatest value, that of a child of `extra` visits included.
#[inline(never)]
fn greatest_with(node: &impl NodeMut, extra: Option<(f64, f64)>) -> f64 {
    let extra = extra.filter(|&(n, _)| n > 0.0).map_or(f64::NEG_INFINITY, |(_, x)| x);
    greatest(node).map_or(extra, |x| extra.max(x))
}

/// Sums of n e^(w (x - top)), and of these times x and x².
#[derive(Clone, Copy, Default)]
struct Sums {
    weight: f64,
    value: f64,
    square: f64,
}

impl Sums {
    #[inline]
    fn add(&mut self, n: f64, x: f64, w: f64, top: f64) {
        // A value that no visit stands behind yet may be above the greatest one.
        let exponent = (w * (x - top)).min(0.0);
        if exponent >= -600.0 {
            let weight = n * exp(exponent);
            self.weight += weight;
            self.value += weight * x;
            self.square += weight * x * x;
        }
    }
}

/// The sums that are kept at a node, with top = 1.
#[derive(Clone, Copy)]
struct Kept {
    w: f64,
    sums: Sums,
    /// The greatest sum of weights since they were computed from all children.
    most: f64,
}

impl Kept {
    const NUMBERS: usize = 5;

    #[inline]
    fn of(state: BackupState<'_>) -> Kept {
        let kept = |place| state.get(OwnSamples::NUMBERS + place);
        Kept { w: kept(0), sums: Sums { weight: kept(1), value: kept(2), square: kept(3) }, most: kept(4) }
    }

    #[inline]
    fn store(self, state: BackupState<'_>) {
        let Sums { weight, value, square } = self.sums;
        for (place, number) in (OwnSamples::NUMBERS..).zip([self.w, weight, value, square, self.most]) {
            state.set(place, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Change;
    use super::*;
    use crate::Rng;
    use crate::atomic::AtomicF64;

    /// A node that says which child has changed, as those of a tree that only grows do.
    struct Growing {
        visits: u32,
        value: f64,
        children: Vec<(u32, f64)>,
        change: Option<Change>,
        state: Vec<AtomicF64>,
    }

    impl Growing {
        fn new(backup: &Softmax, children: &[(u32, f64)]) -> Growing {
            let state = alloc::vec![AtomicF64::new(0.0); backup.backup_state()];
            Growing { visits: 0, value: 0.0, children: children.to_vec(), change: None, state }
        }

        /// Changes a child, or none if it stays as it is, at a node of `visits` visits. Returns the
        /// distance of S from its definition afterwards.
        fn update(&mut self, backup: &Softmax, visits: u32, child: usize, now: (u32, f64)) -> f64 {
            self.change = Some(Change { before: self.children[child], now });
            self.children[child] = now;
            self.visits = visits - 1;
            backup.update(self, 0.5);
            let w = backup.weight_at(visits);
            let top = self.children.iter().map(|c| c.1).fold(0.0, f64::max);
            let weights = self.children.iter().map(|&(n, x)| f64::from(n) * libm::exp(w * (x - top)));
            let sum: f64 = weights.clone().sum();
            let exact = weights.zip(&self.children).map(|(weight, (_, x))| weight * x).sum::<f64>() / sum;
            (self.value - exact).abs()
        }
    }

    impl NodeMut for Growing {
        fn update_by(&mut self, _: &dyn super::super::ErasedBackup, _: f64) -> f64 {
            unreachable!("its backups are known")
        }

        fn visit_many(&mut self, visits: u32) -> u32 {
            self.visits += visits;
            self.visits
        }

        fn value(&self) -> f64 {
            self.value
        }

        fn set_value(&mut self, value: f64) {
            self.value = value;
        }

        fn turn(&self, value: f64) -> f64 {
            value
        }

        fn is_own(&self) -> bool {
            false
        }

        fn children(&self) -> impl Iterator<Item = (u32, f64)> {
            self.children.iter().copied()
        }

        fn change(&self) -> Option<Change> {
            self.change
        }

        fn backup_state(&self) -> BackupState<'_> {
            BackupState(&self.state)
        }

        fn backup_state_below(&self) -> Option<BackupState<'_>> {
            None
        }

        fn backup_states_of_children(&self) -> impl Iterator<Item = BackupState<'_>> {
            core::iter::empty()
        }

        fn backup_state_of_root(&self) -> BackupState<'_> {
            self.backup_state()
        }
    }

    /// S alone, with w = N / 1000.
    fn backup(error: f64) -> Softmax {
        Softmax { own: OwnSample::Drop, error, ..Softmax::new(Schedule::Linear, 0.001) }
    }

    /// The weight grows while one of two children is far better and has few visits: the third
    /// moment of the values is as great as their variance, and the bound nearly reached.
    #[test]
    fn sums_are_computed_anew_before_the_weight_leads_them_astray() {
        for error in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
            let backup = backup(error);
            for rare in [1, 10, 100, 1000, 10_000, 100_000] {
                let mut node = Growing::new(&backup, &[(1_000_000, 0.0), (rare, 1.0)]);
                let mut anew = 0;
                for visits in (100..=12_000).step_by(100) {
                    let kept = node.state[OwnSamples::NUMBERS].get();
                    let off = node.update(&backup, visits, 0, (1_000_000, 0.0));
                    assert!(off <= error, "error {error}, {rare} of 1000000, {visits} visits: {off}");
                    anew += u32::from(node.state[OwnSamples::NUMBERS].get() != kept);
                }
                // The weight grows by no more than 0.5 in between, but by that much if little
                // depends on it.
                let few = error == 1e-2 && rare <= 100;
                assert!(anew >= 20 && (!few || anew < 40), "error {error}, {rare} of 1000000: {anew}");
            }
        }
    }

    /// The child that has nearly all the weight becomes a bad one: what the sums have left is the
    /// rounding of what they had.
    #[test]
    fn sums_are_computed_anew_when_only_rounding_is_left() {
        let backup = backup(1e-4);
        // The last: what is left would be enough beside the sums as they were computed.
        for (first, bad, least) in [(0.7, 0.0, 0.3), (0.7, 0.2, 0.4), (0.7, 0.0, 0.02), (0.6, 0.0, 0.578)] {
            // w = 60, at which the others weigh e^-18 of the best and less.
            let visits = 60_000;
            let mut node = Growing::new(&backup, &[(100_000, first), (10, least), (7, least / 2.0)]);
            node.update(&backup, visits, 0, (100_000, first));
            // Its rise is learned in passing, so that the sums are far greater than when they were
            // computed.
            assert!(node.update(&backup, visits, 0, (100_000, 1.0)) <= 1e-4);
            let off = node.update(&backup, visits, 0, (100_000, bad));
            assert!(off <= 1e-4, "{bad} {least}: {off}");
        }
    }

    /// From 1 to a power of two, at most 2^(most - 1).
    fn below_power(rng: &mut Rng, most: u32) -> u32 {
        let power = rng.below(most);
        1 + rng.below(1 << power)
    }

    #[test]
    fn any_course_of_children_stays_within_the_error() {
        let mut rng = Rng::new(4);
        for error in [1e-2, 1e-3, 1e-4, 1e-5] {
            let backup = backup(error);
            for _ in 0..60 {
                let children: Vec<_> = (0..4).map(|_| (below_power(&mut rng, 16), 0.5)).collect();
                let mut node = Growing::new(&backup, &children);
                let mut visits = 1;
                for _ in 0..200 {
                    visits += below_power(&mut rng, 10);
                    let child = rng.below(4) as usize;
                    let value = f64::from(rng.below(17)) / 16.0;
                    let now = (node.children[child].0 + rng.below(100), value);
                    let off = node.update(&backup, visits, child, now);
                    assert!(
                        off <= error + 1e-9,
                        "error {error}, {visits} visits, {:?}: {off}",
                        node.children
                    );
                }
            }
        }
    }
}
