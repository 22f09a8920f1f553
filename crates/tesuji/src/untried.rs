//! Which moves of a node have no child yet.

use crate::Game;
use alloc::vec::Vec;

/// Scratch space for one position's moves: a bit for each key, all clear between uses.
#[derive(Clone, Debug)]
pub(crate) struct Untried {
    marks: Vec<u64>,
    /// A bit for each cell that is not taken, where those are asked for.
    open: Vec<u64>,
}

impl Untried {
    pub(crate) fn new(keys: usize) -> Untried {
        Untried { marks: alloc::vec![0; keys.div_ceil(64)], open: alloc::vec![0; keys.div_ceil(64)] }
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.marks.capacity() + self.open.capacity()) * size_of::<u64>()
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
        let marks = self.mark(core::iter::once(first).chain(tried).map(|m| game.key(m)));
        moves.retain(|&m| {
            let key = game.key(m);
            marks[key / 64] & (1 << (key % 64)) == 0
        });
        self.clear();
    }

    /// Sets the bits of these keys, until [`Untried::clear`].
    #[inline]
    fn mark(&mut self, keys: impl Iterator<Item = usize>) -> &[u64] {
        for key in keys {
            self.marks[key / 64] |= 1 << (key % 64);
        }
        &self.marks
    }

    /// The bits of these cells, until [`Untried::clear`], and room for the bits of others.
    #[inline]
    pub(crate) fn cells(&mut self, cells: impl Iterator<Item = usize>) -> (&[u64], &mut [u64]) {
        self.mark(cells);
        (&self.marks, &mut self.open)
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.marks.fill(0);
    }
}
