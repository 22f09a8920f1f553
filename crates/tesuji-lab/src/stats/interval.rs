//! Confidence intervals of a proportion.

use super::{beta_reg, z};
use serde::{Deserialize, Serialize};

/// A confidence interval of a proportion, inside [0, 1].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "[f64; 2]", from = "[f64; 2]")]
pub struct Interval {
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Interval {
    /// The whole range from 0 to 1, which every method gives without any games.
    pub const ALL: Interval = Interval { lo: 0.0, hi: 1.0 };

    fn clipped(centre: f64, half: f64) -> Interval {
        Interval { lo: (centre - half).max(0.0), hi: (centre + half).min(1.0) }
    }

    /// Whether `p` lies in the interval, ends included.
    pub fn contains(&self, p: f64) -> bool {
        self.lo <= p && p <= self.hi
    }
}

impl From<Interval> for [f64; 2] {
    fn from(i: Interval) -> Self {
        [i.lo, i.hi]
    }
}

impl From<[f64; 2]> for Interval {
    fn from([lo, hi]: [f64; 2]) -> Self {
        Interval { lo, hi }
    }
}

/// Agresti–Coull interval of `k` successes in `n` trials (Agresti & Coull 1998): ñ = n + z², p̃ =
/// (k + z²/2)/ñ, p̃ ± z √(p̃(1 - p̃)/ñ), clipped to [0, 1]. `k` may be fractional: a draw is half a
/// success. `confidence` lies in (0, 1).
pub fn agresti_coull(k: f64, n: f64, confidence: f64) -> Interval {
    if n <= 0.0 {
        return Interval::ALL;
    }
    let z = z(confidence);
    let n = n + z * z;
    let p = (k + z * z / 2.0) / n;
    Interval::clipped(p, z * (p * (1.0 - p) / n).sqrt())
}

/// Wilson's score interval (Wilson 1927): centre (p̂ + z²/2n)/(1 + z²/n), half width
/// z/(1 + z²/n) √(p̂(1 - p̂)/n + z²/4n²). Arguments as for [`agresti_coull`].
pub fn wilson(k: f64, n: f64, confidence: f64) -> Interval {
    if n <= 0.0 {
        return Interval::ALL;
    }
    let z = z(confidence);
    let p = k / n;
    let scale = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / scale;
    Interval::clipped(centre, z / scale * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt())
}

/// Clopper–Pearson ("exact") interval (Clopper & Pearson 1934): from the α/2 quantile of Beta(k,
/// n - k + 1) to the 1 - α/2 quantile of Beta(k + 1, n - k). Beyond some 10^5 trials the quantiles
/// are those of a normal approximation. Arguments as for [`agresti_coull`].
pub fn clopper_pearson(k: f64, n: f64, confidence: f64) -> Interval {
    if n <= 0.0 {
        return Interval::ALL;
    }
    let tail = (1.0 - confidence) / 2.0;
    Interval {
        lo: if k <= 0.0 { 0.0 } else { beta_quantile(k, n - k + 1.0, tail) },
        hi: if k >= n { 1.0 } else { beta_quantile(k + 1.0, n - k, 1.0 - tail) },
    }
}

/// The p quantile of Beta(a, b), by bisection of the distribution function to the last bit.
fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    bisect(0.0, 1.0, |x| p - beta_reg(a, b, x))
}

/// The root in [lo, hi] of a function that falls from positive to negative, as near as floating
/// point tells values apart.
pub(super) fn bisect(mut lo: f64, mut hi: f64, f: impl Fn(f64) -> f64) -> f64 {
    loop {
        let middle = lo + (hi - lo) / 2.0;
        if middle <= lo || middle >= hi {
            return middle;
        }
        if f(middle) > 0.0 { lo = middle } else { hi = middle }
    }
}
