//! Moves and positions as text.

use super::{Board, Drawing, Game};
use alloc::vec::Vec;

/// Moves and positions as text, for records, engines and people. Positions print by
/// [`Display`](core::fmt::Display).
pub trait Notation: Game + core::fmt::Display {
    /// The move as text without spaces, such as `e5` or `3`.
    fn move_text(&self, m: Self::Move) -> alloc::string::String;

    /// The position as data, from which text, pictures and pages draw it. Default: none, for a game
    /// without a board.
    fn drawing(&self) -> Option<Drawing> {
        None
    }

    /// The planes by which networks of other programs see positions: how many, of how many rows and
    /// columns. It must not change during a game. Default: those of the board that is
    /// [drawn](Notation::drawing); none for a game without a board.
    fn planes_shape(&self) -> Option<[usize; 3]> {
        let Some(Drawing::Board(board)) = self.drawing() else { return None };
        let columns = board.columns.len();
        Some([Board::PLANES, board.pieces.len() / columns.max(1), columns])
    }

    /// Writes the planes of the position, one after the other, row by row, to `out`, which holds
    /// zeros on entry and as many numbers as [`Notation::planes_shape`] says. Default:
    /// [`Board::write_planes`].
    fn write_planes(&self, out: &mut [f32]) {
        if let Some(Drawing::Board(board)) = self.drawing() {
            board.write_planes(self.to_move(), out);
        }
    }

    /// The place of the board, as planes have it, to which the move of this
    /// [code](super::Keyed::code) belongs: where it puts a piece, or takes one. It is the same in
    /// every position. A new network's policy for the move begins with what the network sees there;
    /// without a place, the policy takes longer to learn. Default: none.
    fn place(&self, code: usize) -> Option<usize> {
        let _ = code;
        None
    }

    /// The legal move that `text` names, or none.
    fn parse_move(&self, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.into_iter().find(|&m| self.move_text(m).eq_ignore_ascii_case(text))
    }
}
