//! Threads stay below a node for some simulations.
//!
//! Where several threads change one tree, whatever one of them writes near the root is fetched anew
//! by each of the others, which takes longer than a whole simulation of a simple game. A thread
//! therefore makes several simulations in a row from a node that it came through, and updates the
//! nodes above it when the last one has ended. Some of them count as on their way through those
//! nodes meanwhile, so that the other threads go elsewhere; below it they leave no such marks.

use super::common::Core;
use super::options::Options;
use super::simulation::Simulation;
use super::stay::MOST;
use crate::backup::{Backup, update_above};
use crate::code::Link;
use crate::columns::Columns;
use crate::game::SearchGame;
use crate::node::Step;
use crate::outcome::Outcome;
use crate::player::Player;
use crate::select::Select;
use crate::tree::MOST_IN_FLIGHT;

/// A thread stays at a node of N visits for N / `VISITS` simulations.
const VISITS: u32 = if cfg!(test) { 2 } else { 4 };
/// A stay below a root of N visits is worth its cost from N / `ROOT_VISITS` simulations on, at
/// least `FEWEST`, at most `FEW`: the larger the tree, the shorter is the way to a node with enough
/// visits.
const ROOT_VISITS: u32 = 4096;
const FEWEST: u32 = if cfg!(test) { 2 } else { 8 };
const FEW: u32 = 256;
/// One in N simulations of a stay counts as on its way: others go elsewhere, but not to bad moves.
const MARKS: u32 = 2;

/// The mean of some outcomes, at least one.
fn mean<O: Outcome>(outcomes: &[O]) -> O {
    (0..O::PLAYERS).map(Player::new).fold(O::draw(), |mean, player| {
        let sum: f64 = outcomes.iter().map(|outcome| f64::from(outcome.of(player))).sum();
        mean.with(player, (sum / outcomes.len() as f64) as f32)
    })
}

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// Whether `threads` threads stay below nodes: where nothing but visits, values and AMAF
    /// samples goes up, in whatever order.
    pub(super) fn stays(&self, threads: usize) -> bool {
        let fit = (2..=usize::from(MOST_IN_FLIGHT) / (MOST as usize + 1)).contains(&threads);
        let Options { memory, amaf, solver, .. } = &self.options;
        let few_tables = memory.bytes.is_some() || memory.nodes.is_some() || amaf.tables.is_some();
        let plain = match self.tree.columns() {
            Columns::NONE => !solver,
            Columns::AMAF => !solver && !few_tables,
            _ => false,
        };
        fit && plain && self.only_adds() && self.backup.is_local()
    }

    /// Starts a simulation where its thread stays.
    #[inline(never)]
    pub(super) fn start_at_stay(&self, simulation: &mut Simulation<G>) {
        let depth = simulation.stay.depth;
        simulation.game.clone_from(&simulation.leaf);
        simulation.path.truncate(depth + 1);
        simulation.line.truncate(depth);
        simulation.reference = simulation.stay.reference;
        simulation.expanded = false;
    }

    /// Notes the outcome of a simulation for the nodes above the one where its thread stays, and
    /// leaves there after the last one.
    #[inline]
    pub(super) fn stay(&self, simulation: &mut Simulation<G>, outcome: &G::Outcome) {
        let stay = &mut simulation.stay;
        stay.outcomes.push(*outcome);
        if stay.simulations == stay.outcomes.len() as u32 {
            self.leave_stay(simulation);
        }
    }

    /// Stays below the deepest node of the path of a simulation that has come to its leaf, if there
    /// is one for which it is worth it. This simulation is the first one.
    #[inline(never)]
    pub(super) fn begin_stay(&self, simulation: &mut Simulation<G>) {
        let Simulation { path, stay, leaf, apart, .. } = simulation;
        let some = |step: &Step| self.tree.node(step.node).visits() / VISITS;
        let few = (self.tree.node(self.tree.root()).visits() / ROOT_VISITS).clamp(FEWEST, FEW);
        // To stay at the root would be of no use.
        let depth = path.iter().rposition(|step| some(step) >= few);
        let Some(depth) = depth.filter(|&depth| depth > 0) else { return };
        (stay.depth, stay.simulations) = (depth, some(&path[depth]).min(MOST));
        leaf.clone_from(&self.root);
        for step in &path[1..=depth] {
            leaf.play(leaf.decode(self.tree.node(step.node).code()));
        }
        stay.marks = (stay.simulations / MARKS).max(1);
        self.tree.enter_often(&path[..=depth], stay.marks - 1);
        self.tree.leave(&path[depth + 1..]);
        stay.reference = path[..depth].iter().fold(None, |above, step| self.referred(step.node, above));
        if let Some((tables, apart)) = self.tree.amaf().zip(*apart) {
            tables.empty_apart(apart);
        }
    }

    /// Ends a stay: updates the nodes above it.
    #[inline(never)]
    pub(super) fn leave_stay(&self, simulation: &mut Simulation<G>) {
        let Simulation { path, line, stay, sample, apart, .. } = simulation;
        let (depth, outcomes) = (stay.depth, &stay.outcomes);
        self.tree.leave_often(&path[..=depth], stay.marks);
        update_above(&self.backup, &self.tree, &path[..depth], path[depth], outcomes);
        if let Some(tables) = self.tree.amaf()
            && !outcomes.is_empty()
        {
            let visits = |id| self.tree.node(id).visits();
            let samples = outcomes.len() as u32;
            tables.merge_apart(sample, *apart, path, depth, &visits, line.moves(), samples, &mean(outcomes));
        }
        stay.clear();
    }
}
