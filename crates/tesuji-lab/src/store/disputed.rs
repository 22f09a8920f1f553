//! What a disputed game counts.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The value of a game whose result a third-party engine disputes: after the game it named another
/// winner than the board.
///
/// An engine that passes before dead stones are captured loses games on the board that it has won
/// by its own count. Then the board does not show how strong it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Disputed {
    /// None: both games of the pair count for nobody, and are not played again.
    #[default]
    Void,
    /// The value on the board, with every stone alive.
    Board,
    /// The value by the engine that disputes the result.
    Opponent,
}

impl Disputed {
    const ALL: [(&'static str, Disputed); 3] =
        [("void", Disputed::Void), ("board", Disputed::Board), ("opponent", Disputed::Opponent)];

    /// The value of a game whose value is `score_a` on the board and `dispute` by the engine that
    /// disputes it; none if the game counts for nobody.
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
