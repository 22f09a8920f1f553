//! Tic-tac-toe.

use crate::text;
use std::fmt;
use tesuji::{Board, Drawing, Game, Keyed, Knowledge, Notation, Places, Player, Playouts, Value};

/// Tic-tac-toe (noughts and crosses): three in a row wins, a full board is a draw.
///
/// The first player has the crosses. A move is a cell, numbered 0 to 8 from the top left; as text
/// `a1` to `c3`, row 1 at the top.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TicTacToe {
    /// The cells of each player, one bit for each cell.
    stones: [u16; 2],
    to_move: Player,
}

const CELLS: u8 = 9;
const FULL: u16 = (1 << CELLS) - 1;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];

impl TicTacToe {
    /// The empty board.
    pub fn new() -> TicTacToe {
        TicTacToe::default()
    }

    fn occupied(&self) -> u16 {
        self.stones[0] | self.stones[1]
    }
}

impl TicTacToe {
    fn board(&self) -> Board {
        Board::new(Places::Squares, 3, 3, |column, row| {
            let stone = |player: usize| self.stones[player] >> (3 * row + column) & 1 == 1;
            text::stone(stone(0), stone(1))
        })
    }
}

impl Game for TicTacToe {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend((0..CELLS).filter(|cell| self.occupied() >> cell & 1 == 0));
    }

    fn play(&mut self, cell: u8) {
        self.stones[self.to_move.index()] |= 1 << cell;
        self.to_move = self.to_move.other();
    }

    fn result(&self) -> Option<Value> {
        let mover = self.to_move.other();
        let stones = self.stones[mover.index()];
        if LINES.iter().any(|line| stones & line == *line) {
            Some(Value::win(mover))
        } else {
            (self.occupied() == FULL).then_some(Value::DRAW)
        }
    }

    fn most_moves(&self) -> Option<usize> {
        Some(CELLS as usize)
    }

    fn hash(&self) -> Option<u64> {
        Some(u64::from(self.stones[0]) << CELLS | u64::from(self.stones[1]))
    }
}

impl Keyed for TicTacToe {
    #[inline]
    fn keys(&self) -> usize {
        2 * CELLS as usize
    }
}

impl Playouts for TicTacToe {}

impl Knowledge for TicTacToe {}

impl Notation for TicTacToe {
    fn move_text(&self, cell: u8) -> String {
        text::cell(cell % 3, cell / 3)
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(Drawing::Board(self.board()))
    }

    fn place(&self, code: usize) -> Option<usize> {
        Some(code)
    }
}

/// As its board prints itself.
impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_wins_and_a_full_board_is_a_draw() {
        let after = |moves: &[u8]| {
            let mut game = TicTacToe::new();
            for &m in moves {
                assert_eq!(game.result(), None);
                game.play(m);
            }
            game
        };
        assert_eq!(after(&[0, 3, 1, 4, 2]).result(), Some(Value::win(Player::FIRST)));
        assert_eq!(after(&[0, 2, 1, 4, 3, 6]).result(), Some(Value::win(Player::SECOND)));
        assert_eq!(after(&[4, 0, 8, 2, 1, 7, 3, 5, 6]).result(), Some(Value::DRAW));
        assert_eq!(after(&[4, 2, 0]).to_string(), "  a b c\n1 x . o\n2 . x .\n3 . . .");
    }
}
