//! Which moves of a node have no child yet.

use crate::{Code, CodeOf, SearchGame};
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
        self.bits.fill(0);
        for cell in core::iter::once(first).chain(tried).map(Code::index) {
            self.bits[cell / 64] |= 1 << (cell % 64);
        }
        moves.retain(|&m| {
            let cell = game.code(m).index();
            self.bits[cell / 64] & (1 << (cell % 64)) == 0
        });
    }
}
