//! Moves and positions as text.

use super::{Drawing, Game};
use alloc::vec::Vec;

/// Moves and positions as text, for records, engines and people. Positions print by
/// [`Display`](core::fmt::Display).
pub trait Notation: Game + core::fmt::Display {
    /// The move as text without spaces, such as `e5` or `3`.
    fn move_text(&self, m: Self::Move) -> alloc::string::String;

    /// The position as data, from which text, pictures and pages draw it. Default: none, for a game without a board.
    fn drawing(&self) -> Option<Drawing> {
        None
    }

    /// The legal move that `text` names, or none.
    fn parse_move(&self, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.into_iter().find(|&m| self.move_text(m).eq_ignore_ascii_case(text))
    }
}
