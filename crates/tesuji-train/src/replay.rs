//! From a recorded game to the positions that a network sees.

use crate::sgf::begin;
use crate::{Target, TrainingGame};
use std::fmt;
use tesuji::Game;
use tesuji_go::network::Planes;
use tesuji_go::{Go, Rules, Vertex, with_go};
use tesuji_net::{Batch, Symmetry};

/// A position of a game to be put into a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pick {
    /// Its number among the game's positions that are trained on.
    pub position: usize,
    /// How it is turned.
    pub symmetry: Symmetry,
}

/// What networks are trained to say of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// What a network sees.
    pub planes: Planes,
    /// The share of the search's value in the value to be learnt; the rest is the game's result.
    pub search_value: f32,
}

/// Replays a game and adds the picked positions to a batch, in the order of the game.
///
/// # Errors
/// If a move is not legal, the game has no such position, or the batch is for another board or number of planes.
pub fn add_positions(
    game: &TrainingGame,
    goal: &Goal,
    picks: &[Pick],
    batch: &mut Batch,
) -> Result<(), ReplayError> {
    if batch.shape().board != game.size {
        return Err(ReplayError::Board { found: game.size, wanted: batch.shape().board });
    }
    if batch.shape().planes != goal.planes.count() {
        return Err(ReplayError::Planes { found: goal.planes.count(), wanted: batch.shape().planes });
    }
    let rules = Rules { komi: game.komi, ..Rules::default() };
    with_go!(game.size, rules, |go| Replay { game, goal, picks, batch }.run(go))
}

struct Replay<'a> {
    game: &'a TrainingGame,
    goal: &'a Goal,
    picks: &'a [Pick],
    batch: &'a mut Batch,
}

impl Replay<'_> {
    fn run<const STRIDE: usize, const LEN: usize>(self, mut go: Go<STRIDE, LEN>) -> Result<(), ReplayError> {
        let Replay { game, goal, picks, batch } = self;
        let shape = *batch.shape();
        begin(&mut go, game).map_err(|_| ReplayError::Stones)?;
        let mut picks = picks.to_vec();
        picks.sort_by_key(|pick| pick.position);
        let mut picks = picks.into_iter().peekable();
        let (mut planes, mut turned) = (vec![0.0; shape.inputs()], vec![0.0; shape.inputs()]);
        let mut policy = vec![0.0; shape.moves()];
        let mut number = 0;
        for (ply, turn) in game.turns.iter().enumerate() {
            if picks.peek().is_none() {
                return Ok(());
            }
            if let Some(target) = &turn.target {
                if picks.peek().is_some_and(|pick| pick.position == number) {
                    goal.planes.write(&go, &mut planes);
                }
                while let Some(Pick { symmetry, .. }) = picks.next_if(|pick| pick.position == number) {
                    symmetry.planes(shape.board, &planes, &mut turned);
                    policy.fill(0.0);
                    for (m, p) in target.policy.probabilities() {
                        let to = if m < shape.points() { symmetry.point(shape.board, m) } else { m };
                        policy[to] = p;
                    }
                    batch.push(&turned, &policy, 2.0 * value(game, target, goal, ply) - 1.0);
                }
                number += 1;
            }
            let m = vertex(&go, turn.m).ok_or(ReplayError::Move(ply))?;
            go.legal(go.to_move(), m).map_err(|_| ReplayError::Move(ply))?;
            go.play(m);
        }
        match picks.next() {
            Some(pick) => Err(ReplayError::Position(pick.position)),
            None => Ok(()),
        }
    }
}

/// The value to be learnt, in [0, 1] for the player to move.
fn value(game: &TrainingGame, target: &Target, goal: &Goal, ply: usize) -> f32 {
    let result = game.result_of(game.to_move(ply));
    result + goal.search_value * (target.value - result)
}

/// The point with this number, or the pass.
pub(crate) fn vertex<const STRIDE: usize, const LEN: usize>(
    go: &Go<STRIDE, LEN>,
    m: u16,
) -> Option<Vertex<STRIDE>> {
    let (m, size) = (usize::from(m), go.size());
    if m == size * size { Some(Vertex::PASS) } else { go.vertex(m % size, m / size) }
}

/// The number of a point, or of the pass.
pub(crate) fn number<const STRIDE: usize, const LEN: usize>(go: &Go<STRIDE, LEN>, v: Vertex<STRIDE>) -> u16 {
    let size = go.size();
    match (v.column(), v.row()) {
        (Some(column), Some(row)) => (row * size + column) as u16,
        _ => (size * size) as u16,
    }
}

/// A recorded game cannot be replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// It is of another board than the batch.
    Board {
        /// Lines of its board.
        found: usize,
        /// Lines of the board that is wanted.
        wanted: usize,
    },
    /// The batch has another number of planes than the goal.
    Planes {
        /// Those of the goal.
        found: usize,
        /// Those of the batch.
        wanted: usize,
    },
    /// Its first stones cannot stand so.
    Stones,
    /// The move after so many is not legal.
    Move(usize),
    /// It has no position with this number.
    Position(usize),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Board { found, wanted } => {
                write!(f, "the game is on {found}x{found} where {wanted}x{wanted} is expected")
            }
            ReplayError::Planes { found, wanted } => {
                write!(f, "{found} planes are shown where {wanted} are expected")
            }
            ReplayError::Stones => f.write_str("the game begins with stones that cannot stand so"),
            ReplayError::Move(ply) => write!(f, "move {} of the game is not legal", ply + 1),
            ReplayError::Position(position) => {
                write!(f, "the game has no position {position} that is trained on")
            }
        }
    }
}

impl std::error::Error for ReplayError {}
