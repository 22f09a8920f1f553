//! Where nodes come from and where they go: free slots, recycling, pruning.

use super::{SECOND, Square, Step, TOP, Tree};
use crate::atomic::{Atomic, AtomicF64};
use crate::node::{Link, Node, NodeId};
use crate::{Code, Columns, Player};

impl<C: Code, I: Link> Tree<C, I> {
    /// A fresh node that hangs nowhere yet and is in no queue, or none if the level is full and cannot recycle
    /// a node that is not on the path.
    pub(super) fn allocate(&mut self, code: C, level: usize, path: &[Step]) -> Option<NodeId> {
        if self.levels[level].stored >= self.levels[level].limit {
            self.recycle(level, path)?;
        }
        let free = self.free.some();
        let id = free.unwrap_or(NodeId(self.nodes.len() as u32));
        if free.is_some() {
            self.free = self.nodes[id.index()].next_sibling.id();
            self.nodes[id.index()] = Node::new(code);
        } else {
            self.nodes.push(Node::new(code));
        }
        if self.sides {
            self.begin_sides(id, free.is_none());
        }
        self.levels[level].stored += 1;
        self.stored += 1;
        self.peak = self.peak.max(self.stored);
        Some(id)
    }

    /// Makes the entries of a node in the side columns new ones, or the first ones of its place in the pool.
    #[inline(never)]
    fn begin_sides(&mut self, id: NodeId, first: bool) {
        if first {
            if self.columns.has(Columns::PRIOR) {
                self.priors.push(0.0);
                self.candidates.push_node();
            }
            if self.columns.has(Columns::SQUARES) {
                self.squares.push(Square::default());
            }
            if self.columns.has(Columns::KEY) {
                self.keys.push(0);
            }
            self.memos.resize(self.nodes.len() * self.memo, AtomicF64::new(0.0));
            if self.in_flight.is_some() {
                self.pending.push(Atomic::new(0));
            }
            if let Some(amaf) = &mut self.amaf {
                amaf.push_node();
            }
            if let Some(advice) = &mut self.advice {
                advice.push_node();
            }
            if let Some(recycling) = &mut self.recycling {
                recycling.parents.push(I::END);
                recycling.recency.push_slot();
            }
            return;
        }
        if self.columns.has(Columns::SQUARES) {
            self.squares[id.index()] = Square::default();
        }
        if let Some(advice) = &mut self.advice {
            advice.forget(id);
        }
        self.memo(id).clear();
    }

    /// Frees the node of a level that was used least recently. Every node that no simulation is on its way through is older
    /// than its parent, so that the oldest of them is a leaf.
    #[inline(never)]
    fn recycle(&mut self, level: usize, path: &[Step]) -> Option<()> {
        let recycling = self.recycling.as_mut()?;
        let mut oldest = self.levels[level].queue.oldest();
        while let Some(id) = oldest
            && (path.iter().any(|step| step.node == id)
                || self.pending.get(id.index()).is_some_and(|count| count.get() > 0))
        {
            oldest = recycling.recency.newer(id);
        }
        let id = oldest?;
        recycling.recycled += 1;
        let parent = recycling.parents[id.index()].id();
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
        if let Some(recycling) = &mut self.recycling {
            recycling.recency.remove(&mut self.levels[level].queue, id);
        }
        self.nodes[id.index()].next_sibling.link(I::new(self.free));
        self.free = id;
        self.levels[level].stored -= 1;
        self.stored -= 1;
    }

    /// Marks a node as used just now.
    #[inline]
    pub(crate) fn touch(&mut self, id: NodeId, level: usize) {
        if let Some(recycling) = &mut self.recycling {
            recycling.recency.touch(&mut self.levels[level].queue, id);
        }
    }

    /// Expands the move `code` under `parent`, or returns none if there is no room. The child becomes the first. Nodes of
    /// the path are not recycled.
    #[inline]
    pub(crate) fn expand(&mut self, parent: NodeId, code: C, level: usize, path: &[Step]) -> Option<NodeId> {
        let child = self.allocate(code, level, path)?;
        debug_assert!(!self.nodes[parent.index()].is_gathered());
        let first = &self.nodes[parent.index()].first_child;
        self.nodes[child.index()].next_sibling.link(first.follow());
        first.link(I::new(child));
        if let Some(recycling) = &mut self.recycling {
            recycling.parents[child.index()] = I::new(parent);
            recycling.recency.append(&mut self.levels[level].queue, child);
        }
        Some(child)
    }

    /// Moves the children of a complete node to adjacent slots, and says where the first of them is now. They stay where they
    /// are if the pool would have to grow, or if something beside the nodes knows them by their slots.
    #[inline(never)]
    pub(crate) fn gather(&mut self, parent: NodeId) -> NodeId {
        let first = self.nodes[parent.index()].first_child.id();
        let room = self.nodes.capacity().min(self.limit()).saturating_sub(self.nodes.len());
        if self.sides || self.children(parent).count() > room {
            return first;
        }
        let gathered = NodeId(self.nodes.len() as u32);
        let mut left = first;
        while let Some(old) = left.some() {
            let node = self.nodes[old.index()].clone();
            left = node.next_sibling.id();
            if left != NodeId::NONE {
                node.next_sibling.link(I::new(NodeId(self.nodes.len() as u32 + 1)));
            }
            self.nodes.push(node);
            self.nodes[old.index()].next_sibling.link(I::new(self.free));
            self.free = old;
        }
        self.nodes[parent.index()].first_child.link(I::new(gathered));
        self.nodes[parent.index()].set_gathered();
        gathered
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
        if self.levels[SECOND].stored == 0 {
            // Nothing was grown. What hangs below a proven node is of the tree proper.
            return;
        }
        let mut link = self.nodes[id.index()].first_child.id();
        self.nodes[id.index()].first_child.link(I::END);
        self.nodes[id.index()].set_complete(false);
        while let Some(child) = link.some() {
            link = self.nodes[child.index()].next_sibling.id();
            self.give_back_candidate(id, self.nodes[child.index()].code());
            self.free_subtree(child, SECOND);
        }
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
