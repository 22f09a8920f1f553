//! The pool of nodes and their side columns.

mod advice;
mod archive;
mod backup_state;
mod flight;
mod growth;
mod passage;
mod priors;
mod slots;
mod squares;

use crate::amaf::{Amaf, Tables};
use crate::atomic::{Atomic, AtomicF64};
use crate::bias::Biasing;
use crate::candidates::Candidates;
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;
use crate::node::{Node, Step};
use crate::player::Player;
use crate::recency::Recency;
use crate::reserved::Reserved;
use alloc::collections::TryReserveError;
use slots::{Level, Slots};
use squares::Square;

pub(crate) use advice::Advice;
pub use backup_state::BackupState;
pub(crate) use growth::Expanded;
pub use passage::InFlight;
pub(crate) use passage::MOST_IN_FLIGHT;
use passage::Passage;
pub(crate) use slots::{SECOND, TOP};

/// A search tree in one pool.
///
/// One node is stored for each expanded move, not for each legal one. Nodes are named by
/// [`NodeId`]; side columns exist only where a part of the search asked for them. The pool never
/// holds more than its limit; if it recycles, a new node then takes the place of the leaf that was
/// used least recently (Powley, Cowling & Whitehouse 2017).
#[derive(Clone, Debug)]
pub struct Tree<C: Code, I: Link = u32> {
    /// One for each slot, in use or not, as in the columns.
    nodes: Reserved<Node<C, I>>,
    slots: Slots<I>,
    columns: Columns,
    priors: Reserved<f32>,
    squares: Reserved<Square>,
    keys: Reserved<Atomic<u32>>,
    /// The numbers that a backup keeps at each node, and how many they are.
    backup_states: Reserved<AtomicF64>,
    backup_state: usize,
    /// One for each slot, where several simulations may be on their way.
    passages: Reserved<Passage>,
    in_flight: Option<InFlight>,
    /// Whether several threads change the tree at once, and hold what they change.
    concurrent: bool,
    candidates: Candidates<C>,
    amaf: Option<Tables<I>>,
    advice: Option<Advice>,
    recycling: Option<Recycling<I>>,
    root: NodeId,
    /// The player who moved into the root: the one before the player to move there in the order of
    /// turns.
    root_mover: Player,
    solver: bool,
    random_ties: bool,
    /// Whether children are compared by more than their scores.
    has_overrides: bool,
}

/// What recycling keeps beside the nodes.
#[derive(Clone, Debug)]
struct Recycling<I: Link> {
    parents: Reserved<Atomic<I>>,
    recency: Recency<I>,
    recycled: u64,
}

impl<C: Code, I: Link> Tree<C, I> {
    /// An empty tree that holds at most `limits` nodes in the tree proper and in the second level,
    /// and `candidates.0` candidate moves, with room for `candidates.1` at each node.
    pub(crate) fn new(columns: Columns, limits: [usize; 2], candidates: (usize, usize)) -> Self {
        Tree {
            nodes: Reserved::default(),
            slots: Slots::new(limits.map(|limit| Level::new(limit.min(I::NODES)))),
            columns,
            priors: Reserved::default(),
            squares: Reserved::default(),
            keys: Reserved::default(),
            backup_states: Reserved::default(),
            backup_state: 0,
            passages: Reserved::default(),
            in_flight: None,
            concurrent: false,
            candidates: Candidates::new(candidates.0, candidates.1),
            amaf: None,
            advice: None,
            recycling: None,
            root: NodeId::NONE,
            root_mover: Player::FIRST,
            solver: false,
            random_ties: false,
            has_overrides: false,
        }
    }

    /// Keeps `numbers` numbers at each node for the backup.
    #[must_use]
    pub(crate) fn with_backup_state(mut self, numbers: usize) -> Self {
        self.backup_state = numbers;
        self
    }

    /// Keeps AMAF tables.
    #[must_use]
    pub(crate) fn with_amaf(mut self, tables: Option<Tables<I>>) -> Self {
        self.amaf = tables;
        self
    }

    /// Keeps what an advisor says.
    #[must_use]
    pub(crate) fn with_advice(mut self, advice: Option<Advice>) -> Self {
        self.has_overrides |= advice.is_some();
        self.advice = advice;
        self
    }

    /// Recycles nodes when a limit is reached.
    #[must_use]
    pub(crate) fn recycling(mut self, recycle: bool) -> Self {
        self.recycling =
            recycle.then(|| Recycling { parents: Reserved::default(), recency: Recency::new(), recycled: 0 });
        self
    }

    /// How children are compared: whether proven results are heeded, and ties broken at random.
    #[must_use]
    pub(crate) fn comparing(mut self, solver: bool, random_ties: bool) -> Self {
        (self.solver, self.random_ties) = (solver, random_ties);
        self.has_overrides |= solver | random_ties;
        self
    }

    /// The mean of a node's children, weighted by visits: its value for the player to move there,
    /// who in a game of more than two cannot read it off the node's own.
    #[inline(never)]
    pub(crate) fn mean_of_children(&self, id: NodeId) -> f32 {
        let (mut sum, mut visits) = (0.0, 0.0);
        for (_, child) in self.children(id) {
            sum += child.exact_value() * f64::from(child.visits());
            visits += f64::from(child.visits());
        }
        if visits > 0.0 { (sum / visits) as f32 } else { 0.5 }
    }

    /// Whether more than scores plays a part in a choice: proofs, random ties, or simulations in
    /// flight, which it counts at its nodes.
    #[inline]
    pub(crate) fn has_overrides(&self) -> bool {
        self.has_overrides
    }

    #[inline]
    pub(crate) fn solves(&self) -> bool {
        self.solver
    }

    #[inline]
    pub(crate) fn ties_at_random(&self) -> bool {
        self.random_ties
    }

    /// Heap bytes of one node with these columns and `backup_state` numbers of the backup, without
    /// candidate moves, AMAF tables and advice.
    pub(crate) fn bytes_per_node(
        columns: Columns,
        backup_state: usize,
        recycle: bool,
        shared: bool,
    ) -> usize {
        let mut bytes = size_of::<Node<C, I>>() + backup_state * size_of::<f64>();
        if columns.has(Columns::PRIOR) {
            bytes += size_of::<f32>() + Candidates::<C>::BYTES_PER_NODE;
        }
        if columns.has(Columns::SQUARES) {
            bytes += size_of::<Square>();
        }
        if columns.has(Columns::KEY) {
            bytes += size_of::<u32>();
        }
        if columns.has(Columns::AMAF) {
            bytes += Tables::<I>::BYTES_PER_NODE;
        }
        if recycle {
            bytes += size_of::<I>() + Recency::<I>::BYTES_PER_SLOT;
        }
        if shared {
            bytes += size_of::<Passage>();
        }
        bytes
    }

    /// Makes room for `nodes` nodes at once, or as many as the limit allows, and for as many AMAF
    /// tables.
    pub(crate) fn reserve(
        &mut self,
        nodes: usize,
        moves_per_node: usize,
        tables: usize,
    ) -> Result<(), TryReserveError> {
        let nodes = nodes.min(self.limit());
        self.nodes.make_room_for(nodes)?;
        if self.columns.has(Columns::PRIOR) {
            self.priors.make_room_for(nodes)?;
            self.candidates.reserve(nodes, moves_per_node)?;
        }
        if self.columns.has(Columns::SQUARES) {
            self.squares.make_room_for(nodes)?;
        }
        if self.columns.has(Columns::KEY) {
            self.keys.make_room_for(nodes)?;
        }
        self.backup_states.make_room_for(nodes.saturating_mul(self.backup_state))?;
        if self.in_flight.is_some() {
            self.passages.make_room_for(nodes)?;
        }
        if let Some(amaf) = &mut self.amaf {
            amaf.reserve(nodes, tables)?;
        }
        if let Some(advice) = &mut self.advice {
            advice.reserve(nodes)?;
        }
        if let Some(recycling) = &mut self.recycling {
            recycling.parents.make_room_for(nodes)?;
            recycling.recency.reserve(nodes)?;
        }
        Ok(())
    }

    /// Empties the tree and plants a root. `mover` moved into it, `code` fills the unused field.
    pub(crate) fn plant(&mut self, mover: Player, code: C) {
        self.clear();
        self.root_mover = mover;
        self.make_room(TOP, &[]);
        let mut slots = 0..0;
        self.root = self.allocate(code, TOP, &mut slots).expect("a tree has room for its root");
        self.give_back(&mut slots);
        self.touch(self.root, TOP);
    }

    /// Empties the tree, root and all.
    pub(crate) fn clear(&mut self) {
        self.root = NodeId::NONE;
        self.nodes.clear();
        self.slots.clear();
        self.slots.pruned = 0;
        self.priors.clear();
        self.squares.clear();
        self.keys.clear();
        self.backup_states.clear();
        self.passages.clear();
        self.candidates.clear();
        if let Some(amaf) = &mut self.amaf {
            amaf.clear();
        }
        if let Some(advice) = &mut self.advice {
            advice.clear();
        }
        if let Some(recycling) = &mut self.recycling {
            recycling.parents.clear();
            recycling.recency.clear();
            recycling.recycled = 0;
        }
    }

    /// The root, planted by the first search. Before that it is no node of the tree.
    #[inline]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The player whose point of view the root's value has: the one before the player to move.
    pub fn root_mover(&self) -> Player {
        self.root_mover
    }

    /// A node.
    ///
    /// # Panics
    /// If it is not one of this tree: before the first search even [`Tree::root`] is none.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<C, I> {
        &self.nodes[id.index()]
    }

    /// The children of a node, the last expanded first.
    ///
    /// # Panics
    /// As [`Tree::node`].
    #[inline]
    pub fn children(&self, id: NodeId) -> Children<'_, C, I> {
        Children { nodes: &self.nodes, next: self.nodes[id.index()].first_child.id() }
    }

    /// The slots from the first child of a node on. If the node [is gathered](Node::is_gathered),
    /// its children come first, up to the one that [is last](Node::is_last): unlike links, places
    /// can be counted without a look at the node before.
    #[inline]
    pub(crate) fn family(&self, id: NodeId) -> impl Iterator<Item = (NodeId, &Node<C, I>)> {
        let nodes = self.nodes.as_slice();
        let mut at = nodes[id.index()].first_child.id().index();
        core::iter::from_fn(move || {
            let node = nodes.get(at)?;
            at += 1;
            Some((NodeId(at as u32 - 1), node))
        })
    }

    /// The child of a node by a move.
    #[inline]
    pub(crate) fn child(&self, id: NodeId, code: C) -> Option<NodeId> {
        self.children(id).find(|(_, child)| child.code() == code).map(|(child, _)| child)
    }

    /// The columns that the tree keeps.
    #[inline]
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The mean of the squared samples of a node, 0 without the column.
    #[inline]
    pub fn mean_square(&self, id: NodeId) -> f32 {
        self.squares.get(id.index()).map_or(0.0, |square| square.mean())
    }

    /// The key of the move into a node, 0 without the column and at the root.
    #[inline]
    pub fn key(&self, id: NodeId) -> usize {
        self.keys.get(id.index()).map_or(0, |key| key.get() as usize)
    }

    #[inline]
    pub(crate) fn set_key(&self, id: NodeId, key: usize) {
        self.keys[id.index()].set(key as u32);
    }

    /// Learns the square of the newest sample of each player, at each node of a path whose visits
    /// were just counted.
    pub(crate) fn learn_squares(&self, path: &[Step], square: impl Fn(Player) -> f32) {
        for step in path {
            let visits = self.nodes[step.node.index()].visits();
            self.squares[step.node.index()].learn(square(step.mover), visits);
        }
    }

    /// Whether a node, once it has a child, keeps it while it is there itself, and values change by
    /// the present backup alone.
    #[inline]
    pub(crate) fn only_grows(&self) -> bool {
        let one_level = self.slots.levels[SECOND].limit == 0;
        self.recycling.is_none() && !self.solver && !self.concurrent && one_level
    }

    /// The numbers that the backup keeps at a node.
    #[inline]
    pub(crate) fn backup_state(&self, id: NodeId) -> BackupState<'_> {
        BackupState(&self.backup_states[id.index() * self.backup_state..][..self.backup_state])
    }

    /// Stored nodes, the root included.
    pub fn len(&self) -> usize {
        self.slots.stored.get() as usize
    }

    /// Whether no root was planted yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Empties the tree, and its peak begins anew.
    pub(crate) fn forget(&mut self) {
        self.clear();
        self.slots.forget_peak();
    }

    /// The most nodes stored since the game began.
    pub fn peak(&self) -> usize {
        self.slots.peak() as usize
    }

    /// Whether a level can take no further node.
    #[inline]
    pub(crate) fn is_full(&self, level: usize) -> bool {
        self.slots.levels[level].is_full() && self.recycling.is_none()
    }

    /// The most nodes that may be stored.
    pub fn limit(&self) -> usize {
        self.slots.levels.iter().map(|level| level.limit).fold(0, usize::saturating_add).min(I::NODES)
    }

    /// The number of nodes recycled since the root was planted.
    pub fn recycled(&self) -> u64 {
        self.recycling.as_ref().map_or(0, |recycling| recycling.recycled)
    }

    /// The number of nodes of second levels dropped since the root was planted.
    pub fn pruned(&self) -> u64 {
        self.slots.pruned
    }

    /// The number of nodes that have an AMAF table.
    pub fn amaf_tables(&self) -> usize {
        self.amaf.as_ref().map_or(0, Tables::len)
    }

    /// The entry of a node's AMAF table for the move with this [`Keyed::key`](crate::Keyed::key);
    /// none if the node has no table.
    ///
    /// # Panics
    /// If the node is not one of this tree, or the game has no such key.
    pub fn amaf_at(&self, id: NodeId, key: usize) -> Option<Amaf> {
        let tables = self.amaf.as_ref()?;
        let table = tables.of(id)?;
        let _held = tables.hold(table);
        Some(tables.table(table, 0).read(key))
    }

    /// What an advisor said about the moves of a node and how it is heeded, if it said anything.
    #[inline]
    pub(crate) fn advice(&self, id: NodeId) -> Option<(&[i8], &Biasing)> {
        let advice = self.advice.as_ref()?;
        Some((advice.of(id)?, &advice.bias))
    }

    /// Whether to ask the advisor about a node with `visits` visits.
    #[inline]
    pub(crate) fn is_advice_due(&self, id: NodeId, visits: u32) -> bool {
        self.advice.as_ref().is_some_and(|advice| advice.is_due(id, visits))
    }

    pub(crate) fn advice_mut(&mut self) -> Option<&mut Advice> {
        self.advice.as_mut()
    }

    pub(crate) fn amaf(&self) -> Option<&Tables<I>> {
        self.amaf.as_ref()
    }

    pub(crate) fn amaf_mut(&mut self) -> Option<&mut Tables<I>> {
        self.amaf.as_mut()
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<C, I>>()
            + self.priors.capacity() * size_of::<f32>()
            + self.squares.capacity() * size_of::<Square>()
            + self.keys.capacity() * size_of::<u32>()
            + self.backup_states.capacity() * size_of::<f64>()
            + self.passages.capacity() * size_of::<Passage>()
            + self.candidates.bytes()
            + self.amaf.as_ref().map_or(0, Tables::bytes)
            + self.advice.as_ref().map_or(0, Advice::bytes)
            + self.recycling.as_ref().map_or(0, |recycling| {
                recycling.parents.capacity() * size_of::<I>() + recycling.recency.bytes()
            })
    }
}

/// An iterator over the children of a node.
#[derive(Clone, Debug)]
pub struct Children<'a, C: Code, I: Link = u32> {
    nodes: &'a [Node<C, I>],
    next: NodeId,
}

impl<'a, C: Code, I: Link> Iterator for Children<'a, C, I> {
    type Item = (NodeId, &'a Node<C, I>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // The end of the list lies outside of every pool: one comparison serves both.
        let id = self.next;
        let node = self.nodes.get(id.index())?;
        self.next = node.next_sibling.id();
        Some((id, node))
    }
}

#[cfg(test)]
mod recycling_tests;

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded() -> (Tree<u16>, Vec<NodeId>) {
        let mut tree = Tree::new(Columns::NONE, [8, 0], (0, 0));
        tree.plant(Player::SECOND, 0);
        let mut ids = Vec::from([tree.root()]);
        for (parent, m) in [(0, 1), (0, 2), (0, 3), (2, 4), (2, 5), (4, 6), (1, 7)] {
            ids.push(tree.add_child(ids[parent], m, TOP, &[]).unwrap());
        }
        (tree, ids)
    }

    #[test]
    fn a_full_pool_yields_no_node() {
        let (mut tree, ids) = expanded();
        assert_eq!((tree.len(), tree.peak()), (8, 8));
        assert!(tree.add_child(ids[3], 9, TOP, &[]).is_none());
        tree.plant(Player::SECOND, 0);
        assert_eq!((tree.len(), tree.peak()), (1, 8), "a new tree in the same pool leaves the peak");
    }

    #[test]
    fn gathered_children_keep_their_order_and_what_hangs_below() {
        for capacity in [8, 11, 12] {
            let mut tree: Tree<u16> = Tree::new(Columns::NONE, [12, 0], (0, 0));
            tree.reserve(capacity, 1, 0).unwrap();
            tree.plant(Player::SECOND, 0);
            let root = tree.root();
            let ids: Vec<_> = (1..=3).map(|m| tree.add_child(root, m, TOP, &[]).unwrap()).collect();
            for m in 4..8 {
                tree.add_child(ids[0], m, TOP, &[]).unwrap();
            }
            tree.node(root).set_complete(true);
            let first = tree.gather(root);
            assert_eq!(tree.node(root).is_gathered(), tree.nodes.capacity() >= 11);
            let children =
                |tree: &Tree<u16>, id| tree.children(id).map(|(_, n)| n.code()).collect::<Vec<_>>();
            assert_eq!(children(&tree, root), [3, 2, 1]);
            if tree.node(root).is_gathered() {
                let places: Vec<u32> = tree.children(root).map(|(id, _)| id.0).collect();
                assert_eq!(places, [first.0, first.0 + 1, first.0 + 2]);
                let family: Vec<_> =
                    tree.family(root).map(|(_, n)| (n.code(), n.is_last())).take(3).collect();
                assert_eq!(family, [(3, false), (2, false), (1, true)]);
            }
            let last = tree.children(root).last().unwrap().0;
            assert_eq!(children(&tree, last), [7, 6, 5, 4]);
            for m in 8..12 {
                assert!(tree.add_child(last, m, TOP, &[]).is_some(), "what was left behind is used again");
            }
            assert!(tree.add_child(last, 12, TOP, &[]).is_none());
            assert_eq!((tree.len(), tree.nodes.len() <= 12), (12, true));
        }
    }

    #[test]
    fn a_new_root_keeps_its_subtree_and_frees_the_rest() {
        for child in [1, 2, 3] {
            let (mut tree, ids) = expanded();
            tree.reroot(ids[child], Player::FIRST);
            let kept = [0, 2, 4, 1][child];
            assert_eq!(tree.len(), kept);
            assert_eq!(tree.root(), ids[child]);
            let mut below: Vec<u16> = tree.children(ids[child]).map(|(_, n)| n.code()).collect();
            below.sort_unstable();
            assert_eq!(below, [&[7][..], &[4, 5], &[]][child - 1]);
            for m in 0..8 - kept as u16 {
                assert!(tree.add_child(ids[child], 10 + m, TOP, &[]).is_some(), "a freed slot is used again");
            }
            assert!(tree.add_child(ids[child], 99, TOP, &[]).is_none());
        }
    }
}
