//! A game as networks and records see it.

use crate::error::{ReplayError, SelfPlayError};
use crate::game::{Outlook, TrainingGame};
use crate::settings::SelfPlay;
use std::fmt::Debug;
use tesuji::{Evaluate, NetworkOptions, Rng, Value};
use tesuji_agents::Playable;
use tesuji_net::{ReadyNetwork, Shape};

/// Writes the planes of a position, `[plane, y, x]`, and the numbers for the whole of it.
pub(crate) type Write<'a, G> = Box<dyn FnMut(&G, &mut [f32], &mut [f32]) + 'a>;

/// What training needs of a game: its positions and moves as numbers, and the beginning and the end
/// of games.
pub(crate) trait Encoding: Clone + Debug + Send + Sync + 'static {
    /// The game.
    type Game: Playable;
    /// The evaluator by which its networks play.
    type Evaluator: Evaluate<Self::Game> + Clone + 'static;

    /// The initial position.
    fn start(&self) -> &Self::Game;

    /// Rows of the board that networks see.
    fn board(&self) -> usize;

    /// The planes that every network sees, and the moves of its policy; none if a network may have
    /// any number of planes, and its moves are the points and the pass.
    fn fixed(&self) -> Option<[usize; 2]>;

    /// The point of the board to which each move belongs, for a game with [fixed](Self::fixed)
    /// moves.
    fn points(&self) -> Vec<Option<usize>>;

    /// How a network of this shape is shown positions.
    ///
    /// # Errors
    /// If its inputs or its moves are not those of the game.
    fn inputs(&self, shape: &Shape) -> Result<Inputs<'_, Self::Game>, ReplayError>;

    /// An evaluator with this network.
    ///
    /// # Errors
    /// If it is for another game.
    fn evaluator(
        &self,
        network: &ReadyNetwork,
        options: &NetworkOptions,
    ) -> Result<Self::Evaluator, SelfPlayError>;

    /// The number of positions that an evaluator found in its cache.
    fn hits(evaluator: &Self::Evaluator) -> u64;

    /// The first position of a game of self-play. Default: [`Encoding::start`].
    fn begin(&self, settings: &SelfPlay, rng: &mut Rng) -> Self::Game {
        let _ = (settings, rng);
        self.start().clone()
    }

    /// A random move of an opening, where the game is not over.
    fn opening_move(&self, game: &Self::Game, rng: &mut Rng) -> <Self::Game as tesuji::Game>::Move;

    /// The value of a game that ends early.
    fn count(&self, game: &Self::Game) -> Value;

    /// The record of a game that begins here, without a move.
    fn record(&self, start: &Self::Game) -> TrainingGame;

    /// The first position of a recorded game.
    ///
    /// # Errors
    /// If the game is on another board, or its stones cannot stand so.
    fn first(&self, record: &TrainingGame) -> Result<Self::Game, ReplayError>;

    /// The number of a move of the player to move.
    fn number(&self, game: &Self::Game, m: <Self::Game as tesuji::Game>::Move) -> u16;

    /// The legal move of this number.
    fn legal(&self, game: &Self::Game, number: u16) -> Option<<Self::Game as tesuji::Game>::Move>;

    /// The end of a game for the first player, in points, if the game is counted in points.
    fn outlook(&self, end: &Self::Game) -> Option<Outlook>;
}

/// How a network is shown positions.
pub(crate) struct Inputs<'a, G> {
    /// Writes what it sees.
    pub(crate) write: Write<'a, G>,
    /// Rows in which moves and planes are turned by the symmetries of the board: from the top, or
    /// from the bottom. None if a position has no symmetries.
    pub(crate) turned: Option<Rows>,
}

impl<G> Debug for Inputs<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inputs").field("turned", &self.turned).finish_non_exhaustive()
    }
}

/// The order of the rows in the planes; moves are numbered in rows from the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rows {
    /// From the bottom.
    FromBottom,
    /// From the top.
    FromTop,
}

impl Rows {
    /// The place in the planes of each point.
    pub(crate) fn places(self, board: usize) -> Vec<usize> {
        let row = |y: usize| match self {
            Rows::FromBottom => y,
            Rows::FromTop => board - 1 - y,
        };
        (0..board * board).map(|m| row(m / board) * board + m % board).collect()
    }
}
