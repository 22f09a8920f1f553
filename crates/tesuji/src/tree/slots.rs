//! Which slots of the pool are in use.

use crate::atomic::Atomic;
use crate::code::Link;
use crate::recency::Queue;

/// The tree proper.
pub(crate) const TOP: usize = 0;
/// What a two-level search grows below a leaf of the tree proper, and drops again.
pub(crate) const SECOND: usize = 1;

/// Which slots of the pool are in use. Of those that are not, some were once; the others come last.
/// Apart from what is only read, as threads write it.
#[derive(Clone, Debug)]
#[repr(align(128))]
pub(super) struct Slots<I: Link> {
    /// Held by a thread that takes a slot.
    pub(super) taking: Atomic<u8>,
    /// The first of a chain of free slots.
    pub(super) free: Atomic<I>,
    /// The slots that were ever in use.
    pub(super) used: Atomic<u32>,
    pub(super) stored: Atomic<u32>,
    /// The most that were stored when one was about to be released.
    peak: Atomic<u32>,
    /// Nodes of second levels that were dropped since the root was planted.
    pub(super) pruned: u64,
    pub(super) levels: [Level<I>; 2],
}

/// A part of the tree with a limit of its own.
#[derive(Clone, Debug)]
pub(super) struct Level<I: Link> {
    pub(super) stored: Atomic<u32>,
    pub(super) limit: usize,
    pub(super) queue: Queue<I>,
}

impl<I: Link> Level<I> {
    pub(super) fn new(limit: usize) -> Level<I> {
        Level { stored: Atomic::new(0), limit, queue: Queue::new() }
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.stored.get() as usize >= self.limit
    }
}

impl<I: Link> Slots<I> {
    pub(super) fn new(levels: [Level<I>; 2]) -> Slots<I> {
        Slots {
            taking: Atomic::new(0),
            free: Atomic::new(I::END),
            used: Atomic::new(0),
            stored: Atomic::new(0),
            peak: Atomic::new(0),
            pruned: 0,
            levels,
        }
    }

    /// None is in use, and none was.
    pub(super) fn clear(&mut self) {
        let peak = self.peak();
        *self = Slots::new(self.levels.each_ref().map(|level| Level::new(level.limit)));
        self.peak.set(peak);
    }

    /// The most that were ever stored.
    #[inline]
    pub(super) fn peak(&self) -> u32 {
        self.peak.get().max(self.stored.get())
    }

    /// Begins anew.
    pub(super) fn forget_peak(&self) {
        self.peak.set(0);
    }

    /// Notes the peak before fewer are stored.
    #[inline]
    pub(super) fn note_peak(&self) -> &Atomic<u32> {
        self.peak.set(self.peak());
        &self.peak
    }
}
