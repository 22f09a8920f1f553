//! Two-level search: each new leaf of the tree is studied by a small search of its own.

use super::common::Core;
use super::simulation::{SecondLevel, Simulation};
use crate::backup::Backup;
use crate::code::{Link, NodeId};
use crate::columns::Columns;
use crate::game::SearchGame;
use crate::math::sqrt;
use crate::outcome::Outcome;
use crate::player::Player;
use crate::playout::Playout;
use crate::select::Select;
use crate::solver;

/// Playouts of a second-level search that must be made before it may be given up.
const LEAST: u32 = 8;

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// The node that a simulation in a second-level search starts from.
    #[inline(never)]
    pub(super) fn start_second_level(&self, simulation: &mut Simulation<G>) {
        let depth = simulation.second_level.map_or(0, |second_level| second_level.depth);
        simulation.game.clone_from(&simulation.leaf);
        simulation.line.truncate(depth);
        simulation.path.truncate(depth + 1);
        simulation.reference = None;
        simulation.expanded = false;
        if self.options.two_level.share {
            (0..depth).for_each(|above| self.refer(simulation, simulation.path[above].node));
        } else {
            simulation.reference = simulation.apart;
        }
    }

    /// Begins a second-level search at the leaf that was just reached, if there is none.
    #[inline(never)]
    pub(super) fn begin_second_level(&mut self, simulation: &mut Simulation<G>) {
        if simulation.second_level.is_some() {
            return;
        }
        let depth = simulation.path.len() - 1;
        let leaf = self.tree.node(simulation.path[depth].node);
        let bare = leaf.is_leaf();
        if leaf.is_studied() || !(bare || self.is_known(simulation.path[depth].node)) {
            // Another simulation is at work here, and this one adds a playout.
            return;
        }
        leaf.set_studied(true);
        simulation.leaf.clone_from(&simulation.game);
        simulation.second_level = Some(SecondLevel { depth, done: 0, bare });
        if !self.options.two_level.share {
            simulation.means.fill(0.0);
            if let Some(tables) = self.tree.amaf_mut() {
                simulation.apart = tables.begin_apart(simulation.apart);
            }
        }
    }

    /// Counts a playout of the second-level search, and ends the search where it is due. A leaf
    /// whose result is known needs no search: its one evaluation is given the weight of all.
    #[inline(never)]
    pub(super) fn count_playout<P: Playout<G>>(
        &mut self,
        simulation: &mut Simulation<G>,
        playout: &mut P,
        outcome: &G::Outcome,
    ) {
        let Some(second_level) = &mut simulation.second_level else { return };
        second_level.done += 1;
        let SecondLevel { depth, done, .. } = *second_level;
        if !self.options.two_level.share {
            let results = (0..G::Outcome::PLAYERS).map(|player| f64::from(outcome.of(Player::new(player))));
            let samples = results.clone().chain(results.map(|result| result * result));
            for (mean, sample) in simulation.means.iter_mut().zip(samples) {
                *mean += (sample - *mean) / f64::from(done);
            }
            if let Some(tables) = self.tree.amaf() {
                let Simulation { sample, apart, line, .. } = simulation;
                tables.learn_apart(sample, *apart, depth, line.moves(), outcome);
            }
        }
        let known = self.is_known(simulation.path[depth].node);
        if known && done == 1 {
            for _ in 1..self.batch {
                self.back_up(simulation, playout, outcome);
            }
            if let Some(second_level) = &mut simulation.second_level {
                second_level.done = self.batch;
            }
        }
        if known || done >= self.batch || self.is_hopeless(simulation, depth, done) {
            self.end_second_level(simulation);
        }
    }

    /// Whether the result of a node is known.
    fn is_known(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        node.is_terminal() || (self.options.solver && node.proven().is_some())
    }

    /// Whether the leaf is, with high probability, worse than a sibling: its mean and a Hoeffding
    /// bound lie below that one's value.
    fn is_hopeless(&self, simulation: &Simulation<G>, depth: usize, done: u32) -> bool {
        let delta = self.options.two_level.give_up;
        if delta <= 0.0 || done < LEAST || depth == 0 {
            return false;
        }
        let leaf = simulation.path[depth].node;
        let siblings = self.tree.children(simulation.path[depth - 1].node).filter(|&(id, _)| id != leaf);
        let best = siblings.map(|(_, node)| node.value()).fold(f32::NEG_INFINITY, f32::max);
        self.tree.node(leaf).value() + hoeffding(delta, done) < best
    }

    /// Ends the second-level search: drops its tree and, if nothing was shared while it ran,
    /// updates the path to its leaf with its mean result, as often as it made playouts.
    pub(super) fn end_second_level(&mut self, simulation: &mut Simulation<G>) {
        let Some(SecondLevel { depth, done, bare }) = simulation.second_level else { return };
        let leaf = simulation.path[depth].node;
        self.make_tables(simulation);
        self.tree.leave(&simulation.path[..=depth]);
        self.tree.node(leaf).set_studied(false);
        if bare {
            self.tree.prune(leaf);
        }
        if !self.options.two_level.share && depth > 0 {
            let (means, squares) = simulation.means.split_at(G::Outcome::PLAYERS);
            let mean = (0..).zip(means).fold(G::Outcome::draw(), |outcome, (player, &mean)| {
                outcome.with(Player::new(player), mean as f32)
            });
            let (above, leaf) = (&simulation.path[..depth], simulation.path[depth]);
            for _ in 0..done {
                self.backup.path(&self.tree, above, Some(leaf), &mean);
                if self.tree.columns().has(Columns::SQUARES) {
                    self.tree.learn_squares(above, |player| squares[player.index()] as f32);
                }
            }
            if let Some(tables) = self.tree.amaf() {
                let Simulation { sample, apart, path, line, .. } = simulation;
                let visits = |id| self.tree.node(id).visits();
                tables.merge_apart(sample, *apart, path, depth, &visits, line.moves(), done, &mean);
            }
            if self.options.solver {
                solver::back_up(&self.tree, &simulation.path[..=depth]);
            }
            if self.options.recycle {
                simulation.path.truncate(depth);
                self.touch_path(simulation, 0);
            }
        }
        simulation.second_level = None;
    }
}

/// How far the mean of `n` samples in [0, 1] lies below what is expected with a probability of at
/// most `delta` (Hoeffding 1963): sqrt(ln(1 / delta) / 2 n).
fn hoeffding(delta: f32, n: u32) -> f32 {
    sqrt(libm::logf(1.0 / delta) / (2.0 * n as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_that_of_the_probability() {
        for (delta, n, expected) in
            [(0.5, 8, 0.208_138_65), (0.4, 8, 0.239_307_7), (0.3, 8, 0.274_314_24), (0.3, 32, 0.137_157_12)]
        {
            assert!((hoeffding(delta, n) - expected).abs() < 1e-6, "{delta}, {n}: {}", hoeffding(delta, n));
        }
    }
}
