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
pub use interval::{Interval, agresti_coull, clopper_pearson, wilson};
pub use mcnemar::McNemar;
pub use rating::{Encounter, Rating, ratings};
pub use sprt::{Sprt, Verdict};
pub use summary::summary_json;

use statrs::distribution::{ContinuousCDF, Normal};

/// Φ, the standard normal distribution function.
fn phi(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// z = Φ⁻¹(1 - α/2) for the confidence 1 - α.
pub(crate) fn z(confidence: f64) -> f64 {
    Normal::standard().inverse_cdf(0.5 + confidence / 2.0)
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
    fn a_mean_has_an_error_from_two_numbers_on() {
        assert_eq!(mean_and_error(&[]), (0.0, 0.0));
        assert_eq!(mean_and_error(&[3.0]), (3.0, 0.0));
        // The variance is 2, over two numbers.
        assert_eq!(mean_and_error(&[1.0, 3.0]), (2.0, 1.0));
    }
}
