//! Monotone MCTS.

use super::{Backup, NodeMut, Steps};
use crate::game::SearchGame;
use crate::monotone::Monotone;
use alloc::vec::Vec;

/// Monotone MCTS: a mean in which the n-th sample has weight w(n) = f(n / B), where B is
/// `simulations` and f a rising function with f(0) = 1 (Softmax and Monotone MCTS, section 3.1).
///
/// With all knots at -40 it is the mean, with equal knots ln a the weights are 1 + a n / B; knots c
/// x + ln c at x = 0 to 1 make it the exponential average of rate 1 - e^(-c/B).
///
/// Weights are those of f up to a little more than 2 B visits (at most 2^20). Each later weight is
/// larger than the one before by the same factor. So B should be near the visits of a root.
///
/// Steps are exact up to visit 1024 and interpolated between 64 visits an octave beyond it. The
/// interpolated step is within 5 % of the exact one for knots from -6 to 8, and further off for
/// steeper functions.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct MonotoneWeights {
    /// The values of g = ln f' at the knots, evenly spaced from 0 to B visits; [-6, 8] is the usual
    /// box.
    ///
    /// Range: list of 1 to 64, each -60 to 60. Default: `[8.5,8.5,8.5,8.5,8.5]`.
    #[cfg_attr(feature = "recipe", schemars(length(min = 1, max = 64), inner(range(min = -60.0, max = 60.0))))]
    pub knots: Vec<f64>,
    /// B: visits over which the knots are spread, usually the simulations a move.
    ///
    /// Range: 1 to 1000000 (visits). Default: 5000.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1, max = 1_000_000), extend("unit" = "visits")))]
    pub simulations: u32,
    #[cfg_attr(feature = "recipe", serde(skip))]
    steps: Steps,
}

impl Default for MonotoneWeights {
    /// Knots 8.5 five times, B = 5000: w(n) = 1 + 0.98 n, nearly w(n) = n.
    fn default() -> MonotoneWeights {
        MonotoneWeights::new(&[8.5; 5], 5000)
    }
}

impl PartialEq for MonotoneWeights {
    fn eq(&self, other: &MonotoneWeights) -> bool {
        (&self.knots, self.simulations) == (&other.knots, other.simulations)
    }
}

impl MonotoneWeights {
    /// The backup with these knots, spread over `simulations` visits.
    pub fn new(knots: &[f64], simulations: u32) -> MonotoneWeights {
        MonotoneWeights { knots: knots.to_vec(), simulations, steps: Steps::default() }
    }

    #[cfg(feature = "recipe")]
    pub(crate) fn steps(&self) -> &Steps {
        &self.steps
    }

    /// The weights w(n) as a function of u = n / B.
    pub fn function(&self) -> Monotone {
        Monotone::new(1.0, &self.knots)
    }
}

impl Backup for MonotoneWeights {
    #[inline]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        self.steps.update(node, sample)
    }

    fn new_game<G: SearchGame>(&mut self, _: &G) {
        let (f, span) = (self.function(), f64::from(self.simulations.max(1)));
        let reach = self.simulations.saturating_mul(2);
        self.steps = Steps::interpolated(reach, |n| f.ln_value(f64::from(n) / span));
    }

    fn bytes(&self) -> usize {
        self.steps.bytes() + self.knots.capacity() * size_of::<f64>()
    }
}
