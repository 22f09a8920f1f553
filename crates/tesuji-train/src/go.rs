//! Go as networks and records see it.

use crate::encoding::{Encoding, Inputs, Rows};
use crate::error::{ReplayError, SelfPlayError};
use crate::game::{End, Outlook, TrainingGame};
use crate::settings::SelfPlay;
use tesuji::{Game, NetworkOptions, Player, Rng, Value};
use tesuji_agents::Playable;
use tesuji_go::network::{self, NetEvaluator};
use tesuji_go::{Go, Vertex};
use tesuji_net::{ReadyNetwork, Shape};

/// Go on one board. Moves are numbered row by row from A1, then the pass.
#[derive(Clone, Debug)]
pub(crate) struct GoEncoding<const STRIDE: usize, const LEN: usize> {
    start: Go<STRIDE, LEN>,
}

impl<const STRIDE: usize, const LEN: usize> GoEncoding<STRIDE, LEN> {
    pub(crate) fn new(start: Go<STRIDE, LEN>) -> Self {
        GoEncoding { start }
    }
}

impl<const STRIDE: usize, const LEN: usize> Encoding for GoEncoding<STRIDE, LEN>
where
    Go<STRIDE, LEN>: Playable<Move = Vertex<STRIDE>>,
{
    type Game = Go<STRIDE, LEN>;
    type Evaluator = NetEvaluator;

    fn start(&self) -> &Go<STRIDE, LEN> {
        &self.start
    }

    fn board(&self) -> usize {
        self.start.size()
    }

    fn fixed(&self) -> Option<[usize; 2]> {
        None
    }

    fn points(&self) -> Vec<Option<usize>> {
        Vec::new()
    }

    fn inputs(&self, shape: &Shape) -> Result<Inputs<'_, Go<STRIDE, LEN>>, ReplayError> {
        if shape.board != self.board() {
            return Err(ReplayError::Board { found: self.board(), wanted: shape.board });
        }
        let mut inputs =
            network::Inputs::new(shape).map_err(|error| ReplayError::Inputs(error.to_string()))?;
        let rows = if inputs.from_top() { Rows::FromTop } else { Rows::FromBottom };
        let write = move |game: &Go<STRIDE, LEN>, planes: &mut [f32], globals: &mut [f32]| {
            inputs.write(game, planes, globals);
        };
        Ok(Inputs { write: Box::new(write), turned: Some(rows) })
    }

    fn evaluator(
        &self,
        network: &ReadyNetwork,
        options: &NetworkOptions,
    ) -> Result<NetEvaluator, SelfPlayError> {
        let (board, size) = (network.board(), self.board());
        if board != size {
            return Err(SelfPlayError(format!(
                "the network is for {board}x{board}, the game is on {size}x{size}"
            )));
        }
        NetEvaluator::of(network, options).map_err(|error| SelfPlayError(error.to_string()))
    }

    fn hits(evaluator: &NetEvaluator) -> u64 {
        evaluator.hits()
    }

    fn begin(&self, settings: &SelfPlay, rng: &mut Rng) -> Go<STRIDE, LEN> {
        let mut go = self.start.clone();
        if let Some(komi) = &settings.komi {
            go.set_komi(komi.draw(rng));
        }
        go
    }

    /// A legal move at a point, each as likely; a pass if there is none.
    fn opening_move(&self, go: &Go<STRIDE, LEN>, rng: &mut Rng) -> Vertex<STRIDE> {
        let mut moves = Vec::new();
        go.moves(&mut moves);
        moves.retain(|m| !m.is_pass());
        if moves.is_empty() { Vertex::PASS } else { moves[rng.below(moves.len() as u32) as usize] }
    }

    fn count(&self, go: &Go<STRIDE, LEN>) -> Value {
        go.value()
    }

    fn record(&self, start: &Go<STRIDE, LEN>) -> TrainingGame {
        TrainingGame {
            size: start.size(),
            actions: start.size() * start.size() + 1,
            komi: start.komi(),
            stones: Vec::new(),
            first: start.to_move(),
            turns: Vec::new(),
            winner: None,
            end: End::Unknown,
        }
    }

    fn first(&self, record: &TrainingGame) -> Result<Go<STRIDE, LEN>, ReplayError> {
        if record.size != self.board() {
            return Err(ReplayError::Board { found: record.size, wanted: self.board() });
        }
        let (found, wanted) = (record.actions, self.board() * self.board() + 1);
        if found != wanted {
            return Err(ReplayError::Actions { found, wanted });
        }
        let mut go = self.start.clone();
        go.set_komi(record.komi);
        if !record.stones.is_empty() {
            let place = |&(point, player)| Some((self.vertex(&go, point)?, Some(player)));
            let edits: Option<Vec<_>> = record.stones.iter().map(place).collect();
            go.set_up(&edits.ok_or(ReplayError::Stones)?).map_err(|_| ReplayError::Stones)?;
        }
        if go.to_move() != record.first {
            go.set_to_move(record.first);
        }
        Ok(go)
    }

    fn number(&self, go: &Go<STRIDE, LEN>, v: Vertex<STRIDE>) -> u16 {
        let size = go.size();
        match (v.column(), v.row()) {
            (Some(column), Some(row)) => (row * size + column) as u16,
            _ => (size * size) as u16,
        }
    }

    fn legal(&self, go: &Go<STRIDE, LEN>, number: u16) -> Option<Vertex<STRIDE>> {
        let v = self.vertex(go, number)?;
        go.legal(go.to_move(), v).is_ok().then_some(v)
    }

    fn outlook(&self, end: &Go<STRIDE, LEN>) -> Option<Outlook> {
        let owner = |owner: Option<Player>| match owner {
            None => 0.0,
            Some(Player::FIRST) => 1.0,
            Some(_) => -1.0,
        };
        Some(Outlook {
            lead: end.score() as f32 / 2.0,
            ownership: end.ownership().into_iter().map(owner).collect(),
        })
    }
}

impl<const STRIDE: usize, const LEN: usize> GoEncoding<STRIDE, LEN> {
    /// The point with this number, or the pass.
    fn vertex(&self, go: &Go<STRIDE, LEN>, number: u16) -> Option<Vertex<STRIDE>> {
        let (m, size) = (usize::from(number), go.size());
        if m == size * size { Some(Vertex::PASS) } else { go.vertex(m % size, m / size) }
    }
}
