//! Stones on the board: chains, captures, and the queries of playouts.
//!
//! The board is padded by a border of one cell, shared between the end of one row and the start of
//! the next, so that every point has eight neighbouring cells. Each cell has one word, `around`,
//! with the number of stones of each colour and of empty points next to it: one load tells an eye,
//! and one addition keeps it up to date. Chains count pseudo-liberties: pairs of a stone and an
//! empty point next to it. The count is zero exactly when the number of liberties is, and needs no
//! search to maintain.

mod danger;

use crate::grid::Grid;
use crate::numbering::{CELLS, Numbering};
use crate::zobrist;
use tesuji::Trace;

/// What is on a cell: a colour (0 Black, 1 White), or one of these.
///
/// No stone.
pub(crate) const EMPTY: u8 = 2;
/// Outside the board.
pub(crate) const BORDER: u8 = 3;

/// No ko.
const NOWHERE: u16 = 0;
/// The chain of all cells without a stone; its liberties never run out.
const NO_CHAIN: u16 = 0;
const MANY: u16 = 0x8000;

/// The fields of `around`: from the lowest bit, three bits each for the diagonal stones of Black
/// and White (at the edge both start at 1), the orthogonal stones of Black and White, and the
/// orthogonal empty points. The highest bit tells that the cell itself is not an empty point.
const DIAGONAL: [u16; 2] = [1, 1 << 3];
const ORTHOGONAL: [u16; 2] = [1 << 6, 1 << 9];
const ANY_ORTHOGONAL: [u16; 2] = [7 << 6, 7 << 9];
const TWO_DIAGONAL: [u16; 2] = [6, 6 << 3];
const LIBERTY: u16 = 1 << 12;
const LIBERTIES: u16 = 7 * LIBERTY;
const TAKEN: u16 = 1 << 15;

/// The bits that are all zero around an own eye: empty and enemy orthogonal neighbours, two or more
/// enemy diagonals (one at the edge).
const NO_EYE: [u16; 2] =
    [LIBERTIES | ANY_ORTHOGONAL[1] | TWO_DIAGONAL[1], LIBERTIES | ANY_ORTHOGONAL[0] | TWO_DIAGONAL[0]];

/// The stones on a board of `size`, and everything that follows from them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board<const STRIDE: usize, const LEN: usize> {
    around: Grid<u16, LEN>,
    /// The chain of a stone, named by one of its stones.
    chain: Grid<u16, LEN>,
    /// The next stone of the same chain, in a circle.
    next: Grid<u16, LEN>,
    /// Pseudo-liberties, by chain.
    liberties: Grid<u16, LEN>,
    /// The empty points, in no order.
    empties: Grid<u16, LEN>,
    /// Where in `empties` a point stands.
    slot: Grid<u16, LEN>,
    numbering: &'static Numbering<STRIDE>,
    stone: Grid<u8, LEN>,
    /// Bit c: a stone of colour c has been removed from this point since the start.
    removed: Grid<u8, LEN>,
    /// The Zobrist hash of the stones.
    hash: u64,
    stones: [u16; 2],
    prisoners: [u32; 2],
    empty_count: u16,
    /// Where simple ko forbids the next move.
    ko: u16,
}

impl<const STRIDE: usize, const LEN: usize> Board<STRIDE, LEN> {
    /// The empty board.
    ///
    /// # Panics
    /// If `size` is 0 or not below `STRIDE`.
    pub(crate) fn new(size: usize) -> Self {
        const { assert!(LEN >= STRIDE * (STRIDE + 1) + 2 && LEN <= CELLS) };
        assert!(size > 0 && size < STRIDE, "size {size} is not between 1 and {}", STRIDE - 1);
        let mut board = Board {
            around: Grid([TAKEN; LEN]),
            chain: Grid([NO_CHAIN; LEN]),
            next: Grid([0; LEN]),
            liberties: Grid([0; LEN]),
            empties: Grid([0; LEN]),
            slot: Grid([0; LEN]),
            numbering: Numbering::of(size),
            stone: Grid([BORDER; LEN]),
            removed: Grid([0; LEN]),
            hash: 0,
            stones: [0; 2],
            prisoners: [0; 2],
            empty_count: 0,
            ko: NOWHERE,
        };
        board.liberties[0] = MANY;
        for v in board.points() {
            board.stone[v] = EMPTY;
            board.append_empty(v);
        }
        for v in board.points() {
            let edge = Self::diagonal(v).iter().any(|&n| board.stone[n] == BORDER);
            board.around[v] = if edge { DIAGONAL[0] + DIAGONAL[1] } else { 0 };
        }
        for v in board.points() {
            for n in Self::orthogonal(v) {
                board.around[n] += LIBERTY;
            }
        }
        board
    }

    pub(crate) fn size(&self) -> usize {
        self.numbering.size()
    }

    /// All points, row by row from A1.
    pub(crate) fn points(&self) -> impl Iterator<Item = usize> + use<STRIDE, LEN> {
        let size = self.size();
        (1..=size).flat_map(move |row| row * STRIDE + 1..row * STRIDE + 1 + size)
    }

    /// The place of a point in the order of [`Board::points`]; of 0 the one behind.
    #[inline(always)]
    pub(crate) fn number_of(&self, v: usize) -> usize {
        self.numbering.number(v)
    }

    /// The key of a move of this colour: at a point, or for 0 the pass.
    #[inline(always)]
    pub(crate) fn key(&self, colour: usize, v: usize) -> usize {
        self.numbering.key(colour, v)
    }

    /// The point with this number, or 0 if there is none.
    #[inline(always)]
    pub(crate) fn point(&self, number: usize) -> u16 {
        self.numbering.point(number)
    }

    pub(crate) fn empties(&self) -> &[u16] {
        &self.empties.0[..self.empty_count.into()]
    }

    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    pub(crate) fn stones(&self) -> [u16; 2] {
        self.stones
    }

    /// How many stones of each colour have been removed.
    pub(crate) fn prisoners(&self) -> [u32; 2] {
        self.prisoners
    }

    /// Where simple ko forbids the next move; 0 where it forbids none.
    pub(crate) fn ko(&self) -> usize {
        self.ko.into()
    }

    /// What is on the cell; `BORDER` for any number that is no cell.
    #[inline]
    pub(crate) fn stone(&self, v: usize) -> u8 {
        if v < LEN { self.stone[v] } else { BORDER }
    }

    /// Whether the cell is an empty point.
    #[inline(always)]
    pub(crate) fn is_empty(&self, v: usize) -> bool {
        self.around[v] & TAKEN == 0
    }

    #[inline(always)]
    pub(crate) fn orthogonal(v: usize) -> [usize; 4] {
        [v - STRIDE, v - 1, v + 1, v + STRIDE]
    }

    #[inline(always)]
    pub(crate) fn diagonal(v: usize) -> [usize; 4] {
        [v - STRIDE - 1, v - STRIDE + 1, v + STRIDE - 1, v + STRIDE + 1]
    }

    /// Whether the empty point `v` has an empty neighbour.
    #[inline(always)]
    pub(crate) fn is_open(&self, v: usize) -> bool {
        self.around[v] & LIBERTIES != 0
    }

    /// Whether the empty point `v` is a single-point eye of colour `C`.
    #[inline(always)]
    pub(crate) fn is_eye<const C: usize>(&self, v: usize) -> bool {
        self.around[v] & NO_EYE[C] == 0
    }

    /// Black's empty points less White's, if no empty point has an empty neighbour: a point belongs
    /// to a colour if only its stones are next to it.
    #[inline]
    pub(crate) fn enclosed_area(&self) -> i32 {
        let owner = |&v: &u16| {
            let around = self.around[v.into()];
            let black = i32::from(around & ANY_ORTHOGONAL[0] != 0);
            let white = i32::from(around & ANY_ORTHOGONAL[1] != 0);
            black - white
        };
        self.empties().iter().map(owner).sum()
    }

    /// Whether playouts may play colour `C` at the empty point `v`.
    #[inline(always)]
    pub(crate) fn is_playable<const C: usize>(&self, v: usize) -> bool {
        self.is_open(v) || (!self.is_eye::<C>(v) && self.is_playable_closely::<C>(v))
    }

    /// [`Board::is_playable`] at a point that is neither open nor an own eye.
    #[inline(always)]
    pub(crate) fn is_playable_closely<const C: usize>(&self, v: usize) -> bool {
        v != usize::from(self.ko) && self.breathes::<C>(v)
    }

    /// Whether a stone of colour `C` at the empty point `v`, which has no empty neighbour, would
    /// have a liberty: by a friend with another one or by a capture.
    #[inline(always)]
    pub(crate) fn breathes<const C: usize>(&self, v: usize) -> bool {
        if self.around[v] & ANY_ORTHOGONAL[C] == 0 {
            return self.captures(v);
        }
        let long = |n: usize| self.stone[n] == C as u8 && self.liberties[self.chain[n].into()] > 4;
        let [a, b, c, d] = Self::orthogonal(v);
        long(a) || long(b) || long(c) || long(d) || self.breathes_closely::<C>(v)
    }

    /// Whether a stone at the empty point `v`, whose neighbours are all of the other colour, would
    /// capture.
    #[inline(always)]
    fn captures(&self, v: usize) -> bool {
        let [a, b, c, d] = Self::orthogonal(v).map(|n| self.chain[n]);
        let short = |chain: u16| self.liberties[chain.into()] <= 4;
        (short(a) || short(b) || short(c) || short(d))
            && (self.is_last(a, [b, c, d])
                || self.is_last(b, [a, c, d])
                || self.is_last(c, [a, b, d])
                || self.is_last(d, [a, b, c]))
    }

    /// Whether a chain next to an empty point has no liberty but that one, where `others` are next
    /// to the point's other sides.
    #[inline(always)]
    fn is_last(&self, chain: u16, others: [u16; 3]) -> bool {
        let [a, b, c] = others.map(|other| u16::from(other == chain));
        self.liberties[chain.into()] == 1 + a + b + c
    }

    /// [`Board::breathes`] where the friends have at most four pseudo-liberties.
    fn breathes_closely<const C: usize>(&self, v: usize) -> bool {
        let [e, f, g, h] = Self::orthogonal(v);
        let [a, b, c, d] = [e, f, g, h].map(|n| self.chain[n]);
        let own = |n: usize| self.stone[n] == C as u8;
        own(e) != self.is_last(a, [b, c, d])
            || own(f) != self.is_last(b, [a, c, d])
            || own(g) != self.is_last(c, [a, b, d])
            || own(h) != self.is_last(d, [a, b, c])
    }

    /// The pseudo-liberties of a chain other than those at the empty point `v`.
    fn liberties_without(&self, v: usize, chain: u16) -> u16 {
        let here = Self::orthogonal(v).into_iter().filter(|&n| self.chain[n] == chain).count();
        self.liberties[chain.into()] - here as u16
    }

    /// Plays colour `C` at the empty point `v`: captures, and removes the own chain if it is left
    /// without liberties. The hash and the record of removals are kept only if `TRACKED`.
    #[inline(always)]
    pub(crate) fn place<const C: usize, const TRACKED: bool, T: Trace>(&mut self, v: usize, trace: &mut T) {
        let around = self.around[v];
        self.add_stone::<C, TRACKED>(v);
        for n in Self::orthogonal(v) {
            self.liberties[self.chain[n].into()] -= 1;
        }
        self.join::<C>(v, around);
        self.ko = NOWHERE;
        if around & ANY_ORTHOGONAL[1 - C] != 0 {
            self.capture_around::<C, TRACKED, T>(v, around, trace);
        }
        if TRACKED {
            if self.liberties[self.chain[v].into()] == 0 {
                self.remove_chain::<C, true, T>(v, trace);
            }
            self.liberties[NO_CHAIN.into()] = MANY;
        }
    }

    /// The board with these stones (`EMPTY` or a colour for each of its points, in the order of
    /// [`Board::points`]), or none if a chain has no liberty.
    pub(crate) fn with_stones(size: usize, stones: &[u8]) -> Option<Self> {
        let mut board = Board::new(size);
        for (v, &stone) in board.points().zip(stones) {
            match stone {
                0 => board.set_up::<0>(v),
                1 => board.set_up::<1>(v),
                _ => {}
            }
        }
        board.liberties[NO_CHAIN.into()] = MANY;
        board.points().all(|v| board.liberties[board.chain[v].into()] > 0).then_some(board)
    }

    /// Adds a stone and captures nothing.
    fn set_up<const C: usize>(&mut self, v: usize) {
        let around = self.around[v];
        self.add_stone::<C, true>(v);
        for n in Self::orthogonal(v) {
            self.liberties[self.chain[n].into()] -= 1;
        }
        self.join::<C>(v, around);
    }

    /// Forgets the ban on retaking a ko, as a pass does.
    #[inline]
    pub(crate) fn lift_ko(&mut self) {
        self.ko = NOWHERE;
    }

    /// Whether a stone of colour `colour` has ever been removed from `v`.
    #[inline]
    pub(crate) fn was_removed(&self, colour: usize, v: usize) -> bool {
        self.removed[v] >> colour & 1 == 1
    }

    /// The hash after a stone of colour `C` at the empty point `v`, and whether that stone would be
    /// removed at once.
    pub(crate) fn hash_after<const C: usize>(&self, v: usize) -> (u64, bool) {
        let mut hash = self.hash ^ zobrist::stone(C, v);
        let neighbours = Self::orthogonal(v);
        let chains = neighbours.map(|n| self.chain[n]);
        let mut toggle = |colour: u8, free: bool| {
            for (i, n) in neighbours.into_iter().enumerate() {
                let first = !chains[..i].contains(&chains[i]);
                if self.stone[n] == colour && first && (free || self.liberties_without(v, chains[i]) == 0) {
                    hash ^= self.chain_hash(n);
                }
            }
        };
        if self.is_open(v) || self.breathes::<C>(v) {
            toggle(1 - C as u8, false);
            (hash, false)
        } else {
            toggle(C as u8, true);
            (hash ^ zobrist::stone(C, v), true)
        }
    }

    /// The combined hash of the stones of the chain at `v`.
    fn chain_hash(&self, v: usize) -> u64 {
        let (colour, mut u, mut hash) = (usize::from(self.stone[v]), v, 0);
        loop {
            hash ^= zobrist::stone(colour, u);
            u = self.next[u].into();
            if u == v {
                return hash;
            }
        }
    }

    /// Puts the stone on the board, in no chain yet.
    #[inline(always)]
    fn add_stone<const C: usize, const TRACKED: bool>(&mut self, v: usize) {
        debug_assert_eq!(self.stone[v], EMPTY);
        self.stone[v] = C as u8;
        self.stones[C] += 1;
        self.around[v] += TAKEN;
        for n in Self::orthogonal(v) {
            self.around[n] = self.around[n].wrapping_add(ORTHOGONAL[C].wrapping_sub(LIBERTY));
        }
        for n in Self::diagonal(v) {
            self.around[n] += DIAGONAL[C];
        }
        self.empty_count -= 1;
        let last = self.empties[self.empty_count.into()];
        let slot = self.slot[v];
        self.empties[slot.into()] = last;
        self.slot[last.into()] = slot;
        if TRACKED {
            self.hash ^= zobrist::stone(C, v);
        }
    }

    #[inline(always)]
    fn append_empty(&mut self, v: usize) {
        self.empties[self.empty_count.into()] = v as u16;
        self.slot[v] = self.empty_count;
        self.empty_count += 1;
    }

    /// Makes the new stone one chain with its friends.
    #[inline(always)]
    fn join<const C: usize>(&mut self, v: usize, around: u16) {
        let open = around / LIBERTY;
        if around & ANY_ORTHOGONAL[C] == 0 {
            self.chain[v] = v as u16;
            self.next[v] = v as u16;
            self.liberties[v] = open;
            return;
        }
        let mut home = NO_CHAIN;
        for n in Self::orthogonal(v) {
            if self.stone[n] == C as u8 {
                let friend = self.chain[n];
                if home == NO_CHAIN {
                    home = friend;
                } else if home != friend {
                    home = self.merge(home, friend);
                }
            }
        }
        self.chain[v] = home;
        self.next[v] = self.next[home.into()];
        self.next[home.into()] = v as u16;
        self.liberties[home.into()] += open;
    }

    /// Makes two chains one and returns its name. The one with fewer pseudo-liberties, most likely
    /// the smaller one, is renamed.
    #[inline(always)]
    fn merge(&mut self, a: u16, b: u16) -> u16 {
        let (la, lb) = (self.liberties[a.into()], self.liberties[b.into()]);
        let (big, small) = if la < lb { (b, a) } else { (a, b) };
        self.liberties[big.into()] = la + lb;
        let mut u = small;
        loop {
            self.chain[u.into()] = big;
            let next = self.next[u.into()];
            if next == small {
                break;
            }
            u = next;
        }
        self.next[u.into()] = self.next[big.into()];
        self.next[big.into()] = small;
        big
    }

    /// Removes the enemies of the new stone of colour `C` that have no liberty left.
    #[inline(always)]
    fn capture_around<const C: usize, const TRACKED: bool, T: Trace>(
        &mut self,
        v: usize,
        around: u16,
        trace: &mut T,
    ) {
        let before = self.empty_count;
        let mut victim = NOWHERE;
        for n in Self::orthogonal(v) {
            if self.liberties[self.chain[n].into()] == 0 && self.stone[n] == 1 - C as u8 {
                victim = n as u16;
                match C {
                    0 => self.remove_chain::<1, TRACKED, T>(n, trace),
                    _ => self.remove_chain::<0, TRACKED, T>(n, trace),
                };
            }
        }
        if self.empty_count == before + 1 && around & (LIBERTIES | ANY_ORTHOGONAL[C]) == 0 {
            self.ko = victim;
        }
    }

    /// Removes the chain, of colour `C`, of the stone at `v`.
    fn remove_chain<const C: usize, const TRACKED: bool, T: Trace>(&mut self, v: usize, trace: &mut T) {
        let mut u = v;
        loop {
            self.stone[u] = EMPTY;
            self.chain[u] = NO_CHAIN;
            self.stones[C] -= 1;
            self.around[u] -= TAKEN;
            for n in Self::orthogonal(u) {
                self.around[n] = self.around[n].wrapping_sub(ORTHOGONAL[C].wrapping_sub(LIBERTY));
                let chain = usize::from(self.chain[n]);
                self.liberties[chain] = self.liberties[chain].wrapping_add(1);
            }
            for n in Self::diagonal(u) {
                self.around[n] -= DIAGONAL[C];
            }
            self.append_empty(u);
            trace.freed(self.number_of(u));
            if TRACKED {
                self.hash ^= zobrist::stone(C, u);
                self.removed[u] |= 1 << C;
                self.prisoners[C] += 1;
            }
            u = self.next[u].into();
            if u == v {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::Rng;

    type Board9 = Board<10, 112>;
    type Board19 = Board<20, 422>;

    impl<const STRIDE: usize, const LEN: usize> Board<STRIDE, LEN> {
        /// The stones of the chain at `v`, by search.
        fn flood(&self, v: usize) -> Vec<usize> {
            let mut chain = vec![v];
            let mut i = 0;
            while i < chain.len() {
                for n in Self::orthogonal(chain[i]) {
                    if self.stone[n] == self.stone[v] && !chain.contains(&n) {
                        chain.push(n);
                    }
                }
                i += 1;
            }
            chain.sort_unstable();
            chain
        }

        /// Compares everything that is kept up to date with what follows from the stones.
        fn check(&self) {
            let fresh =
                Self::with_stones(self.size(), &self.points().map(|v| self.stone[v]).collect::<Vec<u8>>())
                    .expect("every chain has a liberty");
            assert_eq!(self.hash, fresh.hash);
            assert_eq!(self.stones, fresh.stones);
            for v in self.points() {
                assert_eq!(self.around[v], fresh.around[v]);
                if self.stone[v] == EMPTY {
                    assert_eq!(self.chain[v], NO_CHAIN);
                    continue;
                }
                let chain = self.flood(v);
                let mut circle = vec![v];
                while usize::from(self.next[*circle.last().unwrap()]) != v {
                    circle.push(self.next[*circle.last().unwrap()].into());
                    assert_eq!(self.chain[*circle.last().unwrap()], self.chain[v]);
                }
                circle.sort_unstable();
                assert_eq!(circle, chain);
                assert!(chain.contains(&self.chain[v].into()), "a chain is named by one of its stones");
                let empty = |&n: &usize| self.stone[n] == EMPTY;
                let pairs = chain.iter().flat_map(|&u| Self::orthogonal(u)).filter(empty).count();
                assert_eq!(usize::from(self.liberties[self.chain[v].into()]), pairs);
            }
            assert!(
                self.points().enumerate().all(|(i, v)| (self.number_of(v), self.point(i)) == (i, v as u16))
            );
            let mut empties = self.empties().to_vec();
            assert!(empties.iter().enumerate().all(|(i, &v)| usize::from(self.slot[v.into()]) == i));
            empties.sort_unstable();
            let expected: Vec<u16> =
                self.points().filter(|&v| self.stone[v] == EMPTY).map(|v| v as u16).collect();
            assert_eq!(empties, expected);
            assert_eq!(self.liberties[0], MANY);
        }
    }

    /// Random moves of random colours, suicides included.
    fn random_game<const STRIDE: usize, const LEN: usize>(size: usize, moves: usize, seed: u64) {
        let mut rng = Rng::new(seed);
        let mut board = Board::<STRIDE, LEN>::new(size);
        for i in 0..moves {
            let empties = board.empties();
            let v = empties[rng.below(empties.len() as u32) as usize].into();
            let black = rng.below(2) == 0;
            let (hash, suicide) = if black { board.hash_after::<0>(v) } else { board.hash_after::<1>(v) };
            if black {
                board.place::<0, true, ()>(v, &mut ())
            } else {
                board.place::<1, true, ()>(v, &mut ())
            }
            assert_eq!(board.hash, hash);
            assert_eq!(board.stone[v] == EMPTY, suicide);
            if i % size == 0 {
                board.check();
            }
        }
        board.check();
    }

    #[test]
    fn what_is_kept_up_to_date_follows_from_the_stones() {
        for size in 2..=9 {
            (0..10).for_each(|seed| random_game::<10, 112>(size, 300, seed));
        }
        for size in 10..=13 {
            (0..3).for_each(|seed| random_game::<14, 212>(size, 600, seed));
        }
        for size in 14..=19 {
            random_game::<20, 422>(size, 1000, 1);
        }
    }

    #[test]
    fn sizes_share_a_type() {
        assert_eq!(Board19::new(19).points().count(), 361);
        assert_eq!(Board19::new(2).empties().len(), 4);
        assert!(core::mem::size_of::<Board9>() <= 1600);
    }

    #[test]
    fn a_chain_without_liberties_is_no_position() {
        assert!(Board9::with_stones(2, &[0, 0, 0, 0]).is_none());
        assert!(Board9::with_stones(2, &[0, 0, 0, EMPTY]).is_some());
    }
}
