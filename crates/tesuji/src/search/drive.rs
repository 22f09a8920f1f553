//! The loop of a search in execution order, from one simulation to where it comes to a leaf. What
//! follows is in `expand.rs`.

use super::Search;
use super::access::{Access, Alone};
use super::common::{Core, Expansion, Halt, HaltOf, Next};
use super::limits::{Limits, Traits};
use super::reporting::About;
use super::simulation::{Simulation, Worker};
use crate::amaf::{EntryPool, Pools, Table, TableId, Tables};
use crate::backup::Backup;
use crate::bot::Observer;
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;
use crate::game::{CodeOf, SearchGame, Trace};
use crate::node::Step;
use crate::outcome::{Outcome, bounded};
use crate::playout::Playout;
use crate::report::StopReason;
use crate::select::{Grave, NodeView, Pick, Reference, Select, pick_by_table};
use crate::solver;
use crate::untried::Rest;
use core::hint::cold_path;

impl<G, S, B, P, I> Search<G, S, B, P, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    P: Playout<G>,
    I: Link,
{
    /// Makes the simulations on this thread.
    pub(super) fn drive_alone(
        &mut self,
        limits: &Limits,
        observer: &mut dyn Observer<G::Move>,
    ) -> StopReason {
        let about =
            About { name: &self.name, seed: self.seed, clock: limits.clock, bytes: self.bytes_beside_tree() };
        let begun = self.core.told;
        let mut alone = Alone { core: &mut self.core, begun };
        let reason = self.worker.work(&mut alone, limits, observer, &about);
        self.core.told = alone.begun;
        reason
    }
}

impl<G: SearchGame, P: Playout<G>> Worker<G, P> {
    /// Makes simulations until a limit is reached, and says which.
    pub(super) fn work<S, B, I, A>(
        &mut self,
        shared: &mut A,
        limits: &Limits,
        observer: &mut dyn Observer<G::Move>,
        about: &About<'_>,
    ) -> StopReason
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Access<Core = Core<G, S, B, I>>,
    {
        let (traits, solver) = shared.read(|core| (Traits::of(core, &self.playout), core.options.solver));
        let together = !self.others.is_empty();
        let every = observer.every().max(1);
        let (mut done, mut due) = (0u64, every);
        let reason = loop {
            // A network takes longer than a playout.
            let reads_clock = together || traits.priors || traits.evaluates || done % 16 == 1;
            if let Some(reason) = limits.reached(shared, solver, done, reads_clock) {
                break reason;
            }
            if together {
                done += self.simulate_together(shared, traits, limits.target);
            } else {
                self.simulate(shared, traits);
                done += 1;
            }
            if done >= due {
                due = done.saturating_add(every);
                if observer.is_due() {
                    let simulation = &mut self.simulation;
                    let begun = shared.begun();
                    let report =
                        shared.read(|core| core.report(simulation, about, begun, StopReason::Stopped));
                    observer.progress(&report);
                }
            }
        };
        for simulation in self.simulations_mut() {
            if simulation.second_level.is_some() {
                shared.write(|core| core.end_second_level(simulation));
            }
            if simulation.stay.goes_on() {
                shared.write(|core| {
                    core.make_tables(simulation);
                    core.leave_stay(simulation);
                });
            }
            shared.read(|core| core.give_back(simulation));
        }
        reason
    }

    /// One simulation: descend, expand, evaluate, back up. Apart from its caller the compiler finds
    /// registers for more of it.
    #[inline(never)]
    fn simulate<S, B, I, A>(&mut self, shared: &mut A, traits: Traits)
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Access<Core = Core<G, S, B, I>>,
    {
        let Worker { simulation, playout, .. } = self;
        let outcome = match simulation.reach(shared, traits) {
            Halt::Known(outcome) => outcome,
            _ => {
                let priors = traits.priors && simulation.expanded;
                if priors || traits.evaluates {
                    simulation.prime(playout, priors);
                }
                if priors {
                    shared.write(|core| core.offer_candidates(simulation));
                }
                simulation.evaluate(playout, traits)
            }
        };
        finish(shared, simulation, playout, &outcome);
    }
}

impl<G: SearchGame> Simulation<G> {
    /// Descends and expands a move: comes to a leaf, whose outcome may be known.
    #[inline(always)]
    pub(super) fn reach<S, B, I, A>(&mut self, shared: &mut A, traits: Traits) -> HaltOf<G>
    where
        S: Select,
        B: Backup,
        I: Link,
        A: Access<Core = Core<G, S, B, I>>,
    {
        let mut started = false;
        let end = loop {
            let halt = shared.read(|core| {
                if !started {
                    core.start(self);
                }
                if A::ALONE { core.descend::<false>(self) } else { core.descend_outlined(self) }
            });
            started = true;
            let halt = match halt {
                Halt::Known(_) | Halt::Leaf => break halt,
                Halt::Expand(code) if !A::ALONE && shared.is_concurrent() => {
                    match shared.read(|core| core.expand_outlined(self, code)) {
                        // There is no room.
                        Some(halt @ Halt::Expand(_)) => halt,
                        Some(end) => break end,
                        None => continue,
                    }
                }
                halt => halt,
            };
            let end = shared.write(|core| {
                if A::ALONE { core.resume(self, halt) } else { core.resume_outlined(self, halt) }
            });
            if let Some(end) = end {
                break end;
            }
        };
        if traits.turns {
            shared.read(|core| core.note_player(self));
        }
        if traits.two_level {
            shared.write(|core| core.begin_second_level(self));
        }
        if !A::ALONE && self.stay.is_free() {
            shared.read(|core| core.begin_stay(self));
        }
        end
    }

    /// The outcome of its position, by its evaluation or by a playout.
    #[inline(never)]
    pub(super) fn evaluate<P: Playout<G>>(&mut self, playout: &mut P, traits: Traits) -> G::Outcome {
        if traits.evaluates
            && let Some(outcome) = self.outcome.take()
        {
            return bounded(outcome);
        }
        let Simulation { game, rng, moves, line, .. } = self;
        moves.clear();
        if traits.records {
            playout.run(game, rng, moves, line)
        } else {
            playout.run(game, rng, moves, &mut ())
        }
    }
}

/// Ends a simulation.
#[inline(always)]
pub(super) fn finish<G, S, B, I, P, A>(
    shared: &mut A,
    simulation: &mut Simulation<G>,
    playout: &mut P,
    outcome: &G::Outcome,
) where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
    P: Playout<G>,
    A: Access<Core = Core<G, S, B, I>>,
{
    let done = !A::ALONE
        && shared.is_concurrent()
        && shared.read(|core| {
            let room = core.has_tables(simulation);
            if room {
                core.tell(simulation, playout, outcome);
            }
            room
        });
    if !done {
        shared.write(|core| core.tell_alone(simulation, playout, outcome));
    }
}

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
    pub(super) fn start(&self, simulation: &mut Simulation<G>) {
        if simulation.second_level.is_some() {
            return self.start_second_level(simulation);
        }
        if simulation.stay.goes_on() {
            return self.start_at_stay(simulation);
        }
        simulation.game.clone_from(&self.root);
        simulation.path.clear();
        simulation.line.clear();
        simulation.reference = None;
        simulation.expanded = false;
        simulation.path.push(Step { node: self.tree.root(), mover: self.tree.root_mover() });
        self.tree.enter(self.tree.root());
    }

    /// [`Core::descend`] where it is not to be part of its caller.
    #[inline(never)]
    fn descend_outlined(&self, simulation: &mut Simulation<G>) -> HaltOf<G> {
        self.descend::<true>(simulation)
    }

    /// Descends from where a simulation is, perhaps beside others, as far as nothing but its own
    /// state and marks of nodes change.
    #[inline(always)]
    pub(super) fn descend<const BESIDE: bool>(&self, simulation: &mut Simulation<G>) -> HaltOf<G> {
        if const { S::NEEDS.has(Columns::AMAF) }
            && let Some(tables) = self.tree.amaf()
        {
            return self.descend_by_amaf(simulation, tables, BESIDE);
        }
        self.walk(simulation, |_, _| (), |simulation, step| self.next(simulation, step))
    }

    /// [`Core::descend`] with AMAF tables.
    #[inline(never)]
    fn descend_by_amaf(&self, simulation: &mut Simulation<G>, tables: &Tables<I>, beside: bool) -> HaltOf<G> {
        if let (Some(grave), Pools::Narrow(pool)) = (self.select.grave(), tables.pools()) {
            return self.descend_by_grave(simulation, grave, tables, pool, beside);
        }
        self.walk_by_amaf(simulation, tables, beside, |simulation, step, reference, expands| {
            let table = tables.table(reference, simulation.game.first_key());
            let view = self.view(simulation, step);
            let Simulation { game, untried, rng, .. } = simulation;
            let mut reference = Reference { table, cells: untried.cells(game, expands), rest: Rest::Open };
            (self.select.pick(view, Some(&mut reference), rng), reference.rest, table)
        })
    }

    /// [`Core::descend_by_amaf`] by the policy and the tables of the recipes, which are part of the
    /// loop.
    #[inline(never)]
    fn descend_by_grave(
        &self,
        simulation: &mut Simulation<G>,
        grave: &Grave,
        tables: &Tables<I>,
        pool: &EntryPool<u32>,
        beside: bool,
    ) -> HaltOf<G> {
        self.walk_by_amaf(simulation, tables, beside, |simulation, step, reference, expands| {
            let table = &tables.entries(pool, reference)[simulation.game.first_key()..];
            let view = self.view(simulation, step);
            let Simulation { game, untried, rng, .. } = simulation;
            let (mut cells, mut rest) = (untried.cells(game, expands), Rest::Open);
            (pick_by_table(grave, view, table, &mut cells, &mut rest, rng), rest, Table::Narrow(table))
        })
    }

    /// [`Core::walk`] with AMAF tables, where `pick` compares the children of a node by a reference
    /// table, which it returns too.
    #[inline(always)]
    fn walk_by_amaf<'a>(
        &'a self,
        simulation: &mut Simulation<G>,
        tables: &'a Tables<I>,
        beside: bool,
        pick: impl Fn(&mut Simulation<G>, Step, TableId, bool) -> (Pick, Rest, Table<'a>),
    ) -> HaltOf<G> {
        let threshold = self.select.reference();
        self.walk(
            simulation,
            |simulation, node| {
                simulation.reference = tables.reference(node, threshold, simulation.reference);
            },
            |simulation, step| match simulation.reference {
                Some(reference) => {
                    let _held = if beside { tables.hold(reference) } else { None };
                    self.next_by_amaf(simulation, step, |simulation, opens| {
                        pick(simulation, step, reference, opens)
                    })
                }
                None => self.next_outlined(simulation, step),
            },
        )
    }

    /// A node as the policy is shown it.
    #[inline(always)]
    fn view(&self, simulation: &Simulation<G>, step: Step) -> NodeView<'_, CodeOf<G>, I> {
        NodeView {
            tree: &self.tree,
            id: step.node,
            mover: step.mover,
            to_move: simulation.game.to_move(),
            players: G::Outcome::PLAYERS,
        }
    }

    /// Descends: `refer` finds the reference table of a node, and `next` where to go from it.
    #[inline(always)]
    fn walk(
        &self,
        simulation: &mut Simulation<G>,
        refer: impl Fn(&mut Simulation<G>, NodeId),
        next: impl Fn(&mut Simulation<G>, Step) -> Next<CodeOf<G>>,
    ) -> HaltOf<G> {
        let mut step = simulation.path[simulation.path.len() - 1];
        let pauses = self.has_overrides || self.halving.is_some();
        loop {
            refer(simulation, step.node);
            if self.stops_at(simulation, step.node) {
                break;
            }
            if pauses {
                if self.has_overrides
                    && let Some(halt) = self.check_node(simulation, step)
                {
                    return halt;
                }
                if self.halving.is_some() && simulation.path.len() == 1 {
                    return Halt::Halve;
                }
            }
            let node = match next(simulation, step) {
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
    pub(super) fn go(&self, simulation: &mut Simulation<G>, node: NodeId, code: CodeOf<G>) -> Step {
        let step = Step { node, mover: simulation.game.to_move() };
        if self.records {
            simulation.line.record(step.mover, simulation.game.first_key() + code.index());
        }
        simulation.game.play(simulation.game.decode(code));
        simulation.path.push(step);
        if self.tree.has_overrides() && !simulation.stay.goes_on() {
            self.tree.enter(node);
        }
        step
    }

    /// Notes who is to move at the leaf of a simulation: its children, if it has any by the time
    /// that its sample comes, are this player's.
    #[inline]
    fn note_player(&self, simulation: &mut Simulation<G>) {
        let leaf = self.tree.node(simulation.path[simulation.path.len() - 1].node);
        simulation.to_move = (!leaf.is_terminal()).then(|| simulation.game.to_move());
    }

    /// Enters a node, whose AMAF table may be the reference from here on.
    #[inline]
    pub(super) fn refer(&self, simulation: &mut Simulation<G>, node: NodeId) {
        if const { S::NEEDS.has(Columns::AMAF) } {
            simulation.reference = self.referred(node, simulation.reference);
        }
    }

    /// The AMAF table that is read at a node, if this one is read above it.
    #[inline]
    pub(super) fn referred(&self, node: NodeId, above: Option<TableId>) -> Option<TableId> {
        self.tree.amaf()?.reference(node, self.select.reference(), above)
    }

    /// Whether a simulation evaluates this node as it is, though it has visits already.
    #[inline]
    fn stops_at(&self, simulation: &Simulation<G>, id: NodeId) -> bool {
        let node = self.tree.node(id);
        if node.visits() < self.options.expansion_threshold {
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
    fn check_node(&self, simulation: &Simulation<G>, step: Step) -> Option<HaltOf<G>> {
        let node = self.tree.node(step.node);
        if self.options.solver && node.proven().is_some() {
            return Some(self.known(simulation, step));
        }
        self.tree.is_advice_due(step.node, node.visits()).then_some(Halt::Advise)
    }

    /// [`Core::next`] where it is not to be part of its caller.
    #[inline(never)]
    fn next_outlined(&self, simulation: &mut Simulation<G>, step: Step) -> Next<CodeOf<G>> {
        self.next(simulation, step)
    }

    /// Chooses among the children of a node and its untried moves.
    #[inline(always)]
    fn next(&self, simulation: &mut Simulation<G>, step: Step) -> Next<CodeOf<G>> {
        let complete = self.tree.node(step.node).is_complete();
        if !complete
            && self.expansion == Expansion::First
            && let Some(code) = self.pick_untried(simulation, step.node)
        {
            return Next::Untried(code);
        }
        let pick = self.select.pick(self.view(simulation, step), None, &mut simulation.rng);
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
    #[inline(always)]
    fn next_by_amaf<'a>(
        &'a self,
        simulation: &mut Simulation<G>,
        step: Step,
        pick: impl FnOnce(&mut Simulation<G>, bool) -> (Pick, Rest, Table<'a>),
    ) -> Next<CodeOf<G>> {
        let complete = self.tree.node(step.node).is_complete();
        debug_assert!(self.expansion != Expansion::First, "a policy that reads AMAF values compares");
        let expands = !complete && !self.tree.is_full(simulation.level());
        let advised = self.expansion == Expansion::Advised && self.tree.advice(step.node).is_some();
        let opens = G::LISTS_CELLS && !G::FINDS_MOVES && expands && !advised && !self.options.solver;
        let (pick, rest, table) = pick(simulation, opens);
        // Where moves are open, the policy chose among those without a child too.
        let better = if let Rest::Better(cell) = rest {
            Some(Code::new(cell as usize))
        } else if rest == Rest::Worse || !expands {
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
    pub(super) fn known(&self, simulation: &Simulation<G>, step: Step) -> HaltOf<G> {
        let node = self.tree.node(step.node);
        if self.options.solver
            && let Some(proven) = node.proven()
        {
            return Halt::Known(G::Outcome::draw().with(step.mover, proven.value()));
        }
        // Without visits another thread has made the node just now.
        if (simulation.expanded || node.is_terminal() || node.visits() == 0)
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
}
