//! The games that have a name.

use crate::LabError;
use std::fmt;
use tesuji::{Notation, Value};
use tesuji_games::{ConnectFour, Hex, TicTacToe};

/// A game, as `--game` and experiment files name it, with its initial position.
#[derive(Clone, Debug)]
pub enum GameSpec {
    /// `connect-four`.
    ConnectFour,
    /// `hex:N`.
    Hex(Hex),
    /// `tic-tac-toe`.
    TicTacToe,
}

/// What to do with a game of a type that is known only at run time.
pub trait GameVisitor {
    /// What it gives.
    type Out;

    /// Does it, with the game's initial position.
    fn visit<G>(self, start: G) -> Self::Out
    where
        G: Notation<Outcome = Value> + Send + Sync + 'static,
        G::Move: Send + Sync;
}

/// One line of the list of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEntry {
    /// How it is written, with parameters in capitals.
    pub syntax: &'static str,
    /// What it is, with the parameters' ranges.
    pub about: &'static str,
}

impl GameSpec {
    /// Every game.
    pub const LIST: &'static [GameEntry] = &[
        GameEntry { syntax: "hex:N", about: "Hex on N rows, 2 to 19" },
        GameEntry { syntax: "connect-four", about: "Connect Four, 7 columns of 6" },
        GameEntry { syntax: "tic-tac-toe", about: "Tic-tac-toe" },
    ];

    /// Reads a game; `komi` is accepted where the game has one.
    ///
    /// # Errors
    /// If the name or a parameter is not one of [`GameSpec::LIST`]; the message says what is accepted.
    pub fn parse(text: &str, komi: Option<&str>) -> Result<GameSpec, LabError> {
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let spec = match (name, parameter) {
            ("tic-tac-toe", None) => GameSpec::TicTacToe,
            ("connect-four", None) => GameSpec::ConnectFour,
            ("hex", Some(size)) => GameSpec::Hex(Hex::new(number(text, size)?).map_err(LabError::input)?),
            _ => {
                let accepted: Vec<_> = GameSpec::LIST.iter().map(|entry| entry.syntax).collect();
                let accepted = accepted.join(", ");
                return Err(LabError::Input(format!("unknown game {text:?}; accepted are {accepted}")));
            }
        };
        match komi {
            None => Ok(spec),
            Some(_) => Err(LabError::Input(format!("{spec} has no komi; it belongs to Go"))),
        }
    }

    /// How many random moves begin a game unless one says otherwise.
    pub fn opening_plies(&self) -> u32 {
        match self {
            GameSpec::TicTacToe | GameSpec::Hex(_) => 2,
            GameSpec::ConnectFour => 3,
        }
    }

    /// Points for the second player, where the game has a komi.
    pub fn komi(&self) -> Option<String> {
        None
    }

    /// How an engine is told by GTP to prepare for the game; none where GTP does not know it.
    pub fn gtp_setup(&self) -> Option<Vec<String>> {
        match self {
            GameSpec::TicTacToe | GameSpec::ConnectFour => None,
            GameSpec::Hex(hex) => Some(vec![format!("boardsize {}", hex.size())]),
        }
    }

    /// Hands the initial position to `visitor`.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Out {
        match self {
            GameSpec::TicTacToe => visitor.visit(TicTacToe::new()),
            GameSpec::ConnectFour => visitor.visit(ConnectFour::new()),
            GameSpec::Hex(start) => visitor.visit(start.clone()),
        }
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameSpec::TicTacToe => f.write_str("tic-tac-toe"),
            GameSpec::ConnectFour => f.write_str("connect-four"),
            GameSpec::Hex(hex) => write!(f, "hex:{}", hex.size()),
        }
    }
}

/// The number `text` in the game's name `whole`.
fn number(whole: &str, text: &str) -> Result<usize, LabError> {
    text.parse().map_err(|_| LabError::Input(format!("{whole:?}: {text:?} is no number")))
}
