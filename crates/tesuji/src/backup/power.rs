//! Power means of the children.

use super::max::greatest;
use super::own::OwnSamples;
use super::{Backup, NodeMut};

/// The power mean of the children, (sum (n/M) x^p)^(1/p) with M = sum n (Dam et al. 2019), blended
/// with the node's own sample as [`Softmax`](crate::Softmax) does.
///
/// p = 1 is the mean; as p grows the greatest value is approached.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct PowerMean {
    /// The exponent p. Whole numbers are faster.
    ///
    /// Range: 1 to 1000. Default: 2.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1.0, max = 1000.0)))]
    pub p: f64,
}

impl Default for PowerMean {
    /// p = 2.
    fn default() -> PowerMean {
        PowerMean { p: 2.0 }
    }
}

impl Backup for PowerMean {
    fn backup_state(&self) -> usize {
        OwnSamples::NUMBERS
    }

    fn turns_values(&self) -> bool {
        true
    }

    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let visits = node.visit();
        let own = OwnSamples::learn(node, sample);
        // Relative to the greatest value, no power vanishes.
        let top = greatest(node).unwrap_or(0.0);
        let (mut m, mut sum) = (0.0, 0.0);
        if top > 0.0 {
            for (n, x) in node.children() {
                m += f64::from(n);
                // A value that no visit stands behind yet may be above the greatest one.
                sum += f64::from(n) * power((x / top).min(1.0), self.p);
            }
        } else {
            m = node.children().map(|(n, _)| f64::from(n)).sum();
        }
        let mean = if sum > 0.0 { top * libm::pow(sum / m, 1.0 / self.p) } else { 0.0 };
        let value = own.blend(node, visits, sample, (m, mean));
        node.set_value(value);
        sample
    }
}

/// x^p for x in [0, 1].
#[inline]
fn power(x: f64, p: f64) -> f64 {
    let mut whole = p as u32;
    if f64::from(whole) != p {
        return libm::pow(x, p);
    }
    let (mut result, mut square) = (1.0, x);
    while whole > 0 {
        if whole & 1 == 1 {
            result *= square;
        }
        square *= square;
        whole >>= 1;
    }
    result
}
