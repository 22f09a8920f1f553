//! One simulation under way.

use super::two_level::Focus;
use crate::amaf::TableId;
use crate::playout::Line;
use crate::tree::Step;
use crate::untried::Untried;
use crate::{Game, Outcome, Rng};
use alloc::vec::Vec;

/// A simulation on its way through the tree, with its scratch space. Nothing of it grows in a warm search.
#[derive(Clone, Debug)]
pub(super) struct Simulation<G: Game> {
    /// The position that it has come to.
    pub(super) game: G,
    /// Its nodes so far, the root first.
    pub(super) path: Vec<Step>,
    /// Its moves so far, and those of its playout: one for each node of the path but the root, then the playout's.
    pub(super) line: Line,
    /// Scratch: moves of one position.
    pub(super) moves: Vec<G::Move>,
    /// Scratch: their priors.
    pub(super) priors: Vec<f32>,
    /// Scratch: which of them have nodes.
    pub(super) untried: Untried,
    pub(super) rng: Rng,
    /// The AMAF table that is read where it is now.
    pub(super) reference: Option<TableId>,
    /// The second-level search that it belongs to.
    pub(super) focus: Option<Focus>,
    /// The position at the focus.
    pub(super) leaf: G,
    /// The mean of the second-level search for each player.
    pub(super) means: Vec<f64>,
}

impl<G: Game> Simulation<G> {
    /// Before the first one of a search of `start`, with this scratch space.
    pub(super) fn new(start: &G, path: Vec<Step>, line: Line, moves: Vec<G::Move>, priors: Vec<f32>) -> Self {
        Simulation {
            game: start.clone(),
            path,
            line,
            moves,
            priors,
            untried: Untried::new(start.keys()),
            rng: Rng::new(0),
            reference: None,
            focus: None,
            leaf: start.clone(),
            means: alloc::vec![0.0; G::Outcome::PLAYERS],
        }
    }

    /// Heap bytes held, those of the positions apart.
    pub(super) fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<Step>()
            + self.line.bytes()
            + self.moves.capacity() * size_of::<G::Move>()
            + self.priors.capacity() * size_of::<f32>()
            + self.means.capacity() * size_of::<f64>()
            + self.untried.bytes()
    }
}
