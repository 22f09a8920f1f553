//! A mix of a playout and an evaluation.

use crate::outcome::Outcome;
use crate::player::Player;

/// A sample that mixes both estimates of a position: λ z + (1 - λ) v, where z is the outcome of a
/// uniform playout and v what the game's network expects (Silver et al. 2016; Softmax and Monotone
/// MCTS, section 2.2, whose source tunes λ).
///
/// A new node costs an evaluation and a playout. The network is asked for priors and for v one
/// after the other; the cache of the network, if it has one, answers the second time.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Mixed {
    /// λ: the share of the playout. 0 is the network alone.
    ///
    /// Range: 0 to 1 (share). Default: 0.5.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1.0), extend("unit" = "share")))]
    pub share: f32,
}

impl Default for Mixed {
    /// λ = 0.5.
    fn default() -> Mixed {
        Mixed { share: 0.5 }
    }
}

impl Mixed {
    /// The mix of a playout's outcome and an expected one.
    pub fn outcome<O: Outcome>(self, played: O, expected: O) -> O {
        let mix = |player| self.share * played.of(player) + (1.0 - self.share) * expected.of(player);
        (0..O::PLAYERS).map(Player::new).fold(expected, |outcome, player| outcome.with(player, mix(player)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scores, Value};

    #[test]
    fn every_player_gets_the_share_of_both() {
        let (played, expected) = (Value::win(Player::FIRST), Value::new(Player::FIRST, 0.2));
        for (share, value) in [(0.0, 0.2), (0.25, 0.4), (1.0, 1.0)] {
            let mixed = Mixed { share }.outcome(played, expected);
            assert!((mixed.of(Player::FIRST) - value).abs() < 1e-6, "{share}: {mixed:?}");
            assert!((mixed.of(Player::SECOND) - (1.0 - value)).abs() < 1e-6, "{share}: {mixed:?}");
        }
        let mixed = Mixed::default().outcome(Scores([1.0, 0.0, 0.0]), Scores([0.2, 0.5, 0.3]));
        assert_eq!(mixed, Scores([0.6, 0.25, 0.15]));
    }
}
