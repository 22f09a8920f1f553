//! The search: one loop over exchangeable parts.

mod build_error;
pub(crate) mod clock;
mod options;
mod reporting;
mod root;
mod setup;
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
    Advisor, Backup, Bot, BotError, Budget, Columns, Game, Mean, Observer, Outcome, Player, Playout, Reply,
    Report, Rng, Select, StopReason, Trace, Tree, Ucb, Uniform, solver,
};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use clock::Clock;
#[cfg(feature = "std")]
pub(crate) use setup::{LONG, most_moves};
use two_level::Focus;
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
pub struct Search<G: Game, S = Ucb, B = Mean, P = Uniform, I = u32> {
    select: S,
    backup: B,
    playout: P,
    options: Options,
    name: Cow<'static, str>,
    seed: u64,
    /// Searches since the game began; each has its own random numbers.
    searches: u64,
    rng: Rng,
    tree: Tree<G::Move, I>,
    /// The position at the tree's root, and the one that a simulation moves on.
    root: G,
    game: G,
    /// The position at the focus.
    leaf: G,
    focus: Option<Focus>,
    /// Playouts of a second-level search; 1 if there is only one level.
    batch: u32,
    /// The mean of a second-level search for each player.
    means: Vec<f64>,
    /// Whether [`Bot::played`] led from the searched position to this root.
    kept: bool,
    path: Vec<Step>,
    line: Line,
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    untried: Untried,
    expansion: Expansion,
    advisor: Option<Arc<dyn Advisor<G>>>,
    /// How simulations are shared out among the moves of the root, if not by the tree policy.
    halving: Option<Halving<G::Move>>,
    /// Whether the solver or an advisor has a say in where a simulation goes.
    careful: bool,
    /// Whether the moves of simulations are recorded, because the playout policy or an AMAF table learns.
    records: bool,
    /// The table that a simulation reads where it is now.
    reference: Option<TableId>,
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
enum Next<M> {
    Child(NodeId),
    Untried(M),
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
            self.path.push(step);
            self.refer(step.node);
            if grown || self.stops_at(step) {
                break;
            }
            let (node, m) = match self.next(step) {
                Next::Child(node) => (node, self.tree.node(node).m()),
                Next::Untried(m) => {
                    let Some(node) = self.grow(step.node, m) else { break };
                    grown = true;
                    (node, m)
                }
                Next::Nowhere => break,
            };
            step = Step { node, mover: self.game.to_move() };
            if self.records {
                self.line.record(step.mover, self.game.key(m));
            }
            self.game.play(m);
        }

        // Evaluate.
        if self.batch > 1 {
            self.focus_here();
        }
        let outcome = self.evaluate(step, grown);

        // Back up.
        self.back_up(&outcome);
        if self.records {
            self.playout.learn(self.line.moves(), &outcome);
        }
        if self.batch > 1 {
            self.count_playout(&outcome);
        }
        self.deepest = self.deepest.max(self.path.len() - 1);
    }

    /// Where a simulation begins: at the root, or at the leaf that a second-level search is about.
    #[inline]
    fn start(&mut self) -> Step {
        if self.focus.is_some() {
            return self.start_at_focus();
        }
        self.game.clone_from(&self.root);
        self.path.clear();
        self.line.clear();
        self.reference = None;
        Step { node: self.tree.root(), mover: self.tree.root_mover() }
    }

    /// Enters a node, whose AMAF table may be the reference from here on.
    #[inline]
    fn refer(&mut self, node: NodeId) {
        if let Some(tables) = self.tree.amaf() {
            self.reference = tables.reference(node, self.select.reference(), self.reference);
        }
    }

    /// Whether a simulation evaluates this node as it is, though it has visits already. If not, the advisor was asked
    /// about it where that was due.
    #[inline]
    fn stops_at(&mut self, step: Step) -> bool {
        let node = self.tree.node(step.node);
        node.is_terminal()
            || self.path.len() > self.options.depth
            || (node.visits() < self.options.expand_at && self.path.len() > 1)
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
            advice.ask(id, |row| advisor.advise(&self.game, row));
        }
        false
    }

    /// Chooses among the children of a node and its untried moves.
    #[inline]
    fn next(&mut self, step: Step) -> Next<G::Move> {
        if self.halving.is_some() && self.path.len() == 1 {
            return self.next_by_halving();
        }
        let complete = self.tree.node(step.node).is_complete();
        if !complete
            && self.expansion == Expansion::First
            && let Some(m) = self.pick_untried(step.node)
        {
            return Next::Untried(m);
        }
        let view = NodeView {
            tree: &self.tree,
            game: &self.game,
            id: step.node,
            mover: step.mover,
            reference: self.tree.amaf().zip(self.reference).map(|(tables, id)| tables.table(id)),
            marks: self.untried.marks(),
        };
        let pick = self.select.pick(view, &mut self.rng);
        if !complete {
            let better = match self.expansion {
                Expansion::First => None,
                Expansion::Compared => self.better_untried(step.node, pick),
                Expansion::Advised => self.better_advised(step.node, pick),
            };
            if let Some(m) = better {
                return Next::Untried(m);
            }
        }
        pick.best().map_or(Next::Nowhere, Next::Child)
    }

    /// Expands `m`; none if there is no room.
    #[inline]
    fn grow(&mut self, parent: NodeId, m: G::Move) -> Option<NodeId> {
        // Taken before a node is recycled: that may put another move of this parent back in front.
        let candidate = self.tree.take_candidate(parent);
        let Some(node) = self.tree.expand(parent, m, self.level(), &self.path) else {
            self.tree.node_mut(parent).set_complete(false);
            self.tree.give_back_candidate(parent, m);
            return None;
        };
        if let Some(candidate) = candidate {
            self.tree.set_prior(node, candidate.prior);
        }
        if self.tree.columns().has(Columns::KEY) {
            self.tree.set_key(node, self.game.key(m));
        }
        Some(node)
    }

    /// The level of the tree that grows now.
    #[inline]
    fn level(&self) -> usize {
        if self.focus.is_some() { SECOND } else { TOP }
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
            && let Some(outcome) = self.game.result()
        {
            let node = self.tree.node_mut(step.node);
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
        self.moves.clear();
        if self.records {
            self.playout.run(&mut self.game, &mut self.rng, &mut self.moves, &mut self.line)
        } else {
            self.playout.run(&mut self.game, &mut self.rng, &mut self.moves, &mut ())
        }
    }

    /// Updates the path with an outcome.
    #[inline(always)]
    fn back_up(&mut self, outcome: &G::Outcome) {
        let from = self.updates_from();
        let path = &self.path[from..];
        self.backup.path(&mut self.tree, path, None, outcome);
        if self.tree.columns().has(Columns::SQUARES) {
            self.tree.learn_squares(path, outcome);
        }
        if let Some((tables, visits)) = self.tree.amaf_mut() {
            tables.learn(&self.path, from, visits, self.line.moves(), outcome);
        }
        if self.options.solver {
            solver::back_up(&mut self.tree, path);
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
        for step in (from.max(1)..self.path.len()).rev() {
            let (parent, chosen) = (self.path[step - 1].node, self.path[step].node);
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
        let top = self.focus.map_or(self.path.len(), |focus| focus.depth + 1);
        for (depth, step) in self.path.iter().enumerate().skip(from).rev() {
            self.tree.touch(step.node, if depth < top { TOP } else { SECOND });
        }
    }
}
