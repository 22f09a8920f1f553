//! From a recorded game to the positions that a network sees.

use crate::encoding::{Encoding, Inputs};
use crate::error::ReplayError;
use crate::game::{End, Outlook, Target, TrainingGame};
use tesuji::{Game, Notation, Outcome, Player, Value};
use tesuji_net::{Batch, Example, Shape, Symmetry};

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

/// A recorded game, replayed to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed {
    /// The moves as text.
    pub moves: Vec<String>,
    /// The player to move at the end.
    pub to_move: Player,
    /// The value for the first player, if the game is over by its rules.
    pub result: Option<f32>,
    /// The value for the first player if the game ends here, whatever its rules say.
    pub counted: f32,
}

/// Replays a game to its end.
pub(crate) fn replay<E: Encoding>(encoding: &E, record: &TrainingGame) -> Result<Replayed, ReplayError> {
    let mut game = encoding.first(record)?;
    let mut moves = Vec::with_capacity(record.turns.len());
    for (ply, turn) in record.turns.iter().enumerate() {
        let m = next(encoding, &game, turn.m, ply)?;
        moves.push(game.move_text(m));
        game.play(m);
    }
    let value = |value: Value| value.of(Player::FIRST);
    let (result, counted) = (game.result().map(value), value(encoding.count(&game)));
    Ok(Replayed { moves, to_move: game.to_move(), result, counted })
}

/// The move after the first `ply` ones, if it is legal.
fn next<E: Encoding>(
    encoding: &E,
    game: &E::Game,
    m: u16,
    ply: usize,
) -> Result<<E::Game as Game>::Move, ReplayError> {
    if game.result().is_some() {
        return Err(ReplayError::Over(ply));
    }
    encoding.legal(game, m).ok_or(ReplayError::Move(ply))
}

/// Positions of a game on their way into a batch.
pub(crate) struct Replay<'a, E> {
    pub(crate) encoding: &'a E,
    pub(crate) game: &'a TrainingGame,
    pub(crate) goal: &'a Goal,
    pub(crate) picks: &'a [Pick],
    pub(crate) batch: &'a mut Batch,
}

impl<E: Encoding> Replay<'_, E> {
    pub(crate) fn run(self) -> Result<(), ReplayError> {
        let Replay { encoding, game: record, goal, picks, batch } = self;
        let shape = *batch.shape();
        let Inputs { mut write, turned: rows } = encoding.inputs(&shape)?;
        let mut game = encoding.first(record)?;
        // What the moves come to, for the positions of which no teacher says it.
        let end = if shape.pools() { self::end(encoding, game.clone(), record) } else { None };
        let mut globals = vec![0.0; shape.globals];
        let mut owners = vec![0.0; shape.points()];
        let places = rows.map_or(Vec::new(), |rows| rows.places(shape.board));
        let mut picks = picks.to_vec();
        picks.sort_by_key(|pick| pick.position);
        let mut picks = picks.into_iter().peekable();
        let (mut planes, mut turned) = (vec![0.0; shape.inputs()], vec![0.0; shape.inputs()]);
        let [mut policy, mut reply] = [(); 2].map(|()| vec![0.0; shape.moves()]);
        let future = future(record, &shape);
        let mut soon = vec![0.0; shape.horizons];
        let mut number = 0;
        for (ply, turn) in record.turns.iter().enumerate() {
            if picks.peek().is_none() {
                return Ok(());
            }
            if let Some(target) = &turn.target {
                if picks.peek().is_some_and(|pick| pick.position == number) {
                    write(&game, &mut planes, &mut globals);
                }
                while let Some(Pick { symmetry, .. }) = picks.next_if(|pick| pick.position == number) {
                    let symmetry = if rows.is_some() { symmetry } else { Symmetry::default() };
                    symmetry.planes(shape.board, &planes, &mut turned);
                    let place = |m| places.get(m).map_or(m, |&place| symmetry.point(shape.board, place));
                    let next = record.turns.get(ply + 1).and_then(|turn| turn.target.as_ref());
                    let next = next.filter(|_| shape.replies > 0);
                    for (target, to) in [(Some(target), &mut policy), (next, &mut reply)] {
                        to.fill(0.0);
                        for (m, p) in target.into_iter().flat_map(|target| target.policy.probabilities()) {
                            to[place(m)] = p;
                        }
                    }
                    let to_move = game.to_move();
                    let sign = if to_move == Player::FIRST { 1.0 } else { -1.0 };
                    soon.iter_mut().zip(&future).for_each(|(soon, values)| *soon = sign * values[ply]);
                    let outlook = target.outlook.clone().or_else(|| outlook(end.as_ref()?, to_move));
                    if let Some(Outlook { ownership, .. }) = &outlook {
                        for (&place, &owner) in places.iter().zip(ownership) {
                            owners[symmetry.point(shape.board, place)] = owner;
                        }
                    }
                    batch.add(&Example {
                        planes: &turned,
                        globals: &globals,
                        policy: &policy,
                        value: 2.0 * value(record, target, goal, to_move) - 1.0,
                        lead: outlook.as_ref().map(|outlook| outlook.lead),
                        ownership: outlook.as_ref().map(|_| owners.as_slice()),
                        reply: next.map(|_| reply.as_slice()),
                        soon: Some(&soon),
                    });
                }
                number += 1;
            }
            game.play(next(encoding, &game, turn.m, ply)?);
        }
        match picks.next() {
            Some(pick) => Err(ReplayError::Position(pick.position)),
            None => Ok(()),
        }
    }
}

/// For each horizon of a network and each ply, the value of the near future for the first player,
/// in [-1, 1]: with horizon h, the value of ply i is v_i / h, where v_i is the search's, and
/// 1 - 1/h times the one of the next ply; after the last ply, it is the result. A ply without a
/// target has the value of the next one.
fn future(record: &TrainingGame, shape: &Shape) -> Vec<Vec<f32>> {
    let of_horizon = |number| {
        let share = 1.0 / shape.horizon(number);
        let mut value = 2.0 * record.result_of(Player::FIRST) - 1.0;
        let mut values = vec![value; record.turns.len()];
        for (ply, turn) in record.turns.iter().enumerate().rev() {
            if let Some(target) = &turn.target {
                let sign = if record.to_move(ply) == Player::FIRST { 1.0 } else { -1.0 };
                value += share * (sign * (2.0 * target.value - 1.0) - value);
            }
            values[ply] = value;
        }
        values
    };
    (0..shape.horizons).map(of_horizon).collect()
}

/// The end of a game for the first player, if it was counted.
fn end<E: Encoding>(encoding: &E, mut game: E::Game, record: &TrainingGame) -> Option<Outlook> {
    if !matches!(record.end, End::Passes | End::Length) {
        return None;
    }
    for (ply, turn) in record.turns.iter().enumerate() {
        game.play(next(encoding, &game, turn.m, ply).ok()?);
    }
    encoding.outlook(&game)
}

/// The end of a game as a player sees it.
fn outlook(end: &Outlook, player: Player) -> Option<Outlook> {
    let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
    let ownership = end.ownership.iter().map(|x| sign * x).collect();
    Some(Outlook { lead: sign * end.lead, ownership })
}

/// The value to be learned, in [0, 1] for the player to move.
fn value(game: &TrainingGame, target: &Target, goal: &Goal, to_move: Player) -> f32 {
    let result = game.result_of(to_move);
    result + goal.search_value * (target.value - result)
}
