//! Running a search, and what it says.

use super::*;
use crate::{ChildReport, FinalMove};
use core::fmt;

/// A position cannot be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchError {
    /// The game is over.
    Over,
    /// The budget has a time limit, but this build has no clock (feature `std`).
    NoClock,
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SearchError::Over => "the game is over: there is no move to search for",
            SearchError::NoClock => "a time limit needs the feature `std`; give a number of simulations",
        })
    }
}

impl core::error::Error for SearchError {}

impl<G, S, B, P> Search<G, S, B, P>
where
    G: Game,
    S: Select,
    B: Backup,
    P: Playout<G>,
{
    /// Searches `game` until the budget is spent; at least one simulation is made.
    ///
    /// # Errors
    /// If the game is over, or the budget asks for a clock that this build lacks.
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
        if game.result().is_some() {
            return Err(SearchError::Over);
        }
        if budget.time.is_some() && !cfg!(feature = "std") {
            return Err(SearchError::NoClock);
        }
        let clock = Clock::start();
        self.prepare(game, budget.simulations);
        let total = budget.simulations.unwrap_or(u64::MAX).max(1);
        let (mut target, step, most) = (total, (total / 20).max(1), total.saturating_add(total / 2));
        let (mut done, every) = (0, observer.every().max(1));
        let reason = loop {
            if self.options.solver && self.tree.node(self.tree.root()).proven().is_some() {
                break StopReason::Proven;
            }
            if done >= target {
                if target >= most || !self.options.final_move.is_undecided(&self.tree) {
                    break StopReason::Simulations;
                }
                target = (target + step).min(most);
            }
            if done > 0 && budget.stop.is_stopped() {
                break StopReason::Stopped;
            }
            if done % 16 == 1 && budget.time.is_some_and(|time| clock.elapsed() >= time) {
                break StopReason::Time;
            }
            self.simulate();
            done += 1;
            if done % every == 0 {
                observer.progress(&self.report(StopReason::Stopped, done, clock));
            }
        };
        Ok(self.report(reason, done, clock))
    }

    fn report(&mut self, reason: StopReason, simulations: u64, clock: Clock) -> Report<G::Move> {
        let tree = &self.tree;
        let root = tree.root();
        let mut children: Vec<_> = tree
            .children(root)
            .filter(|(_, child)| child.visits() > 0)
            .map(|(id, child)| ChildReport {
                m: child.m(),
                visits: child.visits(),
                value: child.value(),
                prior: tree.columns().has(Columns::PRIOR).then(|| tree.prior(id)),
                proven: child.proven(),
            })
            .collect();
        children.reverse();
        children.sort_by_key(|child| core::cmp::Reverse(child.visits));
        let best = self.options.final_move.choose(tree, root);
        let value = if G::Outcome::PLAYERS == 2 && tree.root_mover() != self.root.to_move() {
            1.0 - tree.node(root).value()
        } else {
            tree.mean_of_children(root)
        };
        let variation = best.map_or_else(Vec::new, |id| variation(tree, id));
        let (nodes, bytes) = (tree.len(), self.bytes());
        self.nodes_peak = self.nodes_peak.max(self.tree.peak());
        self.bytes_peak = self.bytes_peak.max(bytes);
        Report {
            best: best.map_or_else(|| self.any_move(), |id| self.tree.node(id).m()),
            value,
            variation,
            children,
            reason,
            simulations,
            nodes,
            nodes_peak: self.nodes_peak,
            bytes,
            bytes_peak: self.bytes_peak,
            depth: self.deepest,
            elapsed: clock.elapsed(),
            seed: self.seed,
            recipe: self.name.clone(),
        }
    }

    /// The first legal move at the root, for a tree that has room for nothing else.
    fn any_move(&self) -> G::Move {
        let mut moves = Vec::new();
        self.root.moves(&mut moves);
        moves[0]
    }
}

/// The most visited line from `id` on.
fn variation<M: Copy>(tree: &Tree<M>, id: NodeId) -> Vec<M> {
    let mut line = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next {
        line.push(tree.node(id).m());
        next = FinalMove::Robust.choose(tree, id);
    }
    line
}

impl<G, S, B, P> Bot<G> for Search<G, S, B, P>
where
    G: Game,
    S: Select,
    B: Backup,
    P: Playout<G>,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, start: &G, seed: u64) -> Result<(), BotError> {
        self.start_game(start, seed);
        Ok(())
    }

    fn played(&mut self, m: G::Move, _: &G) -> Result<(), BotError> {
        self.follow(m);
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &G,
        budget: &Budget,
        observer: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError> {
        match self.run_observed(game, budget, observer) {
            Ok(report) => Ok(Reply::Play(report)),
            Err(error) => Err(BotError(alloc::string::ToString::to_string(&error))),
        }
    }
}
