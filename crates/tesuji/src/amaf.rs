//! All-moves-as-first tables: how each move did wherever it was played after a node.

mod allocation;
mod entry;
mod pool;
mod table;

pub use entry::{Amaf, AmafCounts};

use crate::archive::{Archive, ArchiveError};
use crate::atomic::{Atomic, Held, Word};
use crate::code::{Link, NodeId};
use crate::game::Played;
use crate::node::Step;
use crate::outcome::Outcome;
use crate::recency::{Queue, Recency};
use crate::reserved::Reserved;
use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::ops::Range;
pub(crate) use entry::Entry;
pub(crate) use pool::AnySample;
use pool::{Counted, each, each_with};
pub(crate) use pool::{EntryPool, Pools};
pub(crate) use table::{Table, best_of_cells, each_kind};

/// Which nodes have an AMAF table, and how exact it is.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct AmafOptions {
    /// The storage of counts.
    ///
    /// Default: `wide`.
    pub counts: AmafCounts,
    /// A node gets a table when it has this many visits; the root has one from the start. 0 gives
    /// one to every node, which is GRAVE as published. Larger values save memory, because few
    /// tables are ever read.
    ///
    /// Range: 0 or more (visits). Default: 0.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0), extend("unit" = "visits")))]
    pub min_visits: u32,
    /// The largest number of tables. If all are in use, a node that needs one gets the least
    /// recently used one. The root keeps its table, so 1 means a table for the root only. Default:
    /// no limit.
    ///
    /// Range: 1 or more (tables).
    #[cfg_attr(feature = "recipe", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "recipe", schemars(range(min = 1), extend("unit" = "tables")))]
    pub tables: Option<usize>,
}

impl Default for AmafOptions {
    /// Wide counts, a table for every node, no limit.
    fn default() -> AmafOptions {
        AmafOptions { counts: AmafCounts::Wide, min_visits: 0, tables: None }
    }
}

/// A table's number in its pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableId(NodeId);

/// The tables of a tree, in one pool.
///
/// After a simulation each node on its path that has a table learns from the moves made after it,
/// in the tree and in the playout; of several moves with one key only the first counts (Gelly &
/// Silver 2011).
#[derive(Clone, Debug)]
pub(crate) struct Tables<I: Link> {
    /// As many tables as there are heads, in use or not.
    pools: Pools,
    heads: Reserved<Head>,
    /// The table of each node.
    of_node: Reserved<Atomic<I>>,
    places: InUse,
    /// Tables without an owner come first in the queue.
    recency: Recency<I>,
    queue: Queue<I>,
    keys: usize,
    limit: usize,
    /// Whether the limit may ever be reached.
    bounded: bool,
    min_visits: u32,
    /// Whether several threads use the tables at once.
    concurrent: bool,
}

#[derive(Clone, Debug)]
struct Head {
    owner: Atomic<u32>,
    /// Simulations learned from.
    samples: Atomic<u32>,
    /// How many more fit before counts are halved; its highest bit but one is set while a thread
    /// reads or writes the table.
    room: Atomic<u32>,
}

impl Head {
    fn new(owner: NodeId, room: u32) -> Head {
        Head { owner: Atomic::new(owner.0), samples: Atomic::new(0), room: Atomic::new(room) }
    }

    fn owner(&self) -> NodeId {
        NodeId(self.owner.get())
    }
}

/// Which tables are in use, apart from what is only read.
#[derive(Clone, Debug)]
#[repr(align(128))]
struct InUse {
    /// Held by a thread that takes tables.
    taking: Atomic<u8>,
    /// The tables that were ever in use.
    used: Atomic<u32>,
}

impl<I: Link> Tables<I> {
    pub(crate) const BYTES_PER_NODE: usize = size_of::<I>();

    /// No tables yet, at most `limit`, for a game with `keys` keys of `players` players.
    pub(crate) fn new(options: &AmafOptions, limit: usize, keys: usize) -> Self {
        Tables {
            pools: Pools::new(options.counts, keys),
            heads: Reserved::default(),
            of_node: Reserved::default(),
            places: InUse { taking: Atomic::new(0), used: Atomic::new(0) },
            recency: Recency::new(),
            queue: Queue::new(),
            keys,
            limit: limit.min(I::NODES - 1),
            bounded: limit < I::NODES - 1,
            min_visits: options.min_visits,
            concurrent: false,
        }
    }

    /// Lets several threads use the tables at once, if none is ever taken from a node.
    #[must_use]
    pub(crate) fn shared(mut self, concurrent: bool) -> Self {
        self.concurrent = concurrent;
        self
    }

    /// Whether a node may lose its table to another one.
    pub(crate) fn is_bounded(&self) -> bool {
        self.bounded
    }

    /// Holds a table that several threads may use at once: nobody else reads it or writes it
    /// meanwhile.
    #[inline]
    pub(crate) fn hold(&self, table: TableId) -> Option<Held<'_, u32>> {
        self.concurrent.then(|| self.heads[table.0.index()].room.hold())
    }

    /// Heap bytes of one table.
    pub(crate) fn bytes_per_table(counts: AmafCounts, keys: usize) -> usize {
        keys * counts.bytes() + size_of::<Head>() + Recency::<I>::BYTES_PER_SLOT
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pools.bytes()
            + self.heads.capacity() * size_of::<Head>()
            + self.of_node.capacity() * size_of::<I>()
            + self.recency.bytes()
    }

    pub(crate) fn reserve(&mut self, nodes: usize, tables: usize) -> Result<(), TryReserveError> {
        let tables = tables.min(self.limit);
        self.of_node.make_room_for(nodes)?;
        self.heads.make_room_for(tables)?;
        self.recency.reserve(tables)?;
        self.pools.reserve(tables * self.keys)
    }

    pub(crate) fn clear(&mut self) {
        self.of_node.clear();
        self.heads.clear();
        self.recency.clear();
        self.queue = Queue::new();
        self.places.used.set(0);
    }

    /// Makes slots for `nodes` nodes, the new ones without tables.
    pub(crate) fn extend_nodes_to(&mut self, nodes: usize) {
        self.of_node.resize_with(nodes, || Atomic::new(I::END));
    }

    /// How many simulations the table of a node has learned from.
    #[cfg(all(test, feature = "recipe"))]
    pub(crate) fn samples(&self, node: NodeId) -> Option<u32> {
        self.of(node).map(|table| self.heads[table.0.index()].samples.get())
    }

    /// Whether no entry of a node's table has more results than its head counts.
    #[cfg(all(test, feature = "recipe"))]
    pub(crate) fn fits(&self, node: NodeId) -> bool {
        self.of(node).is_none_or(|id| {
            let samples = self.pools.most() - self.heads[id.0.index()].room.get();
            each_kind!(self.table(id, 0), entries => entries.iter().all(|entry| entry.fits(samples)))
        })
    }

    /// The tables that nodes own, the one used least recently first. `place` tells the number of a
    /// node in the file, and `node` the node of a number.
    pub(crate) fn archive(
        &mut self,
        archive: &mut Archive<'_>,
        place: impl Fn(NodeId) -> u32,
        node: impl Fn(u32) -> Option<NodeId>,
    ) -> Result<(), ArchiveError> {
        archive.expect(self.keys as u64, "keys of moves")?;
        let first = self.queue.oldest();
        let owned = core::iter::successors(first, |&table| self.recency.newer(table))
            .filter(|table| self.heads[table.index()].owner() != NodeId::NONE);
        let mut owned: Vec<u32> = owned.map(|table| table.0).collect();
        let mut count = owned.len();
        archive.size(&mut count)?;
        if archive.reads() {
            // Each has its keys, a length and a head in the file.
            let most = archive.left() / (self.keys * self.entry_bytes() + 20);
            archive.check(count <= most.min(self.limit), "AMAF tables")?;
            self.make_room(count);
            archive.check(self.heads.len() >= count, "AMAF tables")?;
            owned = (0..count as u32).collect();
            self.places.used.set(count as u32);
        }
        for table in owned {
            let id = TableId(NodeId(table));
            let head = &self.heads[table as usize];
            let mut owner = if archive.reads() { 0 } else { place(head.owner()) };
            archive.number(&mut owner)?;
            archive.atomic(&head.samples)?;
            archive.atomic(&head.room)?;
            if archive.reads() {
                let owner = node(owner).filter(|&owner| self.of(owner).is_none());
                let owner = owner.ok_or(ArchiveError::Damaged("owners of AMAF tables"))?;
                head.owner.set(owner.0);
                self.of_node[owner.index()].set(I::new(id.0));
                self.recency.append(&self.queue, id.0);
            }
            let (most, at) = (self.pools.most(), self.place(id));
            if archive.reads() {
                self.clean(id);
            }
            let room = self.heads[table as usize].room.get();
            archive.check(room <= most, "AMAF tables")?;
            each!(&mut self.pools, pool => pool.archive(at, most - room, archive))?;
        }
        Ok(())
    }

    /// Bytes of one entry.
    fn entry_bytes(&self) -> usize {
        match &self.pools {
            Pools::Wide(_) => size_of::<u64>(),
            Pools::Narrow(_) => size_of::<u32>(),
            Pools::Byte(_) => size_of::<u16>(),
        }
    }

    /// The reference below `node`: its own table if that has learned from more than `threshold`
    /// simulations, else the one that was the reference above.
    #[inline]
    pub(crate) fn reference(&self, node: NodeId, threshold: u32, above: Option<TableId>) -> Option<TableId> {
        match self.of(node) {
            Some(own) if above.is_none() || self.heads[own.0.index()].samples.get() > threshold => Some(own),
            _ => above,
        }
    }

    /// The table of a node.
    #[inline]
    pub(crate) fn of(&self, node: NodeId) -> Option<TableId> {
        self.of_node[node.index()].id().some().map(TableId)
    }

    /// Where a table begins in its pool.
    #[inline]
    fn place(&self, table: TableId) -> usize {
        table.0.index() * self.keys
    }

    /// How the tables are stored.
    #[inline(always)]
    pub(crate) fn pools(&self) -> &Pools {
        &self.pools
    }

    /// A table to read from, one of this pool, for whoever holds it.
    #[inline(always)]
    pub(crate) fn entries<'a, E: Entry>(&self, pool: &'a EntryPool<E>, table: TableId) -> &'a [E] {
        pool.table(self.place(table))
    }

    /// A table to read from, from this key on, for whoever holds it.
    #[inline(always)]
    pub(crate) fn table(&self, table: TableId, from: usize) -> Table<'_> {
        each!(&self.pools, pool => Table::from(&self.entries(pool, table)[from..]))
    }

    /// Learns from a simulation that went along `path`, from its `from`-th node on. `line` holds
    /// its moves from the root on, and `visits` tells those of a node, the simulation's included.
    /// The table `apart` gathers what was played after the `from`-th node.
    #[expect(clippy::too_many_arguments, reason = "one call")]
    pub(crate) fn learn<O: Outcome>(
        &self,
        sample: &mut AnySample,
        path: &[Step],
        from: usize,
        apart: Option<TableId>,
        visits: &dyn Fn(NodeId) -> u32,
        line: &[Played],
        outcome: &O,
    ) {
        // Where tables are few the root's comes first: it is the reference of last resort.
        let root = path[0].node;
        if self.of(root).is_none() {
            self.allocate(root, path, sample.own());
        }
        let leaf = path.len() - 1;
        each_with!(&self.pools, sample, (pool, sample) => {
            let (mut sample, own) = sample.begin(1, outcome, line.len());
            sample.count(line.get(leaf + 1..).unwrap_or(&[]));
            for (depth, step) in path.iter().enumerate().skip(from).rev() {
                if let Some(&played) = line.get(depth) {
                    sample.count_one(played);
                }
                if let Some(table) = self.table_to_teach(path, step.node, visits, own) {
                    self.add(pool, &sample, table);
                }
            }
            if let Some(apart) = apart {
                self.add(pool, &sample, apart);
            }
        });
    }

    /// Learns from the same simulation for a table that belongs to no node: it begins anew with
    /// [`Tables::begin_apart`] and gathers what was played after `path[depth]`.
    pub(crate) fn learn_apart<O: Outcome>(
        &self,
        sample: &mut AnySample,
        apart: Option<TableId>,
        depth: usize,
        line: &[Played],
        outcome: &O,
    ) {
        if let Some(apart) = apart {
            each_with!(&self.pools, sample, (pool, sample) => {
                let (mut sample, _) = sample.begin(1, outcome, line.len());
                sample.count(line.get(depth..).unwrap_or(&[]));
                self.add(pool, &sample, apart);
            });
        }
    }

    /// Hands what was learned apart, in `samples` simulations with this mean outcome, on to the
    /// nodes above `path[depth]`, as if each had learned from every one of them.
    #[expect(clippy::too_many_arguments, reason = "one call")]
    pub(crate) fn merge_apart<O: Outcome>(
        &self,
        sample: &mut AnySample,
        apart: Option<TableId>,
        path: &[Step],
        depth: usize,
        visits: &dyn Fn(NodeId) -> u32,
        line: &[Played],
        samples: u32,
        mean: &O,
    ) {
        let Some(apart) = apart else { return };
        // Counts beyond half of what fits are taken for that half.
        let half = self.pools.most().div_ceil(2);
        each_with!(&self.pools, sample, (pool, sample) => {
            let (mut sample, own) = sample.begin(samples.min(half), mean, line.len());
            for above in (0..depth).rev() {
                // What is played on the way down comes first in every one of these simulations.
                sample.count(line.get(above..=above).unwrap_or(&[]));
                let Some(table) = self.table_to_teach(path, path[above].node, visits, own) else { continue };
                let _held = self.hold(table);
                self.take_room(pool, table, samples.min(half));
                let (to, from) = (self.place(table), self.place(apart));
                pool.merge(to, from, &sample, |more| if samples > half { more.halved() } else { more });
            }
        });
    }

    /// The table of a node of the path, used from now on most recently; a node with visits enough
    /// is given one, if there is one to be had.
    #[inline(always)]
    fn table_to_teach(
        &self,
        path: &[Step],
        node: NodeId,
        visits: &dyn Fn(NodeId) -> u32,
        own: &mut Range<u32>,
    ) -> Option<TableId> {
        let table = match self.of(node) {
            Some(table) => table,
            None if visits(node) >= self.min_visits => self.allocate(node, path, own)?,
            None => return None,
        };
        if self.bounded {
            self.recency.touch(&self.queue, table.0);
        }
        Some(table)
    }

    /// Adds a sample, one simulation, to a table.
    #[inline(always)]
    fn add<E: Entry>(&self, pool: &EntryPool<E>, sample: &Counted<'_, E>, table: TableId) {
        let _held = self.hold(table);
        self.take_room(pool, table, 1);
        pool.learn(self.place(table), sample);
    }

    /// Counts `samples` more of them in a table that is held, and halves all counts before one
    /// could overflow.
    #[inline(always)]
    fn take_room<E: Entry>(&self, pool: &EntryPool<E>, table: TableId, samples: u32) {
        let head = &self.heads[table.0.index()];
        head.samples.set(head.samples.get().saturating_add(samples));
        if head.room.get() & !u32::HELD < samples {
            self.halve(pool, table, samples);
        }
        // Whether the table is held stays as it is.
        head.room.set(head.room.get() - samples);
    }

    /// Halves all counts of a table until there is room for `samples` more.
    #[cold]
    fn halve<E: Entry>(&self, pool: &EntryPool<E>, table: TableId, samples: u32) {
        let room = &self.heads[table.0.index()].room;
        while room.get() & !u32::HELD < samples {
            pool.halve(self.place(table));
            room.set(room.get() + (E::MOST - (room.get() & !u32::HELD)) / 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Player, Value};

    /// Black plays x, White y, and so on; Black wins.
    const GAME: &str = "Bx Wy Bz Wx By Wz Bz";

    fn key(word: &str) -> usize {
        "BxByBzWxWyWz".find(word).unwrap() / 2
    }

    #[test]
    fn a_node_learns_from_the_first_of_each_move_after_it() {
        let mut tables = Tables::<u32>::new(&AmafOptions::default(), 3, 6);
        let mut sample = AnySample::new(AmafCounts::Wide, 6, 2, 20);
        tables.extend_nodes_to(3);
        tables.make_room(3);
        let path = [0, 1, 2].map(|i| Step { node: NodeId(i), mover: Player::FIRST });
        let player = |word: &str| if word.starts_with('B') { Player::FIRST } else { Player::SECOND };
        let line: Vec<Played> = GAME.split(' ').map(|word| Played::new(player(word), key(word))).collect();
        tables.learn(&mut sample, &path, 0, None, &|_| 1, &line, &Value::win(Player::FIRST));
        for (node, moves) in [(0, "Bx Wy Bz Wx By Wz"), (1, "Wy Bz Wx By Wz"), (2, "Bz Wx By Wz")] {
            let table = tables.table(tables.of(NodeId(node)).unwrap(), 0);
            let mut expected = [Amaf::default(); 6];
            for word in moves.split(' ') {
                let sum = if word.starts_with('B') { 1.0 } else { 0.0 };
                expected[key(word)] = Amaf { count: 1, sum };
            }
            assert_eq!(core::array::from_fn(|key| table.read(key)), expected, "node {node}");
        }
    }

    #[test]
    fn the_root_has_a_table_first_and_free_tables_are_used_again() {
        let options = AmafOptions { tables: Some(1), ..AmafOptions::default() };
        for limit in [1, 1000] {
            let mut tables = Tables::<u32>::new(&options, limit, 2);
            let mut sample = AnySample::new(AmafCounts::Wide, 2, 2, 0);
            tables.extend_nodes_to(4);
            tables.make_room(4);
            for leaf in [1, 2, 3, 1, 2, 3] {
                let path = [0, leaf].map(|i| Step { node: NodeId(i), mover: Player::FIRST });
                tables.learn(&mut sample, &path, 0, None, &|_| 1, &[], &Value::DRAW);
                assert!(tables.of(NodeId(0)).is_some());
                if leaf == 3 {
                    (1..4).for_each(|node| tables.release(NodeId(node)));
                    assert_eq!(tables.len(), 1);
                }
            }
            assert_eq!(tables.places.used.get() as usize, limit.min(4));
        }
    }
}
