//! Boards and squares as text.

use tesuji::{Piece, Player};

/// The piece on a cell that holds a stone of the first player, of the second, or of nobody.
pub(crate) fn stone(first: bool, second: bool) -> Option<Piece> {
    match (first, second) {
        (true, _) => Some(Piece::of(Player::FIRST)),
        (_, true) => Some(Piece::of(Player::SECOND)),
        _ => None,
    }
}

/// A column letter and a row number, both counted from 0: `a1`, `b1`, ...
pub(crate) fn cell(column: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + column), row + 1)
}
