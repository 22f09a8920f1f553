//! Accelerated UCT.

use super::max::greatest;
use super::own::OwnSamples;
use super::{Backup, NodeMut};
use crate::math::{exp, root};
use crate::tree::BackupState;

/// Accelerated UCT (Hashimoto et al. 2011): the mean of the children weighted by velocities,
/// blended with the node's own sample as [`Softmax`](crate::Softmax) does. At each visit of the
/// node all velocities of its children shrink by the factor lambda, and that of the child chosen
/// grows by 1.
///
/// lambda = 1 is the mean.
///
/// With `softmax` = a above 0, a child's weight is its velocity times e^(w x) with w = a sqrt(N),
/// where [`Softmax`](crate::Softmax) has visits in place of the velocity. So newer samples and
/// better children both count more: the two directions of Softmax and Monotone MCTS (section 5) at
/// once. Then lambda = 1 is Softmax.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Accelerated {
    /// The decay lambda. Usual values are 1 - 10^-k with k = 2 to 7.
    ///
    /// Range: 0.1 to 1 (share). Default: 0.999.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.1, max = 1.0), extend("unit" = "share")))]
    pub lambda: f64,
    /// The factor a of Softmax's weight a sqrt(N); 0: none.
    ///
    /// Range: 0 to 1000000 (1/value). Default: 0.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "1/value")))]
    pub softmax: f64,
}

impl Default for Accelerated {
    /// lambda = 0.999, without Softmax.
    fn default() -> Accelerated {
        Accelerated { lambda: 0.999, softmax: 0.0 }
    }
}

/// Where, in a child's state, its velocity is, and the visits of the parent when it was brought up
/// to date.
const VELOCITY: usize = OwnSamples::NUMBERS;
const STAMP: usize = VELOCITY + 1;

impl Backup for Accelerated {
    fn backup_state(&self) -> usize {
        STAMP + 1
    }

    fn turns_values(&self) -> bool {
        true
    }

    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let visits = node.visit();
        let own = OwnSamples::learn(node, sample);
        let now = f64::from(visits);
        let decay = libm::log(self.lambda);
        let left = |state: BackupState<'_>| {
            state.get(VELOCITY) * exp((decay * (now - state.get(STAMP))).max(-700.0))
        };
        if let Some(state) = node.backup_state_below() {
            state.set(VELOCITY, left(state) + 1.0);
            state.set(STAMP, now);
        }
        let w = if self.softmax > 0.0 { self.softmax * root(now) } else { 0.0 };
        // Only differences of values count; a large w needs the greatest value as their end.
        let top = if w > 0.0 { greatest(node).unwrap_or(0.0) } else { 1.0 };
        let (mut m, mut velocities, mut sum) = (0.0, 0.0, 0.0);
        for ((n, x), state) in node.children().zip(node.backup_states_of_children()) {
            let mut velocity = left(state);
            if w > 0.0 {
                velocity *= exp((w * (x - top)).clamp(-700.0, 0.0));
            }
            m += f64::from(n);
            velocities += velocity;
            sum += velocity * x;
        }
        if velocities <= 0.0 {
            m = 0.0;
        }
        let value = own.blend(node, visits, sample, (m, sum / velocities));
        node.set_value(value);
        sample
    }
}
