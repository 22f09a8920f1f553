//! Differences of strength on the Elo scale, and how sure they are.

use super::{Counts, Interval, beta_reg, phi, z};
use serde::{Deserialize, Serialize};
use statrs::function::factorial::ln_binomial;
use std::f64::consts::LN_2;

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
    /// The Elo difference. The interval is that of μ ± z σ/√N on the Elo scale, where σ² is the
    /// variance of the counted outcomes: of pairs if pairs were counted, so that the opening which
    /// the two games of a pair share does not count twice. If all outcomes are equal, there is no
    /// variance, and near 0 and 1 an end would lie beyond them. In these cases it is the
    /// Agresti–Coull interval of the games. The estimate and one end are infinite where all games
    /// were won or all lost.
    pub fn elo(&self) -> Elo {
        let (mean, half) = (self.distribution().mean(), z(0.95) * self.standard_error());
        if self.is_uniform() || mean <= half || mean + half >= 1.0 {
            let Interval { lo, hi } = super::agresti_coull(self.points(), self.games() as f64, 0.95);
            return Elo { elo: elo_of_score(self.score()), lo: elo_of_score(lo), hi: elo_of_score(hi) };
        }
        Elo { elo: elo_of_score(mean), lo: elo_of_score(mean - half), hi: elo_of_score(mean + half) }
    }

    /// The normalized Elo difference (van den Bergh, *Normalized Elo in practice*): (μ - 1/2)/σ
    /// times 800/ln 10, where σ is the deviation of a counted outcome. For pairs it is divided by
    /// √2, which gives the value for single games. It says how many games a test needs, whatever
    /// the share of draws and the openings: the half-width of its 95 % interval is z 800/ln 10 /
    /// √games. If all outcomes are equal, the difference is 0 or infinite.
    pub fn normalized_elo(&self) -> Elo {
        let d = self.distribution();
        if self.is_uniform() {
            let difference = self.score() - 0.5;
            let elo = if difference == 0.0 { 0.0 } else { f64::INFINITY.copysign(difference) };
            return Elo { elo, lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        }
        let scale = 800.0 / 10_f64.ln() / (self.games_an_outcome() as f64).sqrt();
        let elo = scale * (d.mean() - 0.5) / d.variance().sqrt();
        let half = z(0.95) * scale / d.total.sqrt();
        Elo { elo, lo: elo - half, hi: elo + half }
    }

    /// The likelihood of superiority Φ((μ - 1/2)/se): how probable it is, in the normal
    /// approximation, that the true score is above 1/2. If all outcomes are equal, it is
    /// [`los_by_wins`] of the same number of wins or losses.
    pub fn los(&self) -> f64 {
        if self.is_uniform() {
            let (below, above) = self.as_slice().split_at(self.as_slice().len() / 2);
            return los_by_wins(above[1..].iter().sum(), below.iter().sum());
        }
        phi((self.distribution().mean() - 0.5) / self.standard_error())
    }

    /// The two-sided p-value of "neither side is better, so that every outcome is as likely as its
    /// mirror image": of all ways to turn counted outcomes into their mirror images, the share
    /// whose score is at least as far from 1/2 as this one. For games that is the sign test without
    /// draws. It is valid for any number of outcomes. It is exact for up to 10 000 pairs in which
    /// one side won both games, and the normal approximation beyond. It takes time linear in the
    /// number of such pairs.
    pub fn p_value(&self) -> f64 {
        match *self {
            Counts::Games([lost, _, won]) => flipped(0, won + lost, won.abs_diff(lost)),
            Counts::Pairs([ll, ld, _, dw, ww]) => {
                flipped(ll + ww, ld + dw, (2 * ww + dw).abs_diff(2 * ll + ld))
            }
        }
    }

    /// Whether every outcome was the same.
    fn is_uniform(&self) -> bool {
        self.as_slice().iter().filter(|&&n| n > 0).count() <= 1
    }

    /// σ/√N of the mean score.
    fn standard_error(&self) -> f64 {
        let d = self.distribution();
        (d.variance() / d.total).sqrt()
    }
}

/// P(|2 X + Y| ≥ `least`), where X is a sum of `twos` fair signs and Y one of `ones`.
fn flipped(twos: u64, ones: u64, least: u64) -> f64 {
    const MOST: u64 = 10_000;
    if least == 0 {
        return 1.0;
    }
    if twos > MOST {
        return 2.0 * phi(-(least as f64) / (4.0 * twos as f64 + ones as f64).sqrt());
    }
    // X = 2 i - twos and Y = 2 j - ones; P(j ≥ k) = I_{1/2}(k, ones - k + 1), I the regularised
    // incomplete beta function.
    let tail = |i: u64| {
        let missing = (least + 2 * twos + ones) as i64 - 4 * i as i64;
        match (missing + 1).div_euclid(2) {
            k if k <= 0 => 1.0,
            k if k as u64 > ones => 0.0,
            k => beta_reg(k as f64, (ones + 1) as f64 - k as f64, 0.5),
        }
    };
    let share = |i: u64| (ln_binomial(twos, i) - twos as f64 * LN_2).exp();
    (2.0 * (0..=twos).map(|i| share(i) * tail(i)).sum::<f64>()).min(1.0)
}

/// The likelihood of superiority from wins and losses alone, with a uniform prior:
/// P(p > 1/2) = 1 - I_{1/2}(wins + 1, losses + 1), I the regularised incomplete beta function.
pub fn los_by_wins(wins: u64, losses: u64) -> f64 {
    1.0 - beta_reg(wins as f64 + 1.0, losses as f64 + 1.0, 0.5)
}
