//! Mellowmax of the children.

use super::max::greatest;
use super::own::OwnSamples;
use super::{Backup, NodeMut};

/// Mellowmax of the children, ln(sum (n/M) e^(w x)) / w with M = sum n (Asadi & Littman 2017),
/// blended with the node's own sample as [`Softmax`](crate::Softmax) does.
///
/// w = 0 is the mean; it is never above the softmax of the same weight.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Mellowmax {
    /// The weight w.
    ///
    /// Range: 0 to 1000000 (1/value). Default: 5.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1_000_000.0), extend("unit" = "1/value")))]
    pub weight: f64,
}

impl Default for Mellowmax {
    /// w = 5.
    fn default() -> Mellowmax {
        Mellowmax { weight: 5.0 }
    }
}

impl Backup for Mellowmax {
    fn backup_state(&self) -> usize {
        OwnSamples::NUMBERS
    }

    fn turns_values(&self) -> bool {
        true
    }

    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let visits = node.visit();
        let own = OwnSamples::learn(node, sample);
        let top = greatest(node).unwrap_or(0.0);
        let (mut m, mut sum) = (0.0, 0.0);
        for (n, x) in node.children() {
            m += f64::from(n);
            // A value that no visit stands behind yet may be above the greatest one.
            let x = (x - top).min(0.0);
            sum += f64::from(n) * if self.weight == 0.0 { x } else { libm::expm1(self.weight * x) };
        }
        let rest = match m {
            0.0 => 0.0,
            m if self.weight == 0.0 => sum / m,
            m => libm::log1p(sum / m) / self.weight,
        };
        let value = own.blend(node, visits, sample, (m, top + rest));
        node.set_value(value);
        sample
    }
}
