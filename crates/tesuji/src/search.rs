//! The search: one loop over exchangeable parts.

mod build_error;
pub(crate) mod clock;
mod options;
mod reporting;
mod root;
mod setup;
mod simulation;
mod two_level;
mod untried;

pub use build_error::BuildError;
pub use options::{Options, Ties, TwoLevel};
pub use reporting::{Choice, SearchError};

use crate::amaf::TableId;
use crate::halving::Halving;
use crate::node::{Link, NodeId};
use crate::playout::Line;
use crate::select::{NodeView, Pick};
use crate::tree::{SECOND, Step, TOP};
use crate::untried::Untried;
use crate::{
    Advisor, Backup, Bot, BotError, Budget, Code, CodeOf, Columns, Game, Mean, Observer, Outcome, Player,
    Playout, Reply, Report, Rng, Select, StopReason, Trace, Tree, Ucb, Uniform, solver,
};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use clock::Clock;
#[cfg(feature = "std")]
pub(crate) use setup::{LONG, most_moves};
use simulation::Simulation;
#[cfg(feature = "std")]
pub(crate) use untried::DRAWS;

/// A Monte Carlo tree search of `G`: a tree policy, a backup, a playout policy and [`Options`].
///
/// ```
/// # use tesuji::doc_game::Nim;
/// use tesuji::{Budget, Search};
///
/// let game = Nim::new(10);
/// let mut search = Search::uct(&game, 0.7, 1);
/// let report = search.run(&game, &Budget::simulations(1000)).unwrap();
/// assert_eq!(report.best, 2, "leaves a multiple of four");
/// ```
///
/// The same position, seed and number of simulations give the same tree, node for node, on every machine.
/// With `I` = `u16` nodes are 4 bytes smaller and there are at most 65 535 of them; the tree is the same.
/// A simulation costs time proportional to the children of the nodes on its path and to the length of its
/// playout; in a warm search it allocates nothing.
#[derive(Clone, Debug)]
pub struct Search<G: Game, S = Ucb, B = Mean, P = Uniform, I: Link = u32> {
    select: S,
    backup: B,
    playout: P,
    options: Options,
    name: Cow<'static, str>,
    seed: u64,
    /// Searches since the game began; each has its own random numbers.
    searches: u64,
    tree: Tree<CodeOf<G>, I>,
    /// The position at the tree's root.
    root: G,
    simulation: Simulation<G>,
    /// Playouts of a second-level search; 1 if there is only one level.
    batch: u32,
    /// Whether [`Bot::played`] led from the searched position to this root.
    kept: bool,
    expansion: Expansion,
    advisor: Option<Arc<dyn Advisor<G>>>,
    /// How simulations are shared out among the moves of the root, if not by the tree policy.
    halving: Option<Halving<CodeOf<G>>>,
    /// Whether the solver or an advisor has a say in where a simulation goes.
    careful: bool,
    /// Whether the moves of simulations are recorded, because the playout policy or an AMAF table learns.
    records: bool,
    deepest: usize,
    nodes_peak: usize,
    bytes_peak: usize,
}

/// When untried moves have their turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expansion {
    /// Each once, before any is compared.
    First,
    /// As soon as one is scored above the tried ones.
    Compared,
    /// The same, and an advisor has a say in the scores.
    Advised,
}

/// Where a simulation goes from a node.
enum Next<C> {
    Child(NodeId),
    Untried(C),
    Nowhere,
}

impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: Game,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    /// One simulation: descend, expand, evaluate, back up. Apart from its caller the compiler finds registers
    /// for more of it.
    #[inline(never)]
    fn simulate(&mut self) {
        let mut step = self.start();
        let mut grown = false;

        // Descend, and expand one move.
        loop {
            self.simulation.path.push(step);
            self.refer(step.node);
            if grown || self.stops_at(step) {
                break;
            }
            let (node, code) = match self.next(step) {
                Next::Child(node) => (node, self.tree.node(node).code()),
                Next::Untried(code) => {
                    let Some(node) = self.grow(step.node, code) else { break };
                    grown = true;
                    (node, code)
                }
                Next::Nowhere => break,
            };
            step = Step { node, mover: self.simulation.game.to_move() };
            if self.records {
                self.simulation.line.record(step.mover, self.simulation.game.first_key() + code.index());
            }
            self.simulation.game.play(self.simulation.game.decode(code));
        }

        // Evaluate.
        if self.batch > 1 {
            self.focus_here();
        }
        let outcome = self.evaluate(step, grown);

        // Back up.
        self.back_up(&outcome);
        if self.records {
            self.playout.learn(self.simulation.line.moves(), &outcome);
        }
        if self.batch > 1 {
            self.count_playout(&outcome);
        }
        self.deepest = self.deepest.max(self.simulation.path.len() - 1);
    }

    /// Where a simulation begins: at the root, or at the leaf that a second-level search is about.
    #[inline]
    fn start(&mut self) -> Step {
        if self.simulation.focus.is_some() {
            return self.start_at_focus();
        }
        self.simulation.game.clone_from(&self.root);
        self.simulation.path.clear();
        self.simulation.line.clear();
        self.simulation.reference = None;
        Step { node: self.tree.root(), mover: self.tree.root_mover() }
    }

    /// Enters a node, whose AMAF table may be the reference from here on.
    #[inline]
    fn refer(&mut self, node: NodeId) {
        if let Some(tables) = self.tree.amaf() {
            self.simulation.reference =
                tables.reference(node, self.select.reference(), self.simulation.reference);
        }
    }

    /// Whether a simulation evaluates this node as it is, though it has visits already. If not, the advisor was asked
    /// about it where that was due.
    #[inline]
    fn stops_at(&mut self, step: Step) -> bool {
        let node = self.tree.node(step.node);
        node.is_terminal()
            || self.simulation.path.len() > self.options.depth
            || (node.visits() < self.options.expand_at && self.simulation.path.len() > 1)
            || (self.careful && self.takes_care(step.node))
    }

    /// Whether a node is proven; if not, the advisor is asked about it where that is due.
    #[inline(never)]
    fn takes_care(&mut self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        if self.options.solver && node.proven().is_some() {
            return true;
        }
        let visits = node.visits();
        if let Some((advisor, advice)) = self.advisor.as_ref().zip(self.tree.advice_mut())
            && advice.is_due(id, visits)
        {
            advice.ask(id, |row| advisor.advise(&self.simulation.game, row));
        }
        false
    }

    /// Chooses among the children of a node and its untried moves.
    #[inline]
    fn next(&mut self, step: Step) -> Next<CodeOf<G>> {
        if self.halving.is_some() && self.simulation.path.len() == 1 {
            return self.next_by_halving();
        }
        let complete = self.tree.node(step.node).is_complete();
        if !complete
            && self.expansion == Expansion::First
            && let Some(code) = self.pick_untried(step.node)
        {
            return Next::Untried(code);
        }
        let view = NodeView {
            tree: &self.tree,
            id: step.node,
            mover: step.mover,
            to_move: self.simulation.game.to_move(),
            players: G::Outcome::PLAYERS,
            first_key: self.simulation.game.first_key(),
            reference: self.tree.amaf().zip(self.simulation.reference).map(|(tables, id)| tables.table(id)),
            marks: self.simulation.untried.marks(),
        };
        let pick = self.select.pick(view, &mut self.simulation.rng);
        if !complete {
            let better = match self.expansion {
                Expansion::First => None,
                Expansion::Compared => self.better_untried(step.node, pick),
                Expansion::Advised => self.better_advised(step.node, pick),
            };
            if let Some(code) = better {
                return Next::Untried(code);
            }
        }
        pick.best().map_or(Next::Nowhere, Next::Child)
    }

    /// Expands a move; none if there is no room.
    #[inline]
    fn grow(&mut self, parent: NodeId, code: CodeOf<G>) -> Option<NodeId> {
        // Taken before a node is recycled: that may put another move of this parent back in front.
        let candidate = self.tree.take_candidate(parent);
        let Some(node) = self.tree.expand(parent, code, self.level(), &self.simulation.path) else {
            self.tree.node(parent).set_complete(false);
            self.tree.give_back_candidate(parent, code);
            return None;
        };
        if let Some(candidate) = candidate {
            self.tree.set_prior(node, candidate.prior);
        }
        if self.tree.columns().has(Columns::KEY) {
            self.tree.set_key(node, self.simulation.game.first_key() + code.index());
        }
        Some(node)
    }

    /// The level of the tree that grows now.
    #[inline]
    fn level(&self) -> usize {
        if self.simulation.focus.is_some() { SECOND } else { TOP }
    }

    /// The outcome of a simulation that ended at this node: exact where the game is over or the result
    /// proven, else a playout.
    #[inline(never)]
    fn evaluate(&mut self, step: Step, grown: bool) -> G::Outcome {
        if self.options.solver
            && let Some(proven) = self.tree.node(step.node).proven()
        {
            return G::Outcome::draw().with(step.mover, proven.value());
        }
        if (grown || self.tree.node(step.node).is_terminal())
            && let Some(outcome) = self.simulation.game.result()
        {
            let node = self.tree.node(step.node);
            node.set_terminal();
            if self.options.solver
                && let Some(proven) = solver::exact(&outcome, step.mover)
            {
                node.set_proven(proven);
            }
            return outcome;
        }
        if grown && self.tree.columns().has(Columns::PRIOR) {
            self.offer_candidates(step.node);
        }
        self.simulation.moves.clear();
        if self.records {
            self.playout.run(
                &mut self.simulation.game,
                &mut self.simulation.rng,
                &mut self.simulation.moves,
                &mut self.simulation.line,
            )
        } else {
            self.playout.run(
                &mut self.simulation.game,
                &mut self.simulation.rng,
                &mut self.simulation.moves,
                &mut (),
            )
        }
    }

    /// Updates the path with an outcome.
    #[inline(always)]
    fn back_up(&mut self, outcome: &G::Outcome) {
        let from = self.updates_from();
        let path = &self.simulation.path[from..];
        self.backup.path(&self.tree, path, None, outcome);
        if self.tree.columns().has(Columns::SQUARES) {
            self.tree.learn_squares(path, outcome);
        }
        if let Some((tables, visits)) = self.tree.amaf_mut() {
            tables.learn(&self.simulation.path, from, visits, self.simulation.line.moves(), outcome);
        }
        if self.options.solver {
            solver::back_up(&self.tree, path);
        }
        if self.tree.columns().has(Columns::KEY) {
            self.compare_siblings(from);
        }
        if self.options.recycle {
            self.touch_path(from);
        }
    }

    /// Tells the playout policy how the moves of the path compare with the others tried at the same node.
    #[inline(never)]
    fn compare_siblings(&mut self, from: usize) {
        for step in (from.max(1)..self.simulation.path.len()).rev() {
            let (parent, chosen) = (self.simulation.path[step - 1].node, self.simulation.path[step].node);
            let (key, value) = (self.tree.key(chosen), self.tree.node(chosen).value());
            for (id, sibling) in self.tree.children(parent) {
                if id != chosen && sibling.visits() > 0 {
                    self.playout.compare(key, self.tree.key(id), value - sibling.value());
                }
            }
        }
    }

    /// Marks the nodes of the path as used, leaf to root, so that each stays older than its parent.
    fn touch_path(&mut self, from: usize) {
        let top = self.simulation.focus.map_or(self.simulation.path.len(), |focus| focus.depth + 1);
        for (depth, step) in self.simulation.path.iter().enumerate().skip(from).rev() {
            self.tree.touch(step.node, if depth < top { TOP } else { SECOND });
        }
    }
}
