//! The pool of nodes and their side columns.

use crate::candidates::{Candidate, Candidates};
use crate::node::{Node, NodeId};
use crate::{Columns, Outcome, Player};
use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// A search tree in one pool.
///
/// One node is stored for each expanded move, not for each legal one. Nodes are named by [`NodeId`]; side
/// columns exist only where a part of the search asked for them. The pool never holds more than its limit.
#[derive(Clone, Debug)]
pub struct Tree<M> {
    nodes: Vec<Node<M>>,
    columns: Columns,
    priors: Vec<f32>,
    squares: Vec<f32>,
    candidates: Candidates<M>,
    root: NodeId,
    /// Who moved into the root: the player before the root's mover in the order of turns.
    root_mover: Player,
    free: NodeId,
    stored: usize,
    limit: usize,
    peak: usize,
    solver: bool,
    random_ties: bool,
}

/// A node on the way of a simulation, with the player who moved into it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The node.
    pub node: NodeId,
    /// Whose point of view the node's value has.
    pub mover: Player,
}

impl<M: Copy> Tree<M> {
    /// An empty tree that holds at most `limit` nodes and `moves` candidate moves.
    pub(crate) fn new(columns: Columns, limit: usize, candidates: usize) -> Tree<M> {
        Tree {
            nodes: Vec::new(),
            columns,
            priors: Vec::new(),
            squares: Vec::new(),
            candidates: Candidates::new(candidates),
            root: NodeId::NONE,
            root_mover: Player::FIRST,
            free: NodeId::NONE,
            stored: 0,
            limit: limit.min(u32::MAX as usize - 1),
            peak: 0,
            solver: false,
            random_ties: false,
        }
    }

    /// How children are compared: whether proven results are heeded, and ties broken at random.
    #[must_use]
    pub(crate) fn comparing(mut self, solver: bool, random_ties: bool) -> Self {
        (self.solver, self.random_ties) = (solver, random_ties);
        self
    }

    /// The mean of a node's children, weighted by visits: its value for the player to move there, who in a
    /// game of more than two cannot read it off the node's own.
    #[inline(never)]
    pub(crate) fn mean_of_children(&self, id: NodeId) -> f32 {
        let (mut sum, mut visits) = (0.0, 0.0);
        for (_, child) in self.children(id) {
            sum += child.exact_value() * f64::from(child.visits());
            visits += f64::from(child.visits());
        }
        if visits > 0.0 { (sum / visits) as f32 } else { 0.5 }
    }

    #[inline]
    pub(crate) fn is_careful(&self) -> bool {
        self.solver | self.random_ties
    }

    #[inline]
    pub(crate) fn solves(&self) -> bool {
        self.solver
    }

    #[inline]
    pub(crate) fn ties_at_random(&self) -> bool {
        self.random_ties
    }

    /// Heap bytes of one node with these columns, candidate moves apart.
    pub(crate) fn bytes_per_node(columns: Columns) -> usize {
        let mut bytes = size_of::<Node<M>>();
        if columns.has(Columns::PRIOR) {
            bytes += size_of::<f32>() + Candidates::<M>::BYTES_PER_NODE;
        }
        if columns.has(Columns::SQUARES) {
            bytes += size_of::<f32>();
        }
        bytes
    }

    /// Makes room for `nodes` nodes at once, or as many as the limit allows.
    pub(crate) fn reserve(&mut self, nodes: usize, moves_per_node: usize) -> Result<(), TryReserveError> {
        let nodes = nodes.min(self.limit);
        let more = nodes.saturating_sub(self.nodes.len());
        self.nodes.try_reserve_exact(more)?;
        if self.columns.has(Columns::PRIOR) {
            self.priors.try_reserve_exact(more)?;
            self.candidates.reserve(nodes, moves_per_node)?;
        }
        if self.columns.has(Columns::SQUARES) {
            self.squares.try_reserve_exact(more)?;
        }
        Ok(())
    }

    /// Empties the tree and plants a root. `mover` moved into it, `m` fills the unused field.
    pub(crate) fn plant(&mut self, mover: Player, m: M) {
        self.nodes.clear();
        self.priors.clear();
        self.squares.clear();
        self.candidates.clear();
        self.free = NodeId::NONE;
        self.stored = 0;
        self.root_mover = mover;
        self.root = self.allocate(m).expect("a tree has room for its root");
    }

    /// Empties the tree, root and all.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.stored = 0;
    }

    /// A fresh node that hangs nowhere yet, or none if the pool is full.
    pub(crate) fn allocate(&mut self, m: M) -> Option<NodeId> {
        let id = if let Some(id) = self.free.some() {
            self.free = self.nodes[id.index()].next_sibling;
            self.nodes[id.index()] = Node::new(m);
            id
        } else if self.nodes.len() < self.limit {
            let id = NodeId(self.nodes.len() as u32);
            self.nodes.push(Node::new(m));
            if self.columns.has(Columns::PRIOR) {
                self.priors.push(0.0);
                self.candidates.push_node();
            }
            if self.columns.has(Columns::SQUARES) {
                self.squares.push(0.0);
            }
            id
        } else {
            return None;
        };
        if self.columns.has(Columns::PRIOR) {
            self.candidates.forget(id);
        }
        if self.columns.has(Columns::SQUARES) {
            self.squares[id.index()] = 0.0;
        }
        self.stored += 1;
        self.peak = self.peak.max(self.stored);
        Some(id)
    }

    /// Expands `m` under `parent`, or returns none if the pool is full. The child becomes the first.
    #[inline]
    pub(crate) fn expand(&mut self, parent: NodeId, m: M) -> Option<NodeId> {
        let child = self.allocate(m)?;
        self.nodes[child.index()].next_sibling = self.nodes[parent.index()].first_child;
        self.nodes[parent.index()].first_child = child;
        Some(child)
    }

    /// Makes `child`, a child of the root, the new root and frees everything beside it. Takes time
    /// proportional to what is freed, and no memory.
    pub(crate) fn reroot(&mut self, child: NodeId, mover: Player) {
        let old = self.root;
        let mut link = self.nodes[old.index()].first_child;
        if link == child {
            self.nodes[old.index()].first_child = self.nodes[child.index()].next_sibling;
        }
        while let Some(id) = link.some() {
            let next = self.nodes[id.index()].next_sibling;
            if next == child {
                self.nodes[id.index()].next_sibling = self.nodes[child.index()].next_sibling;
            }
            link = next;
        }
        self.nodes[child.index()].next_sibling = NodeId::NONE;
        self.free_subtree(old);
        self.root = child;
        self.root_mover = mover;
        if self.columns.has(Columns::PRIOR) {
            self.candidates.compact();
        }
    }

    /// Frees a node that hangs nowhere, with all below it. The chain of those yet to be freed runs
    /// through the siblings' links, so that it needs no memory.
    fn free_subtree(&mut self, top: NodeId) {
        self.nodes[top.index()].next_sibling = NodeId::NONE;
        let mut pending = top;
        while let Some(id) = pending.some() {
            pending = self.nodes[id.index()].next_sibling;
            let first = self.nodes[id.index()].first_child;
            if let Some(mut last) = first.some() {
                while let Some(next) = self.nodes[last.index()].next_sibling.some() {
                    last = next;
                }
                self.nodes[last.index()].next_sibling = pending;
                pending = first;
            }
            if self.columns.has(Columns::PRIOR) {
                self.candidates.forget(id);
            }
            self.nodes[id.index()].next_sibling = self.free;
            self.free = id;
            self.stored -= 1;
        }
    }

    /// The root, planted by the first search.
    #[inline]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The player whose point of view the root's value has: the one before the player to move.
    pub fn root_mover(&self) -> Player {
        self.root_mover
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<M> {
        &self.nodes[id.index()]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node<M> {
        &mut self.nodes[id.index()]
    }

    /// The children of a node, the last expanded first.
    #[inline]
    pub fn children(&self, id: NodeId) -> Children<'_, M> {
        Children { tree: self, next: self.nodes[id.index()].first_child }
    }

    /// The columns that the tree keeps.
    #[inline]
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The prior of a node, 0 without the column.
    #[inline]
    pub fn prior(&self, id: NodeId) -> f32 {
        self.priors.get(id.index()).copied().unwrap_or(0.0)
    }

    pub(crate) fn set_prior(&mut self, id: NodeId, prior: f32) {
        self.priors[id.index()] = prior;
    }

    /// The mean of the squared samples of a node, 0 without the column.
    #[inline]
    pub fn mean_square(&self, id: NodeId) -> f32 {
        self.squares.get(id.index()).copied().unwrap_or(0.0)
    }

    /// Learns the square of the newest sample of each node of a path whose visits were just counted.
    pub(crate) fn learn_squares<O: Outcome>(&mut self, path: &[Step], outcome: &O) {
        for step in path {
            let sample = outcome.of(step.mover);
            let square = &mut self.squares[step.node.index()];
            *square += (sample * sample - *square) / self.nodes[step.node.index()].visits() as f32;
        }
    }

    /// Stores the moves of a fresh node, best prior first. False if there is no room for them.
    pub(crate) fn set_candidates(&mut self, id: NodeId, moves: &[M], priors: &[f32]) -> bool {
        self.candidates.store(id, moves, priors)
    }

    /// The untried candidate with the best prior.
    #[inline]
    pub(crate) fn best_candidate(&self, id: NodeId) -> Option<Candidate<M>> {
        self.candidates.best(id)
    }

    pub(crate) fn take_candidate(&mut self, id: NodeId) {
        self.candidates.take(id);
    }

    /// Stored nodes, the root included.
    pub fn len(&self) -> usize {
        self.stored
    }

    /// Whether no root was planted yet.
    pub fn is_empty(&self) -> bool {
        self.stored == 0
    }

    /// The most nodes ever stored.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Whether no further node can be stored.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.stored >= self.limit
    }

    /// The most nodes that may be stored.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<M>>()
            + (self.priors.capacity() + self.squares.capacity()) * size_of::<f32>()
            + self.candidates.bytes()
    }
}

/// An iterator over the children of a node.
#[derive(Clone, Debug)]
pub struct Children<'a, M> {
    tree: &'a Tree<M>,
    next: NodeId,
}

impl<'a, M: Copy> Iterator for Children<'a, M> {
    type Item = (NodeId, &'a Node<M>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // The end of the list lies outside of every pool: one comparison serves both.
        let id = self.next;
        let node = self.tree.nodes.get(id.index())?;
        self.next = node.next_sibling;
        Some((id, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown() -> (Tree<u16>, Vec<NodeId>) {
        let mut tree = Tree::new(Columns::NONE, 8, 0);
        tree.plant(Player::SECOND, 0);
        let mut ids = Vec::from([tree.root()]);
        for (parent, m) in [(0, 1), (0, 2), (0, 3), (2, 4), (2, 5), (4, 6), (1, 7)] {
            ids.push(tree.expand(ids[parent], m).unwrap());
        }
        (tree, ids)
    }

    #[test]
    fn a_full_pool_yields_no_node() {
        let (mut tree, ids) = grown();
        assert_eq!((tree.len(), tree.peak()), (8, 8));
        assert!(tree.expand(ids[3], 9).is_none());
    }

    #[test]
    fn a_new_root_keeps_its_subtree_and_frees_the_rest() {
        for child in [1, 2, 3] {
            let (mut tree, ids) = grown();
            tree.reroot(ids[child], Player::FIRST);
            let kept = [0, 2, 4, 1][child];
            assert_eq!(tree.len(), kept);
            assert_eq!(tree.root(), ids[child]);
            let mut below: Vec<u16> = tree.children(ids[child]).map(|(_, n)| n.m()).collect();
            below.sort_unstable();
            assert_eq!(below, [&[7][..], &[4, 5], &[]][child - 1]);
            for m in 0..8 - kept as u16 {
                assert!(tree.expand(ids[child], 10 + m).is_some(), "a freed slot is used again");
            }
            assert!(tree.expand(ids[child], 99).is_none());
        }
    }
}
