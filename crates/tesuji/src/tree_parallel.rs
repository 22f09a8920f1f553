//! Tree parallelisation: several threads in one tree.

mod worker;

use crate::node::NodeId;
use crate::shared_tree::{SharedNode, SharedTree};
use crate::{
    Bias, Bot, BotError, Budget, BuildError, ChildReport, Columns, FinalMove, Game, MemoryError, Observer,
    Options, Playout, Reply, Report, Rng, RootPolicy, SearchError, Select, StopReason, Ties,
};
use core::sync::atomic::AtomicU64;
use std::collections::TryReserveError;
use std::format;
use std::string::{String, ToString};
use std::thread::Builder;
use std::time::Instant;
use std::vec::Vec;
use worker::{Scratch, Work, Worker};

/// Most nodes of a search without a limit of memory or simulations.
const NODES: usize = 1 << 20;
/// Most nodes of a search that only simulations limit.
const MOST_NODES: usize = 1 << 24;
/// Most simulations, and places for nodes, that a thread takes at a time.
const BLOCK: u64 = 16;

/// A search by several threads in one tree, without locks and with virtual loss (Chaslot et al. 2008;
/// Enzenberger & Müller 2009).
///
/// Backups are means. A thread on its way counts as `virtual_visits` lost visits in each node that it
/// passes, so that the others look elsewhere. Each thread has its own playout policy; one that learns does
/// so from its own simulations. Which thread comes first is up to the machine: results are not
/// reproducible. If the machine refuses threads, the search goes on with those that it has, one at least.
///
/// The tree is built anew for each search, in a pool that has room for the budget's simulations within the limits of
/// [`Options::memory`]: at most 2^24 nodes if there are no such limits, and all that the limits allow if the budget does not
/// count simulations, 2^20 nodes if neither is there. A node takes 32 bytes where a move takes at most 4.
#[derive(Debug)]
pub struct TreeParallel<G: Game, S, P> {
    select: S,
    playouts: Vec<P>,
    threads: usize,
    options: Options,
    /// Most nodes by the memory limits, if there are any.
    limit: Option<usize>,
    /// Heap bytes of all threads beside the tree.
    scratch: usize,
    virtual_visits: u32,
    tree: SharedTree<G::Move>,
    name: String,
    seed: u64,
    searches: u64,
    nodes_peak: usize,
}

impl<G: Game, S: Select, P: Playout<G> + Clone> TreeParallel<G, S, P> {
    /// A search by `threads` threads (at least one) of games that begin at `start`, with at least one virtual
    /// visit.
    ///
    /// # Errors
    /// If a policy needs side columns (PUCT, UCB1-tuned, GRAVE, MAXI) or the tree policy random choices (epsilon-greedy), if the
    /// options ask for a root policy, the solver, random ties, tree reuse, `max-robust`, recycling, two levels or a bias of their
    /// own, or if `memory.bytes` is too small.
    pub fn new(
        start: &G,
        select: S,
        mut playout: P,
        options: Options,
        threads: usize,
        virtual_visits: u32,
        seed: u64,
    ) -> Result<Self, BuildError> {
        let clash = [
            (select.needs() != Columns::NONE, "a tree policy that keeps columns beside the nodes"),
            (playout.needs() != Columns::NONE, "a playout policy that keeps columns beside the nodes"),
            (select.random() > 0.0, "a tree policy that chooses at random"),
            (options.root != RootPolicy::Plain, "a root policy"),
            (options.solver, "the solver"),
            (options.reuse, "tree reuse"),
            (options.ties != Ties::First, "ties broken at random"),
            (options.final_move == FinalMove::MaxRobust, "the final move `max-robust`"),
            (options.recycle, "recycling"),
            (options.two_level.lambda > 0.0, "two-level search"),
            (options.bias != Bias::default(), "a bias by advice"),
        ];
        if let Some((_, what)) = clash.iter().find(|(clashes, _)| *clashes) {
            let clash = format!("tree parallelisation does not go with {what}; root parallelisation does");
            return Err(BuildError::Clash(clash));
        }
        playout.new_game(start);
        let threads = threads.max(1);
        let scratch = threads * Scratch::new(start, &options, playout.learns()).bytes()
            + threads * playout.bytes(start);
        let node = SharedTree::<G::Move>::BYTES_PER_NODE;
        let least = scratch + 2 * node;
        if let Some(bytes) = options.memory.bytes.filter(|&bytes| bytes < least) {
            return Err(MemoryError::TooSmall { bytes, least }.into());
        }
        let by_nodes = options.memory.nodes.map(|n| n.saturating_add(1));
        let by_bytes = options.memory.bytes.map(|bytes| (bytes - scratch) / node);
        let tree = SharedTree::new(0).map_err(|_| MemoryError::Unavailable { bytes: least })?;
        Ok(TreeParallel {
            select,
            playouts: std::vec![playout; threads],
            threads,
            options,
            limit: by_nodes.into_iter().chain(by_bytes).min(),
            scratch,
            virtual_visits: virtual_visits.max(1),
            tree,
            name: String::from("search"),
            seed,
            searches: 0,
            nodes_peak: 0,
        })
    }

    /// Gives the agent a name for reports. Default: `search`.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Nodes that a search needs for so many simulations and may have.
    fn capacity(&self, simulations: Option<u64>) -> usize {
        let Some(n) = simulations else { return self.limit.unwrap_or(NODES) };
        // A thread must find a place while others hold some that they do not use.
        let idle = self.threads * BLOCK as usize;
        let wanted = usize::try_from(n).unwrap_or(usize::MAX).saturating_add(1 + idle);
        wanted.min(self.limit.unwrap_or(MOST_NODES))
    }

    /// Makes the tree empty, and as large as the budget and the limits ask.
    fn prepare(&mut self, simulations: Option<u64>) -> Result<(), TryReserveError> {
        let capacity = self.capacity(simulations);
        if self.tree.capacity() >= capacity {
            self.tree.clear();
            return Ok(());
        }
        // The smaller pool goes first: the limit has no room for both.
        self.tree = SharedTree::new(0)?;
        self.tree = SharedTree::new(capacity)?;
        Ok(())
    }

    /// The most visited line from the node of `m` on; of moves visited and valued alike, the one expanded first.
    fn variation(&self, id: NodeId, m: G::Move) -> Vec<G::Move> {
        let (mut line, mut id) = (Vec::from([m]), id);
        loop {
            let visited = self.tree.children(id).filter(|(_, child)| child.visits() > 0);
            let rank = |child: &SharedNode<G::Move>| (child.visits(), child.value());
            let best = visited.reduce(|a, b| if rank(b.1) >= rank(a.1) { b } else { a });
            let Some((next, child)) = best else { return line };
            line.push(child.m());
            id = next;
        }
    }

    fn report(
        &self,
        game: &G,
        reason: StopReason,
        simulations: u64,
        unused: usize,
        depth: usize,
        clock: Instant,
    ) -> Report<G::Move> {
        let tree = &self.tree;
        let nodes = tree.taken() - unused;
        let root = SharedTree::<G::Move>::ROOT;
        let mut children: Vec<_> = tree
            .children(root)
            .filter(|(_, child)| child.visits() > 0)
            .map(|(id, child)| ChildReport {
                m: child.m(),
                visits: child.visits(),
                value: child.value(),
                prior: None,
                proven: None,
                variation: self.variation(id, child.m()),
            })
            .collect();
        children.reverse();
        children.sort_by_key(|child| core::cmp::Reverse(child.visits));
        let best = self.options.final_move.choose_reported(&children).unwrap_or_else(|| {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            moves[0]
        });
        let variation = children.iter().find(|child| child.m == best);
        let variation = variation.map_or_else(|| Vec::from([best]), |child| child.variation.clone());
        let visits: f64 = children.iter().map(|c| f64::from(c.visits)).sum();
        let sum: f64 = children.iter().map(|c| f64::from(c.visits) * f64::from(c.value)).sum();
        Report {
            best,
            value: (sum / visits.max(1.0)) as f32,
            variation,
            children,
            reason,
            simulations,
            nodes,
            nodes_peak: self.nodes_peak.max(nodes),
            bytes: tree.bytes() + self.scratch,
            bytes_peak: tree.bytes() + self.scratch,
            depth,
            elapsed: clock.elapsed(),
            seed: self.seed,
            recipe: self.name.clone(),
        }
    }
}

impl<G, S, P> Bot<G> for TreeParallel<G, S, P>
where
    G: Game + Send + Sync,
    G::Move: Send + Sync,
    S: Select + Sync,
    P: Playout<G> + Clone + Send + Sync,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, start: &G, seed: u64) -> Result<(), BotError> {
        (self.seed, self.searches, self.nodes_peak) = (seed, 0, 0);
        self.playouts.iter_mut().for_each(|playout| playout.new_game(start));
        Ok(())
    }

    fn played(&mut self, _: G::Move, _: &G) -> Result<(), BotError> {
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &G,
        budget: &Budget,
        observer: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError> {
        if game.result().is_some() {
            return Err(BotError(SearchError::Over.to_string()));
        }
        let clock = Instant::now();
        self.prepare(budget.simulations).map_err(|error| {
            let (name, nodes) = (&self.name, self.capacity(budget.simulations));
            BotError(format!("{name}: no memory for {nodes} nodes, limit them by memory.nodes: {error}"))
        })?;
        if self.searches > 0 {
            self.playouts.iter_mut().for_each(Playout::new_move);
        }
        self.searches += 1;
        let seed = Rng::derive(self.seed, self.searches);
        let mut playouts = core::mem::take(&mut self.playouts);
        let shared = &*self;
        let claimed = AtomicU64::new(0);
        let (first, others) = playouts.split_at_mut(1);
        let results: Vec<_> = std::thread::scope(|scope| {
            let claimed = &claimed;
            let handles: Vec<_> = (1..)
                .zip(others)
                .map_while(|(index, playout)| {
                    let rng = Rng::new(Rng::derive(seed, index));
                    let work =
                        move || Worker::new(shared, game, playout, rng).work(budget, clock, claimed, &mut ());
                    Builder::new().spawn_scoped(scope, work).ok()
                })
                .collect();
            let rng = Rng::new(Rng::derive(seed, 0));
            let own = Worker::new(shared, game, &mut first[0], rng).work(budget, clock, claimed, observer);
            core::iter::once(Some(own)).chain(handles.into_iter().map(|h| h.join().ok())).collect()
        });
        self.playouts = playouts;
        let mut total = Work::default();
        for result in results {
            let work = result.ok_or_else(|| BotError(format!("{}: a search thread panicked", self.name)))?;
            total = Work {
                done: total.done + work.done,
                unused: total.unused + work.unused,
                deepest: total.deepest.max(work.deepest),
                reason: total.reason.or(work.reason),
            };
        }
        let reason = total.reason.unwrap_or(StopReason::Simulations);
        let report = self.report(game, reason, total.done, total.unused, total.deepest, clock);
        self.nodes_peak = report.nodes_peak;
        Ok(Reply::Play(report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc_game::Nim;
    use crate::{Memory, Puct, TwoLevel, Ucb, Uniform};

    #[test]
    fn threads_share_the_budget_and_leave_no_virtual_visit() {
        let game = Nim::new(14);
        for threads in [1, 2, 4] {
            let mut bot =
                TreeParallel::new(&game, Ucb::default(), Uniform {}, Options::default(), threads, 1, 1)
                    .unwrap();
            bot.new_game(&game, 1).unwrap();
            let Reply::Play(report) = bot.genmove(&game, &Budget::simulations(4000), &mut ()).unwrap() else {
                panic!("a search never resigns")
            };
            assert_eq!((report.best, report.simulations), (2, 4000));
            assert_eq!(report.children.iter().map(|c| u64::from(c.visits)).sum::<u64>(), 4000);
            assert!(report.nodes <= 4001);
        }
    }

    #[test]
    fn a_node_limit_holds() {
        let game = Nim::new(40);
        let mut options = Options::default();
        options.memory.nodes = Some(50);
        let mut bot = TreeParallel::new(&game, Ucb::default(), Uniform {}, options, 2, 1, 1).unwrap();
        let Reply::Play(report) = bot.genmove(&game, &Budget::simulations(3000), &mut ()).unwrap() else {
            panic!("a search never resigns")
        };
        assert!(report.nodes_peak <= 51);
        assert_eq!(report.simulations, 3000);
    }

    #[test]
    fn the_pool_is_as_large_as_budget_and_limits_ask() {
        let bot = |nodes, bytes| {
            let options = Options { memory: Memory { nodes, bytes }, ..Options::default() };
            TreeParallel::new(&Nim::new(9), Ucb::default(), Uniform {}, options, 2, 1, 1).unwrap()
        };
        assert_eq!(bot(None, None).capacity(None), NODES);
        assert_eq!(bot(None, None).capacity(Some(1000)), 1001 + 2 * BLOCK as usize);
        assert_eq!(bot(None, None).capacity(Some(u64::MAX)), MOST_NODES);
        assert_eq!(bot(Some(3 * NODES), None).capacity(None), 3 * NODES + 1);
        assert_eq!(bot(Some(2 * MOST_NODES), None).capacity(Some(u64::MAX)), 2 * MOST_NODES + 1);
        let (bytes, node) = (64 * NODES, SharedTree::<u8>::BYTES_PER_NODE);
        let both = bot(Some(3 * NODES), Some(bytes));
        assert_eq!(both.capacity(None), (bytes - both.scratch) / node);
    }

    #[test]
    fn a_node_that_never_expands_is_played_out() {
        let options = Options { expand_at: u32::MAX, ..Options::default() };
        let mut bot = TreeParallel::new(&Nim::new(9), Ucb::default(), Uniform {}, options, 2, 3, 1).unwrap();
        let Reply::Play(report) = bot.genmove(&Nim::new(9), &Budget::simulations(100), &mut ()).unwrap()
        else {
            panic!("a search never resigns")
        };
        assert_eq!((report.depth, report.simulations), (1, 100));
    }

    #[test]
    fn what_does_not_go_with_it_is_refused() {
        let nim = Nim::new(9);
        let puct = TreeParallel::new(&nim, Puct::default(), Uniform {}, Options::default(), 2, 1, 1);
        assert!(puct.unwrap_err().to_string().contains("columns"));
        let two_level = TwoLevel { lambda: 0.5, ..TwoLevel::default() };
        for (options, word) in [
            (Options { recycle: true, ..Options::default() }, "recycling"),
            (Options { two_level, ..Options::default() }, "two-level"),
            (Options { bias: Bias::LogDecay { c: 1.0, from: 1 }, ..Options::default() }, "bias"),
        ] {
            let error = TreeParallel::new(&nim, Ucb::default(), Uniform {}, options, 2, 1, 1).unwrap_err();
            assert!(error.to_string().contains(word), "{error}");
        }
    }
}
