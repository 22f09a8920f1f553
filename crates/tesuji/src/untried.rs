//! Which moves of a node have no child yet.

use crate::Game;
use alloc::vec::Vec;
use core::cell::Cell;

/// Scratch space for one position's moves.
#[derive(Clone, Debug)]
pub(crate) struct Untried {
    /// A mark for each key, none set between uses.
    marks: Vec<Cell<bool>>,
    /// A bit for each cell that is not taken, where those are asked for.
    open: Vec<u64>,
}

impl Untried {
    pub(crate) fn new(keys: usize) -> Untried {
        Untried { marks: alloc::vec![Cell::new(false); keys], open: alloc::vec![0; keys.div_ceil(64)] }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.marks.capacity() + self.open.capacity() * size_of::<u64>()
    }

    /// To be set for the keys of tried moves.
    #[inline]
    pub(crate) fn marks(&self) -> &[Cell<bool>] {
        &self.marks
    }

    /// The marks, and room for a bit for each cell.
    #[inline]
    pub(crate) fn cells(&mut self) -> (&[Cell<bool>], &mut [u64]) {
        (&self.marks, &mut self.open)
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.marks.fill(Cell::new(false));
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
        core::iter::once(first).chain(tried).for_each(|m| self.marks[game.key(m)].set(true));
        moves.retain(|&m| !self.marks[game.key(m)].get());
        self.clear();
    }
}
