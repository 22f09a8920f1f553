//! Policies for searches that look one move ahead.

use super::{Child, Select, Shared};

/// The least visited child, in turn: with a depth limit of 1 this is flat Monte Carlo, which spends
/// its budget evenly.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct RoundRobin {}

impl Select for RoundRobin {
    #[inline]
    fn score(&self, _: Shared, child: &Child) -> f32 {
        -(child.visits as f32)
    }
}

/// The child of the highest value, or with probability epsilon any child.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct EpsilonGreedy {
    /// Probability of a uniformly random child.
    ///
    /// Range: 0 to 1 (probability). Default: 0.1.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "probability")))]
    pub epsilon: f32,
}

impl Default for EpsilonGreedy {
    /// epsilon = 0.1.
    fn default() -> EpsilonGreedy {
        EpsilonGreedy { epsilon: 0.1 }
    }
}

impl Select for EpsilonGreedy {
    #[inline]
    fn score(&self, _: Shared, child: &Child) -> f32 {
        child.value
    }

    #[inline]
    fn random(&self) -> f32 {
        self.epsilon
    }
}
