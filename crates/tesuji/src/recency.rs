//! The order in which the slots of a pool were last used.

use crate::atomic::Atomic;
use crate::code::{Link, NodeId};
use crate::reserved::Reserved;
use alloc::collections::TryReserveError;

/// The neighbours of each slot in the [`Queue`] that it is in: the next older one and the next
/// newer one.
#[derive(Clone, Debug)]
pub(crate) struct Recency<I: Link> {
    links: Reserved<(Atomic<I>, Atomic<I>)>,
}

/// A list of slots, least recently used first.
#[derive(Clone, Debug)]
pub(crate) struct Queue<I: Link> {
    oldest: Atomic<I>,
    newest: Atomic<I>,
}

impl<I: Link> Queue<I> {
    pub(crate) fn new() -> Queue<I> {
        Queue { oldest: Atomic::new(I::END), newest: Atomic::new(I::END) }
    }

    #[inline]
    pub(crate) fn oldest(&self) -> Option<NodeId> {
        self.oldest.get().id().some()
    }
}

impl<I: Link> Recency<I> {
    pub(crate) const BYTES_PER_SLOT: usize = size_of::<(I, I)>();

    pub(crate) fn new() -> Recency<I> {
        Recency { links: Reserved::default() }
    }

    pub(crate) fn reserve(&mut self, slots: usize) -> Result<(), TryReserveError> {
        self.links.make_room_for(slots)
    }

    pub(crate) fn clear(&mut self) {
        self.links.clear();
    }

    /// Extends to `slots` slots, the new ones in no queue yet.
    pub(crate) fn extend_to(&mut self, slots: usize) {
        self.links.resize_with(slots, || (Atomic::new(I::END), Atomic::new(I::END)));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.links.capacity() * Self::BYTES_PER_SLOT
    }

    pub(crate) fn newer(&self, id: NodeId) -> Option<NodeId> {
        self.links[id.index()].1.get().id().some()
    }

    /// Puts a slot that is in no queue behind the newest.
    #[inline]
    pub(crate) fn append(&self, queue: &Queue<I>, id: NodeId) {
        let last = queue.newest.get();
        self.links[id.index()].0.set(last);
        self.links[id.index()].1.set(I::END);
        self.newer_link(queue, last).set(I::new(id));
        queue.newest.set(I::new(id));
    }

    /// Where the slot behind this one is kept.
    #[inline]
    fn newer_link<'a>(&'a self, queue: &'a Queue<I>, id: I) -> &'a Atomic<I> {
        id.id().some().map_or(&queue.oldest, |id| &self.links[id.index()].1)
    }

    /// Where the slot before this one is kept.
    #[inline]
    fn older_link<'a>(&'a self, queue: &'a Queue<I>, id: I) -> &'a Atomic<I> {
        id.id().some().map_or(&queue.newest, |id| &self.links[id.index()].0)
    }

    /// Puts a slot that is in no queue before the oldest.
    pub(crate) fn prepend(&self, queue: &Queue<I>, id: NodeId) {
        let first = queue.oldest.get();
        self.links[id.index()].0.set(I::END);
        self.links[id.index()].1.set(first);
        self.older_link(queue, first).set(I::new(id));
        queue.oldest.set(I::new(id));
    }

    #[inline]
    pub(crate) fn remove(&self, queue: &Queue<I>, id: NodeId) {
        let (older, newer) = (self.links[id.index()].0.get(), self.links[id.index()].1.get());
        self.newer_link(queue, older).set(newer);
        self.older_link(queue, newer).set(older);
    }

    /// Makes a slot of the queue its newest.
    #[inline]
    pub(crate) fn touch(&self, queue: &Queue<I>, id: NodeId) {
        if queue.newest.get().id() != id {
            self.remove(queue, id);
            self.append(queue, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(recency: &Recency<u16>, queue: &Queue<u16>) -> Vec<u32> {
        core::iter::successors(queue.oldest(), |&id| recency.newer(id)).map(|id| id.0).collect()
    }

    #[test]
    fn the_least_recently_used_is_first() {
        let (mut recency, queue) = (Recency::<u16>::new(), Queue::new());
        recency.extend_to(4);
        for i in 0..4 {
            recency.append(&queue, NodeId(i));
        }
        for (touched, expected) in [(1, [0, 2, 3, 1]), (0, [2, 3, 1, 0]), (0, [2, 3, 1, 0])] {
            recency.touch(&queue, NodeId(touched));
            assert_eq!(order(&recency, &queue), expected);
        }
        recency.remove(&queue, NodeId(2));
        recency.remove(&queue, NodeId(0));
        assert_eq!(order(&recency, &queue), [3, 1]);
        recency.prepend(&queue, NodeId(0));
        assert_eq!(order(&recency, &queue), [0, 3, 1]);
        for i in [1, 3, 0] {
            recency.remove(&queue, NodeId(i));
        }
        assert!(queue.oldest().is_none());
        recency.prepend(&queue, NodeId(2));
        assert_eq!(order(&recency, &queue), [2]);
    }
}
