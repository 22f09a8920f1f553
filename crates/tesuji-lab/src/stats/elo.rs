//! Differences of strength on the Elo scale, and how sure they are.

use super::{Counts, Interval, phi, z};
use serde::{Deserialize, Serialize};
use statrs::function::beta::beta_reg;

/// The Elo difference that predicts this score: -400 log10(1/score - 1). Infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The score that this Elo difference predicts: 1/(1 + 10^(-elo/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// An Elo difference with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Elo {
    /// The estimate.
    pub elo: f64,
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Elo {
    /// Half the width of the interval.
    pub fn error(&self) -> f64 {
        (self.hi - self.lo) / 2.0
    }
}

impl Counts {
    /// The Elo difference. The interval is that of μ ± z σ/√N on the Elo scale, where σ² is the variance of
    /// the counted outcomes: of pairs if pairs were counted, so that what the two games of a pair have in
    /// common does not count twice. Where every outcome was the same there is no variance to speak of, and
    /// the interval is the Agresti–Coull interval of the games; the estimate and one end are infinite where
    /// all games were won or all lost.
    pub fn elo(&self) -> Elo {
        if self.as_slice().iter().filter(|&&n| n > 0).count() <= 1 {
            let Interval { lo, hi } = super::agresti_coull(self.points(), self.games() as f64, 0.95);
            return Elo { elo: elo_of_score(self.score()), lo: elo_of_score(lo), hi: elo_of_score(hi) };
        }
        let mean = self.distribution().mean();
        let half = z(0.95) * self.standard_error();
        Elo { elo: elo_of_score(mean), lo: elo_of_score(mean - half), hi: elo_of_score(mean + half) }
    }

    /// The normalized Elo difference (van den Bergh, *Normalized Elo in practice*): (μ - 1/2)/σ times 800/ln 10, where
    /// σ is the deviation of a counted outcome; less by √2 for pairs, so that it is that of single games. It says how many
    /// games a test needs, whatever the draws and openings: its 95 % interval has the half width z 800/ln 10 / √games.
    /// Where every outcome was the same nothing is known, and the difference is 0 or infinite.
    pub fn normalized_elo(&self) -> Elo {
        let d = self.distribution();
        if self.as_slice().iter().filter(|&&n| n > 0).count() <= 1 {
            let elo = elo_of_score(self.score());
            return Elo { elo, lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        }
        let scale = 800.0 / 10_f64.ln() / (self.games_an_outcome() as f64).sqrt();
        let elo = scale * (d.mean() - 0.5) / d.variance().sqrt();
        let half = z(0.95) * scale / d.total.sqrt();
        Elo { elo, lo: elo - half, hi: elo + half }
    }

    /// The likelihood of superiority Φ((μ - 1/2)/se): how probable it is, in the normal approximation, that the
    /// true score is above 1/2.
    pub fn los(&self) -> f64 {
        phi((self.distribution().mean() - 0.5) / self.standard_error())
    }

    /// The two-sided p-value of "the true score is 1/2": 2 Φ(-|μ - 1/2|/se). Where every outcome was the same there
    /// is no variance to speak of, and it is that of the sign test, 2 · 2^-N, or 1 if that outcome is even.
    pub fn p_value(&self) -> f64 {
        let counts = self.as_slice();
        match counts.iter().filter(|&&n| n > 0).count() {
            0 => 1.0,
            1 if counts[counts.len() / 2] > 0 => 1.0,
            1 => 2.0 * 0.5_f64.powi(counts.iter().sum::<u64>().min(2000) as i32),
            _ => 2.0 * phi(-(self.distribution().mean() - 0.5).abs() / self.standard_error()),
        }
    }

    /// σ/√N of the mean score.
    fn standard_error(&self) -> f64 {
        let d = self.distribution();
        (d.variance() / d.total).sqrt()
    }
}

/// The likelihood of superiority from wins and losses alone, with a uniform prior:
/// P(p > 1/2) = 1 - I_{1/2}(wins + 1, losses + 1), I the regularised incomplete beta function.
pub fn los_by_wins(wins: u64, losses: u64) -> f64 {
    1.0 - beta_reg(wins as f64 + 1.0, losses as f64 + 1.0, 0.5)
}
