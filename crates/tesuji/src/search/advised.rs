//! Choosing a move to expand where the solver or an advisor has a say.

use super::common::Core;
use super::expand::open_cells;
use super::simulation::Simulation;
use crate::amaf::{Amaf, Table};
use crate::backup::Backup;
use crate::bias::Urgency;
use crate::code::{Code, Link, NodeId};
use crate::columns::Columns;
use crate::game::{CodeOf, SearchGame};
use crate::select::{Child, Pick, Select};
use crate::untried::TRIED;

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// [`Core::pick_untried`] where the solver or an advisor has a say: of the moves of the best
    /// advice.
    #[inline(never)]
    pub(super) fn pick_slow(&self, simulation: &mut Simulation<G>, node: NodeId) -> Option<CodeOf<G>> {
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
        for &m in simulation.moves.iter() {
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

    /// [`Core::pick_slow`] without a list: any cell of the best advice, until there is a move.
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
        let bars = (select.min_amaf_mean(shared, score), bias.bar(score));
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
        for &m in simulation.moves.iter() {
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
}
