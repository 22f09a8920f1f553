//! Threads stay below a node for some simulations.
//!
//! Where several threads change one tree, whatever one of them writes near the root is fetched anew by each of the others, which
//! takes longer than a whole simulation of a simple game. A thread therefore makes several simulations in a row from a node that
//! it came through, and updates the nodes above it when the last one has ended. All count as on their way through those nodes
//! meanwhile, so that the other threads go elsewhere; below it they leave no such marks.

use super::*;
use crate::backup::update_above;
use crate::tree::MOST_IN_FLIGHT;

/// A thread stays at a node of N visits for N / `VISITS` simulations: fewer than it learns from by itself.
const VISITS: u32 = if cfg!(test) { 2 } else { 16 };
/// A stay below a root of N visits is worth its cost from N / `ROOT_VISITS` simulations on, at least `FEWEST`, at most `FEW`: the
/// larger the tree, the shorter is the way to a node with enough visits.
const ROOT_VISITS: u32 = 1024;
const FEWEST: u32 = if cfg!(test) { 2 } else { 64 };
const FEW: u32 = 256;
/// The most simulations of a stay.
const MOST: u32 = 512;

/// The node below which a thread stays, and what the nodes above it are still to learn.
#[derive(Clone, Debug)]
pub(super) struct Stay<O> {
    /// The node's place in the path.
    depth: usize,
    /// Simulations still to come.
    left: u32,
    outcomes: Vec<O>,
}

impl<O> Default for Stay<O> {
    fn default() -> Self {
        Stay { depth: 0, left: 0, outcomes: Vec::new() }
    }
}

impl<O> Stay<O> {
    /// Nowhere yet; with room for outcomes where threads stay.
    pub(super) fn new(room: bool) -> Self {
        Stay { outcomes: Vec::with_capacity(if room { MOST as usize } else { 0 }), ..Stay::default() }
    }

    /// Forgets where it was.
    pub(super) fn clear(&mut self) {
        self.left = 0;
        self.outcomes.clear();
    }

    /// Whether the next simulation starts here.
    #[inline]
    pub(super) fn goes_on(&self) -> bool {
        self.left > 0
    }

    /// The first node of the path that a simulation updates at once.
    #[inline]
    pub(super) fn depth(&self) -> usize {
        if self.left > 0 { self.depth } else { 0 }
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.outcomes.capacity() * size_of::<O>()
    }
}

impl<G, S, B, I> Core<G, S, B, I>
where
    G: SearchGame,
    S: Select,
    B: Backup,
    I: Link,
{
    /// Whether so many threads stay below nodes: where nothing but visits and values goes up, in whatever order.
    pub(super) fn stays(&self, threads: usize) -> bool {
        let fit = (2..=usize::from(MOST_IN_FLIGHT) / (MOST as usize + 1)).contains(&threads);
        let plain = self.tree.columns() == Columns::NONE && !self.options.solver;
        fit && plain && self.only_adds() && self.backup.is_local()
    }

    /// Starts a simulation where its thread stays.
    #[inline(never)]
    pub(super) fn start_at_stay(&self, simulation: &mut Simulation<G>) {
        let depth = simulation.stay.depth;
        simulation.game.clone_from(&simulation.leaf);
        simulation.path.truncate(depth + 1);
        simulation.line.truncate(depth);
        simulation.reference = None;
        simulation.grown = false;
    }

    /// Goes on from a simulation that has ended: notes its outcome for the nodes above the one where its thread stays, or
    /// stays below a node of its path.
    #[inline]
    pub(super) fn stay(&self, simulation: &mut Simulation<G>, outcome: &G::Outcome) {
        let stay = &mut simulation.stay;
        if stay.left > 0 {
            stay.outcomes.push(*outcome);
            if stay.left == stay.outcomes.len() as u32 {
                self.leave_stay(simulation);
            }
        } else if stay.outcomes.capacity() > 0 {
            self.begin_stay(simulation);
        }
    }

    /// Stays below the deepest node of a path for which it is worth it, if there is one.
    #[inline(never)]
    fn begin_stay(&self, simulation: &mut Simulation<G>) {
        let Simulation { path, stay, leaf, .. } = simulation;
        let some = |step: &Step| self.tree.node(step.node).visits() / VISITS;
        let few = (self.tree.node(self.tree.root()).visits() / ROOT_VISITS).clamp(FEWEST, FEW);
        // To stay at the root would be of no use.
        let depth = path.iter().rposition(|step| some(step) >= few);
        let Some(depth) = depth.filter(|&depth| depth > 0) else { return };
        (stay.depth, stay.left) = (depth, some(&path[depth]).min(MOST));
        leaf.clone_from(&self.root);
        for step in &path[1..=depth] {
            leaf.play(leaf.decode(self.tree.node(step.node).code()));
        }
        self.tree.enter_often(&path[..=depth], stay.left);
    }

    /// Ends a stay: updates the nodes above it.
    #[inline(never)]
    pub(super) fn leave_stay(&self, simulation: &mut Simulation<G>) {
        let Simulation { path, stay, .. } = simulation;
        if stay.left == 0 {
            return;
        }
        self.tree.leave_often(&path[..=stay.depth], stay.left);
        update_above(&self.backup, &self.tree, &path[..stay.depth], path[stay.depth], &stay.outcomes);
        stay.clear();
    }
}
