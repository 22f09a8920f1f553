//! The search: one loop over exchangeable parts.

mod ask;
mod build_error;
pub(crate) mod clock;
mod drive;
mod inspect;
mod options;
mod reporting;
mod root;
mod saved;
mod setup;
mod shared;
mod simulation;
mod stay;
mod two_level;
mod untried;

pub use ask::AskTell;
pub use build_error::BuildError;
pub use options::{InFlight, Options, Ties, TwoLevel};
pub use reporting::{Choice, SearchError};

use crate::amaf::TableId;
use crate::halving::Halving;
use crate::node::{Link, NodeId};
use crate::select::{NodeView, Pick, Rest};
use crate::tree::{Expanded, SECOND, Step, TOP};
use crate::untried::{Cells, Untried};
use crate::{
    Advisor, Backup, Bot, BotError, Budget, Code, CodeOf, Columns, Evaluation, Game, Mean, Observer, Outcome,
    Player, Playout, Reply, Report, Rng, SearchGame, Select, StopReason, Trace, Tree, Ucb, Uniform, solver,
};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use clock::Clock;
use core::hint::cold_path;
use drive::{Drive, Flight, Limits};
use reporting::About;
use simulation::{Simulation, Worker};

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
/// The same position, seed and number of simulations give the same tree, node for node, on every
/// machine. With `I` = `u16` nodes are 4 bytes smaller and there are at most 65 535 of them; the
/// tree is the same. A simulation costs time proportional to the children of the nodes on its path
/// and to the length of its playout; in a warm search it allocates nothing.
#[derive(Clone, Debug)]
pub struct Search<G: SearchGame, S = Ucb, B = Mean, P = Uniform, I: Link = u32> {
    core: Core<G, S, B, I>,
    worker: Worker<G, P>,
    /// One for each further thread.
    others: Vec<Worker<G, P>>,
    drive: Drive<G, S, B, P, I>,
    /// The search that is driven from outside, or was.
    flight: Option<Flight>,
    name: Cow<'static, str>,
    seed: u64,
    /// Searches since the game began; each has its own random numbers.
    searches: u64,
    /// Whether the next search of this root goes on with the tree.
    resumes: bool,
    /// Whether [`Bot::played`] led from the searched position to this root.
    kept: bool,
    nodes_peak: usize,
    bytes_peak: usize,
}

/// What all simulations of a search share.
#[derive(Clone, Debug)]
struct Core<G: SearchGame, S, B, I: Link> {
    select: S,
    backup: B,
    options: Options,
    tree: Tree<CodeOf<G>, I>,
    /// The position at the tree's root.
    root: G,
    /// Simulations of this search, those in flight included while it is driven from outside.
    told: u64,
    /// Playouts of a second-level search; 1 if there is only one level.
    batch: u32,
    expansion: Expansion,
    advisor: Option<Arc<dyn Advisor<G>>>,
    /// How simulations are shared out among the moves of the root, if not by the tree policy.
    halving: Option<Halving<CodeOf<G>>>,
    /// Whether the solver or an advisor has a say in where a simulation goes.
    careful: bool,
    /// Whether the moves of simulations are recorded, because the playout policy or an AMAF table
    /// learns.
    records: bool,
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

/// Why a simulation pauses on its way down.
enum Halt<C, O> {
    /// It has come to its end, and the outcome is known.
    Known(O),
    /// It has come to its end, which is to be evaluated.
    Leaf,
    /// This move is to have a node.
    Expand(C),
    /// The root's simulations are shared out, and this one has its turn.
    Halve,
    /// The advisor is to be asked about this node.
    Advise,
}

/// [`Halt`] in a search of `G`.
type HaltOf<G> = Halt<CodeOf<G>, <G as Game>::Outcome>;

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// Puts a simulation where it begins: at the root, or at the leaf that a second-level search is
    /// about.
    #[inline]
    fn start(&self, simulation: &mut Simulation<G>) {
        if simulation.focus.is_some() {
            return self.start_at_focus(simulation);
        }
        if simulation.stay.goes_on() {
            return self.start_at_stay(simulation);
        }
        simulation.game.clone_from(&self.root);
        simulation.path.clear();
        simulation.line.clear();
        simulation.reference = None;
        simulation.grown = false;
        simulation.path.push(Step { node: self.tree.root(), mover: self.tree.root_mover() });
        self.tree.enter(self.tree.root());
    }

    /// [`Core::descend`] where it is not to be part of its caller.
    #[inline(never)]
    fn descend_apart(&self, simulation: &mut Simulation<G>) -> HaltOf<G> {
        self.descend(simulation, true)
    }

    /// Descends from where a simulation is, perhaps beside others, as far as nothing but its own
    /// state and marks of nodes change.
    #[inline(always)]
    fn descend(&self, simulation: &mut Simulation<G>, beside: bool) -> HaltOf<G> {
        let mut step = simulation.path[simulation.path.len() - 1];
        loop {
            self.refer(simulation, step.node);
            if self.stops_at(simulation, step.node) {
                break;
            }
            if self.careful
                && let Some(halt) = self.takes_care(simulation, step)
            {
                return halt;
            }
            if self.halving.is_some() && simulation.path.len() == 1 {
                return Halt::Halve;
            }
            let node = match self.next(simulation, step, beside) {
                Next::Child(node) => node,
                Next::Untried(code) => return Halt::Expand(code),
                Next::Nowhere => break,
            };
            step = self.go(simulation, node, self.tree.node(node).code());
        }
        self.known(simulation, step)
    }

    /// Takes a step of a simulation down to a node.
    #[inline(always)]
    fn go(&self, simulation: &mut Simulation<G>, node: NodeId, code: CodeOf<G>) -> Step {
        let step = Step { node, mover: simulation.game.to_move() };
        if self.records {
            simulation.line.record(step.mover, simulation.game.first_key() + code.index());
        }
        simulation.game.play(simulation.game.decode(code));
        simulation.path.push(step);
        if self.tree.is_careful() && !simulation.stay.goes_on() {
            self.tree.enter(node);
        }
        step
    }

    /// Enters a node, whose AMAF table may be the reference from here on.
    #[inline]
    fn refer(&self, simulation: &mut Simulation<G>, node: NodeId) {
        if const { S::NEEDS.has(Columns::AMAF) } {
            simulation.reference = self.referred(node, simulation.reference);
        }
    }

    /// The AMAF table that is read at a node, if this one is read above it.
    #[inline]
    fn referred(&self, node: NodeId, above: Option<TableId>) -> Option<TableId> {
        let tables = self.tree.amaf()?;
        tables.reference(node, || self.select.reference(), above)
    }

    /// Whether a simulation evaluates this node as it is, though it has visits already.
    #[inline]
    fn stops_at(&self, simulation: &Simulation<G>, id: NodeId) -> bool {
        let node = self.tree.node(id);
        if node.visits() < self.options.expand_at {
            cold_path();
            if simulation.path.len() > 1 {
                return true;
            }
        }
        (node.is_end() && !simulation.is_about(id)) || simulation.path.len() > self.options.depth
    }

    /// Whether a simulation pauses at a node because its result is proven or the advisor is to be
    /// asked.
    #[inline(never)]
    fn takes_care(&self, simulation: &Simulation<G>, step: Step) -> Option<HaltOf<G>> {
        let node = self.tree.node(step.node);
        if self.options.solver && node.proven().is_some() {
            return Some(self.known(simulation, step));
        }
        self.tree.is_advice_due(step.node, node.visits()).then_some(Halt::Advise)
    }

    /// Chooses among the children of a node and its untried moves.
    #[inline(always)]
    fn next(&self, simulation: &mut Simulation<G>, step: Step, beside: bool) -> Next<CodeOf<G>> {
        let complete = self.tree.node(step.node).is_complete();
        if !complete
            && self.expansion == Expansion::First
            && let Some(code) = self.pick_untried(simulation, step.node)
        {
            return Next::Untried(code);
        }
        if const { S::NEEDS.has(Columns::AMAF) }
            && let Some(id) = simulation.reference
        {
            return self.next_by_amaf(simulation, step, id, beside);
        }
        let view = NodeView {
            tree: &self.tree,
            id: step.node,
            mover: step.mover,
            to_move: simulation.game.to_move(),
            players: G::Outcome::PLAYERS,
            reference: None,
            cells: Cells::All(&mut []),
        };
        let pick = self.select.pick(view, &mut simulation.rng);
        if !complete {
            let better = match self.expansion {
                Expansion::First => None,
                Expansion::Compared => self.better_untried(simulation, step.node, pick),
                Expansion::Advised => self.better_advised(simulation, step.node, pick),
            };
            if let Some(code) = better {
                return Next::Untried(code);
            }
        }
        match pick.best() {
            Some(node) => Next::Child(node),
            None => {
                cold_path();
                Next::Nowhere
            }
        }
    }

    /// [`Core::next`] with a reference table.
    #[inline(never)]
    fn next_by_amaf(
        &self,
        simulation: &mut Simulation<G>,
        step: Step,
        reference: TableId,
        beside: bool,
    ) -> Next<CodeOf<G>> {
        let Some(tables) = self.tree.amaf() else { return Next::Nowhere };
        let _held = if beside { tables.hold(reference) } else { None };
        let table = tables.table(reference, simulation.game.first_key());
        let expands = !self.tree.node(step.node).is_complete() && !self.tree.is_full(simulation.level());
        let advised = self.expansion == Expansion::Advised && self.tree.advice(step.node).is_some();
        let opens = G::LISTS_CELLS && expands && !advised && !self.options.solver;
        let view = NodeView {
            tree: &self.tree,
            id: step.node,
            mover: step.mover,
            to_move: simulation.game.to_move(),
            players: G::Outcome::PLAYERS,
            reference: Some(table),
            // The policy clears or marks the cells of children here; what it leaves,
            // `better_by_amaf` looks at.
            cells: simulation.untried.cells(&simulation.game, opens),
        };
        let pick = self.select.pick(view, &mut simulation.rng);
        let better = if let Rest::Better(cell) = pick.rest {
            Some(Code::new(cell as usize))
        } else if pick.rest == Rest::Worse || !expands {
            None
        } else if opens {
            self.tree.node(step.node).set_complete(true);
            None
        } else if advised {
            self.advised_by_amaf(simulation, step.node, table, pick)
        } else {
            self.better_by_amaf(simulation, step.node, table, pick)
        };
        if let Some(code) = better {
            return Next::Untried(code);
        }
        pick.best().map_or(Next::Nowhere, Next::Child)
    }

    /// The outcome of a simulation that has come to this node, if it is exact: where the game is
    /// over or the result proven.
    #[inline(always)]
    fn known(&self, simulation: &Simulation<G>, step: Step) -> HaltOf<G> {
        let node = self.tree.node(step.node);
        if self.options.solver
            && let Some(proven) = node.proven()
        {
            return Halt::Known(G::Outcome::draw().with(step.mover, proven.value()));
        }
        if (simulation.grown || node.is_terminal())
            && let Some(outcome) = simulation.game.result()
        {
            if !node.is_terminal() {
                node.set_terminal();
                if self.options.solver
                    && let Some(proven) = solver::exact(&outcome, step.mover)
                {
                    node.set_proven(proven);
                }
            }
            return Halt::Known(outcome);
        }
        Halt::Leaf
    }

    /// [`Core::resume`] where it is not to be part of its caller.
    #[inline(never)]
    fn resume_apart(&mut self, simulation: &mut Simulation<G>, halt: HaltOf<G>) -> Option<HaltOf<G>> {
        self.resume(simulation, halt)
    }

    /// Goes on with a simulation that paused, after which it descends again if there is no further
    /// halt. Nobody else uses the tree meanwhile.
    #[inline(always)]
    fn resume(&mut self, simulation: &mut Simulation<G>, halt: HaltOf<G>) -> Option<HaltOf<G>> {
        let step = simulation.path[simulation.path.len() - 1];
        let code = match halt {
            Halt::Expand(code) => code,
            Halt::Halve => {
                let next = self.halving.as_mut().map(|halving| root::next_by_halving(&self.tree, halving));
                match next.unwrap_or(Next::Nowhere) {
                    Next::Untried(code) => code,
                    Next::Child(node) => {
                        self.go(simulation, node, self.tree.node(node).code());
                        return None;
                    }
                    Next::Nowhere => return Some(self.known(simulation, step)),
                }
            }
            Halt::Advise => {
                let visits = self.tree.node(step.node).visits();
                if let Some((advisor, advice)) = self.advisor.as_ref().zip(self.tree.advice_mut())
                    && advice.is_due(step.node, visits)
                {
                    advice.ask(step.node, |row| advisor.advise(&simulation.game, row));
                }
                return None;
            }
            end => return Some(end),
        };
        if self.tree.in_flight().is_some() {
            // Meanwhile a sibling may have been recycled, so that the move is not the last one.
            simulation.last &= !self.options.recycle;
            // Another simulation was here first.
            if self.tree.node(step.node).is_studied() && !simulation.is_about(step.node) {
                simulation.last = false;
                return Some(Halt::Leaf);
            }
        }
        // Taken before a node is recycled: that may put another move of this parent back in front.
        let priors = self.tree.columns().has(Columns::PRIOR);
        let candidate = if priors { self.tree.take_candidate(step.node, code) } else { None };
        if !self.tree.has_room(simulation.level()) && !self.make_room(simulation, step.node, code) {
            self.tree.give_back_candidate(step.node, code);
            return Some(self.known(simulation, step));
        }
        let last = simulation.last;
        let end = self.expand(simulation, code);
        let new = simulation.path.len() - 1;
        if let Some(candidate) = candidate {
            self.tree.set_prior(simulation.path[new].node, candidate.prior);
        }
        if last && self.tree.in_flight().is_none() {
            simulation.path[new].node = self.tree.gather(step.node);
        }
        end
    }

    /// Makes room for a child; not if the move has one. False if there is no room to be had.
    #[inline(never)]
    fn make_room(&mut self, simulation: &mut Simulation<G>, parent: NodeId, code: CodeOf<G>) -> bool {
        if self.tree.in_flight().is_some() && self.tree.child(parent, code).is_some() {
            return true;
        }
        if core::mem::take(&mut simulation.last) {
            // Until a sibling is recycled.
            self.tree.node(parent).set_complete(true);
        }
        let made = self.tree.make_room(simulation.level(), &simulation.path);
        if !made {
            self.tree.node(parent).set_complete(false);
        }
        made
    }

    /// [`Core::expand`] where it is not to be part of its caller.
    #[inline(never)]
    fn expand_apart(&self, simulation: &mut Simulation<G>, code: CodeOf<G>) -> Option<HaltOf<G>> {
        self.expand(simulation, code)
    }

    /// Gives a move a node and enters it, which ends the descent. If another simulation was here
    /// first, this one descends on; if there is no room, it halts as before.
    #[inline(always)]
    fn expand(&self, simulation: &mut Simulation<G>, code: CodeOf<G>) -> Option<HaltOf<G>> {
        let parent = simulation.path[simulation.path.len() - 1].node;
        let node = match self.tree.expand(parent, code, simulation.level(), &mut simulation.slots) {
            Expanded::New(node) => node,
            Expanded::Old(node) => {
                simulation.last = false;
                self.refer_again(simulation);
                self.go(simulation, node, code);
                return None;
            }
            Expanded::Full => return Some(Halt::Expand(code)),
        };
        if core::mem::take(&mut simulation.last) {
            self.tree.node(parent).set_complete(true);
        }
        if self.tree.columns().has(Columns::KEY) {
            self.tree.set_key(node, simulation.game.first_key() + code.index());
        }
        simulation.grown = true;
        let step = self.go(simulation, node, code);
        self.refer(simulation, node);
        Some(self.known(simulation, step))
    }

    /// [`Core::refer`] for the whole path: while a simulation paused its reference may have become
    /// the table of another node.
    fn refer_again(&self, simulation: &mut Simulation<G>) {
        let apart = simulation.focus.filter(|_| !self.options.two_level.share);
        simulation.reference = apart.and(simulation.apart);
        for at in apart.map_or(0, |focus| focus.depth)..simulation.path.len() {
            self.refer(simulation, simulation.path[at].node);
        }
    }

    /// Gives a simulation up whose leaf another one is about to evaluate: the same answer twice is
    /// no second sample. Says whether it did.
    #[inline(never)]
    fn give_up_second(&self, simulation: &Simulation<G>) -> bool {
        let leaf = simulation.path[simulation.path.len() - 1].node;
        let second = !simulation.grown && self.tree.node(leaf).visits() == 0 && self.tree.pending(leaf) > 1;
        if second {
            self.tree.leave(&simulation.path);
        }
        second
    }

    /// [`Core::tell`] where nobody else uses the tree meanwhile.
    #[inline(always)]
    fn tell_alone<P: Playout<G>>(
        &mut self,
        simulation: &mut Simulation<G>,
        playout: &mut P,
        outcome: &G::Outcome,
    ) {
        self.make_tables(simulation);
        self.tell(simulation, playout, outcome);
        if self.batch > 1 {
            self.count_playout(simulation, playout, outcome);
        }
    }

    /// Ends a simulation: updates its path with its outcome. There is room for the tables that the
    /// nodes of the path want.
    #[inline(always)]
    fn tell<P: Playout<G>>(&self, simulation: &mut Simulation<G>, playout: &mut P, outcome: &G::Outcome) {
        simulation.deepest = simulation.deepest.max(simulation.path.len() - 1);
        if self.tree.is_careful() && !simulation.stay.goes_on() {
            self.tree.leave(&simulation.path[simulation.focus.map_or(0, |focus| focus.depth + 1)..]);
        }
        self.back_up(simulation, playout, outcome);
        if self.records {
            playout.learn(simulation.line.moves(), outcome);
        }
        if simulation.stay.goes_on() {
            self.stay(simulation, outcome);
        }
    }

    /// Whether the nodes of the path find room for AMAF tables.
    #[inline]
    fn has_tables(&self, simulation: &Simulation<G>) -> bool {
        self.tree.amaf().is_none_or(|tables| tables.has_room(simulation.path.len()))
    }

    /// Makes room for AMAF tables of the nodes of the path.
    #[inline]
    fn make_tables(&mut self, simulation: &Simulation<G>) {
        if !self.has_tables(simulation)
            && let Some(tables) = self.tree.amaf_mut()
        {
            tables.make_room(simulation.path.len());
        }
    }

    /// Updates the path with an outcome.
    #[inline(always)]
    fn back_up<P: Playout<G>>(&self, simulation: &mut Simulation<G>, playout: &mut P, outcome: &G::Outcome) {
        let from = self.updates_from(simulation);
        let apart = if simulation.stay.goes_on() { simulation.apart } else { None };
        let Simulation { path, sample, line, .. } = simulation;
        self.backup.path(&self.tree, &path[from..], None, outcome);
        if self.tree.columns().has(Columns::SQUARES) {
            self.tree.learn_squares(&path[from..], outcome);
        }
        if let Some(tables) = self.tree.amaf() {
            let visits = |id| self.tree.node(id).visits();
            tables.learn(sample, path, from, apart, visits, line.moves(), outcome);
        }
        if self.options.solver {
            solver::back_up(&self.tree, &path[from..]);
        }
        if self.tree.columns().has(Columns::KEY) {
            self.compare_siblings(simulation, playout, from);
        }
        if self.options.recycle {
            self.touch_path(simulation, from);
        }
    }

    /// The first node of the path that a simulation updates.
    #[inline]
    fn updates_from(&self, simulation: &Simulation<G>) -> usize {
        match simulation.focus {
            Some(focus) if !self.options.two_level.share => focus.depth,
            _ => simulation.stay.depth(),
        }
    }

    /// Tells the playout policy how the moves of the path compare with the others tried at the same
    /// node.
    #[inline(never)]
    fn compare_siblings<P: Playout<G>>(&self, simulation: &Simulation<G>, playout: &mut P, from: usize) {
        for step in (from.max(1)..simulation.path.len()).rev() {
            let (parent, chosen) = (simulation.path[step - 1].node, simulation.path[step].node);
            let (key, value) = (self.tree.key(chosen), self.tree.node(chosen).value());
            for (id, sibling) in self.tree.children(parent) {
                if id != chosen && sibling.visits() > 0 {
                    playout.compare(key, self.tree.key(id), value - sibling.value());
                }
            }
        }
    }

    /// Marks the nodes of the path as used, leaf to root, so that each stays older than its parent.
    fn touch_path(&self, simulation: &Simulation<G>, from: usize) {
        let top = simulation.focus.map_or(simulation.path.len(), |focus| focus.depth + 1);
        for (depth, step) in simulation.path.iter().enumerate().skip(from).rev() {
            self.tree.touch(step.node, if depth < top { TOP } else { SECOND });
        }
    }

    /// Gives back what a thread took for its simulations and did not use.
    fn give_back(&self, simulation: &mut Simulation<G>) {
        self.tree.give_back(&mut simulation.slots);
        if let Some(tables) = self.tree.amaf() {
            tables.give_back(&mut simulation.sample);
        }
    }
}

#[cfg(all(test, feature = "recipe"))]
mod threads_tests;
