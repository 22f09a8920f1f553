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
/// Samples go up as they are. An update takes time proportional to the children.
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
    /// w = 0.4 sqrt(N), the own sample blended.
    fn default() -> Softmax {
        Softmax {
            schedule: Schedule::Root,
            weight: 0.4,
            knots: [0.0; 5].to_vec(),
            simulations: 5000,
            own: OwnSample::Blend,
            weights: Table::default(),
        }
    }
}

impl PartialEq for Softmax {
    fn eq(&self, other: &Softmax) -> bool {
        (self.schedule, self.weight, &self.knots, self.simulations, self.own)
            == (other.schedule, other.weight, &other.knots, other.simulations, other.own)
    }
}

impl Softmax {
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
        Own::MEMO
    }

    fn turns_values(&self) -> bool {
        true
    }

    #[inline]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let visits = node.visit();
        let own = Own::learn(node, sample);
        let extra = (self.own == OwnSample::AsChild).then(|| (own.count, node.turn(own.mean)));
        let (m, soft) = soft_mean(node, self.weight_at(visits), extra);
        let blended = own.blend(node, visits, sample, (m, soft));
        let value = if self.own == OwnSample::Blend || m == 0.0 { blended } else { node.turn(soft) };
        node.set_value(value);
        sample
    }

    fn new_game<G: Game>(&mut self, _: &G) {
        if self.schedule == Schedule::Knots {
            let (f, span) = (self.function(), f64::from(self.simulations.max(1)));
            self.weights = Table::new(2 * self.simulations, |n| f.value(f64::from(n) / span));
        }
    }

    fn bytes(&self) -> usize {
        self.weights.bytes() + self.knots.capacity() * size_of::<f64>()
    }
}

/// The visits of the children, and the mean of their values x with weights n e^(w x); `extra` is one child more
/// that counts as `n` visits of value `x`. 0 without any.
#[inline]
fn soft_mean(node: &impl NodeMut, w: f64, extra: Option<(f64, f64)>) -> (f64, f64) {
    // Values are at most 1: only a large w needs to know the greatest.
    let top = if w <= NEAR { 1.0 } else { greatest(node, extra) };
    let mut sums = Sums::default();
    for (n, x) in node.children() {
        sums.add(f64::from(n), x, w, top);
    }
    let visits = sums.visits;
    if let Some((n, x)) = extra {
        sums.add(n, x, w, top);
    }
    (visits, if sums.weight > 0.0 { sums.value / sums.weight } else { 0.0 })
}

/// e^(w (x - 1)) does not vanish for any x in [0, 1] up to this w.
const NEAR: f64 = 500.0;

#[inline(never)]
fn greatest(node: &impl NodeMut, extra: Option<(f64, f64)>) -> f64 {
    let extra = extra.filter(|&(n, _)| n > 0.0).map_or(f64::NEG_INFINITY, |(_, x)| x);
    node.children().filter(|&(n, _)| n > 0).map(|(_, x)| x).fold(extra, f64::max)
}

#[derive(Clone, Copy, Default)]
struct Sums {
    visits: f64,
    weight: f64,
    value: f64,
}

impl Sums {
    #[inline]
    fn add(&mut self, n: f64, x: f64, w: f64, top: f64) {
        self.visits += n;
        let exponent = w * (x - top);
        if exponent >= -600.0 {
            let weight = n * exp(exponent);
            self.weight += weight;
            self.value += weight * x;
        }
    }
}
