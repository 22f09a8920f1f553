//! Why a game cannot be replayed, or played.

use std::fmt;

/// A recorded game cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The game has another board size than the batch.
    Board {
        /// Lines of its board.
        found: usize,
        /// Lines of the board that is wanted.
        wanted: usize,
    },
    /// The game has another number of moves to choose from.
    Actions {
        /// Its number.
        found: usize,
        /// The number that is wanted.
        wanted: usize,
    },
    /// The batch is for a network whose inputs do not show a position, in a sentence.
    Inputs(String),
    /// Its first stones cannot stand so.
    Stones,
    /// The game was over after its first N moves.
    Over(usize),
    /// The move after the first N is not legal.
    Move(usize),
    /// It has no position with this number.
    Position(usize),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Board { found, wanted } => {
                write!(f, "the game is on {found}x{found} where {wanted}x{wanted} is expected")
            }
            ReplayError::Actions { found, wanted } => {
                write!(f, "the game has {found} different moves where {wanted} are expected")
            }
            ReplayError::Inputs(error) => f.write_str(error),
            ReplayError::Stones => f.write_str("the game begins with stones that cannot stand so"),
            ReplayError::Over(ply) => write!(f, "the game was over before its move {}", ply + 1),
            ReplayError::Move(ply) => write!(f, "move {} of the game is not legal", ply + 1),
            ReplayError::Position(position) => {
                write!(f, "the game has no position {position} that is trained on")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// Why a network cannot play against itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayError(pub(crate) String);

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SelfPlayError {}
