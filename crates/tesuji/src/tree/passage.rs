//! What passes through a node where several simulations are on their way at once.

use crate::atomic::Atomic;

/// What passes through a node.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    /// Simulations on their way through it.
    pub(super) under_way: Atomic<u16>,
    /// Held by a thread that changes the node. Apart from the count, so that to let go is a plain
    /// store.
    pub(super) held: Atomic<u8>,
}

/// The most simulations on their way at once.
pub(crate) const MOST_IN_FLIGHT: u16 = (1 << 14) - 1;

impl Passage {
    pub(super) fn new() -> Passage {
        Passage { under_way: Atomic::new(0), held: Atomic::new(0) }
    }

    /// Whether any simulation is on its way through it.
    pub(super) fn is_busy(&self) -> bool {
        self.under_way.get() > 0
    }
}

/// The effect of a simulation in progress on the nodes of its path, while others choose among a
/// node and its siblings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InFlight {
    /// N lost visits, which send the others elsewhere (virtual loss, Chaslot et al. 2008): with o
    /// simulations in progress and v lost visits for each, a child of value x and n visits counts
    /// as one with n + v o visits and the value n x / (n + v o).
    Lost(u32),
    /// A visit whose sample is not observed yet (WU-UCT, Liu et al. 2020): n + o visits, the value
    /// left as it is. A child that has no value yet is seen with that of its parent.
    Unobserved,
}
