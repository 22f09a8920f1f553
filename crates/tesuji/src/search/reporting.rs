//! Running a search, and what it says.

use super::Search;
use super::clock::Clock;
use super::common::Core;
use super::limits::Limits;
use super::simulation::{Simulation, Worker};
use crate::backup::Backup;
use crate::bot::{Bot, BotError, Observer, Reply};
use crate::budget::Budget;
use crate::code::{Link, NodeId};
use crate::columns::Columns;
use crate::final_move::FinalMove;
use crate::game::{CodeOf, SearchGame};
use crate::outcome::Outcome;
use crate::playout::Playout;
use crate::report::{ChildReport, Report, StopReason, sort_by_visits};
use crate::saved::{SavedTreeError, TreeLabel};
use crate::select::Select;
use crate::tree::Tree;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A position cannot be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchError {
    /// The game is over.
    Over,
    /// The budget has a time limit, but this build has no clock (feature `std`).
    NoClock,
    /// The position has another number of [keys](crate::Keyed::keys) than the game of this search,
    /// whose tables have an entry for each key.
    Keys {
        /// Keys of the game.
        game: usize,
        /// Keys of the position.
        position: usize,
    },
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Over => f.write_str("the game is over: there is no move to search for"),
            SearchError::NoClock => {
                f.write_str("a time limit needs the feature `std`; give a number of simulations")
            }
            SearchError::Keys { game, position } => write!(
                f,
                "the position has {position} keys of moves, but the search is of a game with {game}; accepted: a position of that game"
            ),
        }
    }
}

impl core::error::Error for SearchError {}

/// The decision of a search, without the lists of a [`Report`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice<M> {
    /// The move to play.
    pub best: M,
    /// The root's value in [0, 1] for the player to move.
    pub value: f32,
    /// Why the search ended.
    pub reason: StopReason,
    /// Simulations made.
    pub simulations: u64,
}

impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    /// Searches as [`Search::run`] does and returns the decision alone. With
    /// [`Memory::bytes`](crate::Memory) this allocates nothing, unless a position has more moves
    /// than there is room for: [`Game::most_moves`](crate::Game::most_moves) or, if the game does
    /// not say, as many as it has [keys](crate::Keyed::keys) or, without keys, four times those of
    /// the first position. Not included are allocations inside the game's own positions, and the
    /// list of each batch of positions that are evaluated together.
    ///
    /// # Errors
    /// As [`Search::run`].
    pub fn choose(&mut self, game: &G, budget: &Budget) -> Result<Choice<G::Move>, SearchError> {
        let (reason, _) = self.spend(game, budget, &mut ())?;
        Ok(self.decision(reason))
    }

    /// What it decides, having ended for this reason.
    pub(super) fn decision(&mut self, reason: StopReason) -> Choice<G::Move> {
        let core = &self.core;
        let best = core.best().map(|id| core.root.decode(core.tree.node(id).code()));
        Choice {
            best: best.unwrap_or_else(|| core.any_move(&mut self.worker.simulation)),
            value: core.value_of_root(),
            reason,
            simulations: core.told,
        }
    }

    /// Searches `game` until the budget is spent; at least one simulation is made, unless the tree
    /// that was kept has proven the result.
    ///
    /// # Errors
    /// If the game is over, the budget asks for a clock that this build lacks, or the position has
    /// another number of [keys](crate::Keyed::keys) than that of the game so far.
    pub fn run(&mut self, game: &G, budget: &Budget) -> Result<Report<G::Move>, SearchError> {
        self.run_observed(game, budget, &mut ())
    }

    /// [`Search::run`] under the eyes of an observer.
    ///
    /// # Errors
    /// As [`Search::run`].
    pub fn run_observed(
        &mut self,
        game: &G,
        budget: &Budget,
        observer: &mut dyn Observer<G::Move>,
    ) -> Result<Report<G::Move>, SearchError> {
        let (reason, clock) = self.spend(game, budget, observer)?;
        Ok(self.account(reason, clock))
    }

    /// What it reports, having begun then and ended for this reason.
    pub(super) fn account(&mut self, reason: StopReason, clock: Clock) -> Report<G::Move> {
        let about = About { name: &self.name, seed: self.seed, clock, bytes: self.bytes_beside_tree() };
        let told = self.core.told;
        let mut report = self.core.report(&mut self.worker.simulation, &about, told, reason);
        self.nodes_peak = self.nodes_peak.max(report.nodes_peak);
        self.bytes_peak = self.bytes_peak.max(report.bytes_peak);
        (report.nodes_peak, report.bytes_peak) = (self.nodes_peak, self.bytes_peak);
        report.depth = self
            .workers()
            .flat_map(Worker::simulations)
            .map(|simulation| simulation.deepest)
            .max()
            .unwrap_or(0);
        report
    }

    /// Makes ready for a search, whose root may still have to be evaluated.
    pub(super) fn set_out(&mut self, game: &G, budget: &Budget) -> Result<Limits, SearchError> {
        if game.result().is_some() {
            return Err(SearchError::Over);
        }
        if budget.time.is_some() && !cfg!(feature = "std") {
            return Err(SearchError::NoClock);
        }
        let (keys, position) = (self.core.root.keys(), game.keys());
        if keys != position {
            return Err(SearchError::Keys { game: keys, position });
        }
        if self.resumes {
            // The tree may go on: no simulation is to be left on its way.
            self.take_answers();
        }
        self.flight = None;
        let clock = Clock::start();
        self.prepare(game, budget.simulations);
        let more = budget.simulations.unwrap_or(u64::MAX).max(1);
        let target = self.core.told.saturating_add(more);
        let (step, most) = ((more / 20).max(1), target.saturating_add(more / 2));
        Ok(Limits { budget: budget.clone(), clock, target, most, step })
    }

    /// Searches until the budget is spent; tells why it ended, and when it began.
    fn spend(
        &mut self,
        game: &G,
        budget: &Budget,
        observer: &mut dyn Observer<G::Move>,
    ) -> Result<(StopReason, Clock), SearchError> {
        let mut limits = self.set_out(game, budget)?;
        let Worker { simulation, playout, .. } = &mut self.worker;
        if simulation.waits {
            simulation.prime(playout, true);
            self.open_root(budget.simulations);
        }
        loop {
            let reason = (self.drive)(self, &limits, observer);
            if reason != StopReason::Simulations || !limits.extend(|| self.core.is_undecided()) {
                return Ok((reason, limits.clock));
            }
        }
    }
}

/// What a report says of the agent.
pub(super) struct About<'a> {
    pub(super) name: &'a str,
    pub(super) seed: u64,
    pub(super) clock: Clock,
    /// Heap bytes beside the tree.
    pub(super) bytes: usize,
}

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// Whether the root is proven.
    pub(super) fn is_proven(&self) -> bool {
        self.tree.node(self.tree.root()).proven().is_some()
    }

    /// Whether the rule for the move to play asks for more simulations.
    pub(super) fn is_undecided(&self) -> bool {
        self.halving.is_none() && self.options.final_move.is_undecided(&self.tree)
    }

    /// The child of the root to play.
    fn best(&self) -> Option<NodeId> {
        match self.best_by_halving() {
            None => self.options.final_move.choose(&self.tree, self.tree.root()),
            best => best,
        }
    }

    /// The root's value for the player to move.
    fn value_of_root(&self) -> f32 {
        let root = self.tree.root();
        let node = self.tree.node(root);
        let of_opponent = G::Outcome::PLAYERS == 2 && self.tree.root_mover() != self.root.to_move();
        if of_opponent && node.visits() > 0 { 1.0 - node.value() } else { self.tree.mean_of_children(root) }
    }

    /// The report of the search as it is now, after `simulations` simulations; `simulation` is
    /// scratch space.
    pub(super) fn report(
        &self,
        simulation: &mut Simulation<G>,
        about: &About<'_>,
        simulations: u64,
        reason: StopReason,
    ) -> Report<G::Move> {
        let (tree, root, scratch) = (&self.tree, &self.root, &mut simulation.game);
        let mut children: Vec<_> = tree
            .children(tree.root())
            .filter(|(_, child)| child.visits() > 0)
            .map(|(id, child)| ChildReport {
                m: root.decode(child.code()),
                visits: child.visits(),
                value: child.value(),
                prior: tree.columns().has(Columns::PRIOR).then(|| tree.prior(id)),
                proven: child.proven(),
                variation: variation(tree, root, scratch, id),
            })
            .collect();
        children.reverse();
        sort_by_visits(&mut children);
        let variation = self.best().map_or_else(Vec::new, |id| variation(tree, root, scratch, id));
        let best = variation.first().copied().unwrap_or_else(|| self.any_move(simulation));
        let bytes = tree.bytes() + about.bytes;
        Report {
            best,
            value: self.value_of_root(),
            variation,
            children,
            reason,
            simulations,
            nodes: tree.len(),
            nodes_peak: tree.peak(),
            bytes,
            bytes_peak: bytes,
            depth: simulation.deepest,
            elapsed: about.clock.elapsed(),
            seed: about.seed,
            recipe: about.name.to_string(),
        }
    }

    /// The first legal move at the root, for a tree that has room for nothing else.
    fn any_move(&self, simulation: &mut Simulation<G>) -> G::Move {
        simulation.moves.clear();
        self.root.moves(&mut simulation.moves);
        simulation.moves[0]
    }
}

/// The most visited line from a child of the root on; `scratch` is any position.
fn variation<G: SearchGame, I: Link>(
    tree: &Tree<CodeOf<G>, I>,
    root: &G,
    scratch: &mut G,
    child: NodeId,
) -> Vec<G::Move> {
    let (mut line, mut next) = (Vec::new(), Some(child));
    scratch.clone_from(root);
    while let Some(id) = next {
        let m = scratch.decode(tree.node(id).code());
        line.push(m);
        scratch.play(m);
        next = FinalMove::Robust.choose(tree, id);
    }
    line
}

impl<G, S, B, P, I> Bot<G> for Search<G, S, B, P, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    fn name(&self) -> String {
        self.name.to_string()
    }

    fn new_game(&mut self, start: &G, seed: u64) -> Result<(), BotError> {
        let (here, there) = (self.core.root.keys(), start.keys());
        if here != there && self.is_for_its_keys() {
            return Err(BotError(alloc::format!(
                "the agent was made for a game with {here} keys of moves, this one has {there}; its tables, or its limit in bytes, are for the former"
            )));
        }
        self.start_game(start, seed);
        Ok(())
    }

    fn played(&mut self, m: G::Move, _: &G) -> Result<(), BotError> {
        self.follow(m);
        Ok(())
    }

    fn save_tree(&mut self, label: &TreeLabel) -> Result<Vec<u8>, SavedTreeError> {
        Search::save_tree(self, label)
    }

    fn open_tree(&mut self, game: &G, label: &TreeLabel, bytes: &[u8]) -> Result<(), SavedTreeError> {
        Search::open_tree(self, game, label, bytes)
    }

    fn genmove(
        &mut self,
        game: &G,
        budget: &Budget,
        observer: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError> {
        match self.run_observed(game, budget, observer) {
            Ok(report) => Ok(Reply::Play(report)),
            Err(error) => Err(BotError(error.to_string())),
        }
    }
}
