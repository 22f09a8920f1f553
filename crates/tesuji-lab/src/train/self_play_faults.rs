//! Faults in games of self-play.

use crate::error::LabError;
use crate::store::{SelfPlayRow, Store, TrialGroup};
use tesuji::{Game, Outcome, Player};
use tesuji_go::{Rules, with_go};
use tesuji_train::{End, TrainingGame};

/// What is wrong with each game of a training on this board.
pub(super) fn faults(
    store: &Store,
    cell: &TrialGroup,
    size: usize,
    rules: Rules,
) -> Result<Vec<String>, LabError> {
    let mut faults = Vec::new();
    store.each_self_play(cell, [0, i64::MAX as u64], &mut |row| {
        if let Err(fault) = check(&row, size, rules) {
            faults.push(format!("game {} of self-play: {fault}", row.number));
        }
        Ok(())
    })?;
    Ok(faults)
}

/// What is wrong with a game on this board.
pub(super) fn check(row: &SelfPlayRow, size: usize, rules: Rules) -> Result<(), String> {
    let game = TrainingGame::from_bytes(&row.game).map_err(|error| error.to_string())?;
    if (game.size, game.komi) != (size, rules.komi) || !game.stones.is_empty() || game.first != Player::FIRST
    {
        return Err("it is not one of this training's board and komi".to_owned());
    }
    let positions = game.positions() as u64;
    // Old games are left without what is learned from them.
    if (positions != row.positions && positions != 0) || game.turns.len() as u64 != row.moves {
        return Err(format!(
            "it has {positions} positions and {} moves, but {} and {} are recorded",
            game.turns.len(),
            row.positions,
            row.moves
        ));
    }
    if row.black != f64::from(game.result_of(Player::FIRST)) || row.resigned != (game.end == End::Resignation)
    {
        return Err("its result or its end is not the recorded one".to_owned());
    }
    with_go!(size, rules, |go| {
        for (ply, turn) in game.turns.iter().enumerate() {
            let (m, number) = (usize::from(turn.m), ply + 1);
            if go.result().is_some() {
                return Err(format!("it was over before its move {number}"));
            }
            let point =
                if m == size * size { Some(tesuji_go::Vertex::PASS) } else { go.vertex(m % size, m / size) };
            let point = point.filter(|&point| go.legal(go.to_move(), point).is_ok());
            go.play(point.ok_or_else(|| format!("its move {number} is not legal"))?);
        }
        let value = match (game.end, go.result()) {
            (End::Passes, Some(value)) => f64::from(value.of(Player::FIRST)),
            (End::Passes, None) => return Err("it ended by two passes that are not there".to_owned()),
            (_, Some(_)) => return Err("it was over by the rules before it ended".to_owned()),
            (End::Length, None) => f64::from(go.value().of(Player::FIRST)),
            (End::Resignation, None) => f64::from(u8::from(go.to_move() != Player::FIRST)),
            (End::Unknown, None) => row.black,
        };
        if value != row.black {
            return Err(format!("its value for Black is {}, but its end gives {value}", row.black));
        }
        Ok(())
    })
}
