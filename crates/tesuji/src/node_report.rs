//! What a tree holds at one node.

use crate::amaf::Amaf;
use crate::report::Proven;
use alloc::vec::Vec;

/// A node of a search tree and the moves that were tried there.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeReport<M> {
    /// Its visits.
    pub visits: u32,
    /// Its value in [0, 1] for the player who moved into it.
    pub value: f32,
    /// Whether the game is over there.
    pub is_terminal: bool,
    /// The moves that have nodes, most visited first.
    pub moves: Vec<TriedMove<M>>,
}

/// How many nodes a search holds, and how many it gave up to stay within its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeCounts {
    /// Nodes stored now, the root included.
    pub stored: usize,
    /// The most nodes that may be stored.
    pub limit: usize,
    /// Nodes that were recycled: each was the one not visited for the longest time, and gave its
    /// place to a new one.
    pub recycled: u64,
    /// Nodes of second levels that were dropped, each second level as a whole.
    pub pruned: u64,
}

/// A move that has a node.
#[derive(Clone, PartialEq, Debug)]
pub struct TriedMove<M> {
    /// The move.
    pub m: M,
    /// Its visits.
    pub visits: u32,
    /// Its value in [0, 1] for the player who makes it.
    pub value: f32,
    /// Its prior, where the search uses priors.
    pub prior: Option<f32>,
    /// Its AMAF statistics, if the search keeps AMAF tables.
    pub amaf: Option<Amaf>,
    /// Its exact value for the player who makes it, if the search proved it.
    pub proven: Option<Proven>,
    /// Whether it ends the game.
    pub is_terminal: bool,
    /// The number of moves with nodes after it.
    pub children: usize,
}

impl<M> NodeReport<M> {
    /// The same report with its moves written in another way.
    pub fn map<N>(self, mut f: impl FnMut(M) -> N) -> NodeReport<N> {
        let NodeReport { visits, value, is_terminal, moves } = self;
        let tried = |tried: TriedMove<M>| {
            let TriedMove { m, visits, value, prior, amaf, proven, is_terminal, children } = tried;
            TriedMove { m: f(m), visits, value, prior, amaf, proven, is_terminal, children }
        };
        NodeReport { visits, value, is_terminal, moves: moves.into_iter().map(tried).collect() }
    }
}
