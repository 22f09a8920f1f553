//! Match statistics as pure functions of counts.
//!
//! Proportions are scores in [0, 1]: wins plus half of the draws, over games. Every interval is
//! two-sided.

mod counts;
mod elo;
mod holm;
mod interval;
mod mcnemar;
mod rating;
mod sprt;
mod summary;

pub use counts::{Counts, CountsError};
pub use elo::{Elo, elo_of_score, los_by_wins, score_of_elo};
pub use holm::holm;
pub(crate) use holm::holm_of_some;
pub use interval::{Interval, agresti_coull, clopper_pearson, wilson};
pub use mcnemar::McNemar;
pub use rating::{Encounter, Rating, ratings};
pub use sprt::{Sprt, Verdict};
pub use summary::summary_json;

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// A p-value as people write it, `-` without one.
pub fn p_text(p: impl Into<Option<f64>>) -> String {
    let Some(p) = p.into() else { return "-".to_owned() };
    match p {
        _ if p < 1e-300 => "<1e-300".to_owned(),
        _ if p < 1e-3 => format!("{p:.1e}"),
        _ => format!("{p:.3}"),
    }
}

/// Φ, the standard normal distribution function.
fn phi(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// I_x(a, b), the regularised incomplete beta function, for x in (0, 1). Where both shapes are
/// large, the continued fraction of `statrs` ends before it has converged, and sums of more than
/// 10^10 have too few digits for it. There it is a normal approximation (Abramowitz & Stegun 1964,
/// 26.5.22), whose error is about 10^-8 where both shapes are large, and below 0.005 where one is
/// not.
fn beta_reg(a: f64, b: f64, x: f64) -> f64 {
    if a.min(b) < 5e4 && a + b < 1e10 {
        return statrs::function::beta::beta_reg(a, b, x);
    }
    let (below, above) = ((b * x).cbrt(), (a * (1.0 - x)).cbrt());
    let distance = below * (1.0 - 1.0 / (9.0 * b)) - above * (1.0 - 1.0 / (9.0 * a));
    phi(3.0 * distance / (below * below / b + above * above / a).sqrt())
}

/// z = Φ⁻¹(1 - α/2) for the confidence 1 - α.
pub(crate) fn z(confidence: f64) -> f64 {
    Normal::standard().inverse_cdf(0.5 + confidence / 2.0)
}

/// The quantile of Student's t like [`z`], with this number of degrees of freedom, at least 1.
pub(crate) fn t(confidence: f64, freedom: usize) -> f64 {
    StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::INFINITY, |t| t.inverse_cdf(0.5 + confidence / 2.0))
}

/// The mean of these numbers and its standard error; 0 for what there are too few numbers for.
pub(crate) fn mean_and_error(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n.max(1.0);
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, if n > 1.0 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_any_size_have_intervals_and_p_values() {
        let p = McNemar { worse: 499_000, better: 501_000 }.p();
        assert!((p - 0.045_608_3).abs() < 1e-7, "{p}");
        for n in [10_u64.pow(4), 10_u64.pow(5), 10_u64.pow(7), Counts::MOST] {
            let los = los_by_wins(n, n);
            assert!((los - 0.5).abs() < 1e-6, "{n}: {los}");
            let (k, n) = (n as f64 / 4.0, n as f64);
            let (exact, near) = (clopper_pearson(k, n, 0.95), wilson(k, n, 0.95));
            assert!((exact.lo - near.lo).abs().max((exact.hi - near.hi).abs()) < 1.0 / n + 1e-12, "{n}");
            let one = clopper_pearson(1.0, n, 0.95);
            assert!(one.lo > 0.01 / n && one.hi > 5.0 / n && one.hi < 6.0 / n, "{n}: {one:?}");
        }
        let most = Counts::MOST;
        assert!(Counts::from_list(&[most, most, most]).is_ok());
        let error = Counts::from_list(&[1, 0, most + 1]).unwrap_err().to_string();
        assert!(error.ends_with("accepted: 0 to 1000000000000000"), "{error}");
    }

    #[test]
    fn quantiles_of_few_numbers_are_students() {
        for (freedom, quantile) in [(1, 12.7062), (4, 2.7764), (30, 2.0423), (100_000, 1.9600)] {
            assert!((t(0.95, freedom) - quantile).abs() < 1e-4, "{freedom}");
        }
    }

    #[test]
    fn a_mean_has_an_error_from_two_numbers_on() {
        assert_eq!(mean_and_error(&[]), (0.0, 0.0));
        assert_eq!(mean_and_error(&[3.0]), (3.0, 0.0));
        // The variance is 2, over two numbers.
        assert_eq!(mean_and_error(&[1.0, 3.0]), (2.0, 1.0));
    }
}
