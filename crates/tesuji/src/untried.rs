//! The moves of a node that have no child yet.

use crate::code::Code;
use crate::game::{CodeOf, Order, SearchGame};
use crate::outcome::Outcome;
use alloc::vec::Vec;

/// The mark of a move that has a child.
pub(crate) const TRIED: u8 = 1;

/// How a policy that reads a reference table notes the cells of the children that it compares.
#[derive(Debug)]
pub(crate) enum Cells<'a> {
    /// Its bits are to be cleared for the cells of the children. The policy chooses among the
    /// others too. No bit is set where no move is to be expanded.
    Open(Open<'a>),
    /// A bit for each cell, to be cleared for those of the children.
    All(&'a mut [u64]),
    /// A mark for each, to be [`TRIED`] for those of the children, and seven more, always 0, for
    /// reading eight at once.
    Marks(&'a mut [u8]),
}

/// A bit for the cell of each move.
#[derive(Debug)]
pub(crate) enum Open<'a> {
    /// In one word, in the order of the cells.
    Word(u64),
    /// At its place in the order, if there is one.
    Words(&'a mut [u64], Option<Order>),
}

/// What a policy that reads a reference table found among the moves that have no child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rest {
    /// They are still to be looked at.
    Open,
    /// There are none, or none is asked for.
    None,
    /// None has a score above the best child's.
    Worse,
    /// The move of this cell has the highest score.
    Better(u32),
}

/// Where cells are noted.
pub(crate) trait Note {
    /// Whether they are.
    const NOTES: bool = true;

    fn note(&mut self, cell: usize);

    /// Hands it to a function that is not part of its caller: what fits into registers as a copy,
    /// so that it stays there elsewhere.
    #[inline(always)]
    fn outlined<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        f(self)
    }
}

impl Note for () {
    const NOTES: bool = false;

    #[inline(always)]
    fn note(&mut self, _: usize) {}
}

/// No cell is above 63.
impl Note for u64 {
    #[inline(always)]
    fn note(&mut self, cell: usize) {
        *self &= !(1 << (cell % 64));
    }

    #[inline(always)]
    fn outlined<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let mut word = *self;
        let result = f(&mut word);
        *self = word;
        result
    }
}

impl Note for [u64] {
    #[inline(always)]
    fn note(&mut self, cell: usize) {
        self[cell / 64] &= !(1 << (cell % 64));
    }
}

impl Note for [u8] {
    #[inline(always)]
    fn note(&mut self, cell: usize) {
        self[cell] = TRIED;
    }
}

/// Bits of cells at their places.
pub(crate) struct Placed<'a> {
    pub(crate) bits: &'a mut [u64],
    /// The place of each cell.
    pub(crate) places: &'static [u16],
}

impl Note for Placed<'_> {
    #[inline(always)]
    fn note(&mut self, cell: usize) {
        self.bits.note(self.places[cell].into());
    }

    #[inline(always)]
    fn outlined<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let mut copy = Placed { bits: core::mem::take(&mut self.bits), places: self.places };
        let result = f(&mut copy);
        self.bits = copy.bits;
        result
    }
}

/// Scratch space for one position's moves. Whoever uses it clears it first.
#[derive(Clone, Debug)]
pub(crate) struct Untried {
    /// A bit for each cell.
    pub(crate) bits: Vec<u64>,
    /// A mark for each cell and seven more, where the game finds moves by their keys.
    pub(crate) marks: Vec<u8>,
    keys: usize,
}

impl Untried {
    pub(crate) fn new<G: SearchGame>(game: &G) -> Untried {
        // Players may share their keys where it is not up to the game to find moves by them.
        let blocks = if G::FINDS_MOVES || G::LISTS_CELLS { G::Outcome::PLAYERS } else { 1 };
        let keys = game.keys();
        let cells = keys / blocks;
        let marks = if G::FINDS_MOVES && cells > 0 { cells + 7 } else { 0 };
        Untried { bits: alloc::vec![0; cells.div_ceil(64)], marks: alloc::vec![0; marks], keys }
    }

    /// Heap bytes set aside: a bit and a byte for each key.
    pub(crate) fn bytes(&self) -> usize {
        self.keys.div_ceil(64) * size_of::<u64>() + if self.keys > 0 { self.keys + 7 } else { 0 }
    }

    /// Those of them that are not used.
    pub(crate) fn spare(&self) -> usize {
        self.bytes() - self.bits.len() * size_of::<u64>() - self.marks.len()
    }

    /// Where cells are to be noted: among those of the moves if they are `open` and the game lists
    /// cells, which else has none.
    #[inline(always)]
    pub(crate) fn cells<G: SearchGame>(&mut self, game: &G, open: bool) -> Cells<'_> {
        if G::FINDS_MOVES {
            self.marks.fill(0);
            Cells::Marks(&mut self.marks)
        } else if G::LISTS_CELLS {
            Cells::Open(self.listed(game, open))
        } else {
            self.bits.fill(u64::MAX);
            Cells::All(&mut self.bits)
        }
    }

    /// The cells of the moves of a game that lists them; none if they are not `open`.
    #[inline(always)]
    pub(crate) fn listed<G: SearchGame>(&mut self, game: &G, open: bool) -> Open<'_> {
        let order = game.order();
        if self.bits.len() == 1 && order.is_none() {
            let mut word = [0];
            if open {
                game.open_cells(&mut word);
            }
            return Open::Word(word[0]);
        }
        self.bits.fill(0);
        if open {
            game.open_cells(&mut self.bits);
        }
        Open::Words(&mut self.bits, order)
    }

    /// Removes from `moves` those that are `tried`, keeping the order: in linear time where the
    /// game has keys, else each against each.
    #[inline]
    pub(crate) fn retain<G: SearchGame>(
        &mut self,
        game: &G,
        moves: &mut Vec<G::Move>,
        mut tried: impl Iterator<Item = CodeOf<G>> + Clone,
    ) {
        if self.bits.is_empty() {
            moves.retain(|&m| {
                let code = game.code(m);
                !tried.clone().any(|t| t == code)
            });
            return;
        }
        let Some(first) = tried.next() else { return };
        let tried = core::iter::once(first).chain(tried).map(Code::index);
        if self.bits.len() == 1 {
            let tried = tried.fold(0_u64, |bits, cell| bits | 1 << (cell % 64));
            return keep(moves, |m| tried >> (game.code(m).index() % 64) & 1 == 0);
        }
        self.bits.fill(0);
        for cell in tried {
            self.bits[cell / 64] |= 1 << (cell % 64);
        }
        moves.retain(|&m| {
            let cell = game.code(m).index();
            self.bits[cell / 64] & (1 << (cell % 64)) == 0
        });
    }
}

/// Removes the items that are not to be kept, without a branch for each: they come in no order that
/// could be foreseen.
#[inline(always)]
fn keep<T: Copy>(items: &mut Vec<T>, keeps: impl Fn(T) -> bool) {
    let mut kept = 0;
    for i in 0..items.len() {
        let item = items[i];
        items[kept] = item;
        kept += usize::from(keeps(item));
    }
    items.truncate(kept);
}

/// The numbers of the bits that are set, in words of 64.
pub(crate) struct Ones<'a> {
    left: u64,
    /// The number of the first bit of the word.
    first: usize,
    rest: core::slice::Iter<'a, u64>,
}

impl<'a> Ones<'a> {
    #[inline(always)]
    pub(crate) fn of(words: &'a [u64]) -> Ones<'a> {
        let mut rest = words.iter();
        Ones { left: rest.next().copied().unwrap_or(0), first: 0, rest }
    }

    #[inline(always)]
    pub(crate) fn of_word(word: u64) -> Ones<'a> {
        Ones { left: word, first: 0, rest: [].iter() }
    }
}

impl Iterator for Ones<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            self.left = *self.rest.next()?;
            self.first += 64;
        }
        let bit = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(self.first + bit)
    }

    /// Counts the bits of a word at once.
    #[inline(always)]
    fn nth(&mut self, mut n: usize) -> Option<usize> {
        loop {
            let ones = self.left.count_ones() as usize;
            if n < ones {
                break;
            }
            n -= ones;
            self.left = *self.rest.next()?;
            self.first += 64;
        }
        for _ in 0..n {
            self.left &= self.left - 1;
        }
        self.next()
    }
}
