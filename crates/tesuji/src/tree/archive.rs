//! A whole tree on its way into a file or out of it.

use super::{TOP, Tree};
use crate::archive::{Archive, ArchiveError};
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;
use crate::game::SearchGame;
use crate::player::Player;
use crate::recency::Queue;
use alloc::vec::Vec;

/// The fewest bytes of a node: the number of its children, its move, visits, value and marks.
const NODE: usize = 4 + 4 + 4 + 5 + 1;

impl<C: Code, I: Link> Tree<C, I> {
    /// Each node before those below it, generation by generation: the children of a node are side
    /// by side, in their order, so that the number of its children says which they are. A tree that
    /// is read has its nodes in this order, too.
    pub(crate) fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        let mut order = if archive.reads() { Vec::new() } else { self.generations() };
        let mut nodes = order.len();
        archive.size(&mut nodes)?;
        let mut mover = self.root_mover.index() as u8;
        archive.number(&mut mover)?;
        if archive.reads() {
            archive.check(nodes > 0 && nodes <= archive.left() / NODE, "numbers of nodes")?;
            self.plant(Player::new(mover.into()), C::new(0));
            if !self.occupy(nodes) {
                return Err(ArchiveError::Unable(
                    "the tree has more nodes than there is memory for; accepted: a recipe with more memory",
                ));
            }
            order = (0..nodes as u32).map(NodeId).collect();
        }
        let mut next = 1;
        for &id in &order {
            next = self.archive_node(id, next, nodes, archive)?;
        }
        archive.check(next == nodes, "numbers of children")?;
        self.archive_recency(&order, archive)?;
        if let Some(amaf) = &mut self.amaf {
            let mut place = alloc::vec![0; self.nodes.len()];
            (0..).zip(&order).for_each(|(number, id)| place[id.index()] = number);
            amaf.archive(archive, |id| place[id.index()], |number| order.get(number as usize).copied())?;
        }
        archive.atomic(self.slots.note_peak())?;
        let mut recycled = self.recycled();
        archive.count(&mut recycled)?;
        if let Some(recycling) = &mut self.recycling {
            recycling.recycled = recycled;
        }
        Ok(())
    }

    /// All nodes, generation by generation.
    fn generations(&self) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.len());
        order.push(self.root);
        let mut at = 0;
        while let Some(&id) = order.get(at) {
            order.extend(self.children(id).map(|(child, _)| child));
            at += 1;
        }
        order
    }

    /// A node with what is kept beside it. Its children come `next`; returns what comes after them.
    fn archive_node(
        &mut self,
        id: NodeId,
        next: usize,
        nodes: usize,
        archive: &mut Archive<'_>,
    ) -> Result<usize, ArchiveError> {
        let mut children = self.children(id).count() as u32;
        archive.number(&mut children)?;
        let end = next.saturating_add(children as usize);
        archive.check(end <= nodes, "numbers of children")?;
        // Children come after their parent.
        archive.check(children == 0 || next > id.index() || !archive.reads(), "numbers of children")?;
        if archive.reads() && children > 0 {
            let link = |at: usize| I::new(NodeId(at as u32));
            self.nodes[id.index()].first_child.link(link(next));
            (next..end - 1).for_each(|at| self.nodes[at].next_sibling.link(link(at + 1)));
            if let Some(recycling) = &self.recycling {
                (next..end).for_each(|at| recycling.parents[at].set(I::new(id)));
            }
        }
        self.nodes[id.index()].archive(archive)?;
        if archive.reads() {
            self.mark_gathered(id, children as usize);
        }
        if self.columns.has(Columns::PRIOR) {
            archive.number(&mut self.priors[id.index()])?;
            self.candidates.archive(id, archive)?;
        }
        if self.columns.has(Columns::SQUARES) {
            self.squares[id.index()].archive(archive)?;
        }
        for backup_state in &self.backup_states[id.index() * self.backup_state..][..self.backup_state] {
            let mut number = backup_state.get();
            archive.number(&mut number)?;
            backup_state.set(number);
        }
        if let Some(advice) = &mut self.advice {
            advice.archive(id, archive)?;
        }
        Ok(end)
    }

    /// The nodes in the order in which they were used, where nodes are recycled.
    fn archive_recency(&mut self, order: &[NodeId], archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        let Some(recycling) = &self.recycling else { return Ok(()) };
        let mut place = alloc::vec![0; self.nodes.len()];
        (0u32..).zip(order).for_each(|(number, id)| place[id.index()] = number);
        if !archive.reads() {
            let oldest = self.slots.levels[TOP].queue.oldest();
            let queue = core::iter::successors(oldest, |&id| recycling.recency.newer(id));
            let mut queue: Vec<u32> = queue.map(|id| place[id.index()]).collect();
            return archive.numbers(&mut queue);
        }
        let mut queue = alloc::vec![0; order.len()];
        archive.numbers(&mut queue)?;
        let mut seen = alloc::vec![false; order.len()];
        self.slots.levels[TOP].queue = Queue::new();
        for number in queue {
            let id = *order.get(number as usize).ok_or(ArchiveError::Damaged("orders of use"))?;
            // A node is older than its parent, so that the oldest is a leaf.
            let parent = recycling.parents[id.index()].get().id().some();
            let fits = !seen[id.index()] && parent.is_none_or(|parent| !seen[parent.index()]);
            archive.check(fits, "orders of use")?;
            seen[id.index()] = true;
            recycling.recency.append(&self.slots.levels[TOP].queue, id);
        }
        Ok(())
    }

    /// Makes sure that every move in the tree can be played, from this position at the root on, and
    /// gives nodes the keys of their moves.
    pub(crate) fn check_moves<G>(&self, root: &G) -> Result<(), ArchiveError>
    where
        G: SearchGame<Move: crate::code::Move<Code = C>>,
    {
        let legal = |holds: bool| if holds { Ok(()) } else { Err(ArchiveError::Damaged("moves")) };
        let mut positions: Vec<G> = Vec::new();
        let (mut moves, mut codes) = (Vec::new(), Vec::new());
        let mut pending = Vec::from([(self.root, 0)]);
        while let Some((id, depth)) = pending.pop() {
            let node = self.node(id);
            positions.truncate(depth);
            let position = match positions.last() {
                None => root.clone(),
                Some(above) => {
                    let mut position = above.clone();
                    position.play(above.decode(node.code()));
                    position
                }
            };
            let candidates = if self.columns.has(Columns::PRIOR) { self.candidates.all(id) } else { &[] };
            if position.result().is_some() {
                legal(node.is_terminal() && node.is_leaf() && candidates.is_empty())?;
            } else if !node.is_leaf() || !candidates.is_empty() {
                moves.clear();
                position.moves(&mut moves);
                codes.clear();
                codes.extend(moves.iter().map(|&m| (position.code(m).index(), false)));
                codes.sort_unstable();
                let find = |codes: &[(usize, bool)], code: C| {
                    codes.binary_search_by_key(&code.index(), |&(code, _)| code).ok()
                };
                for candidate in candidates {
                    legal(find(&codes, candidate.code).is_some())?;
                }
                for (child, node) in self.children(id) {
                    let place = find(&codes, node.code()).ok_or(ArchiveError::Damaged("moves"))?;
                    legal(!core::mem::replace(&mut codes[place].1, true))?;
                    if self.columns.has(Columns::KEY) {
                        self.set_key(child, position.first_key() + node.code().index());
                    }
                    pending.push((child, depth + 1));
                }
            }
            positions.push(position);
        }
        Ok(())
    }
}
