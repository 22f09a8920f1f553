//! Which moves of a node have no child yet.

use crate::Game;
use alloc::vec::Vec;
use core::cell::Cell;

/// Scratch space for one position's moves.
#[derive(Clone, Debug)]
pub(crate) struct Untried {
    /// A mark of 1 for some keys, and seven more for reading eight at once; all 0 between uses.
    marks: Vec<Cell<u8>>,
    /// A bit for each cell that is not taken, where those are asked for.
    open: Vec<u64>,
}

impl Untried {
    pub(crate) fn new(keys: usize) -> Untried {
        Untried {
            marks: alloc::vec![Cell::new(0); if keys > 0 { keys + 7 } else { 0 }],
            open: alloc::vec![0; keys.div_ceil(64)],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.marks.capacity() + self.open.capacity() * size_of::<u64>()
    }

    /// To be set to 1 for the keys of tried moves.
    #[inline]
    pub(crate) fn marks(&self) -> &[Cell<u8>] {
        &self.marks
    }

    /// The marks, and room for a bit for each cell.
    #[inline]
    pub(crate) fn cells(&mut self) -> (&mut [Cell<u8>], &mut [u64]) {
        (&mut self.marks, &mut self.open)
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.marks.fill(Cell::new(0));
    }

    /// Removes from `moves` those that are `tried`, keeping the order: in linear time where the game has
    /// keys, else each against each.
    #[inline]
    pub(crate) fn retain<G: Game>(
        &mut self,
        game: &G,
        moves: &mut Vec<G::Move>,
        mut tried: impl Iterator<Item = G::Move> + Clone,
    ) {
        if self.marks.is_empty() {
            moves.retain(|&m| !tried.clone().any(|t| t == m));
            return;
        }
        let Some(first) = tried.next() else { return };
        core::iter::once(first).chain(tried).for_each(|m| self.marks[game.key(m)].set(1));
        moves.retain(|&m| self.marks[game.key(m)].get() == 0);
        self.clear();
    }
}
