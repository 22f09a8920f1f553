//! What decides the games of an experiment besides the agents.

use crate::adjudication::Adjudication;
use crate::error::LabError;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tesuji::{Budget, Rng, Stop};

/// Everything that the agents of an experiment have in common.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// The game, as [`GameSpec`](crate::game_spec::GameSpec) writes it.
    pub game: String,
    /// Points for the second player, where the game has a komi.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub komi: Option<String>,
    /// The seed of all random numbers, below 2^63.
    pub seed: u64,
    /// A game of N moves is a draw, the opening included.
    pub longest: u32,
    /// When a decided game ends.
    #[serde(default, skip_serializing_if = "Adjudication::is_never")]
    pub adjudicate: Adjudication,
    /// The limit of each search, except for agents that have their own.
    pub limit: Limit,
    /// The positions in which games begin.
    pub openings: Openings,
    /// Whether each game has its own opening, so that all games are independent. Otherwise the two
    /// games of a pair share one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unpaired: bool,
}

/// The limit of each search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// N simulations a move.
    Playouts(u64),
    /// N milliseconds a move. Games are then not reproducible.
    Milliseconds(u64),
}

/// The positions in which games begin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// After N uniformly random moves, different ones for each pair.
    RandomPlies(u32),
    /// After these lines of moves in turn, starting again with the first when all were played.
    Lines(Vec<String>),
}

impl Limit {
    /// The limit as a search takes it.
    pub fn budget(self, stop: &Stop) -> Budget {
        let budget = match self {
            Limit::Playouts(n) => Budget::simulations(n),
            Limit::Milliseconds(ms) => Budget::time(Duration::from_millis(ms)),
        };
        Budget { stop: stop.clone(), ..budget }
    }
}

impl Conditions {
    /// The conditions as canonical TOML, which the store hashes.
    ///
    /// # Panics
    /// If the seed is 2^63 or more, which TOML cannot write.
    pub fn canonical(&self) -> String {
        toml::to_string(self).expect("conditions are a table of plain values, the seed below 2^63")
    }

    /// Reads what [`Conditions::canonical`] wrote.
    ///
    /// # Errors
    /// If the text is something else.
    pub fn parse(canonical: &str) -> Result<Conditions, LabError> {
        toml::from_str(canonical).map_err(LabError::failed)
    }

    /// The seed of the random opening with this number: the same for all agents.
    pub fn opening_seed(&self, opening: u64) -> u64 {
        Rng::derive(Rng::derive(self.seed, 0), opening)
    }

    /// The number of the opening of one game.
    pub fn opening_number(&self, opening: u64, a_first: bool) -> u64 {
        if self.unpaired { 2 * opening + u64::from(!a_first) } else { opening }
    }

    /// The seed of one game.
    pub fn game_seed(&self, opening: u64, replica: u32, a_first: bool) -> u64 {
        let pair = Rng::derive(Rng::derive(self.seed, 1), opening);
        Rng::derive(pair, 2 * u64::from(replica) + u64::from(!a_first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjudication_belongs_to_an_experiment_only_where_it_is_on() {
        let conditions = |x| Conditions {
            game: "hex:3".to_owned(),
            komi: None,
            seed: 1,
            longest: 9,
            adjudicate: Adjudication::new(x).unwrap(),
            limit: Limit::Playouts(10),
            openings: Openings::RandomPlies(1),
            unpaired: false,
        };
        let (off, on) = (conditions(0.0).canonical(), conditions(0.03).canonical());
        assert!(!off.contains("adjudicate") && on.contains("\nadjudicate = 0.03\n"), "{on}");
        for (x, text) in [(0.0, off), (0.03, on)] {
            assert_eq!(Conditions::parse(&text), Ok(conditions(x)));
        }
    }
}
