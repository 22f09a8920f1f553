//! Games that can be trained, whose type is known at run time only.

use crate::encoding::Encoding;
use crate::error::{ReplayError, SelfPlayError};
use crate::game::TrainingGame;
use crate::go::GoEncoding;
use crate::planes::PlanesEncoding;
use crate::replay::{Goal, Pick, Replay, Replayed, replay};
use crate::self_play::{Player, SelfPlayer};
use crate::settings::SelfPlay;
use crate::teacher::{Labels, Teacher};
use std::fmt::Debug;
use tesuji::NetworkOptions;
use tesuji_agents::Playable;
use tesuji_go::{Rules, with_go};
use tesuji_net::{Batch, GamePlanesError, Parameters, ReadyNetwork, Shape};

/// A game that networks can learn, from its initial position. It ends with a win, a loss or a draw:
/// a value between them counts as a draw.
pub trait TrainableGame: Debug + Send + Sync {
    /// Rows of the board that networks see.
    fn board(&self) -> usize;

    /// Rows of each board on which games are played. Default: [`TrainableGame::board`] alone.
    fn boards(&self) -> Vec<usize> {
        vec![self.board()]
    }

    /// A network made ready for each of the [boards](TrainableGame::boards), in their order.
    fn ready(&self, parameters: &Parameters) -> Vec<ReadyNetwork> {
        let ready = |board| match parameters.shape().board == board {
            true => ReadyNetwork::new(parameters),
            false => ReadyNetwork::new(&parameters.clone().on_board(board)),
        };
        self.boards().into_iter().map(ready).collect()
    }

    /// The planes that every network sees, and the moves of its policy; none if a network may have
    /// any number of planes, and its moves are the points and the pass.
    fn fixed(&self) -> Option<[usize; 2]>;

    /// Makes sure that networks of this shape can learn the game.
    ///
    /// # Errors
    /// If their inputs or their moves are those of another game.
    fn check(&self, shape: &Shape) -> Result<(), ReplayError>;

    /// A new network of this shape, whose weights follow from a seed, see
    /// [`Parameters::random_at`].
    ///
    /// # Panics
    /// If a measure of the shape is out of range.
    fn new_network(&self, shape: Shape, seed: u64) -> Parameters;

    /// A player of games of a network against itself; the network is [ready](Self::ready) for each
    /// board.
    ///
    /// # Errors
    /// If the network is for another game, or a setting is out of its range.
    fn self_player(
        &self,
        networks: &[ReadyNetwork],
        settings: &SelfPlay,
    ) -> Result<Box<dyn SelfPlayer>, SelfPlayError>;

    /// Replays a game and adds the picked positions to a batch, in the order of the game.
    ///
    /// # Errors
    /// If the game is another one, a move is not legal, the game has no such position, or the batch
    /// is for networks of another game.
    fn add_positions(
        &self,
        game: &TrainingGame,
        goal: &Goal,
        picks: &[Pick],
        batch: &mut Batch,
    ) -> Result<(), ReplayError>;

    /// Replays a game.
    ///
    /// # Errors
    /// If the game is another one, or a move is not legal.
    fn replay(&self, game: &TrainingGame) -> Result<Replayed, ReplayError>;

    /// The network that these options name, as a teacher of others that labels every Nth position.
    ///
    /// # Errors
    /// If it cannot be read, or is for another game.
    fn teacher(&self, options: &NetworkOptions, every: u32) -> Result<Box<dyn Teacher>, String>;

    /// This network, [ready](Self::ready) for each board, as a teacher of others that labels every
    /// Nth position, by the options but for the file.
    ///
    /// # Errors
    /// If it is for another game.
    fn teacher_of(
        &self,
        networks: &[ReadyNetwork],
        options: &NetworkOptions,
        every: u32,
    ) -> Result<Box<dyn Teacher>, SelfPlayError>;
}

/// Go on a board of this size.
pub fn trainable_go(size: usize, rules: Rules) -> Box<dyn TrainableGame> {
    with_go!(size, rules, |start| Box::new(Trainable(GoEncoding::new(start))) as Box<dyn TrainableGame>)
}

/// Any game on a board, by the planes that it writes.
///
/// ```
/// let game = tesuji_train::trainable(&tesuji_games::ConnectFour::new())?;
/// assert_eq!((game.board(), game.fixed()), (7, Some([4, 49])));
/// # Ok::<(), tesuji_net::GamePlanesError>(())
/// ```
///
/// # Errors
/// If networks cannot see the game, see [`GamePlanes::of`](tesuji_net::GamePlanes::of).
pub fn trainable<G: Playable>(start: &G) -> Result<Box<dyn TrainableGame>, GamePlanesError> {
    Ok(Box::new(Trainable(PlanesEncoding::new(start)?)))
}

#[derive(Debug)]
struct Trainable<E>(E);

/// The network of a game on one board.
fn only(networks: &[ReadyNetwork]) -> Result<&ReadyNetwork, SelfPlayError> {
    match networks {
        [network] => Ok(network),
        _ => Err(SelfPlayError(format!("there are {} networks for 1 board", networks.len()))),
    }
}

impl<E: Encoding> TrainableGame for Trainable<E> {
    fn board(&self) -> usize {
        self.0.board()
    }

    fn fixed(&self) -> Option<[usize; 2]> {
        self.0.fixed()
    }

    fn check(&self, shape: &Shape) -> Result<(), ReplayError> {
        self.0.inputs(shape).map(drop)
    }

    fn new_network(&self, shape: Shape, seed: u64) -> Parameters {
        match shape.actions {
            0 => Parameters::random(shape, seed),
            _ => Parameters::random_at(shape, seed, &self.0.points()),
        }
    }

    fn self_player(
        &self,
        networks: &[ReadyNetwork],
        settings: &SelfPlay,
    ) -> Result<Box<dyn SelfPlayer>, SelfPlayError> {
        Ok(Box::new(Player::new(self.0.clone(), only(networks)?, settings)?))
    }

    fn add_positions(
        &self,
        game: &TrainingGame,
        goal: &Goal,
        picks: &[Pick],
        batch: &mut Batch,
    ) -> Result<(), ReplayError> {
        Replay { encoding: &self.0, game, goal, picks, batch }.run()
    }

    fn replay(&self, game: &TrainingGame) -> Result<Replayed, ReplayError> {
        replay(&self.0, game)
    }

    fn teacher(&self, options: &NetworkOptions, every: u32) -> Result<Box<dyn Teacher>, String> {
        let evaluator = self.0.start().network(options)?;
        Ok(Box::new(Labels::new(self.0.clone(), evaluator, every)))
    }

    fn teacher_of(
        &self,
        networks: &[ReadyNetwork],
        options: &NetworkOptions,
        every: u32,
    ) -> Result<Box<dyn Teacher>, SelfPlayError> {
        let evaluator = self.0.evaluator(only(networks)?, options)?;
        Ok(Box::new(Labels::new(self.0.clone(), Box::new(evaluator), every)))
    }
}
