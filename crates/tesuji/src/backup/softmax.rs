//! Softmax MCTS.

use super::own::Own;
use super::table::Table;
use super::{Backup, NodeMut};
use crate::math::{exp, root};
use crate::{Game, Monotone};
use alloc::vec::Vec;

/// Softmax MCTS: the mean of the children's values x with weights proportional to n e^(w x), blended with the
/// node's own sample (Softmax and Monotone MCTS, section 3.2).
///
/// v = (k r + M S) / (k + M), where S = sum n x e^(w x) / sum n e^(w x), M = sum n, and r is the mean of the k
/// samples of the node itself, usually one. The weight w grows with the node's visits by a [`Schedule`]: w = 0 is
/// the mean, and the larger w, the nearer S comes to the greatest value, to within ln(children M / n) / w.
/// Samples go up as they are.
///
/// An update takes time proportional to the children, or with an allowed `error` mostly constant time: three sums
/// are kept at each node for a weight w0, in which one child changes at a time, and S is S(w0) + d V(w0) at the weight
/// w0 + d, where the variance V of x is the derivative of S. As |V'| <= V for values in [0, 1], that is no more than
/// d² V e^d / 2 wrong; the sums are computed anew where this might exceed the error.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Softmax {
    /// How the weight w depends on the visits N of a node.
    pub schedule: Schedule,
    /// a, where the schedule has one.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "1/value")))]
    pub weight: f64,
    /// The values of g = ln f' at the knots, evenly spaced from 0 to B visits; [-3, 6] is the usual box.
    #[cfg_attr(feature = "recipe", schemars(length(min = 1, max = 64), inner(range(min = -60.0, max = 60.0))))]
    pub knots: Vec<f64>,
    /// B: visits over which the knots are spread, usually the simulations a move.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1, max = 1_000_000), extend("unit" = "visits")))]
    pub simulations: u32,
    /// What becomes of the node's own sample.
    pub own: OwnSample,
    /// How far S may be from its value, at one node and given the children, so that it need not be computed anew
    /// each time. 0: always computed anew. Trees that recycle, prove or have two levels always do.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 0.1), extend("unit" = "value")))]
    pub error: f64,
    #[cfg_attr(feature = "recipe", serde(skip))]
    weights: Table,
}

/// How the weight of [`Softmax`] depends on the number N of visits, the newest one included.
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
    /// w = f(N / B), a rising function with f(0) = 0 given by its knots.
    Knots,
}

/// What becomes of the sample that a node was given when it was new.
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
            weights: Table::default(),
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

    /// The weight w at a node of so many visits.
    #[inline]
    pub fn weight_at(&self, visits: u32) -> f64 {
        match self.schedule {
            Schedule::Constant => self.weight,
            Schedule::Linear => self.weight * f64::from(visits),
            Schedule::Root => self.weight * root(f64::from(visits)),
            Schedule::Knots => self.weights.exact(visits).unwrap_or_else(|| self.far_weight(visits)),
        }
    }

    /// The weight by knots; beyond the last one f is a line.
    #[inline(never)]
    fn far_weight(&self, visits: u32) -> f64 {
        let end = self.weights.end();
        if visits <= end {
            return self.weights.at(visits);
        }
        let half = self.weights.at(end / 2);
        let rise = (self.weights.at(end) - half) / f64::from(end - end / 2);
        half + rise * f64::from(visits - end / 2)
    }
}

impl Backup for Softmax {
    fn memo(&self) -> usize {
        if self.is_incremental() { Own::MEMO + Kept::MEMO } else { Own::MEMO }
    }

    fn turns_values(&self) -> bool {
        true
    }

    #[inline]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let visits = node.visit();
        let own = Own::learn(node, sample);
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

    fn new_game<G: Game>(&mut self, _: &G) {
        if self.schedule == Schedule::Knots {
            let (f, span) = (self.function(), f64::from(self.simulations.max(1)));
            self.weights = Table::new(self.simulations.saturating_mul(2), |n| f.value(f64::from(n) / span));
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

    /// S by the sums that are kept at the node, with the child that has changed brought up to date; none if they do
    /// not say it well enough.
    #[inline]
    fn nudge(&self, node: &mut impl NodeMut, w: f64) -> Option<f64> {
        let change = node.change()?;
        let kept = Kept::of(node.memo());
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
        Kept { sums, most: kept.most.max(sums.weight), ..kept }.store(node.memo());
        Some((mean + d * variance).min(1.0))
    }

    /// The visits of the children and S, from all of them.
    #[inline(never)]
    fn anew(&self, node: &mut impl NodeMut, w: f64, own: Own) -> (f64, f64) {
        // Values are at most 1: only a large w needs to know the greatest.
        let near = w <= NEAR;
        let extra = (self.own == OwnSample::AsChild).then(|| (own.count, node.turn(own.mean)));
        let top = if near { 1.0 } else { greatest(node, extra) };
        let (mut sums, mut visits) = (Sums::default(), 0.0);
        for (n, x) in node.children() {
            visits += f64::from(n);
            sums.add(f64::from(n), x, w, top);
        }
        if let Some((n, x)) = extra {
            sums.add(n, x, w, top);
        } else if self.is_incremental() {
            let sums = if near { sums } else { Sums::default() };
            Kept { w, sums, most: sums.weight }.store(node.memo());
        }
        (visits, if sums.weight > 0.0 { sums.value / sums.weight } else { 0.0 })
    }
}

/// e^(w (x - 1)) does not vanish for any x in [0, 1] up to this w.
const NEAR: f64 = 500.0;

#[inline(never)]
fn greatest(node: &impl NodeMut, extra: Option<(f64, f64)>) -> f64 {
    let extra = extra.filter(|&(n, _)| n > 0.0).map_or(f64::NEG_INFINITY, |(_, x)| x);
    node.children().filter(|&(n, _)| n > 0).map(|(_, x)| x).fold(extra, f64::max)
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
        let exponent = w * (x - top);
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
    const MEMO: usize = 5;

    #[inline]
    fn of(memo: &[f64]) -> Kept {
        let kept = &memo[Own::MEMO..][..Kept::MEMO];
        Kept { w: kept[0], sums: Sums { weight: kept[1], value: kept[2], square: kept[3] }, most: kept[4] }
    }

    #[inline]
    fn store(self, memo: &mut [f64]) {
        let Sums { weight, value, square } = self.sums;
        memo[Own::MEMO..].copy_from_slice(&[self.w, weight, value, square, self.most]);
    }
}
