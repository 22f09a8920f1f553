//! Connect Four.

use crate::text::stone;
use std::fmt;
use tesuji::{Board, Drawing, Game, Keyed, Knowledge, Notation, Places, Player, Playouts, Rng, Trace, Value};

/// Connect Four on seven columns of six cells: four in a row wins, a full board is a draw.
///
/// A move is the cell that a disc comes to lie in, `7 * column + height`; as text it is the column,
/// `1` to `7`. Moves are cells rather than columns, because methods that learn by
/// [`key`](Keyed::key) need a move that means the same throughout a game.
///
/// Bit `7 * column + height` of a board stands for a cell. Every column ends in a seventh bit that
/// stays empty, so that no shifted row runs over into the next column.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConnectFour {
    /// The discs of the player to move.
    own: u64,
    /// The discs of the player who has just moved.
    last: u64,
    to_move: Player,
}

const COLUMNS: u8 = 7;
const HEIGHT: u8 = 6;
/// Bits of a column.
const STRIDE: u8 = HEIGHT + 1;
const COLUMN: u64 = (1 << HEIGHT) - 1;
/// The lowest cell of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// Every cell.
const BOARD: u64 = BOTTOM * COLUMN;
const KEYS: usize = COLUMNS as usize * STRIDE as usize;

impl ConnectFour {
    /// The empty board.
    pub fn new() -> ConnectFour {
        ConnectFour::default()
    }

    /// The cells that a disc can fall to. The sum carries in each column to the first empty bit.
    #[inline]
    fn open(&self) -> u64 {
        ((self.own | self.last) + BOTTOM) & BOARD
    }
}

/// Whether four of these discs lie in a row.
#[inline]
fn has_four(discs: u64) -> bool {
    let line = |step: u8| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step)
    };
    line(1) | line(STRIDE - 1) | line(STRIDE) | line(STRIDE + 1) != 0
}

impl ConnectFour {
    fn board(&self) -> Board {
        let (first, second) =
            if self.to_move == Player::FIRST { (self.own, self.last) } else { (self.last, self.own) };
        let piece = |column: usize, row: usize| {
            let disc = |discs: u64| discs >> (column * usize::from(STRIDE) + row) & 1 == 1;
            stone(disc(first), disc(second))
        };
        Board::new(Places::Squares, COLUMNS.into(), HEIGHT.into(), piece)
            .bottom_up()
            .with_columns_only((1..=COLUMNS).map(|column| column.to_string()).collect())
    }
}

impl Game for ConnectFour {
    type Move = u8;
    type Outcome = Value;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn moves(&self, out: &mut Vec<u8>) {
        let mut open = self.open();
        while open != 0 {
            out.push(open.trailing_zeros() as u8);
            open &= open - 1;
        }
    }

    #[inline]
    fn play(&mut self, cell: u8) {
        (self.own, self.last) = (self.last, self.own | 1 << cell);
        self.to_move = self.to_move.other();
    }

    #[inline]
    fn result(&self) -> Option<Value> {
        if has_four(self.last) {
            Some(Value::win(self.to_move.other()))
        } else {
            (self.open() == 0).then_some(Value::DRAW)
        }
    }

    fn most_moves(&self) -> Option<usize> {
        Some(COLUMNS.into())
    }

    /// The discs of the player to move, and a bit above every column: no two positions share it.
    fn hash(&self) -> Option<u64> {
        Some((self.own | self.last) + BOTTOM + self.own)
    }
}

impl Keyed for ConnectFour {
    #[inline]
    fn keys(&self) -> usize {
        2 * KEYS
    }

    const LISTS_CELLS: bool = true;

    #[inline]
    fn open_cells(&self, bits: &mut [u64]) {
        bits[0] = self.open();
    }
}

impl Playouts for ConnectFour {
    /// Draws columns until one has room.
    #[inline]
    fn playout_move(&self, rng: &mut Rng, _: &mut Vec<u8>) -> u8 {
        loop {
            let column = rng.below(u32::from(COLUMNS)) as u8;
            let cell = self.open() & COLUMN << (column * STRIDE);
            if cell != 0 {
                return cell.trailing_zeros() as u8;
            }
        }
    }

    /// Draws columns three bits at a time, 21 from one random number; there is no room in column 7.
    #[inline]
    fn playout<T: Trace>(&mut self, rng: &mut Rng, _: &mut Vec<u8>, trace: &mut T) -> Value {
        let mut bits = 1;
        while !has_four(self.last) {
            let open = self.open();
            if open == 0 {
                return Value::DRAW;
            }
            let cell = loop {
                if bits == 1 {
                    bits = rng.bits() | 1 << 63;
                }
                let cell = open & COLUMN << ((bits & 7) as u8 * STRIDE);
                bits >>= 3;
                if cell != 0 {
                    break cell;
                }
            };
            if T::RECORDS {
                trace.record(self.to_move, self.key(cell.trailing_zeros() as u8));
            }
            (self.own, self.last) = (self.last, self.own | cell);
            self.to_move = self.to_move.other();
        }
        Value::win(self.to_move.other())
    }
}

impl Knowledge for ConnectFour {}

impl Notation for ConnectFour {
    fn move_text(&self, cell: u8) -> String {
        (cell / STRIDE + 1).to_string()
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(Drawing::Board(self.board()))
    }

    fn planes_shape(&self) -> Option<[usize; 3]> {
        Some([Board::PLANES, HEIGHT.into(), COLUMNS.into()])
    }

    /// The planes of the board, without one.
    fn write_planes(&self, out: &mut [f32]) {
        const CELLS: usize = COLUMNS as usize * HEIGHT as usize;
        let (own, last) = out[..2 * CELLS].split_at_mut(CELLS);
        for (discs, plane) in [(self.own, own), (self.last, last)] {
            let mut discs = discs;
            while discs != 0 {
                let cell = discs.trailing_zeros() as u8;
                plane[usize::from(cell % STRIDE * COLUMNS + cell / STRIDE)] = 1.0;
                discs &= discs - 1;
            }
        }
        if self.to_move == Player::FIRST {
            out[2 * CELLS..3 * CELLS].fill(1.0);
        }
    }

    fn place(&self, code: usize) -> Option<usize> {
        let stride = usize::from(STRIDE);
        let (column, row) = (code / stride, code % stride);
        (row < HEIGHT.into()).then_some(row * usize::from(COLUMNS) + column)
    }
}

/// As its board prints itself.
impl fmt::Display for ConnectFour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_those_of_the_board() {
        let mut game = ConnectFour::new();
        for text in "4 4 3 5 1 7 4".split(' ') {
            game.play(game.parse_move(text).unwrap());
            let [mut planes, mut drawn] = [vec![0.0; 126], vec![0.0; 126]];
            assert_eq!(game.planes_shape(), Some([3, 6, 7]));
            game.write_planes(&mut planes);
            game.board().write_planes(game.to_move(), &mut drawn);
            assert_eq!(planes, drawn);
        }
    }

    /// Whether four of these discs lie in a row, cell by cell.
    fn has_four_naively(discs: u64) -> bool {
        let has = |column: i8, height: i8| {
            (0..7).contains(&column) && (0..6).contains(&height) && discs >> (7 * column + height) & 1 == 1
        };
        (0..7).any(|column| {
            (0..6).any(|height| {
                let steps = [(0, 1), (1, 0), (1, 1), (1, -1)];
                steps.into_iter().any(|(c, h)| (0..4).all(|i| has(column + i * c, height + i * h)))
            })
        })
    }

    #[test]
    fn who_has_four_in_a_row_has_won() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let mut game = ConnectFour::new();
            while game.result().is_none() {
                assert!(!has_four_naively(game.own) && !has_four_naively(game.last));
                game.play(game.playout_move(&mut rng, &mut Vec::new()));
            }
            let winner = game.to_move.other();
            let value = if has_four_naively(game.last) { Value::win(winner) } else { Value::DRAW };
            assert_eq!(game.result(), Some(value));
        }
        // Any pattern of discs, rows that run over a column's end among them.
        for _ in 0..100_000 {
            let discs = rng.bits() & rng.bits() & BOARD;
            assert_eq!(has_four(discs), has_four_naively(discs), "{discs:#x}");
        }
    }

    #[test]
    fn discs_fall_down() {
        let mut game = ConnectFour::new();
        for column in ["4", "4", "7"] {
            game.play(game.parse_move(column).unwrap());
        }
        let text = game.to_string();
        assert!(text.ends_with(". . . o . . .\n. . . x . . x\n1 2 3 4 5 6 7"), "{text}");
        assert_eq!(game.parse_move("8"), None);
    }
}
