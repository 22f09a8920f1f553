//! The normal distribution, and the expected excess of a normal variable.

use std::f64::consts::FRAC_1_SQRT_2;

/// A normal distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Normal {
    /// The mean.
    pub mean: f64,
    /// The variance, at least 0.
    pub variance: f64,
}

impl Normal {
    /// The standard deviation.
    #[inline]
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }
}

/// ln sqrt(2 pi).
const LN_ROOT_2_PI: f64 = 0.918_938_533_204_672_8;

/// The density of the standard normal distribution.
#[inline]
pub fn density(z: f64) -> f64 {
    (-0.5 * z * z - LN_ROOT_2_PI).exp()
}

/// The distribution function of the standard normal distribution, with full relative accuracy in
/// the lower tail.
#[inline]
pub fn distribution(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// What a standard normal variable is above -z on average, h(z) = phi(z) + z Phi(z), in a form that
/// does not underflow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Gain {
    /// ln h(z).
    pub(crate) ln: f64,
    /// Phi(z) / h(z), the derivative of ln h by z.
    pub(crate) distribution: f64,
    /// phi(z) / h(z).
    pub(crate) density: f64,
}

impl Gain {
    pub(crate) fn at(z: f64) -> Gain {
        if z > -1.0 {
            let (phi, cumulative) = (density(z), distribution(z));
            let h = phi + z * cumulative;
            return Gain { ln: h.ln(), distribution: cumulative / h, density: phi / h };
        }
        // h = phi (1 + z R) with Mills' ratio R = Phi / phi. Far out 1 + z R is the rest of an
        // asymptotic series (Ament, Daulton, Eriksson, Balandat & Bakshy 2023).
        let ratio = mills_ratio(z);
        let rest = if z > -50.0 {
            1.0 + z * ratio
        } else {
            let q = 1.0 / (z * z);
            q * (1.0 - 3.0 * q * (1.0 - 5.0 * q * (1.0 - 7.0 * q)))
        };
        Gain { ln: -0.5 * z * z - LN_ROOT_2_PI + rest.ln(), distribution: ratio / rest, density: 1.0 / rest }
    }
}

/// Phi(z) / phi(z) for z <= -1.
fn mills_ratio(z: f64) -> f64 {
    let x = -z;
    if x < 6.0 {
        return distribution(z) / density(z);
    }
    // The continued fraction 1 / (x + 1 / (x + 2 / (x + 3 / ...))).
    (1..=60).rev().fold(x, |below, k| x + f64::from(k) / below).recip()
}

/// The estimate of a win rate from `wins` won of `games` games, with half a win and half a loss
/// added: mean y = (k + 1/2) / (n + 1), variance y (1 - y) / (n + 1).
pub fn win_rate(wins: f64, games: f64) -> Normal {
    let mean = (wins + 0.5) / (games + 1.0);
    Normal { mean, variance: mean * (1.0 - mean) / (games + 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert!((distribution(1.959_963_984_540_054) - 0.975).abs() < 1e-15);
        // Phi(-10), Phi(-38) from tables of erfc.
        assert!((distribution(-10.0) / 7.619_853_024_160_527e-24 - 1.0).abs() < 1e-13);
        assert!((density(0.0) - (2.0 * std::f64::consts::PI).sqrt().recip()).abs() < 1e-16);
        assert_eq!(win_rate(0.0, 0.0), Normal { mean: 0.5, variance: 0.25 });
    }

    #[test]
    fn the_gain_is_smooth_where_its_form_changes() {
        for edge in [-1.0, -6.0, -50.0] {
            let (below, above) = (Gain::at(edge - 1e-9), Gain::at(edge + 1e-9));
            assert!((above.ln - below.ln).abs() < 1e-6 * edge.abs().max(1.0), "at {edge}");
            assert!((above.distribution / below.distribution - 1.0).abs() < 1e-7, "at {edge}");
            assert!((above.density / below.density - 1.0).abs() < 1e-7, "at {edge}");
        }
        for z in [-200.0, -60.0, -49.0, -20.0, -7.0, -5.0, -2.0, -0.5, 0.0, 3.0, 20.0] {
            let slope = (Gain::at(z + 1e-5).ln - Gain::at(z - 1e-5).ln) / 2e-5;
            assert!((Gain::at(z).distribution / slope - 1.0).abs() < 1e-6, "at {z}");
            assert!(Gain::at(z).ln.is_finite());
        }
        // h(0) = phi(0); h(z) = z for large z.
        assert!((Gain::at(0.0).ln + LN_ROOT_2_PI).abs() < 1e-15);
        assert!((Gain::at(40.0).ln - 40_f64.ln()).abs() < 1e-14);
    }
}
