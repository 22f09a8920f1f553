//! Games that both players consider decided need not be played out.

use crate::error::{LabError, RangeError};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use tesuji::Player;

/// The rule that ends a game which both players consider decided.
///
/// A game ends as soon as both players agreed for [`SEARCHES`](Adjudication::SEARCHES) consecutive
/// searches each: the loser valued its positions at this threshold or below, the winner at one
/// minus the threshold or above. A search without a value breaks the row, so engines that report no
/// value never end a game.
///
/// The threshold is at least 0 and below 0.5; with 0, the default, games are always played out.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Adjudication(f64);

impl Adjudication {
    /// Every game is played out.
    pub const NEVER: Adjudication = Adjudication(0.0);
    /// The number of consecutive searches of each player that must agree.
    pub const SEARCHES: u32 = 3;

    /// With this threshold.
    ///
    /// # Errors
    /// If it is not at least 0 and below 0.5.
    pub fn new(threshold: f64) -> Result<Adjudication, LabError> {
        if (0.0..0.5).contains(&threshold) {
            return Ok(Adjudication(threshold));
        }
        Err(RangeError::Adjudication { threshold }.into())
    }

    /// Whether every game is played out.
    pub fn is_never(&self) -> bool {
        *self == Adjudication::NEVER
    }

    /// Whom a search by `player` with this value takes for the winner, if it is sure enough.
    fn winner(self, player: Player, value: Option<f32>) -> Option<Player> {
        match value.map(f64::from) {
            Some(value) if value <= self.0 => Some(player.other()),
            Some(value) if value >= 1.0 - self.0 => Some(player),
            _ => None,
        }
    }
}

impl TryFrom<f64> for Adjudication {
    type Error = LabError;

    fn try_from(threshold: f64) -> Result<Adjudication, LabError> {
        Adjudication::new(threshold)
    }
}

impl From<Adjudication> for f64 {
    fn from(adjudication: Adjudication) -> f64 {
        adjudication.0
    }
}

impl FromStr for Adjudication {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Adjudication, LabError> {
        // What is no number is out of range like any other wrong one.
        Adjudication::new(text.trim().parse().unwrap_or(f64::NAN))
    }
}

/// Follows the values of one game.
#[derive(Debug)]
pub(crate) struct Adjudicator {
    adjudication: Adjudication,
    /// Whom the searches of the row take for the winner.
    winner: Option<Player>,
    /// How many they are, of each player.
    searches: [u32; 2],
}

impl Adjudicator {
    pub(crate) fn new(adjudication: Adjudication) -> Adjudicator {
        Adjudicator { adjudication, winner: None, searches: [0; 2] }
    }

    /// A search by `player` gave this value.
    pub(crate) fn searched(&mut self, player: Player, value: Option<f32>) {
        let winner = self.adjudication.winner(player, value);
        if winner != self.winner {
            (self.winner, self.searches) = (winner, [0; 2]);
        }
        self.searches[player.index()] += 1;
    }

    /// The winner, if the game is decided.
    pub(crate) fn decision(&self) -> Option<Player> {
        let agreed = self.searches.iter().all(|&searches| searches >= Adjudication::SEARCHES);
        self.winner.filter(|_| agreed && !self.adjudication.is_never())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The search, counted from 1, after which a game with these values ends, the first player's
    /// search first, and who wins.
    fn decided(threshold: f64, values: &[f32]) -> Option<(usize, Player)> {
        let mut adjudicator = Adjudicator::new(Adjudication::new(threshold).unwrap());
        (1..).zip(values).find_map(|(number, &value)| {
            adjudicator.searched(Player::new((number - 1) % 2), (!value.is_nan()).then_some(value));
            adjudicator.decision().map(|winner| (number, winner))
        })
    }

    #[test]
    fn three_searches_of_each_side_must_agree_in_a_row() {
        let sure = [0.98, 0.02].repeat(4);
        assert_eq!(decided(0.03, &sure), Some((6, Player::FIRST)));
        assert_eq!(decided(0.03, &sure[1..]), Some((6, Player::SECOND)));
        assert_eq!(decided(0.03, &sure[..5]), None);
        assert_eq!(decided(0.01, &sure), None);
        let doubt = [vec![0.98, 0.02, 0.98, 0.1], sure.clone()].concat();
        assert_eq!(decided(0.03, &doubt), Some((10, Player::FIRST)));
        let mute = [vec![0.98, f32::NAN], sure].concat();
        assert_eq!(decided(0.03, &mute), Some((8, Player::FIRST)));
        assert_eq!(decided(0.03, &[0.98, f32::NAN].repeat(9)), None);
        assert_eq!(decided(0.03, &[0.98, 0.98].repeat(9)), None, "each takes itself for the winner");
    }

    #[test]
    fn the_threshold_itself_counts() {
        assert_eq!(decided(0.25, &[0.25, 0.75].repeat(3)), Some((6, Player::SECOND)));
    }

    #[test]
    fn with_nothing_set_games_are_played_out() {
        assert_eq!(decided(0.0, &[1.0, 0.0].repeat(9)), None);
    }

    #[test]
    fn thresholds_are_checked() {
        for text in ["0.5", "-0.1", "nan", "x"] {
            let error = text.parse::<Adjudication>().unwrap_err().to_string();
            assert!(error.contains("below 0.5"), "{error}");
        }
        assert_eq!("0.03".parse::<Adjudication>().map(f64::from), Ok(0.03));
    }
}
