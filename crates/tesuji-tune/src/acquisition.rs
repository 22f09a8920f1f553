//! Acquisition functions: the expected usefulness of an observation at a point.

use crate::normal::{Gain, Normal, density, distribution};

/// The function to maximise for the choice of the next point.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub enum Acquisition {
    /// The expected improvement (Mockus 1975): s (z Phi(z) + phi(z)) with z = (mean - best) / s.
    /// The search uses its logarithm, which is greatest at the same points and has a slope
    /// everywhere (Ament et al. 2023).
    #[default]
    ExpectedImprovement,
    /// The knowledge gradient (Frazier, Powell & Dayanik 2009): the expected rise of the highest
    /// posterior mean by an observation with the usual noise. Choose it if the noise is not small,
    /// as with win rates.
    KnowledgeGradient,
    /// An upper confidence bound (Srinivas, Krause, Kakade & Seeger 2010): mean + kappa s.
    UpperConfidenceBound {
        /// How many standard deviations s are added, at least 0; 2 is usual.
        kappa: f64,
    },
}

/// The expected improvement over `best`.
pub fn expected_improvement(at: Normal, best: f64) -> f64 {
    let s = at.deviation();
    if s > 0.0 {
        let z = (at.mean - best) / s;
        // Far below the best the sum cancels: there the form without cancellation.
        if z > -5.0 { s * (z * distribution(z) + density(z)) } else { (s.ln() + Gain::at(z).ln).exp() }
    } else {
        (at.mean - best).max(0.0)
    }
}

/// The logarithm of [`expected_improvement`], also where that underflows.
pub fn log_expected_improvement(at: Normal, best: f64) -> f64 {
    let s = at.deviation();
    if s > 0.0 { s.ln() + Gain::at((at.mean - best) / s).ln } else { (at.mean - best).max(0.0).ln() }
}

/// The mean plus `kappa` standard deviations.
pub fn upper_confidence_bound(at: Normal, kappa: f64) -> f64 {
    at.mean + kappa * at.deviation()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{POINTS, close, oracle};
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn improvements_agree_with_other_programs() {
        let posterior = oracle();
        let expected = [
            (4.082_543_695_976_65e-4, 7.102_628_574_956_321e-3, 0.567_019_824_133_493),
            (4.720_366_463_252_203e-4, 7.336_545_228_464_404e-3, 0.568_135_341_073_568),
            (5.824_434_001_715_963e-5, 7.096_898_123_658_222e-4, 0.543_604_600_981_84),
            (5.630_282_510_596_026e-5, 4.630_454_041_933_635e-4, 0.536_373_781_703_988),
            (6.185_542_615_760_797e-4, 6.720_125_570_669_384e-3, 0.570_584_941_753_678),
            (1.802_852_501_119_364e-3, 1.033_874_194_846_665e-2, 0.583_632_910_997_272),
            (3.550_036_984_779_018e-5, 1.178_664_516_280_586e-3, 0.548_253_299_247_599),
            (1.057_959_622_202_204e-4, 1.648_677_070_408_129e-3, 0.553_540_081_950_5),
            (4.933_205_083_917_182e-4, 7.708_930_000_294_013e-3, 0.568_474_189_255_28),
            (2.199_713_220_924_502e-3, 9.847_498_071_047_569e-3, 0.588_683_399_285_547),
        ];
        for (x, (observed, mean, bound)) in POINTS.iter().zip(expected) {
            let at = posterior.at(x);
            for (best, expected) in [(0.56, observed), (0.531_412_524_913_118_2, mean)] {
                close(expected_improvement(at, best), expected);
                close(log_expected_improvement(at, best), expected.ln());
            }
            close(upper_confidence_bound(at, 2.0), bound);
        }
    }

    #[test]
    fn improvements_are_what_draws_gain() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        for (mean, variance, best) in [(0.3, 0.04, 0.2), (-0.1, 0.25, 0.4), (0.0, 1.0, 2.0)] {
            let at = Normal { mean, variance };
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..1_000_000 {
                let z: f64 = StandardNormal.sample(&mut rng);
                let gain = (mean + at.deviation() * z - best).max(0.0);
                sum += gain;
                squares += gain * gain;
            }
            let (drawn, n) = (sum / 1e6, 1e6_f64);
            let error = ((squares / n - drawn * drawn) / n).sqrt();
            assert!((drawn - expected_improvement(at, best)).abs() < 5.0 * error);
        }
    }

    #[test]
    fn improvements_far_away_and_without_doubt() {
        let certain = |mean| Normal { mean, variance: 0.0 };
        assert_eq!(expected_improvement(certain(0.7), 0.5), 0.7 - 0.5);
        assert_eq!(expected_improvement(certain(0.3), 0.5), 0.0);
        assert_eq!(log_expected_improvement(certain(0.3), 0.5), f64::NEG_INFINITY);
        let far = Normal { mean: -100.0, variance: 1.0 };
        assert_eq!(expected_improvement(far, 0.0), 0.0);
        assert!((log_expected_improvement(far, 0.0) + 5010.129).abs() < 1e-3);
        let near = Normal { mean: -5.0, variance: 1.0 };
        assert!(
            (expected_improvement(near, 0.0) / log_expected_improvement(near, 0.0).exp() - 1.0).abs() < 1e-12
        );
    }
}
