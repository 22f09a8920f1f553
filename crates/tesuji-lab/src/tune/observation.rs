//! The estimate of the win rate from the games of an evaluation.

use crate::stats::Counts;
use tesuji_tune::{Normal, win_rate};

/// The share of points won, with half a win and half a loss added, and its variance: where pairs
/// were played, from how much the pairs differ (with as much as one pair of independent games
/// added), else that of independent games.
pub(super) fn observation(counts: &Counts) -> Normal {
    let rate = win_rate(counts.points(), counts.games() as f64);
    let Counts::Pairs(pairs) = counts else { return rate };
    let n = pairs.iter().sum::<u64>() as f64;
    let mean = counts.score();
    let squares: f64 =
        pairs.iter().enumerate().map(|(i, &pairs)| pairs as f64 * (i as f64 / 4.0 - mean).powi(2)).sum();
    let of_a_pair = (squares + rate.mean * (1.0 - rate.mean) / 2.0) / (n + 1.0);
    Normal { mean: rate.mean, variance: of_a_pair / (n + 0.5) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_agree_tell_more_than_games() {
        let (alike, split) = (Counts::Pairs([16, 0, 0, 0, 16]), Counts::Pairs([0, 0, 32, 0, 0]));
        let games = observation(&Counts::Games([32, 0, 32]));
        assert_eq!((observation(&split).mean, games.mean), (0.5, 0.5));
        assert!((games.variance - 0.25 / 65.0).abs() < 1e-15);
        assert!(observation(&split).variance < 0.05 * games.variance);
        assert!((observation(&alike).variance / games.variance - 2.0).abs() < 0.1);
        // Pairs of independent games are as good as games.
        let independent = observation(&Counts::Pairs([8, 0, 16, 0, 8]));
        assert!((independent.variance / games.variance - 1.0).abs() < 0.05);
    }
}
