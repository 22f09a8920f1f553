//! The search: one loop over exchangeable parts.

pub(crate) mod clock;
mod options;
mod reporting;
mod setup;

pub use options::{Options, Ties};
pub use reporting::SearchError;

use crate::node::NodeId;
use crate::playout::Line;
use crate::select::{NodeView, Pick};
use crate::tree::Step;
use crate::untried::Untried;
use crate::{
    Backup, Bot, BotError, Budget, Columns, Game, Mean, Observer, Outcome, Player, Playout, Reply, Report,
    Rng, Select, StopReason, Trace, Tree, Ucb, Uniform, solver,
};
use alloc::string::String;
use alloc::vec::Vec;
use clock::Clock;

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
/// A simulation costs time proportional to the children of the nodes on its path and to the length of its
/// playout; in a warm search it allocates nothing.
#[derive(Clone, Debug)]
pub struct Search<G: Game, S = Ucb, B = Mean, P = Uniform> {
    select: S,
    backup: B,
    playout: P,
    options: Options,
    name: String,
    seed: u64,
    /// Searches since the game began; each has its own random numbers.
    searches: u64,
    rng: Rng,
    tree: Tree<G::Move>,
    /// The position at the tree's root, and the one that a simulation moves on.
    root: G,
    game: G,
    /// Whether [`Bot::played`] led from the searched position to this root.
    kept: bool,
    path: Vec<Step>,
    line: Line,
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    untried: Untried,
    /// Whether the tree policy tries every move once before it compares any.
    tries_first: bool,
    /// Whether the playout policy learns, and the moves of simulations are recorded.
    records: bool,
    deepest: usize,
    nodes_peak: usize,
    bytes_peak: usize,
}

/// Draws for an untried move, before all are listed. Any number gives the same distribution.
pub(crate) const DRAWS: usize = 4;

/// Where a simulation goes from a node.
enum Next<M> {
    Child(NodeId),
    Untried(M),
    Nowhere,
}

impl<G, S, B, P> Search<G, S, B, P>
where
    G: Game,
    S: Select,
    B: Backup,
    P: Playout<G>,
{
    /// One simulation: descend, expand, evaluate, back up. Apart from its caller the compiler finds registers
    /// for more of it.
    #[inline(never)]
    fn simulate(&mut self) {
        self.game.clone_from(&self.root);
        self.path.clear();
        self.line.clear();
        let mut step = Step { node: self.tree.root(), mover: self.tree.root_mover() };
        let mut grown = false;

        // Descend, and expand one move.
        loop {
            self.path.push(step);
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
        let outcome = self.evaluate(step, grown);

        // Back up.
        self.backup.path(&mut self.tree, &self.path, &outcome);
        if self.tree.columns().has(Columns::SQUARES) {
            self.tree.learn_squares(&self.path, &outcome);
        }
        if self.records {
            self.playout.learn(self.line.moves(), &outcome);
        }
        if self.options.solver {
            solver::back_up(&mut self.tree, &self.path);
        }
        self.deepest = self.deepest.max(self.path.len() - 1);
    }

    /// Whether a simulation evaluates this node as it is, though it has visits already.
    #[inline]
    fn stops_at(&self, step: Step) -> bool {
        let node = self.tree.node(step.node);
        node.is_terminal()
            || self.path.len() > self.options.depth
            || (node.visits() < self.options.expand_at && self.path.len() > 1)
            || (self.options.solver && node.proven().is_some())
    }

    /// Chooses among the children of a node and its untried moves.
    #[inline]
    fn next(&mut self, step: Step) -> Next<G::Move> {
        let complete = self.tree.node(step.node).is_complete();
        if !complete
            && self.tries_first
            && let Some(m) = self.pick_untried(step.node)
        {
            return Next::Untried(m);
        }
        let value = self.value_for_mover(step);
        let view = NodeView { tree: &self.tree, id: step.node, value };
        let pick = self.select.pick(&view, &mut self.rng);
        if !complete
            && !self.tries_first
            && let Some(m) = self.better_untried(step.node, pick)
        {
            return Next::Untried(m);
        }
        pick.best().map_or(Next::Nowhere, Next::Child)
    }

    /// An untried move that the policy scores above the best child.
    #[inline(never)]
    fn better_untried(&mut self, node: NodeId, pick: Pick) -> Option<G::Move> {
        let (shared, score) = (pick.shared(), pick.score());
        if self.tree.columns().has(Columns::PRIOR) {
            let best = self.tree.best_candidate(node);
            return best.filter(|c| self.select.untried(shared, c.prior) > score).map(|c| c.m);
        }
        if self.select.untried(shared, 0.0) > score { self.pick_untried(node) } else { None }
    }

    /// The value of a node for the player to move in the current position, which is the node's.
    #[inline]
    fn value_for_mover(&self, step: Step) -> f32 {
        let value = self.tree.node(step.node).value();
        if step.mover == self.game.to_move() {
            value
        } else if G::Outcome::PLAYERS == 2 {
            1.0 - value
        } else {
            self.tree.mean_of_children(step.node)
        }
    }

    /// A uniformly random move of the current position that has no node yet. Marks the node complete when it
    /// returns the last one, or none.
    fn pick_untried(&mut self, node: NodeId) -> Option<G::Move> {
        if self.tree.is_full() {
            return None;
        }
        if !self.options.solver {
            for _ in 0..DRAWS {
                let Some(m) = self.game.draw_search_move(&mut self.rng) else { continue };
                if self.tree.children(node).all(|(_, child)| child.m() != m) {
                    return Some(m);
                }
            }
        }
        self.moves.clear();
        self.list_moves();
        let tried = self.tree.children(node).map(|(_, child)| child.m());
        self.untried.retain(&self.game, &mut self.moves, tried);
        if self.moves.len() <= 1 {
            self.tree.node_mut(node).set_complete(true);
        }
        match self.moves.len() {
            0 => None,
            n => Some(self.moves[self.rng.below(n as u32) as usize]),
        }
    }

    /// Expands `m`; none if there is no room.
    #[inline]
    fn grow(&mut self, parent: NodeId, m: G::Move) -> Option<NodeId> {
        let node = self.tree.expand(parent, m)?;
        if self.tree.columns().has(Columns::PRIOR)
            && let Some(candidate) = self.tree.best_candidate(parent)
        {
            self.tree.set_prior(node, candidate.prior);
            self.tree.take_candidate(parent);
        }
        Some(node)
    }

    /// Appends the moves worth a node to the scratch list; a proof must look at every legal one.
    #[inline]
    fn list_moves(&mut self) {
        if self.options.solver {
            self.game.moves(&mut self.moves);
        } else {
            self.game.search_moves(&mut self.moves);
        }
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
}
