//! A tree that several threads grow at once, without locks.

use crate::node::NodeId;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::*};
use std::boxed::Box;
use std::collections::TryReserveError;
use std::sync::OnceLock;
use std::vec::Vec;

/// Values are summed in units of 2^-24, exact for wins, draws and losses; a node holds 2^40 visits' worth.
const UNIT: f32 = (1 << 24) as f32;

/// A node whose fields threads read and change at any time. Children hang in a list that only grows at its
/// head, so that a reader never meets a broken link. No node lies across two cache lines.
#[derive(Debug)]
#[repr(align(32))]
pub(crate) struct SharedNode<M> {
    first_child: AtomicU32,
    next_sibling: AtomicU32,
    /// Finished visits, and virtual ones of threads on their way.
    visits: AtomicU32,
    complete: AtomicBool,
    terminal: AtomicBool,
    sum: AtomicU64,
    /// Set before the node is linked.
    m: OnceLock<M>,
}

const _: () = assert!(size_of::<SharedNode<u16>>() == 32);

impl<M: Copy> SharedNode<M> {
    fn new() -> SharedNode<M> {
        SharedNode {
            first_child: AtomicU32::new(NodeId::NONE.0),
            next_sibling: AtomicU32::new(NodeId::NONE.0),
            visits: AtomicU32::new(0),
            complete: AtomicBool::new(false),
            terminal: AtomicBool::new(false),
            sum: AtomicU64::new(0),
            m: OnceLock::new(),
        }
    }

    pub(crate) fn m(&self) -> M {
        *self.m.get().expect("a linked node has its move")
    }

    /// Visits, virtual ones included.
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The mean result for the player who moved into the node; a virtual visit counts as lost.
    pub(crate) fn value(&self) -> f32 {
        self.value_of(self.visits().max(1))
    }

    /// [`SharedNode::value`] for visits that the caller has read.
    #[inline]
    pub(crate) fn value_of(&self, visits: u32) -> f32 {
        // Signed integers convert faster; the sum never reaches the sign.
        self.sum.load(Relaxed) as i64 as f32 / (visits as f32 * UNIT)
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal.load(Relaxed)
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.complete.load(Relaxed)
    }

    pub(crate) fn set_complete(&self) {
        self.complete.store(true, Relaxed);
    }

    /// A thread is on its way through this node.
    pub(crate) fn enter(&self, virtual_visits: u32) {
        self.visits.fetch_add(virtual_visits, Relaxed);
    }

    /// The thread is done; its virtual visits become one real visit.
    pub(crate) fn leave(&self, virtual_visits: u32, sample: f32) {
        // What changes nothing need not take the cache line from other threads.
        if sample != 0.0 {
            self.sum.fetch_add((sample * UNIT) as u64, Relaxed);
        }
        if virtual_visits != 1 {
            self.visits.fetch_add(1u32.wrapping_sub(virtual_visits), Relaxed);
        }
    }
}

/// Places in the pool that one thread has taken and not used yet. Threads take several at a time, so that
/// they seldom meet at the pool's counter and write their new nodes into different cache lines.
#[derive(Default, Debug)]
pub(crate) struct Places(Range<u32>);

impl Places {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A pool of [`SharedNode`]s of fixed size; index 0 is the root.
#[derive(Debug)]
pub(crate) struct SharedTree<M> {
    nodes: Box<[SharedNode<M>]>,
    taken: AtomicU32,
}

impl<M: Copy + PartialEq> SharedTree<M> {
    pub(crate) const ROOT: NodeId = NodeId(0);
    pub(crate) const BYTES_PER_NODE: usize = size_of::<SharedNode<M>>();

    /// A pool of so many nodes, at least 2, with an unvisited root.
    pub(crate) fn new(nodes: usize) -> Result<SharedTree<M>, TryReserveError> {
        let count = nodes.clamp(2, u32::MAX as usize - 1);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(count)?;
        nodes.resize_with(count, SharedNode::new);
        Ok(SharedTree { nodes: nodes.into_boxed_slice(), taken: AtomicU32::new(1) })
    }

    /// Forgets all but an unvisited root.
    pub(crate) fn clear(&mut self) {
        let taken = self.taken();
        self.nodes[..taken].iter_mut().for_each(|node| *node = SharedNode::new());
        *self.taken.get_mut() = 1;
    }

    pub(crate) fn capacity(&self) -> usize {
        self.nodes.len()
    }

    /// Places that are in use or in the hands of a thread.
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Relaxed) as usize
    }

    /// Whether the thread has a place for a node; takes `block` if it has none.
    pub(crate) fn has_place(&self, places: &mut Places, block: u32) -> bool {
        if places.0.is_empty() {
            let end = self.nodes.len() as u32;
            let take = |first: u32| (first < end).then(|| first.saturating_add(block).min(end));
            match self.taken.fetch_update(Relaxed, Relaxed, take) {
                Ok(first) => places.0 = first..first.saturating_add(block).min(end),
                Err(_) => return false,
            }
        }
        true
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes)
    }

    pub(crate) fn node(&self, id: NodeId) -> &SharedNode<M> {
        &self.nodes[id.index()]
    }

    /// The children of a node, the last expanded first.
    pub(crate) fn children(&self, id: NodeId) -> SharedChildren<'_, M> {
        self.list(self.node(id).first_child.load(Acquire))
    }

    fn list(&self, next: u32) -> SharedChildren<'_, M> {
        SharedChildren { tree: self, next }
    }

    /// The child of `parent` for `m`, entered once: a new one in the first of `places`, or the one that
    /// another thread was faster to add, or none if there is no place. Whether it is terminal is
    /// settled before another thread can see it.
    pub(crate) fn expand(
        &self,
        parent: NodeId,
        m: M,
        terminal: bool,
        virtual_visits: u32,
        places: &mut Places,
    ) -> Option<(NodeId, bool)> {
        let head = &self.node(parent).first_child;
        let mut first = head.load(Acquire);
        let mut fresh = None;
        loop {
            if let Some((id, node)) = self.list(first).find(|(_, node)| node.m() == m) {
                node.enter(virtual_visits);
                return Some((id, false));
            }
            let id = match fresh {
                Some(id) => id,
                None => {
                    // Nobody else knows of this place.
                    let id = NodeId(places.0.next()?);
                    let _ = self.node(id).m.set(m);
                    self.node(id).visits.store(virtual_visits, Relaxed);
                    self.node(id).terminal.store(terminal, Relaxed);
                    fresh = Some(id);
                    id
                }
            };
            self.node(id).next_sibling.store(first, Relaxed);
            match head.compare_exchange(first, id.0, AcqRel, Acquire) {
                Ok(_) => return Some((id, true)),
                Err(newer) => first = newer,
            }
        }
    }
}

/// An iterator over the children that a node had when it was made.
#[derive(Clone, Debug)]
pub(crate) struct SharedChildren<'a, M> {
    tree: &'a SharedTree<M>,
    next: u32,
}

impl<'a, M> Iterator for SharedChildren<'a, M> {
    type Item = (NodeId, &'a SharedNode<M>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let id = NodeId(self.next);
        let node = self.tree.nodes.get(id.index())?;
        self.next = node.next_sibling.load(Relaxed);
        Some((id, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_expand_the_same_moves_agree_on_the_children() {
        let tree = SharedTree::new(1000).unwrap();
        std::thread::scope(|scope| {
            for shift in 0..4u32 {
                let tree = &tree;
                scope.spawn(move || {
                    let mut places = Places::default();
                    for i in 0..200 {
                        assert!(tree.has_place(&mut places, 3));
                        let m = (i + 50 * shift) % 200;
                        let (id, _) =
                            tree.expand(SharedTree::<u32>::ROOT, m, m % 3 == 0, 3, &mut places).unwrap();
                        let mut all = tree.children(SharedTree::<u32>::ROOT);
                        assert!(all.all(|(_, n)| n.is_terminal() == (n.m() % 3 == 0)));
                        tree.node(id).leave(3, 1.0);
                    }
                });
            }
        });
        let mut moves: std::vec::Vec<u32> =
            tree.children(SharedTree::<u32>::ROOT).map(|(_, n)| n.m()).collect();
        moves.sort_unstable();
        assert_eq!(moves, (0..200).collect::<std::vec::Vec<_>>());
        assert!(tree.children(SharedTree::<u32>::ROOT).all(|(_, n)| n.visits() == 4 && n.value() == 1.0));
    }

    #[test]
    fn a_full_pool_yields_no_place() {
        let tree = SharedTree::<u8>::new(4).unwrap();
        let (mut one, mut other) = (Places::default(), Places::default());
        assert!(tree.has_place(&mut one, 2) && tree.has_place(&mut other, 2));
        assert_eq!((one.len(), other.len(), tree.taken()), (2, 1, 4));
        for (m, new) in [(1, true), (1, false), (2, true)] {
            let (_, grown) = tree.expand(SharedTree::<u8>::ROOT, m, false, 1, &mut one).unwrap();
            assert_eq!(grown, new);
        }
        assert!(!tree.has_place(&mut one, 2) && tree.has_place(&mut other, 2));
        assert!(tree.expand(SharedTree::<u8>::ROOT, 3, false, 1, &mut one).is_none());
        assert!(tree.expand(SharedTree::<u8>::ROOT, 3, false, 1, &mut other).is_some());
        assert_eq!(tree.taken(), 4);
    }
}
