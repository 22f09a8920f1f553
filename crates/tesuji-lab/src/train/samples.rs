//! Some games of self-play, to be looked at.

use super::Training;
use super::state::TrainingState;
use crate::adjudication::Adjudication;
use crate::conditions::{Conditions, Limit, Openings};
use crate::error::LabError;
use crate::record::Referee;
use crate::report::MatchRecord;
use crate::store::{
    Config, Disputed, Ending, GameRow, Labels, Matchup, Place, PlannedMatch, SearchRow, SelfPlayRow, Store,
};
use tesuji_train::{End, TrainableGame, TrainingGame};

/// Iterations of which games are shown, at most, and games of each.
const ITERATIONS: u64 = 20;
const GAMES: u64 = 2;

/// The first games of some iterations, evenly spread up to the latest one, as games of a match;
/// none before there is one. Games on other boards than the network's are left out.
pub(super) fn sample_games(plan: &Training, store: &Store) -> Result<Option<MatchRecord>, LabError> {
    let done = TrainingState::read(plan, store)?.done();
    if done == 0 || plan.sgf.is_some() {
        return Ok(None);
    }
    let part = plan.part(&[])?;
    let (spec, game) = (plan.spec()?, plan.trainable()?);
    let referee = spec.referee();
    let shown = done.min(ITERATIONS);
    let mut games = Vec::new();
    for i in 0..shown {
        let iteration = (i + 1) * done / shown - 1;
        let first = iteration * plan.games;
        store.each_self_play(&part.group, [first, first + GAMES.min(plan.games)], &mut |row| {
            let place = Place {
                number: row.number as i64,
                pair: row.number as i64,
                conditions: 0,
                a: "network".to_owned(),
                b: "network".to_owned(),
                opening: row.number,
                replica: 0,
            };
            games.extend(game_row(&row, &*game, &*referee)?.map(|game| (place, game)));
            Ok(())
        })?;
    }
    let conditions = Conditions {
        game: plan.game.clone(),
        komi: spec.komi(),
        seed: plan.seed,
        longest: plan.self_play.longest,
        adjudicate: Adjudication::NEVER,
        limit: Limit::Playouts(plan.self_play.simulations),
        openings: Openings::RandomPlies(0),
        unpaired: true,
    };
    let network = Config { name: "network".to_owned(), spec: part.group.spec.clone() };
    let planned = PlannedMatch {
        name: "self-play".to_owned(),
        matchup: Matchup::new(&conditions, &network, &network),
        a: "network".to_owned(),
        b: "network".to_owned(),
        games: games.len() as u64,
        sprt: None,
        disputed: Disputed::default(),
        labels: Labels::default(),
    };
    let summary = planned.summary(store)?;
    Ok(Some(MatchRecord { planned, conditions, is_evaluation: true, counted: 0, summary, games }))
}

fn game_row(
    row: &SelfPlayRow,
    trainable: &dyn TrainableGame,
    referee: &dyn Referee,
) -> Result<Option<GameRow>, LabError> {
    let game = TrainingGame::from_bytes(&row.game).map_err(LabError::failed)?;
    if game.size != trainable.board() {
        return Ok(None);
    }
    let moves = trainable.replay(&game).map_err(LabError::failed)?.moves;
    let ending = match game.end {
        End::Passes | End::Unknown => Ending::Rules,
        End::Resignation => Ending::Resign,
        End::Length => Ending::Length,
    };
    let searches = game.turns.iter().enumerate().filter_map(|(ply, turn)| {
        Some(SearchRow {
            ply: ply as u32,
            by_a: ply.is_multiple_of(2),
            chosen: moves[ply].clone(),
            visits: None,
            value: Some(turn.target.as_ref()?.value),
            simulations: 0,
            seconds: 0.0,
            nodes_peak: 0,
            bytes_peak: 0,
        })
    });
    let searches = searches.collect();
    Ok(Some(GameRow {
        id: format!("self-play-{}", row.number),
        a_first: true,
        seed: row.number,
        opening: Vec::new(),
        result: referee.result(&moves, row.black, ending),
        score_a: row.black,
        ending,
        detail: None,
        dispute: None,
        dispute_value: None,
        seconds: row.seconds,
        processor_seconds: None,
        searches,
        moves,
    }))
}
