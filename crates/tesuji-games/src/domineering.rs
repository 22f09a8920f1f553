//! Domineering.

use crate::mix::hash;
use crate::size::SizeError;
use crate::text;
use std::fmt;
use tesuji::{Board, Drawing, Game, Keyed, Knowledge, Notation, Piece, Places, Player, Playouts, Value};

/// Domineering on 1 to 8 rows and columns: the first player places vertical dominoes, the second
/// horizontal ones. The player who cannot place one loses.
///
/// A move is the domino's top or left cell, `8 * row + column`; as text `a1`, `b1`, ... with column
/// letters and row numbers from the top left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domineering {
    /// Bit `8 * row + column` of an empty cell; cells off the board are not empty.
    empty: u64,
    rows: u8,
    columns: u8,
    to_move: Player,
}

/// Bits of a row.
const STRIDE: u8 = 8;
/// Every column but the last.
const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;

impl Domineering {
    /// The empty board.
    ///
    /// # Errors
    /// If there are not 1 to 8 rows and columns.
    pub fn new(rows: usize, columns: usize) -> Result<Domineering, SizeError> {
        SizeError::check("the number of rows", rows, 1..=8)?;
        SizeError::check("the number of columns", columns, 1..=8)?;
        let row = u64::MAX >> (64 - columns);
        let empty = (0..rows).map(|r| row << (STRIDE as usize * r)).sum();
        Ok(Domineering { empty, rows: rows as u8, columns: columns as u8, to_move: Player::FIRST })
    }

    /// Rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.rows.into(), self.columns.into())
    }

    /// The cells where a domino of the player to move can have its top or left half.
    #[inline]
    fn places(&self) -> u64 {
        match self.to_move {
            Player::FIRST => self.empty & self.empty >> STRIDE,
            _ => self.empty & (self.empty >> 1) & NOT_LAST,
        }
    }
}

impl Domineering {
    fn board(&self) -> Board {
        let (rows, columns) = self.size();
        Board::new(Places::Squares, columns, rows, |column, row| {
            let is_empty = self.empty >> (usize::from(STRIDE) * row + column) & 1 == 1;
            (!is_empty).then(Piece::block)
        })
    }
}

impl Game for Domineering {
    type Move = u8;
    type Outcome = Value;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn moves(&self, out: &mut Vec<u8>) {
        let mut places = self.places();
        while places != 0 {
            out.push(places.trailing_zeros() as u8);
            places &= places - 1;
        }
    }

    #[inline]
    fn play(&mut self, cell: u8) {
        let domino = if self.to_move == Player::FIRST { 1 | 1 << STRIDE } else { 0b11 };
        self.empty &= !(domino << cell);
        self.to_move = self.to_move.other();
    }

    #[inline]
    fn result(&self) -> Option<Value> {
        (self.places() == 0).then(|| Value::win(self.to_move.other()))
    }

    fn most_moves(&self) -> Option<usize> {
        let most = |player| Domineering { to_move: player, ..*self }.places().count_ones() as usize;
        Some(most(Player::FIRST).max(most(Player::SECOND)))
    }

    fn hash(&self) -> Option<u64> {
        Some(hash([self.empty, self.to_move.index() as u64]))
    }
}

impl Keyed for Domineering {
    #[inline]
    fn keys(&self) -> usize {
        2 * 64
    }

    const LISTS_CELLS: bool = true;

    #[inline]
    fn open_cells(&self, bits: &mut [u64]) {
        bits[0] = self.places();
    }
}

impl Playouts for Domineering {}

impl Knowledge for Domineering {}

impl Notation for Domineering {
    fn move_text(&self, cell: u8) -> String {
        text::cell(cell % STRIDE, cell / STRIDE)
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(Drawing::Board(self.board()))
    }

    fn place(&self, code: usize) -> Option<usize> {
        let ((rows, columns), stride) = (self.size(), usize::from(STRIDE));
        let (row, column) = (code / stride, code % stride);
        (row < rows && column < columns).then_some(row * columns + column)
    }
}

/// As its board prints itself.
impl fmt::Display for Domineering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::alpha_beta;

    /// Berlekamp, Conway and Guy 1982; the upright player moves first.
    #[test]
    fn small_boards_have_their_known_winners() {
        // On squares of 2, 3 and 4 who moves first wins, on 5x5 who moves second.
        for (rows, columns, winner) in [
            (2, 1, Player::FIRST),
            (1, 2, Player::SECOND),
            (1, 1, Player::SECOND),
            (2, 2, Player::FIRST),
            (3, 3, Player::FIRST),
            (4, 4, Player::FIRST),
            (5, 5, Player::SECOND),
        ] {
            let game = Domineering::new(rows, columns).unwrap();
            assert_eq!(alpha_beta(&game).value, Value::win(winner), "{rows}x{columns}");
        }
        assert!(Domineering::new(9, 8).is_err());
    }

    #[test]
    fn it_prints_its_dominoes() {
        let mut game = Domineering::new(2, 3).unwrap();
        game.play(game.parse_move("c1").unwrap());
        assert_eq!(game.to_string(), "  a b c\n1 . . #\n2 . . #");
        assert_eq!(game.parse_move("b1"), None);
    }
}
