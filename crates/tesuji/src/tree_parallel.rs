//! Tree parallelisation: several threads in one tree.

mod worker;

use crate::shared_tree::SharedTree;
use crate::{
    Bot, BotError, Budget, ChildReport, Columns, FinalMove, Game, MemoryError, Observer, Options, Playout,
    Reply, Report, Rng, SearchError, Select, StopReason,
};
use core::fmt;
use core::sync::atomic::AtomicU64;
use std::format;
use std::string::{String, ToString};
use std::time::Instant;
use std::vec::Vec;
use worker::{Scratch, Work, Worker};

/// Nodes for a search without a limit of simulations or memory.
const NODES: usize = 1 << 20;
/// Most simulations, and places for nodes, that a thread takes at a time.
const BLOCK: u64 = 16;

/// A search by several threads in one tree, without locks and with virtual loss (Chaslot et al. 2008;
/// Enzenberger & Müller 2009).
///
/// Backups are means. A thread on its way counts as `virtual_visits` lost visits in each node that it
/// passes, so that the others look elsewhere. Each thread has its own playout policy; one that learns does
/// so from its own simulations. Which thread comes first is up to the machine: results are not
/// reproducible. The tree is built anew for each search. A node takes 32 bytes where a move takes at most 4.
#[derive(Debug)]
pub struct TreeParallel<G: Game, S, P> {
    select: S,
    playouts: Vec<P>,
    threads: usize,
    options: Options,
    /// Most nodes.
    limit: usize,
    /// Heap bytes of all threads beside the tree.
    scratch: usize,
    virtual_visits: u32,
    tree: SharedTree<G::Move>,
    name: String,
    seed: u64,
    searches: u64,
    nodes_peak: usize,
}

/// A search by several threads in one tree cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SharedError {
    /// This tree policy or setting does not work in a tree that threads share.
    Clash(&'static str),
    /// The memory limit is too small.
    Memory(MemoryError),
}

impl fmt::Display for SharedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SharedError::Clash(what) => {
                write!(f, "tree parallelisation does not go with {what}; root parallelisation does")
            }
            SharedError::Memory(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SharedError {}

impl<G: Game, S: Select, P: Playout<G> + Clone> TreeParallel<G, S, P> {
    /// A search by `threads` threads (at least one) of games that begin at `start`, with at least one virtual
    /// visit.
    ///
    /// # Errors
    /// If a policy needs side columns (PUCT, UCB1-tuned, MAXI) or the tree policy random choices (epsilon-greedy), if the options
    /// ask for the solver, random ties, tree reuse or `max-robust`, or if the memory limit is too small.
    pub fn new(
        start: &G,
        select: S,
        mut playout: P,
        options: Options,
        threads: usize,
        virtual_visits: u32,
        seed: u64,
    ) -> Result<Self, SharedError> {
        let clash = [
            (select.needs() != Columns::NONE, "a tree policy that keeps columns beside the nodes"),
            (playout.needs() != Columns::NONE, "a playout policy that keeps columns beside the nodes"),
            (select.random() > 0.0, "a tree policy that chooses at random"),
            (options.root != crate::RootPolicy::Plain, "a root policy"),
            (options.solver, "the solver"),
            (options.reuse, "tree reuse"),
            (options.ties != crate::Ties::First, "ties broken at random"),
            (options.final_move == FinalMove::MaxRobust, "the final move `max-robust`"),
        ];
        if let Some((_, what)) = clash.iter().find(|(clashes, _)| *clashes) {
            return Err(SharedError::Clash(what));
        }
        playout.new_game(start);
        let threads = threads.max(1);
        let scratch = threads * Scratch::new(start, &options, playout.learns()).bytes()
            + threads * playout.bytes(start);
        let node = SharedTree::<G::Move>::BYTES_PER_NODE;
        let least = scratch + 2 * node;
        if let Some(bytes) = options.memory.bytes.filter(|&bytes| bytes < least) {
            return Err(SharedError::Memory(MemoryError::TooSmall { bytes, least }));
        }
        let mut limit = options.memory.nodes.map_or(usize::MAX, |n| n.saturating_add(1));
        limit = limit.min(options.memory.bytes.map_or(usize::MAX, |bytes| (bytes - scratch) / node));
        Ok(TreeParallel {
            select,
            playouts: std::vec![playout; threads],
            threads,
            options,
            limit,
            scratch,
            virtual_visits: virtual_visits.max(1),
            tree: SharedTree::new(0),
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

    /// Makes the tree empty, and as large as the budget and the limits ask.
    fn prepare(&mut self, simulations: Option<u64>) {
        let wanted = simulations.map_or(NODES, |n| usize::try_from(n).unwrap_or(NODES).min(1 << 24) + 1);
        // A thread must find a place while others hold some that they do not use.
        let capacity = (wanted + self.threads * BLOCK as usize).min(self.limit);
        if self.tree.capacity() < capacity {
            self.tree = SharedTree::new(capacity);
        } else {
            self.tree.clear();
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
        let reported = |id| {
            let mut children: Vec<_> = tree
                .children(id)
                .filter(|(_, child)| child.visits() > 0)
                .map(|(_, child)| ChildReport {
                    m: child.m(),
                    visits: child.visits(),
                    value: child.value(),
                    prior: None,
                    proven: None,
                })
                .collect();
            children.reverse();
            children.sort_by_key(|child| core::cmp::Reverse(child.visits));
            children
        };
        let children = reported(SharedTree::<G::Move>::ROOT);
        let best = self.options.final_move.choose_reported(&children).unwrap_or_else(|| {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            moves[0]
        });
        let (mut variation, mut next) = (Vec::new(), Some(best));
        let mut id = SharedTree::<G::Move>::ROOT;
        while let Some(m) = next {
            variation.push(m);
            match tree.children(id).find(|(_, child)| child.m() == m) {
                Some((child, _)) => id = child,
                None => break,
            }
            next = FinalMove::Robust.choose_reported(&reported(id));
        }
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
        self.prepare(budget.simulations);
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
                .map(|(index, playout)| {
                    let rng = Rng::new(Rng::derive(seed, index));
                    scope.spawn(move || {
                        Worker::new(shared, game, playout, rng).work(budget, clock, claimed, &mut ())
                    })
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
    use crate::{Puct, Ucb, Uniform};

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
    fn what_does_not_go_with_it_is_refused() {
        let error = TreeParallel::new(&Nim::new(9), Puct::default(), Uniform {}, Options::default(), 2, 1, 1)
            .unwrap_err();
        assert!(error.to_string().contains("columns"));
    }
}
