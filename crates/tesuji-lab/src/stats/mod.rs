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
