//! Exponential recency-weighted average.

use super::{Backup, NodeMut, Steps};
use crate::game::SearchGame;

/// ERWA, the exponential average: v += alpha (r - v) (Sutton & Barto 2018, section 2.5), with a
/// named beginning.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Erwa {
    /// alpha: the weight of the newest sample.
    ///
    /// Range: 1e-7 to 1 (share). Default: 0.001.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1e-7, max = 1.0), extend("unit" = "share")))]
    pub rate: f64,
    /// The beginning of the average.
    ///
    /// Default: `debiased`.
    pub start: ErwaStart,
    /// The value before the first sample, where the beginning is `prior`.
    ///
    /// Range: 0 to 1 (value). Default: 0.5.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "value")))]
    pub prior: f64,
    #[cfg_attr(feature = "recipe", serde(skip))]
    steps: Steps,
}

/// The start of [`Erwa`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum ErwaStart {
    /// The n-th step is alpha / (1 - (1 - alpha)^n): each sample weighs 1 / (1 - alpha) times the
    /// one before.
    #[default]
    Debiased,
    /// The first sample becomes the first value. Its weight is 1 / alpha times the weight that the
    /// rule gives to later ones.
    First,
    /// The n-th step is the greater of alpha and 1/n: a plain mean at first.
    Max,
    /// There is a value before the first sample.
    Prior,
}

impl Default for Erwa {
    /// alpha = 0.001, debiased; prior 1/2 where that is asked for.
    fn default() -> Erwa {
        Erwa::new(0.001, ErwaStart::Debiased)
    }
}

impl PartialEq for Erwa {
    fn eq(&self, other: &Erwa) -> bool {
        (self.rate, self.start, self.prior) == (other.rate, other.start, other.prior)
    }
}

impl Erwa {
    /// The average of this rate and beginning, with prior 1/2.
    pub fn new(rate: f64, start: ErwaStart) -> Erwa {
        Erwa { rate, start, prior: 0.5, steps: Steps::default() }
    }

    /// The steps, where they are all there is to it.
    #[cfg(feature = "recipe")]
    pub(crate) fn steps(&self) -> Option<&Steps> {
        (self.start == ErwaStart::Debiased).then_some(&self.steps)
    }
}

impl Backup for Erwa {
    #[inline]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        if self.start == ErwaStart::Debiased {
            return self.steps.update(node, sample);
        }
        let n = node.visit();
        let (value, step) = match self.start {
            ErwaStart::Debiased | ErwaStart::Max => (node.value(), self.rate.max(1.0 / f64::from(n))),
            ErwaStart::First => (node.value(), if n == 1 { 1.0 } else { self.rate }),
            ErwaStart::Prior => (if n == 1 { self.prior } else { node.value() }, self.rate),
        };
        node.set_value(value + (sample - value) * step);
        sample
    }

    fn new_game<G: SearchGame>(&mut self, _: &G) {
        if self.start == ErwaStart::Debiased {
            // ln w is a line: the steps beyond the table are exact.
            let growth = -libm::log1p(-self.rate.min(1.0 - 1e-12));
            self.steps = Steps::new(1000, |n| growth * f64::from(n));
        }
    }

    fn bytes(&self) -> usize {
        self.steps.bytes()
    }
}
