//! Knightthrough.

use crate::mix::hash;
use crate::text;
use std::fmt;
use tesuji::{
    Board, Drawing, Game, Keyed, Knowledge, Move, Notation, Order, Places, Player, Playouts, Value,
};

/// Knightthrough on the chessboard: each player has two rows of knights that move forward only, and
/// wins by reaching the last row or by capturing every knight of the opponent.
///
/// The first player starts at the bottom, on rows 1 and 2. As text a move is the squares it leaves
/// and enters, such as `b2c4`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knightthrough {
    /// The knights of each player: bit `8 * row + column`, row 0 at the bottom.
    knights: [u64; 2],
    to_move: Player,
}

/// A knight's move: bit numbers of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnightMove {
    /// The square it leaves.
    pub from: u8,
    /// The square it enters.
    pub to: u8,
}

impl Move for KnightMove {
    type Code = u16;

    #[inline]
    fn code(self) -> u16 {
        u16::from(self.from) << 8 | u16::from(self.to)
    }

    #[inline]
    fn from_code(code: u16) -> KnightMove {
        KnightMove { from: (code >> 8) as u8, to: code as u8 }
    }
}

/// The steps of the first player's knights, with the columns from which a step stays on the board.
const STEPS: [(u8, u64); 4] = [
    (15, 0xfefe_fefe_fefe_fefe),
    (17, 0x7f7f_7f7f_7f7f_7f7f),
    (6, 0xfcfc_fcfc_fcfc_fcfc),
    (10, 0x3f3f_3f3f_3f3f_3f3f),
];
/// The cells of a player: squares to leave, times steps.
const CELLS: usize = 64 * STEPS.len();
/// The order of each player's moves: by step, then by the square to enter. Cells of no move fill
/// the places that are left.
static ORDERS: [([u16; CELLS], [u16; CELLS]); 2] = [order(true), order(false)];

/// The place of each cell of a player, and the cell of each place.
const fn order(is_first: bool) -> ([u16; CELLS], [u16; CELLS]) {
    let (mut places, mut cells) = ([0; CELLS], [0; CELLS]);
    let mut cell = 0;
    while cell < CELLS {
        let (from, step) = ((cell / STEPS.len()) as u8, cell % STEPS.len());
        let by = STEPS[step].0;
        let to = if is_first { from.wrapping_add(by) } else { from.wrapping_sub(by) } % 64;
        let place = 64 * step + to as usize;
        (places[cell], cells[place]) = (place as u16, cell as u16);
        cell += 1;
    }
    (places, cells)
}

/// How many each player begins with.
const KNIGHTS: usize = 16;
/// The row that each player wants to reach.
const GOALS: [u64; 2] = [0xff << 56, 0xff];

impl Knightthrough {
    /// The start of a game.
    pub fn new() -> Knightthrough {
        Knightthrough { knights: [0xffff, 0xffff << 48], to_move: Player::FIRST }
    }
}

impl Default for Knightthrough {
    fn default() -> Knightthrough {
        Knightthrough::new()
    }
}

impl Knightthrough {
    /// The squares that knights of the player to move can enter by this step.
    #[inline]
    fn targets(&self, (step, columns): (u8, u64)) -> u64 {
        let own = self.knights[self.to_move.index()];
        // Turned by half a circle, the second player's steps are the first player's.
        match self.to_move {
            Player::FIRST => (own & columns) << step & !own,
            _ => (own & columns.reverse_bits()) >> step & !own,
        }
    }

    fn board(&self) -> Board {
        let board = Board::new(Places::Squares, 8, 8, |column, row| {
            let knight = |player: usize| self.knights[player] >> (8 * row + column) & 1 == 1;
            text::stone(knight(0), knight(1))
        });
        board.bottom_up()
    }
}

impl Game for Knightthrough {
    type Move = KnightMove;
    type Outcome = Value;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn moves(&self, out: &mut Vec<KnightMove>) {
        for step in STEPS {
            let mut targets = self.targets(step);
            let by = i16::from(step.0);
            let back = if self.to_move == Player::FIRST { -by } else { by };
            while targets != 0 {
                let to = targets.trailing_zeros() as u8;
                out.push(KnightMove { from: (i16::from(to) + back) as u8, to });
                targets &= targets - 1;
            }
        }
    }

    #[inline]
    fn play(&mut self, m: KnightMove) {
        let player = self.to_move.index();
        self.knights[player] ^= 1 << m.from | 1 << m.to;
        self.knights[1 - player] &= !(1 << m.to);
        self.to_move = self.to_move.other();
    }

    #[inline]
    fn result(&self) -> Option<Value> {
        let last = self.to_move.other();
        let has_won =
            self.knights[last.index()] & GOALS[last.index()] != 0 || self.knights[1 - last.index()] == 0;
        has_won.then(|| Value::win(last))
    }

    fn most_moves(&self) -> Option<usize> {
        Some(KNIGHTS * STEPS.len())
    }

    fn hash(&self) -> Option<u64> {
        Some(hash([self.knights[0], self.knights[1], self.to_move.index() as u64]))
    }
}

impl Keyed for Knightthrough {
    #[inline]
    fn keys(&self) -> usize {
        2 * CELLS
    }

    /// The square that it leaves and the step.
    #[inline]
    fn code(&self, m: KnightMove) -> u16 {
        let step = STEPS.iter().position(|&(step, _)| step == m.from.abs_diff(m.to));
        u16::from(m.from) * 4 + step.unwrap_or(0) as u16
    }

    #[inline]
    fn decode(&self, code: u16) -> KnightMove {
        let (from, (step, _)) = ((code / 4) as u8, STEPS[usize::from(code % 4)]);
        let to = if self.to_move == Player::FIRST { from + step } else { from - step };
        KnightMove { from, to }
    }

    const LISTS_CELLS: bool = true;

    #[inline]
    fn order(&self) -> Option<Order> {
        let (places, cells) = &ORDERS[self.to_move.index()];
        Some(Order { places, cells })
    }

    #[inline]
    fn open_cells(&self, bits: &mut [u64]) {
        for (bits, step) in bits.iter_mut().zip(STEPS) {
            *bits = self.targets(step);
        }
    }
}

impl Playouts for Knightthrough {}

impl Knowledge for Knightthrough {}

impl Notation for Knightthrough {
    fn move_text(&self, m: KnightMove) -> String {
        let square = |s: u8| text::cell(s % 8, s / 8);
        square(m.from) + &square(m.to)
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(Drawing::Board(self.board()))
    }

    /// The square that it leaves.
    fn place(&self, code: usize) -> Option<usize> {
        Some(code / 4)
    }
}

/// As its board prints itself.
impl fmt::Display for Knightthrough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knights_move_forward_capture_and_win() {
        let mut game = Knightthrough::new();
        let mut moves = Vec::new();
        game.moves(&mut moves);
        // From row 2 all steps: 7 + 7 to row 4, 6 + 6 to row 3; from row 1 only the long ones,
        // 7 + 7.
        assert_eq!(moves.len(), 14 + 12 + 14);
        for text in ["b2c4", "b7c5", "a1b3", "c5b3", "c4d6", "h7g5", "d6f7", "g5f3"] {
            assert_eq!(game.result(), None);
            game.play(game.parse_move(text).unwrap_or_else(|| panic!("{text} is legal")));
        }
        assert_eq!(game.knights.map(u64::count_ones), [15, 15]);
        assert_eq!(game.parse_move("f3h4"), None, "it is the second player's");
        game.play(game.parse_move("f7h8").expect("the last row is one short step away"));
        assert_eq!(game.result(), Some(Value::win(Player::FIRST)));
    }

    #[test]
    fn who_has_no_knight_left_has_lost() {
        let mut game = Knightthrough { knights: [1 << 9, 1 << 26], to_move: Player::FIRST };
        game.play(game.parse_move("b2c4").unwrap());
        assert_eq!(game.result(), Some(Value::win(Player::FIRST)));
    }
}
