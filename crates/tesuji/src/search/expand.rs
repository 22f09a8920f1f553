//! The second half of a simulation: it chooses a move to expand, expands it, and updates its path.

use super::common::{Core, Halt, HaltOf, Next};
use super::simulation::Simulation;
use crate::amaf::{Table, best_of_cells, each_kind};
use crate::backup::Backup;
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;
use crate::game::{CodeOf, Order, SearchGame};
use crate::node::Step;
use crate::outcome::Outcome;
use crate::playout::Playout;
use crate::select::{Child, Pick, Select};
use crate::solver;
use crate::tree::{Expanded, SECOND, TOP};
use crate::untried::{Note, Ones, Open};

/// Draws for an untried move, before all are listed. Any number gives the same distribution.
const DRAWS: usize = 4;

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// An untried move that the policy scores above the best child.
    #[inline(never)]
    pub(super) fn better_untried(
        &self,
        simulation: &mut Simulation<G>,
        node: NodeId,
        pick: Pick,
    ) -> Option<CodeOf<G>> {
        if self.tree.is_full(simulation.level()) {
            return None;
        }
        let (shared, score) = (pick.shared(), pick.score());
        if self.tree.columns().has(Columns::PRIOR) {
            let Some(best) = self.tree.best_candidate(node) else {
                self.complete_if_spent(node);
                return None;
            };
            let child = Child { prior: best.prior, ..Child::default() };
            return (self.select.untried(shared, &child) > score).then_some(best.code);
        }
        if self.select.untried(shared, &Child::default()) > score {
            self.pick_untried(simulation, node)
        } else {
            None
        }
    }

    /// A random move of the current position that has no node yet: any with equal probability, or
    /// one of the best advice. Where moves are listed, notes whether it is the last one, and marks
    /// the node complete when there is none.
    pub(super) fn pick_untried(&self, simulation: &mut Simulation<G>, node: NodeId) -> Option<CodeOf<G>> {
        if self.tree.is_full(simulation.level()) {
            return None;
        }
        if self.has_overrides {
            self.pick_slow(simulation, node)
        } else {
            self.draw_untried(simulation, node)
        }
    }

    /// [`Core::pick_untried`] by a few draws, or from the list.
    #[inline]
    pub(super) fn draw_untried(&self, simulation: &mut Simulation<G>, node: NodeId) -> Option<CodeOf<G>> {
        for _ in 0..DRAWS {
            let Some(m) = simulation.game.draw_search_move(&mut simulation.rng) else { continue };
            let code = simulation.game.code(m);
            if self.tree.children(node).all(|(_, child)| child.code() != code) {
                return Some(code);
            }
        }
        self.draw_listed(simulation, node)
    }

    /// [`Core::pick_untried`] from the list, or from the cells of a game that lists them.
    #[inline]
    pub(super) fn draw_listed(&self, simulation: &mut Simulation<G>, node: NodeId) -> Option<CodeOf<G>> {
        if G::LISTS_CELLS && !simulation.all_moves {
            return self.draw_cell(simulation, node);
        }
        self.list_untried(simulation, node);
        let n = simulation.moves.len();
        simulation.last = n == 1;
        if n == 0 {
            None
        } else {
            Some(simulation.game.code(simulation.moves[simulation.rng.below(n as u32) as usize]))
        }
    }

    /// [`Core::draw_listed`] without a list.
    #[inline(always)]
    fn draw_cell(&self, simulation: &mut Simulation<G>, node: NodeId) -> Option<CodeOf<G>> {
        let Simulation { game, untried, rng, last, .. } = simulation;
        let tried = self.tree.children(node).map(|(_, child)| child.code().index());
        let mut draw = |n: u32| if n > 0 { rng.below(n) as usize } else { 0 };
        let (n, cell);
        match untried.listed(game, true) {
            Open::Word(mut open) => {
                tried.for_each(|cell| open.note(cell));
                n = open.count_ones();
                (0..draw(n)).for_each(|_| open &= open - 1);
                cell = (open != 0).then(|| open.trailing_zeros() as usize);
            }
            Open::Words(bits, order) => {
                match order {
                    Some(Order { places, .. }) => tried.for_each(|cell| bits.note(places[cell].into())),
                    None => tried.for_each(|cell| bits.note(cell)),
                }
                n = bits.iter().map(|word| word.count_ones()).sum();
                let place = Ones::of(bits).nth(draw(n));
                cell = place.map(|place| order.map_or(place, |order| order.cells[place].into()));
            }
        }
        *last = n == 1;
        if cell.is_none() {
            self.tree.node(node).set_complete(true);
        }
        cell.map(Code::new)
    }

    /// Marks a node complete whose moves were listed with priors, and all have nodes: for the
    /// solver.
    pub(super) fn complete_if_spent(&self, node: NodeId) {
        if self.options.solver && self.tree.is_spent(node) {
            self.tree.node(node).set_complete(true);
        }
    }

    /// Lists the moves that have no node yet. Marks the node complete if there is none.
    pub(super) fn list_untried(&self, simulation: &mut Simulation<G>, node: NodeId) {
        simulation.moves.clear();
        simulation.list_moves();
        let tried = self.tree.children(node).map(|(_, child)| child.code());
        simulation.untried.retain(&simulation.game, &mut simulation.moves, tried);
        if simulation.moves.is_empty() {
            self.tree.node(node).set_complete(true);
        }
    }

    /// The untried move that the reference table thinks best, if the policy scores it above the
    /// best child: one the table has never seen, else one of the highest mean; ties at random.
    /// Marks the node complete where none is left.
    #[inline(never)]
    pub(super) fn better_by_amaf(
        &self,
        simulation: &mut Simulation<G>,
        node: NodeId,
        table: Table<'_>,
        pick: Pick,
    ) -> Option<CodeOf<G>> {
        let by_key = G::FINDS_MOVES && !self.options.solver;
        let Simulation { game, moves, untried, rng, .. } = simulation;
        let best = if by_key {
            let bar = self.select.min_amaf_mean(pick.shared(), pick.score());
            let first = game.first_key();
            let find = |cell| game.search_move_of(first + cell).map(|_| cell);
            table.best(bar, rng, &mut untried.marks, open_cells(game, &mut untried.bits), find)
        } else if G::FINDS_MOVES || G::LISTS_CELLS || self.options.solver {
            // Children that are proven are not compared, and so not noted.
            self.list_untried(simulation, node);
            let Simulation { game, moves, rng, .. } = simulation;
            let list = moves.iter().map(|&m| game.code(m).index());
            each_kind!(table, entries => best_of_cells(entries, list, rng))
        } else {
            moves.clear();
            game.search_moves(moves);
            let is_untried = |&cell: &usize| untried.bits[cell / 64] >> (cell % 64) & 1 != 0;
            let list = moves.iter().map(|&m| game.code(m).index()).filter(is_untried);
            each_kind!(table, entries => best_of_cells(entries, list, rng))
        };
        let Some((cell, amaf)) = best else {
            if !by_key {
                self.tree.node(node).set_complete(true);
            }
            return None;
        };
        let child = Child { amaf, ..Child::default() };
        (self.select.untried(pick.shared(), &child) > pick.score()).then(|| Code::new(cell))
    }

    /// [`Core::resume`] where it is not to be part of its caller.
    #[inline(never)]
    pub(super) fn resume_outlined(
        &mut self,
        simulation: &mut Simulation<G>,
        halt: HaltOf<G>,
    ) -> Option<HaltOf<G>> {
        self.resume(simulation, halt)
    }

    /// Goes on with a simulation that paused, after which it descends again if there is no further
    /// halt. Nobody else uses the tree meanwhile.
    #[inline(always)]
    pub(super) fn resume(&mut self, simulation: &mut Simulation<G>, halt: HaltOf<G>) -> Option<HaltOf<G>> {
        let step = simulation.path[simulation.path.len() - 1];
        let code = match halt {
            Halt::Expand(code) => code,
            Halt::Halve => {
                let next =
                    self.halving.as_mut().map(|halving| super::root::next_by_halving(&self.tree, halving));
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
    pub(super) fn expand_outlined(
        &self,
        simulation: &mut Simulation<G>,
        code: CodeOf<G>,
    ) -> Option<HaltOf<G>> {
        self.expand(simulation, code)
    }

    /// Gives a move a node and enters it, which ends the descent. If another simulation was here
    /// first, this one descends on; if there is no room, it halts as before.
    #[inline(always)]
    pub(super) fn expand(&self, simulation: &mut Simulation<G>, code: CodeOf<G>) -> Option<HaltOf<G>> {
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
        simulation.expanded = true;
        let step = self.go(simulation, node, code);
        self.refer(simulation, node);
        Some(self.known(simulation, step))
    }

    /// [`Core::refer`] for the whole path: while a simulation paused its reference may have become
    /// the table of another node.
    fn refer_again(&self, simulation: &mut Simulation<G>) {
        let apart = simulation.second_level.filter(|_| !self.options.two_level.share);
        simulation.reference = apart.and(simulation.apart);
        for at in apart.map_or(0, |second_level| second_level.depth)..simulation.path.len() {
            self.refer(simulation, simulation.path[at].node);
        }
    }

    /// Gives a simulation up whose leaf another one is about to evaluate: the same answer twice is
    /// no second sample. Says whether it did.
    #[inline(never)]
    pub(super) fn give_up_second(&mut self, simulation: &Simulation<G>) -> bool {
        let leaf = simulation.path[simulation.path.len() - 1].node;
        let second =
            !simulation.expanded && self.tree.node(leaf).visits() == 0 && self.tree.pending(leaf) > 1;
        if second {
            self.tree.leave(&simulation.path);
            if let Some(halving) = &mut self.halving {
                halving.withdraw();
            }
        }
        second
    }

    /// [`Core::tell`] where nobody else uses the tree meanwhile.
    #[inline(always)]
    pub(super) fn tell_alone<P: Playout<G>>(
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
    pub(super) fn tell<P: Playout<G>>(
        &self,
        simulation: &mut Simulation<G>,
        playout: &mut P,
        outcome: &G::Outcome,
    ) {
        simulation.deepest = simulation.deepest.max(simulation.path.len() - 1);
        if self.tree.has_overrides() && !simulation.stay.goes_on() {
            self.tree.leave(
                &simulation.path[simulation.second_level.map_or(0, |second_level| second_level.depth + 1)..],
            );
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
    pub(super) fn has_tables(&self, simulation: &Simulation<G>) -> bool {
        self.tree.amaf().is_none_or(|tables| tables.has_room_for(&simulation.path))
    }

    /// Makes room for AMAF tables of the nodes of the path.
    #[inline]
    pub(super) fn make_tables(&mut self, simulation: &Simulation<G>) {
        if let Some(tables) = self.tree.amaf_mut() {
            tables.make_room_for(&simulation.path);
        }
    }

    /// Updates the path with an outcome.
    #[inline(always)]
    pub(super) fn back_up<P: Playout<G>>(
        &self,
        simulation: &mut Simulation<G>,
        playout: &mut P,
        outcome: &G::Outcome,
    ) {
        let from = self.updates_from(simulation);
        let apart = if simulation.stay.goes_on() { simulation.apart } else { None };
        let Simulation { path, to_move, sample, line, .. } = simulation;
        let below = to_move.map(|mover| Step { node: NodeId::NONE, mover });
        self.backup.path(&self.tree, &path[from..], below, outcome);
        if self.tree.columns().has(Columns::SQUARES) {
            self.tree.learn_squares(&path[from..], |player| outcome.of(player) * outcome.of(player));
        }
        if let Some(tables) = self.tree.amaf() {
            let visits = |id| self.tree.node(id).visits();
            tables.learn(sample, path, from, apart, &visits, line.moves(), outcome);
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
        match simulation.second_level {
            Some(second_level) if !self.options.two_level.share => second_level.depth,
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
    pub(super) fn touch_path(&self, simulation: &Simulation<G>, from: usize) {
        let top =
            simulation.second_level.map_or(simulation.path.len(), |second_level| second_level.depth + 1);
        for (depth, step) in simulation.path.iter().enumerate().skip(from).rev() {
            self.tree.touch(step.node, if depth < top { TOP } else { SECOND });
        }
    }

    /// Gives back what a thread took for its simulations and did not use.
    pub(super) fn give_back(&self, simulation: &mut Simulation<G>) {
        self.tree.give_back(&mut simulation.slots);
        if let Some(tables) = self.tree.amaf() {
            tables.give_back(&mut simulation.sample);
        }
    }
}

/// A word of the bits of open cells, which the game is asked for when the first is wanted.
#[inline(always)]
pub(super) fn open_cells<G: SearchGame>(game: &G, bits: &mut [u64]) -> impl FnMut(usize) -> u64 {
    let mut known = false;
    move |word| {
        if !known {
            bits.fill(0);
            game.open_cells(bits);
            known = true;
        }
        bits[word]
    }
}
