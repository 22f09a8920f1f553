//! Which tables are in use, and which node owns each.

use super::pool::{Pools, each};
use super::{AnySample, Head, TableId, Tables};
use crate::atomic::Word;
use crate::code::{Link, NodeId};
use crate::node::Step;
use core::ops::Range;

/// Tables that are made at once, so that the next ones are near.
const FEW: usize = 256;
/// The most tables that a thread takes for itself at once, so that threads seldom write what counts
/// them.
const OWN: usize = 64;
/// The owner of a table that a thread has taken and not used yet.
const TAKEN: NodeId = NodeId(NodeId::NONE.0 - 1);
/// [`FEW`] where other threads wait meanwhile.
const MANY: usize = if cfg!(test) { 4 } else { 8192 };

impl<I: Link> Tables<I> {
    /// Whether there is room for `tables` more, or none will be made.
    #[inline]
    pub(crate) fn has_room(&self, tables: usize) -> bool {
        self.places.used.get() as usize + tables <= self.heads.len() || self.heads.len() >= self.limit
    }

    /// Whether each node of the path has a table or finds room for one.
    #[inline]
    pub(crate) fn has_room_for(&self, path: &[Step]) -> bool {
        self.has_room(path.len()) || self.has_room(self.wanted(path))
    }

    /// Makes room for a table of each node of the path that has none.
    #[inline]
    pub(crate) fn make_room_for(&mut self, path: &[Step]) {
        if !self.has_room_for(path) {
            self.make_room(self.wanted(path));
        }
    }

    /// The number of tables that the nodes of the path want: all in a concurrent tree, because
    /// other threads take some meanwhile.
    #[inline(never)]
    fn wanted(&self, path: &[Step]) -> usize {
        path.iter().filter(|step| self.concurrent || self.of(step.node).is_none()).count()
    }

    /// Makes more tables, as far as the limit allows. Beyond what is reserved they take memory.
    #[inline(never)]
    pub(crate) fn make_room(&mut self, tables: usize) {
        let len = self.heads.len();
        let more = if self.concurrent { MANY.max(len / 2) } else { FEW };
        let reserved = self.heads.capacity();
        let least = self.places.used.get() as usize + tables;
        let most = if reserved >= least { self.limit.min(reserved) } else { self.limit };
        let len = (len + more).max(least).min(most);
        let room = self.pools.most();
        self.heads.resize_with(len, || Head::new(NodeId::NONE, room));
        self.recency.extend_to(len);
        self.pools.extend_to(len);
    }

    /// How many tables nodes own.
    pub(crate) fn len(&self) -> usize {
        self.heads.iter().filter(|head| ![NodeId::NONE, TAKEN].contains(&head.owner())).count()
    }

    /// How many tables threads have taken and not used yet.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> usize {
        self.heads.iter().filter(|head| head.owner() == TAKEN).count()
    }

    /// A node leaves the tree; its table, if it has one, is free.
    pub(crate) fn release(&mut self, node: NodeId) {
        if let Some(table) = self.of(node) {
            self.of_node[node.index()].set(I::END);
            self.heads[table.0.index()].owner.set(NodeId::NONE.0);
            self.recency.remove(&self.queue, table.0);
            self.recency.prepend(&self.queue, table.0);
        }
    }

    /// A table for a node on the path: a free one, a new one, or the one used least recently by a
    /// node that is not on the path. In a concurrent tree it is one of the thread's own tables.
    #[inline(never)]
    pub(super) fn allocate(&self, node: NodeId, path: &[Step], own: &mut Range<u32>) -> Option<TableId> {
        if self.concurrent {
            return self.allocate_beside(node, own);
        }
        let mut oldest = self.queue.oldest();
        if !oldest.is_some_and(|table| self.is_free(table))
            && let Some(table) = self.push_table(node)
        {
            self.clean(table);
            self.recency.append(&self.queue, table.0);
            self.of_node[node.index()].link(I::new(table.0));
            return Some(table);
        }
        while let Some(table) = oldest {
            let owner = self.heads[table.index()].owner();
            if path.iter().all(|step| step.node != owner) {
                if owner != NodeId::NONE {
                    self.of_node[owner.index()].set(I::END);
                }
                self.wipe(TableId(table), node);
                self.recency.touch(&self.queue, table);
                self.of_node[node.index()].link(I::new(table));
                return Some(TableId(table));
            }
            oldest = self.recency.newer(table);
        }
        None
    }

    /// A table for a node, unless another thread has given it one.
    fn allocate_beside(&self, node: NodeId, own: &mut Range<u32>) -> Option<TableId> {
        if Range::is_empty(own) {
            *own = self.take_tables()?;
        }
        let table = NodeId(own.start);
        self.clean(TableId(table));
        self.heads[table.index()].owner.set(node.0);
        let there = self.of_node[node.index()].swap(I::END, I::new(table)).id().some();
        if there.is_some() {
            self.heads[table.index()].owner.set(TAKEN.0);
        } else {
            own.start += 1;
        }
        Some(TableId(there.unwrap_or(table)))
    }

    /// Takes a table that is free, or some new ones, for one thread.
    fn take_tables(&self) -> Option<Range<u32>> {
        let _held = self.places.taking.hold();
        let first = match self.queue.oldest().filter(|&table| self.is_free(table)) {
            Some(table) => {
                self.wipe(TableId(table), TAKEN);
                self.recency.touch(&self.queue, table);
                return Some(table.0..table.0 + 1);
            }
            None => self.push_table(TAKEN)?.0,
        };
        self.recency.append(&self.queue, first);
        let room = self.heads.len() - self.places.used.get() as usize;
        for _ in 0..(room / 8).min(OWN) {
            self.recency.append(&self.queue, self.push_table(TAKEN)?.0);
        }
        Some(first.0..self.places.used.get())
    }

    /// Empties a table of [`Tables::learn_apart`], or makes one if there is room.
    pub(crate) fn begin_apart(&mut self, apart: Option<TableId>) -> Option<TableId> {
        let Some(table) = apart else {
            if !self.has_room(1) {
                self.make_room(1);
            }
            return self.push_table(NodeId::NONE).inspect(|&table| self.clean(table));
        };
        self.empty_apart(table);
        apart
    }

    /// Empties a table of [`Tables::begin_apart`].
    pub(crate) fn empty_apart(&self, apart: TableId) {
        self.wipe(apart, NodeId::NONE);
    }

    /// Gives the tables of a thread back that it did not use.
    pub(crate) fn give_back(&self, sample: &mut AnySample) {
        let _held = self.concurrent.then(|| self.places.taking.hold());
        for table in sample.own() {
            self.heads[table as usize].owner.set(NodeId::NONE.0);
            self.recency.remove(&self.queue, NodeId(table));
            self.recency.prepend(&self.queue, NodeId(table));
        }
    }

    /// Whether no node owns a table, and no thread.
    fn is_free(&self, table: NodeId) -> bool {
        self.heads[table.index()].owner() == NodeId::NONE
    }

    /// A new table, in no queue, or none if there is no room.
    fn push_table(&self, owner: NodeId) -> Option<TableId> {
        let table = self.places.used.get();
        let head = self.heads.get(table as usize)?;
        self.places.used.set(table + 1);
        head.owner.set(owner.0);
        Some(TableId(NodeId(table)))
    }

    /// Wipes a table that has been taken for the first time since the tree was planted.
    #[inline]
    pub(super) fn clean(&self, table: TableId) {
        let at = self.place(table);
        each!(&self.pools, pool => pool.wipe(at));
    }

    /// Empties a table and gives it to another node.
    fn wipe(&self, table: TableId, owner: NodeId) {
        let _held = self.hold(table);
        let (head, at) = (&self.heads[table.0.index()], self.place(table));
        each!(&self.pools, pool => pool.wipe(at));
        head.owner.set(owner.0);
        head.samples.set(0);
        head.room.set(self.pools.most() | head.room.get() & u32::HELD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AmafCounts, AmafOptions, Player};

    #[test]
    fn a_path_longer_than_what_is_reserved_takes_no_memory_for_tables_that_are_there() {
        for concurrent in [false, true] {
            let mut tables = Tables::<u32>::new(&AmafOptions::default(), 1000, 4).shared(concurrent);
            let nodes = 600;
            tables.extend_nodes_to(nodes);
            tables.reserve(nodes, nodes).unwrap();
            let path: Vec<Step> =
                (0..nodes as u32).map(|node| Step { node: NodeId(node), mover: Player::FIRST }).collect();
            let mut sample = AnySample::new(AmafCounts::Wide, 4, 2, 0);
            for step in &path {
                let path = &path[..=step.node.index()];
                tables.make_room_for(path);
                assert!(tables.has_room_for(path));
                assert!(tables.allocate(step.node, path, sample.own()).is_some());
            }
            let reserved = tables.heads.capacity() == nodes;
            assert_eq!(reserved, !concurrent, "other threads may take tables meanwhile");
            assert_eq!(tables.len(), nodes);
        }
    }

    #[test]
    fn of_two_threads_at_one_node_the_second_uses_the_table_of_the_first() {
        let mut tables = Tables::<u32>::new(&AmafOptions::default(), 1000, 4).shared(true);
        tables.extend_nodes_to(2);
        tables.make_room(2);
        let [mut one, mut other] = [(); 2].map(|()| AnySample::new(AmafCounts::Wide, 4, 2, 0));
        let first = tables.allocate(NodeId(1), &[], one.own());
        assert!(first.is_some());
        assert_eq!(tables.allocate(NodeId(1), &[], other.own()), first);
        assert_eq!((tables.of(NodeId(1)), tables.len()), (first, 1));
        let own = other.own().clone();
        let next = tables.allocate(NodeId(0), &[], other.own());
        assert_eq!(next, Some(TableId(NodeId(own.start))), "what was not used is used next");
        [one, other].iter_mut().for_each(|sample| tables.give_back(sample));
        assert_eq!((tables.taken(), tables.len()), (0, 2));
    }
}
