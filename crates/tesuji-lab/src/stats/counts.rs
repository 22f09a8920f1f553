//! The counts that every statistic starts from.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Results of games or of pairs of games, counted from the worst outcome to the best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counts {
    /// Single games: losses, draws, wins.
    Games([u64; 3]),
    /// Pairs of games, one with each colour from the same opening: LL, LD, LW or DD, DW, WW. The
    /// two games of a pair share their opening, so a pair varies less than two independent games,
    /// and tests on pairs end sooner.
    Pairs([u64; 5]),
}

impl Counts {
    /// The greatest count of a list: sums of such numbers are exact.
    pub const MOST: u64 = 1_000_000_000_000_000;

    /// Counts from a list of numbers: wins, draws and losses, or the five numbers of pairs from LL
    /// to WW.
    ///
    /// # Errors
    /// If the list has another length, a count is above [`Counts::MOST`], or all are 0.
    pub fn from_list(list: &[u64]) -> Result<Counts, CountsError> {
        let counts = match *list {
            [wins, draws, losses] => Counts::Games([losses, draws, wins]),
            [ll, ld, even, dw, ww] => Counts::Pairs([ll, ld, even, dw, ww]),
            _ => return Err(CountsError::Length(list.len())),
        };
        if let Some(&count) = list.iter().find(|&&count| count > Counts::MOST) {
            return Err(CountsError::Large(count));
        }
        if counts.games() == 0 {
            return Err(CountsError::Empty);
        }
        Ok(counts)
    }

    /// The counts, worst outcome first.
    pub fn as_slice(&self) -> &[u64] {
        match self {
            Counts::Games(counts) => counts,
            Counts::Pairs(counts) => counts,
        }
    }

    /// The number of games, two for each pair.
    pub fn games(&self) -> u64 {
        self.as_slice().iter().sum::<u64>() * self.games_an_outcome()
    }

    /// Games won plus half of the games drawn.
    pub fn points(&self) -> f64 {
        let twice: u64 = self.as_slice().iter().enumerate().map(|(i, &n)| i as u64 * n).sum();
        twice as f64 / 2.0
    }

    /// Points over games; 1/2 without any game.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// Games behind one counted outcome.
    pub(super) fn games_an_outcome(&self) -> u64 {
        match self {
            Counts::Games(_) => 1,
            Counts::Pairs(_) => 2,
        }
    }

    /// The observed distribution: each outcome's value in [0, 1] and frequency, and the number of
    /// outcomes. A count of zero becomes 0.001, so that every likelihood exists.
    pub(super) fn distribution(&self) -> Distribution {
        let counts = self.as_slice();
        let regular: Vec<f64> = counts.iter().map(|&n| if n == 0 { 1e-3 } else { n as f64 }).collect();
        let total: f64 = regular.iter().sum();
        let best = (counts.len() - 1) as f64;
        Distribution {
            total,
            points: regular.iter().enumerate().map(|(i, n)| (i as f64 / best, n / total)).collect(),
        }
    }
}

/// A discrete distribution of outcomes in [0, 1].
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    /// How many outcomes were observed.
    pub(super) total: f64,
    /// (value, probability).
    pub(super) points: Vec<(f64, f64)>,
}

impl Distribution {
    pub(super) fn mean(&self) -> f64 {
        self.points.iter().map(|(a, p)| a * p).sum()
    }

    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.points.iter().map(|(a, p)| p * (a - mean) * (a - mean)).sum()
    }
}

/// Why a list of numbers is not a list of counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountsError {
    /// Neither three numbers nor five.
    Length(usize),
    /// A count that is too large.
    Large(u64),
    /// No game at all.
    Empty,
}

impl fmt::Display for CountsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountsError::Length(n) => write!(
                f,
                "{n} counts given; accepted are three (wins, draws, losses) or five (pairs of games: LL, LD, LW or DD, \
                 DW, WW)"
            ),
            CountsError::Large(count) => write!(f, "a count is {count}; accepted: 0 to {}", Counts::MOST),
            CountsError::Empty => f.write_str("all counts are 0; at least one game is needed"),
        }
    }
}

impl std::error::Error for CountsError {}
