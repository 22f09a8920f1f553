//! Which moves of a node have no child yet.

use crate::{Code, CodeOf, Outcome, SearchGame};
use alloc::vec::Vec;

/// The mark of a move that has a child.
pub(crate) const TRIED: u8 = 1;

/// Scratch space for one position's moves. Whoever uses it clears it first.
#[derive(Clone, Debug)]
pub(crate) struct Untried {
    /// A bit for each key.
    bits: Vec<u64>,
    /// The mark [`TRIED`] for some keys, and seven more, always 0, for reading eight at once.
    marks: Vec<u8>,
}

impl Untried {
    pub(crate) fn new(keys: usize) -> Untried {
        Untried {
            bits: alloc::vec![0; keys.div_ceil(64)],
            marks: alloc::vec![0; if keys > 0 { keys + 7 } else { 0 }],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.marks.capacity() + self.bits.capacity() * size_of::<u64>()
    }

    /// To be set to [`TRIED`] for the keys of tried moves.
    #[inline]
    pub(crate) fn marks(&mut self) -> &mut [u8] {
        &mut self.marks
    }

    /// The marks and the bits.
    #[inline]
    pub(crate) fn cells(&mut self) -> (&mut [u8], &mut [u64]) {
        (&mut self.marks, &mut self.bits)
    }

    /// Removes from `moves` those that are `tried`, keeping the order: in linear time where the game has
    /// keys, else each against each.
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
        if game.keys() / G::Outcome::PLAYERS <= 64 {
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

/// Removes the items that are not to be kept, without a branch for each: they come in no order that could be foreseen.
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
