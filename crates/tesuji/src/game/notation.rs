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

    /// The legal move that `text` names, as [`named_move`] has it, or none.
    fn parse_move(&self, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        named_move(text, moves.into_iter().map(|m| (m, self.move_text(m))))
    }
}

/// The move that a text names among moves with their texts: the move with this very text; without
/// one, the only move whose text differs in the case of letters alone; otherwise none.
pub fn named_move<M: PartialEq, T: AsRef<str>>(
    text: &str,
    moves: impl IntoIterator<Item = (M, T)>,
) -> Option<M> {
    let (mut alike, mut is_ambiguous) = (None, false);
    for (m, own) in moves {
        if own.as_ref() == text {
            return Some(m);
        }
        if own.as_ref().eq_ignore_ascii_case(text) {
            is_ambiguous |= alike.as_ref().is_some_and(|other| *other != m);
            alike = Some(m);
        }
    }
    alike.filter(|_| !is_ambiguous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Player, Value};
    use alloc::string::{String, ToString};
    use core::fmt;

    /// Moves of chess: `bxc4` by the pawn, `Bxc4` by the bishop.
    #[derive(Clone)]
    struct Chess(&'static [&'static str]);

    impl Game for Chess {
        type Move = u8;
        type Outcome = Value;

        fn to_move(&self) -> Player {
            Player::FIRST
        }

        fn moves(&self, out: &mut Vec<u8>) {
            out.extend(0..self.0.len() as u8);
        }

        fn play(&mut self, _: u8) {}

        fn result(&self) -> Option<Value> {
            None
        }
    }

    impl fmt::Display for Chess {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Ok(())
        }
    }

    impl Notation for Chess {
        fn move_text(&self, m: u8) -> String {
            self.0[usize::from(m)].to_string()
        }
    }

    #[test]
    fn a_move_is_the_one_with_this_very_text() {
        let game = Chess(&["bxc4", "Bxc4", "Nf3"]);
        assert_eq!(game.parse_move("bxc4"), Some(0));
        assert_eq!(game.parse_move("Bxc4"), Some(1));
        assert_eq!(game.parse_move("nf3"), Some(2), "the case does not matter where one move is meant");
        assert_eq!(game.parse_move("BXC4"), None, "two moves may be meant");
        assert_eq!(game.parse_move("e4"), None);
    }
}
