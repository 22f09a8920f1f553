//! Backups of the greatest value among the children.

use super::own::OwnSamples;
use super::{Backup, NodeMut};

/// The greatest value of the children; a node without children has the mean of its own samples.
///
/// With noisy samples it overestimates (Coulom 2006).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Max {}

impl Backup for Max {
    fn backup_state(&self) -> usize {
        OwnSamples::NUMBERS
    }

    fn turns_values(&self) -> bool {
        true
    }

    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        node.visit();
        let own = OwnSamples::learn(node, sample);
        let value = greatest(node).map_or(own.mean, |value| node.turn(value));
        node.set_value(value);
        sample
    }
}

/// MaxMCTS(lambda): at each node of the path the sample becomes lambda r + (1 - lambda) max x on
/// its way up, where x are the values of the children. A value is the mean of the samples that came
/// by (Khandelwal et al. 2016).
///
/// lambda = 1 is the mean. With lambda = 0 a value is the mean of the maxima so far, which only
/// tends to the maximum.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct MaxMcts {
    /// The share of the sample itself.
    ///
    /// Range: 0 to 1 (share). Default: 0.8.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "share")))]
    pub lambda: f64,
}

impl Default for MaxMcts {
    /// lambda = 0.8.
    fn default() -> MaxMcts {
        MaxMcts { lambda: 0.8 }
    }
}

impl Backup for MaxMcts {
    fn turns_values(&self) -> bool {
        true
    }

    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let n = node.visit();
        let greatest = if node.is_own() { None } else { greatest(node) };
        let passed =
            greatest.map_or(sample, |value| self.lambda * sample + (1.0 - self.lambda) * node.turn(value));
        let value = node.value();
        node.set_value(value + (passed - value) / f64::from(n));
        passed
    }
}

/// The greatest value of a child, for the player to move.
pub(super) fn greatest(node: &impl NodeMut) -> Option<f64> {
    node.children().filter(|&(n, _)| n > 0).map(|(_, x)| x).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Accelerated, Mellowmax, PowerMean, Replay, Softmax};

    /// The value of a node after two samples through each of two children, where a third child
    /// has a value but no visit yet: another thread is about to count it.
    fn value_beside(backup: &impl Backup, unvisited: f64) -> f64 {
        let mut node = Replay::new(backup, 3);
        for (child, sample) in [(0, 0.25), (1, 0.0), (0, 0.75), (1, 0.5)] {
            node.children[2].1 = unvisited;
            node.sample(backup, Some(child), sample);
        }
        node.value
    }

    fn ignores_unvisited(backup: &impl Backup) {
        let alone = value_beside(backup, 0.0);
        assert!(alone > 0.0 && alone < 1.0);
        assert_eq!(value_beside(backup, 1.0), alone);
    }

    #[test]
    fn a_child_without_visits_does_not_count() {
        ignores_unvisited(&Max {});
        ignores_unvisited(&MaxMcts { lambda: 0.5 });
        for weight in [2.0, 1e6] {
            ignores_unvisited(&Mellowmax { weight });
            ignores_unvisited(&Accelerated { softmax: weight, ..Accelerated::default() });
            let mut softmax = Softmax::default();
            softmax.weight = weight;
            softmax.new_game(&crate::doc_game::Nim::new(9));
            ignores_unvisited(&softmax);
        }
        for p in [2.0, 2.5, 1000.0] {
            ignores_unvisited(&PowerMean { p });
        }
    }
}
