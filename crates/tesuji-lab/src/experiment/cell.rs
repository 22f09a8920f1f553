//! One match of an experiment.

use crate::conditions::{Limit, Openings};
use crate::{Adjudication, GameSpec, LabError, MatchOptions};
use serde::Deserialize;

/// One match of an experiment, with the settings that all matches share filled in.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Its name, which is also its directory's: letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// The claim that it bears on.
    #[serde(default)]
    pub claim: String,
    /// The curve of a figure to which it belongs.
    #[serde(default)]
    pub series: String,
    /// Its place on the horizontal axis of that figure.
    pub x: Option<f64>,
    /// The agent whose side the result takes.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The game.
    pub game: String,
    /// Points for the second player, where the game has a komi.
    pub komi: Option<f64>,
    /// How many games.
    pub games: u64,
    /// Simulations a move, for agents that do not name their own.
    pub playouts: u64,
    /// The seed of all random numbers, below 2^63. The same seed gives the same openings to all matches.
    #[serde(default = "one")]
    pub seed: u64,
    /// Random moves at the beginning of a game; none: what is usual for the game.
    pub opening_plies: Option<u32>,
    /// A game of so many moves is a draw.
    #[serde(default = "longest")]
    pub longest: u32,
    /// When a decided game ends: the threshold of [`Adjudication`], by default 0, which is never.
    #[serde(default)]
    pub adjudicate: Adjudication,
}

fn one() -> u64 {
    1
}

fn longest() -> u32 {
    2000
}

impl Cell {
    /// The match, without a directory for its record.
    ///
    /// # Errors
    /// If there is no such game, or a number is out of its range.
    pub(super) fn options(&self, version: &str) -> Result<MatchOptions, LabError> {
        for (key, value) in [("games", self.games), ("playouts", self.playouts)] {
            if value == 0 {
                return Err(LabError::Input(format!("{key} is 0; accepted: at least 1")));
            }
        }
        if self.seed >= 1 << 63 {
            return Err(LabError::Input(format!("seed is {}; accepted: below 2^63", self.seed)));
        }
        let komi = self.komi.map(|komi| komi.to_string());
        Ok(MatchOptions {
            a: self.a.clone(),
            b: self.b.clone(),
            game: GameSpec::parse(&self.game, komi.as_deref())?,
            games: self.games,
            limit: Limit::Playouts(self.playouts),
            threads: 1,
            seed: self.seed,
            out: None,
            openings: self.opening_plies.map(Openings::RandomPlies),
            longest: self.longest,
            adjudicate: self.adjudicate,
            sprt: None,
            version: version.to_owned(),
        })
    }
}
