//! How the tree grows and shrinks: slots for new nodes, recycling, pruning, a new root.

use super::Tree;
use super::passage::Passage;
use super::slots::{SECOND, Slots, TOP};
use super::squares::Square;
use crate::atomic::{Atomic, AtomicF64};
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;
use crate::node::{Node, Step};
use crate::player::Player;
use core::ops::Range;

/// What came of an expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expanded {
    New(NodeId),
    /// The move had this node already, where several simulations are in flight.
    Old(NodeId),
    /// There is no room.
    Full,
}

/// Slots that are made at once, so that the next ones are near.
const FEW: usize = 256;
/// The most slots that a thread takes for itself at once: the line of memory that counts them
/// changes hands less often then.
const OWN: usize = 64;
/// [`FEW`] where other threads wait meanwhile.
const MANY: usize = if cfg!(test) { 16 } else { 8192 };

/// The most children that are gathered. To count places takes three instructions a child more than
/// to follow links.
const WIDEST: usize = 16;

impl<C: Code, I: Link> Tree<C, I> {
    /// A fresh node that hangs nowhere yet and is in no queue, or none if there is no room. In a
    /// concurrent tree it is one of the thread's own slots, of which there are some more then.
    pub(super) fn allocate(&self, code: C, level: usize, own: &mut Range<u32>) -> Option<NodeId> {
        let id = match own.next() {
            Some(id) => NodeId(id),
            None => self.take(level, own)?,
        };
        self.nodes[id.index()].set_code(code);
        Some(id)
    }

    /// Takes a slot into use, and in a concurrent tree some more for this thread.
    #[inline]
    fn take(&self, level: usize, own: &mut Range<u32>) -> Option<NodeId> {
        let slots = &self.slots;
        let _held = self.concurrent.then(|| slots.taking.hold());
        if !self.has_room(level) {
            return None;
        }
        let (mut more, level) = (0, &slots.levels[level]);
        let id = match slots.free.get().id().some() {
            Some(id) => {
                slots.free.set(self.nodes[id.index()].next_sibling.follow());
                id
            }
            None => {
                let (id, stored) = (slots.used.get(), level.stored.get() as usize);
                if self.concurrent {
                    let room = (self.nodes.len() - id as usize).min(level.limit - stored);
                    more = (room / 8).min(OWN) as u32;
                    *own = id + 1..id + 1 + more;
                }
                slots.used.set(id + 1 + more);
                NodeId(id)
            }
        };
        slots.stored.set(slots.stored.get() + 1 + more);
        level.stored.set(level.stored.get() + 1 + more);
        Some(id)
    }

    /// Gives the slots of a thread back that it did not use.
    pub(crate) fn give_back(&self, own: &mut Range<u32>) {
        let slots = &self.slots;
        let _held = self.concurrent.then(|| slots.taking.hold());
        for id in own {
            self.free_slot(NodeId(id), TOP);
        }
    }

    /// Puts a slot before the others that are free.
    fn free_slot(&self, id: NodeId, level: usize) {
        let slots = &self.slots;
        self.nodes[id.index()].next_sibling.link(slots.free.get());
        slots.free.set(I::new(id));
        slots.levels[level].stored.set(slots.levels[level].stored.get() - 1);
        slots.stored.set(slots.stored.get() - 1);
    }

    /// Whether a level can take a node at once.
    #[inline]
    pub(crate) fn has_room(&self, level: usize) -> bool {
        let Slots { free, used, levels, .. } = &self.slots;
        let is_slot_left = (used.get() as usize) < self.nodes.len() || free.get().id() != NodeId::NONE;
        is_slot_left && !levels[level].is_full()
    }

    /// Makes room for a node of a level: by more slots, or by recycling a node that is not on the
    /// path. False if there is none to be had.
    #[inline(never)]
    pub(crate) fn make_room(&mut self, level: usize, path: &[Step]) -> bool {
        if self.slots.levels[level].is_full() {
            return self.recycle(level, path).is_some();
        }
        if !self.has_room(level) {
            self.extend();
        }
        self.has_room(level)
    }

    /// Makes more slots, as far as the limit allows. Beyond what is reserved they take memory.
    fn extend(&mut self) {
        let len = self.nodes.len();
        let more = if self.concurrent { MANY.max(len / 2) } else { FEW };
        let reserved = self.nodes.capacity();
        let most = if reserved > len { self.limit().min(reserved) } else { self.limit() };
        let len = (len + more).min(most);
        self.nodes.resize_with(len, || Node::new(C::new(0)));
        if self.columns.has(Columns::PRIOR) {
            self.priors.resize(len, 0.0);
            self.candidates.extend_to(len);
        }
        if self.columns.has(Columns::SQUARES) {
            self.squares.resize_with(len, Square::default);
        }
        if self.columns.has(Columns::KEY) {
            self.keys.resize_with(len, || Atomic::new(0));
        }
        self.backup_states.resize_with(len * self.backup_state, || AtomicF64::new(0.0));
        if self.in_flight.is_some() {
            self.passages.resize_with(len, Passage::new);
        }
        if let Some(amaf) = &mut self.amaf {
            amaf.extend_nodes_to(len);
        }
        if let Some(advice) = &mut self.advice {
            advice.extend_to(len);
        }
        if let Some(recycling) = &mut self.recycling {
            recycling.parents.resize_with(len, || Atomic::new(I::END));
            recycling.recency.extend_to(len);
        }
    }

    /// Turns the first slots of a tree that has only a root into `nodes` nodes of the tree proper,
    /// which hang nowhere and are in no queue. Returns false if there is no room for them.
    pub(super) fn occupy(&mut self, nodes: usize) -> bool {
        let most = self.slots.levels[TOP].limit.min(I::NODES);
        if nodes > most || (nodes > self.nodes.capacity() && self.reserve(nodes, 1, 0).is_err()) {
            return false;
        }
        while self.nodes.len() < nodes {
            self.extend();
        }
        // The chain of free slots goes through some that are nodes now.
        self.slots.free.set(I::END);
        self.nodes.iter().for_each(|node| node.next_sibling.link(I::END));
        self.slots.used.set(nodes as u32);
        self.slots.stored.set(nodes as u32);
        self.slots.levels[TOP].stored.set(nodes as u32);
        true
    }

    /// Frees the node of a level that was used least recently. Every node that no simulation is on
    /// its way through is older than its parent, so that the oldest of them is a leaf.
    #[inline(never)]
    fn recycle(&mut self, level: usize, path: &[Step]) -> Option<()> {
        let recycling = self.recycling.as_mut()?;
        let mut oldest = self.slots.levels[level].queue.oldest();
        while let Some(id) = oldest
            && (path.iter().any(|step| step.node == id)
                || self.passages.get(id.index()).is_some_and(Passage::is_busy))
        {
            oldest = recycling.recency.newer(id);
        }
        let id = oldest?;
        recycling.recycled += 1;
        let parent = recycling.parents[id.index()].get().id();
        debug_assert!(self.nodes[id.index()].first_child.id() == NodeId::NONE);
        self.unlink(parent, id);
        self.nodes[parent.index()].set_complete(false);
        self.give_back_candidate(parent, self.nodes[id.index()].code());
        self.release(id, level);
        Some(())
    }

    /// Takes `child` out of the list of its parent's children.
    fn unlink(&mut self, parent: NodeId, child: NodeId) {
        let next = self.nodes[child.index()].next_sibling.follow();
        let mut link = &self.nodes[parent.index()].first_child;
        while let Some(id) = link.id().some() {
            if id == child {
                return link.link(next);
            }
            link = &self.nodes[id.index()].next_sibling;
        }
    }

    /// Gives the slot of a node that hangs nowhere back to the pool.
    fn release(&mut self, id: NodeId, level: usize) {
        if self.columns.has(Columns::PRIOR) {
            self.candidates.forget(id);
        }
        if let Some(amaf) = &mut self.amaf {
            amaf.release(id);
        }
        if self.columns.has(Columns::SQUARES) {
            self.squares[id.index()] = Square::default();
        }
        if let Some(advice) = &mut self.advice {
            advice.forget(id);
        }
        self.backup_state(id).clear();
        if let Some(recycling) = &self.recycling {
            recycling.recency.remove(&self.slots.levels[level].queue, id);
        }
        self.nodes[id.index()] = Node::new(C::new(0));
        self.slots.note_peak();
        self.free_slot(id, level);
    }

    /// Marks a node as used just now.
    #[inline]
    pub(crate) fn touch(&self, id: NodeId, level: usize) {
        if let Some(recycling) = &self.recycling {
            recycling.recency.touch(&self.slots.levels[level].queue, id);
        }
    }

    /// Expands the move `code` under `parent`. The child becomes the first.
    #[inline]
    pub(crate) fn expand(&self, parent: NodeId, code: C, level: usize, own: &mut Range<u32>) -> Expanded {
        let _held = self.hold(parent);
        if self.in_flight.is_some()
            && let Some(child) = self.child(parent, code)
        {
            return Expanded::Old(child);
        }
        let Some(child) = self.allocate(code, level, own) else { return Expanded::Full };
        debug_assert!(!self.nodes[parent.index()].is_gathered());
        let first = &self.nodes[parent.index()].first_child;
        self.nodes[child.index()].next_sibling.link(first.follow());
        first.link(I::new(child));
        if let Some(recycling) = &self.recycling {
            recycling.parents[child.index()].set(I::new(parent));
            recycling.recency.append(&self.slots.levels[level].queue, child);
        }
        Expanded::New(child)
    }

    /// [`Tree::expand`], after room was made if there was none.
    #[cfg(test)]
    pub(crate) fn add_child(
        &mut self,
        parent: NodeId,
        code: C,
        level: usize,
        path: &[Step],
    ) -> Option<NodeId> {
        let room = self.has_room(level) || self.make_room(level, path);
        match self.expand(parent, code, level, &mut (0..0)) {
            Expanded::New(child) if room => Some(child),
            Expanded::Full if !room => None,
            other => panic!("{other:?}"),
        }
    }

    /// Whether anything is kept beside the nodes.
    fn has_sides(&self) -> bool {
        self.columns != Columns::NONE
            || self.backup_state > 0
            || self.in_flight.is_some()
            || self.advice.is_some()
            || self.recycling.is_some()
    }

    /// Moves the children of a complete node to adjacent slots, and says where the first of them is
    /// now. They stay where they are if the pool would have to grow, if something beside the nodes
    /// knows them by their slots, or if there are many.
    #[inline(never)]
    pub(crate) fn gather(&mut self, parent: NodeId) -> NodeId {
        let first = self.nodes[parent.index()].first_child.id();
        let mut used = self.slots.used.get() as usize;
        let room = self.nodes.capacity().min(self.limit()).saturating_sub(used);
        let children = self.children(parent).count();
        if self.has_sides() || children > room.min(WIDEST) {
            return first;
        }
        while self.nodes.len() < used + children {
            self.extend();
        }
        let gathered = NodeId(used as u32);
        let mut left = first;
        while let Some(old) = left.some() {
            let node = core::mem::replace(&mut self.nodes[old.index()], Node::new(C::new(0)));
            left = node.next_sibling.id();
            if left != NodeId::NONE {
                node.next_sibling.link(I::new(NodeId(used as u32 + 1)));
            }
            self.nodes[used] = node;
            used += 1;
            self.nodes[old.index()].next_sibling.link(self.slots.free.get());
            self.slots.free.set(I::new(old));
        }
        self.slots.used.set(used as u32);
        self.nodes[parent.index()].first_child.link(I::new(gathered));
        self.nodes[parent.index()].set_gathered();
        gathered
    }

    /// Says of a node whose children are in adjacent slots that they are, where [`Tree::gather`]
    /// would have brought them there.
    pub(super) fn mark_gathered(&self, parent: NodeId, children: usize) {
        let node = &self.nodes[parent.index()];
        if node.is_complete() && (1..=WIDEST).contains(&children) && !self.has_sides() {
            node.set_gathered();
        }
    }

    /// Makes `child`, a child of the root, the new root and frees everything beside it. Takes time
    /// proportional to what is freed, and no memory.
    pub(crate) fn reroot(&mut self, child: NodeId, mover: Player) {
        let old = self.root;
        self.unlink(old, child);
        self.nodes[child.index()].next_sibling.link(I::END);
        self.free_subtree(old, TOP);
        self.root = child;
        self.root_mover = mover;
        if self.columns.has(Columns::PRIOR) {
            self.candidates.compact();
        }
    }

    /// Frees the second level, everything below a node, and leaves the node as if never expanded.
    pub(crate) fn prune(&mut self, id: NodeId) {
        if self.slots.levels[SECOND].stored.get() == 0 {
            // Nothing was grown. What hangs below a proven node is of the tree proper.
            return;
        }
        let before = self.slots.levels[SECOND].stored.get();
        let mut link = self.nodes[id.index()].first_child.id();
        self.nodes[id.index()].first_child.link(I::END);
        self.nodes[id.index()].set_complete(false);
        while let Some(child) = link.some() {
            link = self.nodes[child.index()].next_sibling.id();
            self.give_back_candidate(id, self.nodes[child.index()].code());
            self.free_subtree(child, SECOND);
        }
        self.slots.pruned += u64::from(before - self.slots.levels[SECOND].stored.get());
    }

    /// Frees a node that hangs nowhere, with all below it. The chain of those yet to be freed runs
    /// through the siblings' links, so that it needs no memory.
    fn free_subtree(&mut self, top: NodeId, level: usize) {
        self.nodes[top.index()].next_sibling.link(I::END);
        let mut pending = top;
        while let Some(id) = pending.some() {
            pending = self.nodes[id.index()].next_sibling.id();
            let first = self.nodes[id.index()].first_child.id();
            if let Some(mut last) = first.some() {
                while let Some(next) = self.nodes[last.index()].next_sibling.id().some() {
                    last = next;
                }
                self.nodes[last.index()].next_sibling.link(I::new(pending));
                pending = first;
            }
            self.release(id, level);
        }
    }
}
