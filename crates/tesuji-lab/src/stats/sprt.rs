//! Sequential tests of strength.

use super::interval::bisect;
use super::{Counts, counts::Distribution, score_of_elo};
use crate::error::{LabError, RangeError};
use serde::{Deserialize, Serialize};

/// A generalized sequential probability ratio test of "the difference is `elo1`" against "it is
/// `elo0`".
///
/// Van den Bergh, *Comments on normalized Elo* and *The generalized SPRT*; Michel & Varadhan 1991
/// for the test's validity with estimated nuisance parameters.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The null hypothesis, in Elo.
    pub elo0: f64,
    /// The alternative, in Elo, above `elo0`.
    pub elo1: f64,
    /// The probability of rejecting the null hypothesis if it is true. Default 0.05.
    pub alpha: f64,
    /// The probability of accepting it if the alternative is true. Default 0.05.
    pub beta: f64,
}

/// The verdict of a sequential test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// More games are needed.
    Undecided,
    /// The log-likelihood ratio fell below the lower bound: no stronger than `elo0`.
    Elo0,
    /// It rose above the upper bound: at least as strong as `elo1`.
    Elo1,
}

impl Sprt {
    /// The test with both error rates at 5 %.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The same test, with a check of the differences.
    ///
    /// # Errors
    /// If one is below -1000 or above 1000, or the first is not the lower one.
    pub fn asked(elo0: f64, elo1: f64) -> Result<Sprt, LabError> {
        let accepted = -1000.0..=1000.0;
        if accepted.contains(&elo0) && accepted.contains(&elo1) && elo0 < elo1 {
            return Ok(Sprt::new(elo0, elo1));
        }
        Err(RangeError::Sprt { elo0, elo1 }.into())
    }

    /// The bounds ln(β/(1 - α)) and ln((1 - β)/α) of the log-likelihood ratio (Wald 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio with both differences in logistic Elo.
    ///
    /// With a_j the outcomes and p̂_j their frequencies, the likeliest distribution of mean s is
    /// p̂_j/(1 + x(a_j - s)), x the root of Σ p̂_j (a_j - s)/(1 + x(a_j - s)); the ratio is
    /// N Σ p̂_j ln(p1_j/p0_j). Counts of zero are taken as 0.001.
    pub fn llr(&self, counts: &Counts) -> f64 {
        let observed = counts.distribution();
        let likeliest = |elo| {
            let s = score_of_elo(elo);
            tilt(&observed, |a| a - s)
        };
        ratio(&observed, &likeliest(self.elo0), &likeliest(self.elo1))
    }

    /// The same with both differences in normalized Elo, which measures (μ - 1/2)/σ: a t-value of
    /// nelo ln 10/800 a game, √2 times that a pair. NaN if the most likely distribution is not
    /// found.
    pub fn llr_normalized(&self, counts: &Counts) -> f64 {
        let observed = counts.distribution();
        let scale = 10f64.ln() / 800.0 * (counts.games_an_outcome() as f64).sqrt();
        let likeliest = |elo| likeliest_of_t_value(&observed, scale * elo);
        ratio(&observed, &likeliest(self.elo0), &likeliest(self.elo1))
    }

    /// The verdict: [`Sprt::llr`] against the bounds.
    pub fn verdict(&self, counts: &Counts) -> Verdict {
        if counts.games() == 0 {
            return Verdict::Undecided;
        }
        let (lower, upper) = self.bounds();
        match self.llr(counts) {
            llr if llr <= lower => Verdict::Elo0,
            llr if llr >= upper => Verdict::Elo1,
            _ => Verdict::Undecided,
        }
    }
}

/// The distribution nearest to the observed one in which `g` of the outcome has mean 0; its
/// probabilities are no numbers if there is none.
fn tilt(observed: &Distribution, g: impl Fn(f64) -> f64) -> Distribution {
    let values: Vec<f64> = observed.points.iter().map(|&(a, _)| g(a)).collect();
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let slope =
        |x: f64| values.iter().zip(&observed.points).map(|(v, (_, p))| p * v / (1.0 + x * v)).sum::<f64>();
    let possible = lowest < 0.0 && highest > 0.0;
    let x = if possible { bisect(-1.0 / highest, -1.0 / lowest, slope) } else { f64::NAN };
    Distribution {
        total: observed.total,
        points: values.iter().zip(&observed.points).map(|(v, &(a, p))| (a, p / (1.0 + x * v))).collect(),
    }
}

/// How much t changes at a time.
const STEP: f64 = 0.1;

/// The likeliest distribution with (μ - 1/2)/σ = t: a fixed point of tilts by the constraint's
/// derivative (van den Bergh, *Normalized Elo in practice*), which is approached from t = 0, as its
/// tilt may be impossible from afar.
fn likeliest_of_t_value(observed: &Distribution, t: f64) -> Distribution {
    let mut likeliest = observed.clone();
    let uniform = 1.0 / likeliest.points.len() as f64;
    likeliest.points.iter_mut().for_each(|(_, p)| *p = uniform);
    let steps = (t.abs() / STEP).ceil().max(1.0);
    for i in 1..=steps as u64 {
        let t = t * i as f64 / steps;
        for _ in 0..100 {
            let (mean, sd) = (likeliest.mean(), likeliest.variance().sqrt());
            let next = tilt(observed, |a| {
                let deviation = (mean - a) / sd;
                a - 0.5 - 0.5 * t * sd * (1.0 + deviation * deviation)
            });
            let moves = likeliest.points.iter().zip(&next.points).map(|(x, y)| (x.1 - y.1).abs());
            let moved = moves.fold(0.0, f64::max);
            likeliest = next;
            if moved < 1e-9 {
                break;
            }
        }
    }
    likeliest
}

/// N Σ p̂_j ln(p1_j/p0_j).
fn ratio(observed: &Distribution, under0: &Distribution, under1: &Distribution) -> f64 {
    let each = observed.points.iter().zip(&under0.points).zip(&under1.points);
    observed.total * each.map(|((p, p0), p1)| p.1 * (p1.1 / p0.1).ln()).sum::<f64>()
}
