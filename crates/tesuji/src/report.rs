//! The report of a search.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// The move to play.
    pub best: M,
    /// The value in [0, 1] of the position for the player to move.
    pub value: f32,
    /// The most visited line of play from the root, its first move included.
    pub variation: Vec<M>,
    /// The moves of the root that were tried, most visited first.
    pub children: Vec<ChildReport<M>>,
    /// Why the search ended.
    pub reason: StopReason,
    /// Simulations of this search.
    pub simulations: u64,
    /// Nodes stored at the end, the root included.
    pub nodes: usize,
    /// The most nodes that the agent has stored since the game began.
    pub nodes_peak: usize,
    /// Heap bytes held by the agent for the search: tree, side tables, scratch space.
    pub bytes: usize,
    /// The most heap bytes that the agent has held since the game began.
    pub bytes_peak: usize,
    /// The deepest node reached, in moves from the root.
    pub depth: usize,
    /// Wall-clock time; zero without a clock.
    pub elapsed: Duration,
    /// The seed of the search's random numbers.
    pub seed: u64,
    /// The agent's name.
    pub recipe: String,
}

impl<M: Copy> Report<M> {
    /// The report of an agent that does not search: its move, the value 1/2, and nothing counted.
    pub fn unsearched(best: M, recipe: String, seed: u64) -> Report<M> {
        Report {
            best,
            value: 0.5,
            variation: alloc::vec![best],
            children: Vec::new(),
            reason: StopReason::Simulations,
            simulations: 0,
            nodes: 0,
            nodes_peak: 0,
            bytes: 0,
            bytes_peak: 0,
            depth: 0,
            elapsed: Duration::ZERO,
            seed,
            recipe,
        }
    }

    /// The same report with its moves written in another way.
    pub fn map<N>(&self, mut f: impl FnMut(M) -> N) -> Report<N> {
        let child = |child: &ChildReport<M>| ChildReport {
            m: f(child.m),
            visits: child.visits,
            value: child.value,
            prior: child.prior,
            proven: child.proven,
            variation: child.variation.iter().map(|&m| f(m)).collect(),
        };
        Report {
            children: self.children.iter().map(child).collect(),
            best: f(self.best),
            variation: self.variation.iter().map(|&m| f(m)).collect(),
            value: self.value,
            reason: self.reason,
            simulations: self.simulations,
            nodes: self.nodes,
            nodes_peak: self.nodes_peak,
            bytes: self.bytes,
            bytes_peak: self.bytes_peak,
            depth: self.depth,
            elapsed: self.elapsed,
            seed: self.seed,
            recipe: self.recipe.clone(),
        }
    }
}

/// One tried move of the root.
#[derive(Clone, PartialEq, Debug)]
pub struct ChildReport<M> {
    /// The move.
    pub m: M,
    /// Its visits.
    pub visits: u32,
    /// Its value in [0, 1] for the player to move at the root.
    pub value: f32,
    /// Its prior, where the search uses priors.
    pub prior: Option<f32>,
    /// Its exact value for the player to move at the root, if the search proved it.
    pub proven: Option<Proven>,
    /// The most visited line of play that begins with this move; it holds this move at least.
    pub variation: Vec<M>,
}

/// Puts the most visited first; those of equally many visits keep their order.
pub(crate) fn sort_by_visits<M>(children: &mut [ChildReport<M>]) {
    children.sort_by_key(|child| core::cmp::Reverse(child.visits));
}

/// An exactly known result, for a player that the context names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proven {
    /// Loses against best play.
    Loss,
    /// Neither wins nor loses.
    Draw,
    /// Wins against any play.
    Win,
}

impl Proven {
    /// The value in [0, 1].
    pub fn value(self) -> f32 {
        match self {
            Proven::Loss => 0.0,
            Proven::Draw => 0.5,
            Proven::Win => 1.0,
        }
    }

    /// The same result for the opponent.
    #[must_use]
    pub fn flip(self) -> Proven {
        match self {
            Proven::Loss => Proven::Win,
            Proven::Draw => Proven::Draw,
            Proven::Win => Proven::Loss,
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// All simulations of the budget were made.
    Simulations,
    /// The time was up.
    Time,
    /// [`Stop`](crate::Stop) was called.
    Stopped,
    /// The root's value is proven; more search changes nothing.
    Proven,
}
