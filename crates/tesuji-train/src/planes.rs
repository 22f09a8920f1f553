//! Any game on a board as networks and records see it.

use crate::encoding::{Encoding, Inputs};
use crate::error::{ReplayError, SelfPlayError};
use crate::game::{End, Outlook, TrainingGame};
use std::fmt;
use tesuji::{Code, NetworkOptions, Rng, Value};
use tesuji_agents::Playable;
use tesuji_go::Komi;
use tesuji_net::{GameEvaluator, GamePlanes, GamePlanesError, PlanesView, ReadyNetwork, Shape};

/// A game by [its planes](GamePlanes). Moves are numbered by their codes.
#[derive(Clone)]
pub(crate) struct PlanesEncoding<G> {
    start: G,
    planes: GamePlanes,
}

impl<G> fmt::Debug for PlanesEncoding<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlanesEncoding").field("planes", &self.planes).finish_non_exhaustive()
    }
}

impl<G: Playable> PlanesEncoding<G> {
    /// Of games that begin here.
    ///
    /// # Errors
    /// If the game shows itself to no network.
    pub(crate) fn new(start: &G) -> Result<Self, GamePlanesError> {
        Ok(PlanesEncoding { start: start.clone(), planes: GamePlanes::of(start)? })
    }
}

impl<G: Playable> Encoding for PlanesEncoding<G> {
    type Game = G;
    type Evaluator = GameEvaluator<PlanesView>;

    fn start(&self) -> &G {
        &self.start
    }

    fn board(&self) -> usize {
        self.planes.board()
    }

    fn fixed(&self) -> Option<[usize; 2]> {
        Some([self.planes.count(), self.planes.actions()])
    }

    fn points(&self) -> Vec<Option<usize>> {
        self.planes.points(&self.start)
    }

    fn inputs(&self, shape: &Shape) -> Result<Inputs<'_, G>, ReplayError> {
        self.planes.check(shape).map_err(|error| ReplayError::Inputs(error.to_string()))?;
        let mut own = Vec::new();
        let write = move |game: &G, planes: &mut [f32], _: &mut [f32]| {
            self.planes.write(game, &mut own, planes);
        };
        Ok(Inputs { write: Box::new(write), turned: None })
    }

    fn evaluator(
        &self,
        network: &ReadyNetwork,
        options: &NetworkOptions,
    ) -> Result<GameEvaluator<PlanesView>, SelfPlayError> {
        let ReadyNetwork::Board(network) = network else {
            return Err(SelfPlayError(
                "pooling networks are for Go; accepted: a network for one board".into(),
            ));
        };
        PlanesView::evaluator(&self.start, network.clone(), options)
            .map_err(|error| SelfPlayError(error.to_string()))
    }

    fn hits(evaluator: &GameEvaluator<PlanesView>) -> u64 {
        evaluator.hits()
    }

    /// Any legal move, each as likely.
    fn opening_move(&self, game: &G, rng: &mut Rng) -> G::Move {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        moves[rng.below(moves.len() as u32) as usize]
    }

    /// A draw.
    fn count(&self, _: &G) -> Value {
        Value::DRAW
    }

    fn record(&self, start: &G) -> TrainingGame {
        TrainingGame {
            size: self.board(),
            actions: self.planes.actions(),
            komi: Komi::from_halves(0),
            stones: Vec::new(),
            first: start.to_move(),
            turns: Vec::new(),
            winner: None,
            end: End::Unknown,
        }
    }

    fn first(&self, record: &TrainingGame) -> Result<G, ReplayError> {
        let (found, wanted) = (record.size, self.board());
        if found != wanted {
            return Err(ReplayError::Board { found, wanted });
        }
        let (found, wanted) = (record.actions, self.planes.actions());
        if found != wanted {
            return Err(ReplayError::Actions { found, wanted });
        }
        let is_start = record.stones.is_empty() && record.first == self.start.to_move();
        if is_start { Ok(self.start.clone()) } else { Err(ReplayError::Stones) }
    }

    fn number(&self, game: &G, m: G::Move) -> u16 {
        game.code(m).index() as u16
    }

    fn legal(&self, game: &G, number: u16) -> Option<G::Move> {
        let mut moves = Vec::new();
        if game.result().is_none() {
            game.moves(&mut moves);
        }
        moves.into_iter().find(|&m| self.number(game, m) == number)
    }

    fn outlook(&self, _: &G) -> Option<Outlook> {
        None
    }
}
