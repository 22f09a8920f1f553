//! Hex.

use crate::mix::hash;
use crate::size::SizeError;
use crate::text;
use std::fmt;
use tesuji::{Board, Drawing, Game, Keyed, Knowledge, Notation, Places, Player, Playouts, Rng, Trace, Value};

/// Hex on a rhombus of 2 to 19 rows: the first player connects top and bottom, the second left and
/// right. One of them always does.
///
/// A move is a cell, `size * row + column`, or, in a game [with the swap rule](Hex::with_swap),
/// `size * size` for the swap. As text a cell is `a1`, `b1`, ... with column letters and row
/// numbers from the top left, and the swap is `swap`.
///
/// A playout takes time proportional to the number of rows: it fills all empty cells at once and
/// then checks which player is connected. This has the distribution of random moves, because moves
/// after the first connection do not change the winner. A traced playout plays move by move.
#[derive(Clone, Debug)]
pub struct Hex {
    size: u8,
    swap: bool,
    played: u16,
    to_move: Player,
    /// The stones of each player: bit `column + 1` of word `row + 1`. The border around the board
    /// is stones too, for each player the two sides to connect.
    stones: [Rows; 2],
    /// Those of them that are linked to the player's first side (top, left).
    linked: [Rows; 2],
}

type Rows = [u32; Hex::LARGEST + 2];

impl Hex {
    const LARGEST: usize = 19;

    /// The empty board of `size` rows and columns, without the swap rule.
    ///
    /// # Errors
    /// If `size` is not 2 to 19.
    pub fn new(size: usize) -> Result<Hex, SizeError> {
        SizeError::check("the size of a Hex board", size, 2..=Hex::LARGEST)?;
        Ok(Hex::empty(size, false))
    }

    /// The empty board of the same size with the swap rule: instead of their first move, the second
    /// player may take over the first player's stone, mirrored so that it means the same for them.
    #[must_use]
    pub fn with_swap(&self) -> Hex {
        Hex::empty(self.size(), true)
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.size.into()
    }

    fn empty(size: usize, swap: bool) -> Hex {
        let (mut stones, mut linked) = ([[0; Hex::LARGEST + 2]; 2], [[0; Hex::LARGEST + 2]; 2]);
        let whole_row = (1 << (size + 2)) - 1;
        stones[0][0] = whole_row;
        linked[0][0] = whole_row;
        stones[0][size + 1] = whole_row;
        stones[1][1..=size].fill(1 | 1 << (size + 1));
        linked[1][1..=size].fill(1);
        Hex { size: size as u8, swap, played: 0, to_move: Player::FIRST, stones, linked }
    }

    fn cells(&self) -> u16 {
        u16::from(self.size) * u16::from(self.size)
    }

    /// The word and the bit of a cell.
    #[inline]
    fn locate(&self, cell: u16) -> (usize, u32) {
        let size = u16::from(self.size);
        (usize::from(cell / size) + 1, 2 << (cell % size))
    }

    /// The empty cells of a row.
    #[inline]
    fn empty_cells(&self, row: usize) -> u32 {
        !(self.stones[0][row] | self.stones[1][row]) & ((2 << self.size) - 2)
    }

    #[inline]
    fn can_swap(&self) -> bool {
        self.swap && self.played == 1
    }

    #[inline]
    fn winner(&self) -> Option<Player> {
        if self.linked[0][self.size() + 1] != 0 {
            Some(Player::FIRST)
        } else {
            (self.linked[1][1] >> (self.size + 1) != 0).then_some(Player::SECOND)
        }
    }

    /// Puts a stone of the player to move.
    #[inline]
    fn place(&mut self, cell: u16) {
        let player = self.to_move.index();
        let (row, bit) = self.locate(cell);
        self.stones[player][row] |= bit;
        self.link(player, row, bit & self.beside_linked(player, row));
        self.to_move = self.to_move.other();
    }

    /// The cell of the first player's only stone.
    fn only_stone(&self) -> u16 {
        let is_stone = |&cell: &u16| {
            let (row, bit) = self.locate(cell);
            self.stones[0][row] & bit != 0
        };
        (0..self.cells()).find(is_stone).expect("there is a stone to take over")
    }

    /// Makes the only stone the second player's, mirrored.
    #[cold]
    fn take_over(&mut self) {
        let stone = self.only_stone();
        let size = u16::from(self.size);
        *self = Hex { played: 2, to_move: Player::SECOND, ..Hex::empty(self.size(), true) };
        self.place(stone % size * size + stone / size);
    }

    /// The cells of `row` that have a linked neighbour.
    #[inline]
    fn beside_linked(&self, player: usize, row: usize) -> u32 {
        let linked = &self.linked[player];
        let (above, here, below) = (linked[row - 1], linked[row], linked[row + 1]);
        above | above >> 1 | here << 1 | here >> 1 | below | below << 1
    }

    /// The stones of `row` that are not linked.
    #[inline]
    fn loose(&self, player: usize, row: usize) -> u32 {
        self.stones[player][row] & !self.linked[player][row]
    }

    /// Links the loose stones among `cells`, each of which has a linked neighbour, and all that are
    /// connected to them. Every stone is linked once in a game.
    #[inline]
    fn link(&mut self, player: usize, row: usize, cells: u32) {
        let stones = cells & self.loose(player, row);
        if stones != 0 {
            self.spread(player, row, stones);
        }
    }

    /// Links these loose stones and all that are connected to them. Kept out of line, so that the
    /// common case of nothing to link costs no call.
    #[inline(never)]
    fn spread(&mut self, player: usize, row: usize, mut stones: u32) {
        let loose = self.loose(player, row);
        loop {
            let wider = (stones | stones << 1 | stones >> 1) & loose;
            if wider == stones {
                break;
            }
            stones = wider;
        }
        self.linked[player][row] |= stones;
        if row > 0 {
            self.link(player, row - 1, stones | stones << 1);
        }
        if row <= self.size() {
            self.link(player, row + 1, stones | stones >> 1);
        }
    }

    /// Gives every empty cell to one of the players, as random moves would: half of the cells,
    /// rounded up, to the player to move, every such half equally likely.
    fn deal(&mut self, rng: &mut Rng) {
        let (mover, other) = (self.to_move.index(), self.to_move.other().index());
        let mut dealt: Rows = [0; Hex::LARGEST + 2];
        // A fair coin for each cell, ...
        let mut surplus = 0;
        for (row, dealt) in dealt.iter_mut().enumerate().take(self.size() + 1).skip(1) {
            let empty = self.empty_cells(row);
            let won = empty & rng.bits() as u32;
            *dealt = empty;
            self.stones[mover][row] |= won;
            self.stones[other][row] |= empty ^ won;
            surplus += 2 * won.count_ones() as i32 - empty.count_ones() as i32;
        }
        // ... and then random cells go from the one who has too many to the other.
        while !(0..=1).contains(&surplus) {
            let (giver, taker, step) = if surplus > 0 { (mover, other, -2) } else { (other, mover, 2) };
            let row = rng.below(self.size.into()) as usize + 1;
            let bit = 2 << rng.below(self.size.into());
            if self.stones[giver][row] & dealt[row] & bit != 0 {
                self.stones[giver][row] ^= bit;
                self.stones[taker][row] ^= bit;
                surplus += step;
            }
        }
    }

    /// The winner on a full board.
    fn connect(&mut self) -> Player {
        for row in 1..=self.size() {
            self.link(0, row, self.beside_linked(0, row));
        }
        if self.linked[0][self.size() + 1] != 0 { Player::FIRST } else { Player::SECOND }
    }
}

impl Hex {
    fn board(&self) -> Board {
        let size = self.size();
        Board::new(Places::Hexagons, size, size, |column, row| {
            let stone = |player: usize| self.stones[player][row + 1] >> (column + 1) & 1 == 1;
            text::stone(stone(0), stone(1))
        })
    }
}

impl Game for Hex {
    type Move = u16;
    type Outcome = Value;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<u16>) {
        let size = u16::from(self.size);
        for row in 0..size {
            let mut empty = self.empty_cells(usize::from(row) + 1);
            while empty != 0 {
                out.push(size * row + empty.trailing_zeros() as u16 - 1);
                empty &= empty - 1;
            }
        }
        if self.can_swap() {
            out.push(self.cells());
        }
    }

    #[inline]
    fn play(&mut self, m: u16) {
        if m < self.cells() {
            self.place(m);
            self.played += 1;
        } else {
            self.take_over();
        }
    }

    #[inline]
    fn result(&self) -> Option<Value> {
        self.winner().map(Value::win)
    }

    fn most_moves(&self) -> Option<usize> {
        Some(self.cells().into())
    }

    fn hash(&self) -> Option<u64> {
        let rows = self.stones.iter().flat_map(|rows| rows.iter().map(|&row| row.into()));
        Some(hash(rows.chain([self.to_move.index() as u64, (self.swap && self.played < 2).into()])))
    }
}

impl Keyed for Hex {
    #[inline]
    fn keys(&self) -> usize {
        2 * (usize::from(self.cells()) + 1)
    }

    #[inline]
    fn first_key(&self) -> usize {
        self.to_move.index() * (usize::from(self.cells()) + 1)
    }

    const FINDS_MOVES: bool = true;

    #[inline]
    fn search_move_of(&self, key: usize) -> Option<u16> {
        let m = (key - self.first_key()) as u16;
        let legal = if m == self.cells() {
            self.can_swap()
        } else {
            let (row, bit) = self.locate(m);
            self.empty_cells(row) & bit != 0
        };
        legal.then_some(m)
    }

    #[inline]
    fn playout_move_of(&self, key: usize) -> Option<u16> {
        self.search_move_of(key)
    }

    #[inline]
    fn is_taken(&self, key: usize) -> bool {
        self.search_move_of(key).is_none()
    }

    const LISTS_CELLS: bool = true;

    #[inline]
    fn open_cells(&self, bits: &mut [u64]) {
        let size = self.size();
        for row in 0..size {
            // The row's cells may go on in the next word.
            let (first, empty) =
                (size * row, u128::from(self.empty_cells(row + 1) >> 1) << (size * row % 64));
            bits[first / 64] |= empty as u64;
            if let Some(next) = bits.get_mut(first / 64 + 1) {
                *next |= (empty >> 64) as u64;
            }
        }
        if self.can_swap() {
            let swap = size * size;
            bits[swap / 64] |= 1 << (swap % 64);
        }
    }
}

impl Playouts for Hex {
    /// Draws cells until one is empty.
    #[inline]
    fn playout_move(&self, rng: &mut Rng, _: &mut Vec<u16>) -> u16 {
        loop {
            let m = rng.below(u32::from(self.cells()) + u32::from(self.can_swap())) as u16;
            if m == self.cells() {
                return m;
            }
            let (row, bit) = self.locate(m);
            if self.empty_cells(row) & bit != 0 {
                return m;
            }
        }
    }

    #[inline]
    fn playout_play<T: Trace>(&mut self, m: u16, trace: &mut T) {
        trace.record(self.to_move, self.key(m));
        if m == self.cells() {
            trace.freed(self.only_stone().into());
        }
        self.play(m);
    }

    fn playout<T: Trace>(&mut self, rng: &mut Rng, buffer: &mut Vec<u16>, trace: &mut T) -> Value {
        // The swap is decided, ...
        while self.swap && self.played < 2 && self.result().is_none() {
            let m = self.playout_move(rng, buffer);
            self.playout_play(m, trace);
        }
        // ... and for a trace all moves are played in order.
        if T::RECORDS {
            self.moves(buffer);
            while self.result().is_none() {
                let m = buffer.swap_remove(rng.below(buffer.len() as u32) as usize);
                self.playout_play(m, trace);
            }
            buffer.clear();
        }
        let winner = self.winner().unwrap_or_else(|| {
            self.deal(rng);
            self.connect()
        });
        Value::win(winner)
    }
}

impl Knowledge for Hex {}

impl Notation for Hex {
    fn move_text(&self, m: u16) -> String {
        if m == self.cells() {
            return "swap".into();
        }
        let size = u16::from(self.size);
        text::cell((m % size) as u8, (m / size) as u8)
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(Drawing::Board(self.board()))
    }

    fn place(&self, code: usize) -> Option<usize> {
        (code < self.cells().into()).then_some(code)
    }
}

/// As its board prints itself.
impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `player`'s sides are connected, by a plain search.
    fn is_connected(game: &Hex, player: usize) -> bool {
        let size = game.size() as i32;
        let has = |(row, column): (i32, i32)| {
            (1..=size).contains(&row)
                && (1..=size).contains(&column)
                && game.stones[player][row as usize] >> column & 1 == 1
        };
        let mut seen = std::collections::HashSet::new();
        let mut open: Vec<(i32, i32)> =
            (1..=size).map(|i| if player == 0 { (1, i) } else { (i, 1) }).filter(|&c| has(c)).collect();
        while let Some((row, column)) = open.pop() {
            if (if player == 0 { row } else { column }) == size {
                return true;
            }
            if seen.insert((row, column)) {
                let near = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)];
                open.extend(near.map(|(r, c)| (row + r, column + c)).into_iter().filter(|&c| has(c)));
            }
        }
        false
    }

    #[test]
    fn the_winner_is_the_one_who_is_connected() {
        let mut rng = Rng::new(1);
        for size in 2..=19 {
            for _ in 0..20 {
                let mut game = Hex::new(size).unwrap();
                while game.result().is_none() {
                    assert!(!is_connected(&game, 0) && !is_connected(&game, 1));
                    let m = game.playout_move(&mut rng, &mut Vec::new());
                    game.play(m);
                }
                let winner = game.to_move().other();
                assert_eq!(game.winner(), Some(winner));
                assert!(is_connected(&game, winner.index()) && !is_connected(&game, winner.other().index()));
            }
        }
    }

    #[test]
    fn a_dealt_board_is_full_even_and_has_one_winner() {
        let mut rng = Rng::new(1);
        for size in 2..=19_u32 {
            for moves in 0..20 {
                let mut game = Hex::new(size as usize).unwrap();
                for _ in 0..moves % (size * size - 1) {
                    let m = game.playout_move(&mut rng, &mut Vec::new());
                    game.play(m);
                }
                if game.result().is_some() {
                    continue;
                }
                game.deal(&mut rng);
                let count = |p: usize| {
                    (0..game.cells())
                        .filter(|&c| {
                            let (row, bit) = game.locate(c);
                            game.stones[p][row] & bit != 0
                        })
                        .count() as u32
                };
                assert_eq!((count(0), count(1)), ((size * size).div_ceil(2), size * size / 2));
                let winner = game.connect();
                assert!(is_connected(&game, winner.index()) && !is_connected(&game, winner.other().index()));
            }
        }
    }

    #[test]
    fn hashes_tell_the_rule_while_it_matters() {
        let mut plain = Hex::new(3).unwrap();
        let mut game = plain.with_swap();
        for m in [0, 5, 7] {
            assert_eq!(plain.hash() == game.hash(), game.played == 2);
            plain.play(m);
            game.play(m);
        }
        assert_eq!(plain.hash(), game.hash());
    }

    #[test]
    fn the_swap_mirrors_the_stone() {
        let mut game = Hex::new(3).unwrap().with_swap();
        for text in ["c1", "swap"] {
            game.play(game.parse_move(text).unwrap());
        }
        assert_eq!(game.to_string(), "  a b c\n 1 . . .\n  2 . . .\n   3 o . .");
        assert_eq!(game.to_move(), Player::FIRST);
        assert_eq!(game.parse_move("swap"), None);
        assert_eq!(Hex::new(20).unwrap_err().to_string(), "the size of a Hex board must be 2 to 19, not 20");
    }
}
