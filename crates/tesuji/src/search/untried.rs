//! Choosing a move to expand.

use super::*;
use crate::Amaf;
use crate::amaf::{Table, best_of_cells, each_kind};
use crate::bias::Urgency;
use crate::select::Child;
use crate::untried::TRIED;

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
        if self.careful { self.pick_with_care(simulation, node) } else { self.draw_untried(simulation, node) }
    }

    /// [`Core::pick_untried`] where the solver or an advisor has a say: of the moves of the best
    /// advice.
    #[inline(never)]
    fn pick_with_care(&self, simulation: &mut Simulation<G>, node: NodeId) -> Option<CodeOf<G>> {
        if self.tree.advice(node).is_none() {
            return if self.options.solver {
                self.draw_listed(simulation, node)
            } else {
                self.draw_untried(simulation, node)
            };
        }
        if G::FINDS_MOVES && !self.options.solver {
            return self.pick_by_cell(simulation, node);
        }
        self.list_untried(simulation, node);
        simulation.last = simulation.moves.len() == 1;
        let (row, _) = self.tree.advice(node)?;
        let (mut best, mut highest, mut ties) = (None, i8::MIN, 0);
        for &m in &simulation.moves {
            let code = simulation.game.code(m);
            let advice = row[code.index()];
            if advice < highest {
                continue;
            }
            ties = if advice > highest { 1 } else { ties + 1 };
            highest = advice;
            if ties == 1 || simulation.rng.below(ties) == 0 {
                best = Some(code);
            }
        }
        best
    }

    /// [`Core::pick_with_care`] without a list: any cell of the best advice, until there is a move.
    fn pick_by_cell(&self, simulation: &mut Simulation<G>, node: NodeId) -> Option<CodeOf<G>> {
        let (row, _) = self.tree.advice(node)?;
        let first = simulation.game.first_key();
        let marks = &mut simulation.untried.marks[..row.len()];
        marks.fill(0);
        for (_, child) in self.tree.children(node) {
            marks[child.code().index()] = TRIED;
        }
        // The marks become ranks: 0 for what is tried, from 1 for the worst advice on.
        for (mark, &advice) in marks.iter_mut().zip(row) {
            *mark = (advice as u8 ^ 0x80) & mark.wrapping_sub(TRIED);
        }
        loop {
            let highest = marks.iter().fold(0, |highest, &rank| rank.max(highest));
            if highest == 0 {
                self.tree.node(node).set_complete(true);
                return None;
            }
            let ties = marks.iter().filter(|&&rank| rank == highest).count();
            let nth = simulation.rng.below(ties as u32) as usize;
            let cell = (0..row.len()).filter(|&cell| marks[cell] == highest).nth(nth)?;
            if simulation.game.search_move_of(first + cell).is_some() {
                return Some(Code::new(cell));
            }
            marks[cell] = 0;
        }
    }

    /// [`Core::pick_untried`] by a few draws, or from the list.
    #[inline]
    fn draw_untried(&self, simulation: &mut Simulation<G>, node: NodeId) -> Option<CodeOf<G>> {
        for _ in 0..DRAWS {
            let Some(m) = simulation.game.draw_search_move(&mut simulation.rng) else { continue };
            let code = simulation.game.code(m);
            if self.tree.children(node).all(|(_, child)| child.code() != code) {
                return Some(code);
            }
        }
        self.draw_listed(simulation, node)
    }

    /// [`Core::pick_untried`] from the list.
    #[inline]
    fn draw_listed(&self, simulation: &mut Simulation<G>, node: NodeId) -> Option<CodeOf<G>> {
        self.list_untried(simulation, node);
        let n = simulation.moves.len();
        simulation.last = n == 1;
        if n == 0 {
            None
        } else {
            Some(simulation.game.code(simulation.moves[simulation.rng.below(n as u32) as usize]))
        }
    }

    /// An untried move whose biased score is above the best child's.
    #[inline(never)]
    pub(super) fn better_advised(
        &self,
        simulation: &mut Simulation<G>,
        node: NodeId,
        pick: Pick,
    ) -> Option<CodeOf<G>> {
        if self.tree.advice(node).is_none() {
            return self.better_untried(simulation, node, pick);
        }
        if self.tree.is_full(simulation.level()) {
            return None;
        }
        if self.tree.columns().has(Columns::PRIOR) {
            self.advised_by_prior(node, pick)
        } else {
            self.advised_by_list(simulation, node, None, pick)
        }
    }

    /// [`Core::better_advised`] with AMAF.
    #[inline(never)]
    pub(super) fn advised_by_amaf(
        &self,
        simulation: &mut Simulation<G>,
        node: NodeId,
        table: Table<'_>,
        pick: Pick,
    ) -> Option<CodeOf<G>> {
        if G::FINDS_MOVES && !self.options.solver {
            self.advised_by_cell(simulation, node, table, pick)
        } else {
            self.advised_by_list(simulation, node, Some(table), pick)
        }
    }

    /// [`Core::better_advised`] with AMAF, among the cells whose mean can reach the best child's
    /// score.
    fn advised_by_cell(
        &self,
        simulation: &mut Simulation<G>,
        node: NodeId,
        table: Table<'_>,
        pick: Pick,
    ) -> Option<CodeOf<G>> {
        let (shared, score) = (pick.shared(), pick.score());
        let (row, bias) = self.tree.advice(node)?;
        let first = simulation.game.first_key();
        let (select, game, rng) = (&self.select, &simulation.game, &mut simulation.rng);
        let (mut best, mut highest, mut ties) = (None, Urgency::NONE, 0);
        let bars = (select.amaf_bar(shared, score), bias.bar(score));
        let open = open_cells(game, &mut simulation.untried.bits);
        table.reaching(row, bars, &mut simulation.untried.marks, open, |cell, amaf| {
            let child = Child { amaf, ..Child::default() };
            let urgency = Urgency::new(bias, select.untried(shared, &child), row[cell]);
            if urgency.score() <= score || urgency < highest {
                return;
            }
            if game.search_move_of(first + cell).is_none() {
                return;
            }
            ties = if urgency > highest { 1 } else { ties + 1 };
            if ties == 1 || rng.below(ties) == 0 {
                (best, highest) = (Some(Code::new(cell)), urgency);
            }
        });
        best
    }

    /// [`Core::better_advised`] with priors. Of the moves without advice the first has the best
    /// score.
    fn advised_by_prior(&self, node: NodeId, pick: Pick) -> Option<CodeOf<G>> {
        let (row, bias) = self.tree.advice(node)?;
        let (mut best, mut highest, mut neutral) = (None, Urgency::NONE, false);
        for candidate in self.tree.candidates(node) {
            let advice = row[candidate.code.index()];
            if advice == 0 && core::mem::replace(&mut neutral, true) {
                continue;
            }
            let child = Child { prior: candidate.prior, ..Child::default() };
            let urgency = Urgency::new(bias, self.select.untried(pick.shared(), &child), advice);
            if urgency.score() > pick.score() && urgency > highest {
                (best, highest) = (Some(candidate.code), urgency);
            }
        }
        if best.is_none() {
            self.complete_if_spent(node);
        }
        best
    }

    /// Marks a node complete whose moves were listed with priors, and all have nodes: for the
    /// solver.
    fn complete_if_spent(&self, node: NodeId) {
        if self.options.solver && self.tree.is_spent(node) {
            self.tree.node(node).set_complete(true);
        }
    }

    /// [`Core::better_advised`] from a list of all untried moves.
    fn advised_by_list(
        &self,
        simulation: &mut Simulation<G>,
        node: NodeId,
        table: Option<Table<'_>>,
        pick: Pick,
    ) -> Option<CodeOf<G>> {
        self.list_untried(simulation, node);
        let (row, bias) = self.tree.advice(node)?;
        let (mut best, mut highest, mut ties) = (None, Urgency::NONE, 0);
        for &m in &simulation.moves {
            let code = simulation.game.code(m);
            let amaf = table.map_or(Amaf::default(), |table| table.read(code.index()));
            let child = Child { amaf, ..Child::default() };
            let urgency = Urgency::new(bias, self.select.untried(pick.shared(), &child), row[code.index()]);
            if urgency.score() <= pick.score() || urgency < highest {
                continue;
            }
            ties = if urgency > highest { 1 } else { ties + 1 };
            if ties == 1 || simulation.rng.below(ties) == 0 {
                (best, highest) = (Some(code), urgency);
            }
        }
        best
    }

    /// Lists the moves that have no node yet. Marks the node complete if there is none.
    fn list_untried(&self, simulation: &mut Simulation<G>, node: NodeId) {
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
            let bar = self.select.amaf_bar(pick.shared(), pick.score());
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
}

/// A word of the bits of open cells, which the game is asked for when the first is wanted.
#[inline(always)]
fn open_cells<G: SearchGame>(game: &G, bits: &mut [u64]) -> impl FnMut(usize) -> u64 {
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
