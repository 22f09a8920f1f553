//! From a recorded game to the positions that a network sees.

use crate::{End, Outlook, Target, TrainingGame};
use std::fmt;
use tesuji::{Game, Player};
use tesuji_go::network::{Inputs, PlanesError};
use tesuji_go::{Go, Rules, Vertex, with_go};
use tesuji_net::{Batch, Example, Symmetry};

/// A position of a game to be put into a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pick {
    /// Its number among the game's positions that are trained on.
    pub position: usize,
    /// The symmetry by which it is turned.
    pub symmetry: Symmetry,
}

/// The targets that networks are trained on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// The share of the search's value in the target of the value; the rest is the game's result.
    pub search_value: f32,
}

/// Replays a game and adds the picked positions to a batch, in the order of the game.
///
/// # Errors
/// If a move is not legal, the game has no such position, or the batch is for another board or for
/// planes that show no position.
pub fn add_positions(
    game: &TrainingGame,
    goal: &Goal,
    picks: &[Pick],
    batch: &mut Batch,
) -> Result<(), ReplayError> {
    if batch.shape().board != game.size {
        return Err(ReplayError::Board { found: game.size, wanted: batch.shape().board });
    }
    let inputs = Inputs::new(batch.shape()).map_err(ReplayError::Planes)?;
    let rules = Rules { komi: game.komi, ..Rules::default() };
    with_go!(game.size, rules, |go| Replay { game, goal, inputs, picks, batch }.run(go))
}

struct Replay<'a> {
    game: &'a TrainingGame,
    goal: &'a Goal,
    inputs: Inputs,
    picks: &'a [Pick],
    batch: &'a mut Batch,
}

impl Replay<'_> {
    fn run<const STRIDE: usize, const LEN: usize>(self, mut go: Go<STRIDE, LEN>) -> Result<(), ReplayError> {
        let Replay { game, goal, mut inputs, picks, batch } = self;
        let shape = *batch.shape();
        begin(&mut go, game).ok_or(ReplayError::Stones)?;
        // What the moves come to, for the positions of which no teacher says it.
        let end = if shape.pools() { end(go.clone(), game) } else { None };
        let mut globals = vec![0.0; shape.globals];
        let mut owners = vec![0.0; shape.points()];
        // The places of rows from A1 in the planes.
        let row = |y: usize| if inputs.from_top() { shape.board - 1 - y } else { y };
        let places: Vec<usize> =
            (0..shape.points()).map(|m| row(m / shape.board) * shape.board + m % shape.board).collect();
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
                    inputs.write(&go, &mut planes, &mut globals);
                }
                while let Some(Pick { symmetry, .. }) = picks.next_if(|pick| pick.position == number) {
                    symmetry.planes(shape.board, &planes, &mut turned);
                    policy.fill(0.0);
                    for (m, p) in target.policy.probabilities() {
                        policy[places.get(m).map_or(m, |&place| symmetry.point(shape.board, place))] = p;
                    }
                    let outlook = target.outlook.clone().or_else(|| outlook(end.as_ref()?, go.to_move()));
                    if let Some(Outlook { ownership, .. }) = &outlook {
                        for (&place, &owner) in places.iter().zip(ownership) {
                            owners[symmetry.point(shape.board, place)] = owner;
                        }
                    }
                    batch.add(&Example {
                        planes: &turned,
                        globals: &globals,
                        policy: &policy,
                        value: 2.0 * value(game, target, goal, ply) - 1.0,
                        lead: outlook.as_ref().map(|outlook| outlook.lead),
                        ownership: outlook.as_ref().map(|_| owners.as_slice()),
                    });
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

/// The end of a game for Black, if it was counted.
fn end<const STRIDE: usize, const LEN: usize>(
    mut go: Go<STRIDE, LEN>,
    game: &TrainingGame,
) -> Option<Outlook> {
    if !matches!(game.end, End::Passes | End::Length) {
        return None;
    }
    for turn in &game.turns {
        let m = vertex(&go, turn.m)?;
        go.legal(go.to_move(), m).ok()?;
        go.play(m);
    }
    let owner = |owner: Option<Player>| match owner {
        None => 0.0,
        Some(Player::FIRST) => 1.0,
        Some(_) => -1.0,
    };
    Some(Outlook {
        lead: go.score() as f32 / 2.0,
        ownership: go.ownership().into_iter().map(owner).collect(),
    })
}

/// The end of a game as a player sees it.
fn outlook(end: &Outlook, player: Player) -> Option<Outlook> {
    let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
    let ownership = end.ownership.iter().map(|x| sign * x).collect();
    Some(Outlook { lead: sign * end.lead, ownership })
}

/// The value to be learned, in [0, 1] for the player to move.
fn value(game: &TrainingGame, target: &Target, goal: &Goal, ply: usize) -> f32 {
    let result = game.result_of(game.to_move(ply));
    result + goal.search_value * (target.value - result)
}

/// Puts the first position of a game on an empty board; none if its stones cannot stand so.
pub(crate) fn begin<const STRIDE: usize, const LEN: usize>(
    go: &mut Go<STRIDE, LEN>,
    game: &TrainingGame,
) -> Option<()> {
    if !game.stones.is_empty() {
        let edits = game.stones.iter().map(|&(point, player)| Some((vertex(go, point)?, Some(player))));
        let edits: Vec<_> = edits.collect::<Option<_>>()?;
        go.set_up(&edits).ok()?;
    }
    if go.to_move() != game.first {
        go.set_to_move(game.first);
    }
    Some(())
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The game has another board size than the batch.
    Board {
        /// Lines of its board.
        found: usize,
        /// Lines of the board that is wanted.
        wanted: usize,
    },
    /// The batch is for a network whose planes do not show a position.
    Planes(PlanesError),
    /// Its first stones cannot stand so.
    Stones,
    /// The move after the first N is not legal.
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
            ReplayError::Planes(error) => error.fmt(f),
            ReplayError::Stones => f.write_str("the game begins with stones that cannot stand so"),
            ReplayError::Move(ply) => write!(f, "move {} of the game is not legal", ply + 1),
            ReplayError::Position(position) => {
                write!(f, "the game has no position {position} that is trained on")
            }
        }
    }
}

impl std::error::Error for ReplayError {}
