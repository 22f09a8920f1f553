//! The order in which the slots of a pool were last used.

use crate::node::{Link, NodeId};
use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// The neighbours of each slot in the [`Queue`] that it is in: the next older one and the next newer one.
#[derive(Clone, Debug)]
pub(crate) struct Recency<I> {
    links: Vec<(I, I)>,
}

/// A list of slots, least recently used first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue<I> {
    oldest: I,
    newest: I,
}

impl<I: Link> Queue<I> {
    pub(crate) const EMPTY: Queue<I> = Queue { oldest: I::END, newest: I::END };

    #[inline]
    pub(crate) fn oldest(&self) -> Option<NodeId> {
        self.oldest.id().some()
    }
}

impl<I: Link> Recency<I> {
    pub(crate) const BYTES_PER_SLOT: usize = size_of::<(I, I)>();

    pub(crate) fn new() -> Recency<I> {
        Recency { links: Vec::new() }
    }

    pub(crate) fn reserve(&mut self, slots: usize) -> Result<(), TryReserveError> {
        self.links.try_reserve_exact(slots.saturating_sub(self.links.len()))
    }

    pub(crate) fn clear(&mut self) {
        self.links.clear();
    }

    /// The next slot of the pool, in no queue yet.
    pub(crate) fn push_slot(&mut self) {
        self.links.push((I::END, I::END));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.links.capacity() * Self::BYTES_PER_SLOT
    }

    pub(crate) fn newer(&self, id: NodeId) -> Option<NodeId> {
        self.links[id.index()].1.id().some()
    }

    /// Puts a slot that is in no queue behind the newest.
    #[inline]
    pub(crate) fn append(&mut self, queue: &mut Queue<I>, id: NodeId) {
        self.links[id.index()] = (queue.newest, I::END);
        match queue.newest.id().some() {
            Some(newest) => self.links[newest.index()].1 = I::new(id),
            None => queue.oldest = I::new(id),
        }
        queue.newest = I::new(id);
    }

    /// Puts a slot that is in no queue before the oldest.
    pub(crate) fn prepend(&mut self, queue: &mut Queue<I>, id: NodeId) {
        self.links[id.index()] = (I::END, queue.oldest);
        match queue.oldest.id().some() {
            Some(oldest) => self.links[oldest.index()].0 = I::new(id),
            None => queue.newest = I::new(id),
        }
        queue.oldest = I::new(id);
    }

    #[inline]
    pub(crate) fn remove(&mut self, queue: &mut Queue<I>, id: NodeId) {
        let (older, newer) = self.links[id.index()];
        match older.id().some() {
            Some(older) => self.links[older.index()].1 = newer,
            None => queue.oldest = newer,
        }
        match newer.id().some() {
            Some(newer) => self.links[newer.index()].0 = older,
            None => queue.newest = older,
        }
    }

    /// Makes a slot of the queue its newest.
    #[inline]
    pub(crate) fn touch(&mut self, queue: &mut Queue<I>, id: NodeId) {
        if queue.newest.id() != id {
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
        let (mut recency, mut queue) = (Recency::<u16>::new(), Queue::EMPTY);
        for i in 0..4 {
            recency.push_slot();
            recency.append(&mut queue, NodeId(i));
        }
        for (touched, expected) in [(1, [0, 2, 3, 1]), (0, [2, 3, 1, 0]), (0, [2, 3, 1, 0])] {
            recency.touch(&mut queue, NodeId(touched));
            assert_eq!(order(&recency, &queue), expected);
        }
        recency.remove(&mut queue, NodeId(2));
        recency.remove(&mut queue, NodeId(0));
        assert_eq!(order(&recency, &queue), [3, 1]);
        recency.prepend(&mut queue, NodeId(0));
        assert_eq!(order(&recency, &queue), [0, 3, 1]);
        for i in [1, 3, 0] {
            recency.remove(&mut queue, NodeId(i));
        }
        assert!(queue.oldest().is_none());
        recency.prepend(&mut queue, NodeId(2));
        assert_eq!(order(&recency, &queue), [2]);
    }
}
