//! What a disputed game counts.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The value of a game whose result a third-party engine disputes: after the game it named another
/// winner than the board.
///
/// An engine that passes before dead stones are taken loses on the board what it has won in its own
/// eyes. How strong it is can then not be read from the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Disputed {
    /// Nothing: the game and the other one of its pair count for nobody, and are not played again.
    #[default]
    Void,
    /// What the board says, every stone alive.
    Board,
    /// What the engine says that disputes the result.
    Opponent,
}

impl Disputed {
    const ALL: [(&'static str, Disputed); 3] =
        [("void", Disputed::Void), ("board", Disputed::Board), ("opponent", Disputed::Opponent)];

    /// The value of a game whose value on the board is `score_a`, and that of the engine that
    /// disputes it `dispute`; none if it counts for nobody.
    pub fn value(self, score_a: f64, dispute: Option<f64>) -> Option<f64> {
        match (self, dispute) {
            (_, None) | (Disputed::Board, _) => Some(score_a),
            (Disputed::Opponent, dispute) => dispute,
            (Disputed::Void, _) => None,
        }
    }
}

impl fmt::Display for Disputed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Disputed::ALL.iter().find(|(_, value)| value == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

impl FromStr for Disputed {
    type Err = String;

    fn from_str(text: &str) -> Result<Disputed, String> {
        let found = Disputed::ALL.iter().find(|(name, _)| *name == text);
        found
            .map(|&(_, value)| value)
            .ok_or_else(|| format!("{text:?} is not valid; accepted: void, board, opponent"))
    }
}
