//! Weights of one's own.

#[cfg(feature = "recipe")]
use super::table::EACH;
use super::{Backup, NodeMut, Steps};
use crate::game::SearchGame;
use alloc::vec::Vec;

/// A mean in which the n-th sample has a weight from a list; beyond the list ln w goes on as in its
/// last step.
///
/// Steps are exact for every visit. Beside the list they take 8 bytes for each of its first 1024
/// weights, and 12 bytes for each later one that differs from the weight before it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Weights {
    /// The weights of the first, second and later samples; only their ratios matter.
    ///
    /// Range: list of 1 to 65536, each 1e-100 to 1e100. Default: `[1.0]`.
    #[cfg_attr(
        feature = "recipe",
        schemars(length(min = 1, max = 65536), inner(range(min = 1e-100, max = 1e100)))
    )]
    pub weights: Vec<f64>,
    #[cfg_attr(feature = "recipe", serde(skip))]
    steps: Steps,
}

impl Default for Weights {
    /// All weights 1.
    fn default() -> Weights {
        Weights::new(&[1.0])
    }
}

impl PartialEq for Weights {
    fn eq(&self, other: &Weights) -> bool {
        self.weights == other.weights
    }
}

impl Weights {
    /// The backup with these weights.
    pub fn new(weights: &[f64]) -> Weights {
        Weights { weights: weights.to_vec(), steps: Steps::default() }
    }

    /// The revision of its games, in which no node has more than `visits` visits: 1 where steps
    /// were once interpolated.
    #[cfg(feature = "recipe")]
    pub(crate) fn revision(&self, visits: u64) -> u32 {
        u32::from((self.weights.len() as u64).min(visits) > EACH.into())
    }

    #[cfg(feature = "recipe")]
    pub(crate) fn steps(&self) -> &Steps {
        &self.steps
    }
}

impl Backup for Weights {
    #[inline]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        self.steps.update(node, sample)
    }

    fn new_game<G: SearchGame>(&mut self, _: &G) {
        let logarithms = |n: usize| self.weights.get(n - 1).map(|&w| libm::log(w));
        let (mut last, mut slope) = (0.0, 0.0);
        self.steps = Steps::new(self.weights.len() as u32, |n| {
            let next = logarithms(n as usize).unwrap_or(last + slope);
            slope = if n == 1 { 0.0 } else { next - last };
            last = next;
            next
        });
    }

    fn bytes(&self) -> usize {
        self.steps.bytes() + self.weights.capacity() * size_of::<f64>()
    }
}
