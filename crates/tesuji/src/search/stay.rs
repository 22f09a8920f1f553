//! Where a thread stays below a node, and what the nodes above it are still to learn.

use crate::amaf::TableId;
use crate::reserved::Reserved;
use alloc::vec::Vec;

/// The most simulations of a stay.
pub(super) const MOST: u32 = 512;

/// The node below which a thread stays, and what the nodes above it are still to learn.
#[derive(Clone, Debug)]
pub(super) struct Stay<O> {
    /// The node's place in the path.
    pub(super) depth: usize,
    /// Its simulations.
    pub(super) simulations: u32,
    /// For how many simulations on their way they count above.
    pub(super) marks: u32,
    pub(super) outcomes: Reserved<O>,
    /// The AMAF table that is read at the node above, if any is.
    pub(super) reference: Option<TableId>,
}

impl<O> Default for Stay<O> {
    fn default() -> Self {
        Stay { depth: 0, simulations: 0, marks: 0, outcomes: Reserved::default(), reference: None }
    }
}

impl<O> Stay<O> {
    /// Nowhere yet; with room for outcomes where threads stay.
    pub(super) fn new(room: bool) -> Self {
        let outcomes = Vec::with_capacity(if room { MOST as usize } else { 0 });
        Stay { outcomes: outcomes.into(), ..Stay::default() }
    }

    /// Whether its thread ever stays anywhere.
    pub(super) fn has_room(&self) -> bool {
        self.outcomes.capacity() > 0
    }

    /// Whether its thread may begin to stay somewhere.
    #[inline]
    pub(super) fn is_free(&self) -> bool {
        self.simulations == 0 && self.has_room()
    }

    /// Forgets where it was.
    pub(super) fn clear(&mut self) {
        self.simulations = 0;
        self.outcomes.clear();
    }

    /// Whether the next simulation starts here.
    #[inline]
    pub(super) fn goes_on(&self) -> bool {
        self.simulations > 0
    }

    /// The first node of the path that a simulation updates at once.
    #[inline]
    pub(super) fn depth(&self) -> usize {
        if self.simulations > 0 { self.depth } else { 0 }
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.outcomes.capacity() * size_of::<O>()
    }
}
