//! Strengths of features by the model of Bradley and Terry.

/// Wins and losses of each feature against a move of strength 1 that nobody played (Coulom 2007).
pub(crate) const PRIOR: f64 = 1.0;

/// One step of minorization-maximization: the wins, [`PRIOR`] included, over the sum of the rivals'
/// inverse strengths.
pub(crate) fn improved(strength: f64, wins: f64, rivals: f64) -> f64 {
    wins / (rivals + 2.0 * PRIOR / (strength + 1.0))
}
