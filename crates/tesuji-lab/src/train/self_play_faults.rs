//! Faults in games of self-play.

use crate::error::LabError;
use crate::store::{SelfPlayRow, Store, TrialGroup};
use crate::train::plan::Training;
use tesuji::Player;
use tesuji_go::Komi;
use tesuji_train::{End, KomiRange, SelfPlay, TrainableGame, TrainingGame};

/// What the games of a training have in common.
#[derive(Debug)]
pub(super) struct SelfPlayGames {
    game: Box<dyn TrainableGame>,
    /// The komi of the rules; 0 in other games than Go.
    komi: Komi,
    /// The range from which each game drew its own.
    range: Option<KomiRange>,
}

impl SelfPlayGames {
    /// # Errors
    /// If the game cannot be trained.
    pub(super) fn of(plan: &Training) -> Result<SelfPlayGames, LabError> {
        let spec = plan.spec()?;
        let komi = spec.go().map_or(Komi::from_halves(0), |(_, rules)| rules.komi);
        Ok(SelfPlayGames { game: plan.trainable()?, komi, range: plan.self_play.komi })
    }

    /// More bytes than a game has with what is learned from it.
    pub(super) fn most_bytes(&self, settings: &SelfPlay, has_teacher: bool) -> usize {
        let board = self.game.boards().into_iter().fold(self.game.board(), usize::max);
        let points = board * board;
        let actions = self.game.fixed().map_or(points + 1, |[_, actions]| actions);
        let turns = match settings.longest {
            0 => 3 * points,
            longest => longest as usize,
        };
        // A move of a policy and its weight have a byte each, but for some of the largest.
        let position = 64 + 2 * actions + if has_teacher { points } else { 0 };
        512 + turns * position
    }

    /// What is wrong with each game of a record.
    pub(super) fn faults(&self, store: &Store, cell: &TrialGroup) -> Result<Vec<String>, LabError> {
        let mut faults = Vec::new();
        store.each_self_play(cell, [0, i64::MAX as u64], &mut |row| {
            if let Err(fault) = self.check(&row, false) {
                faults.push(format!("game {} of self-play: {fault}", row.number));
            }
            Ok(())
        })?;
        Ok(faults)
    }

    /// What is wrong with a game. One that is not new may have lost what is learned from it.
    pub(super) fn check(&self, row: &SelfPlayRow, is_new: bool) -> Result<(), String> {
        let game = TrainingGame::from_bytes(&row.game).map_err(|error| error.to_string())?;
        let has_komi =
            self.range.map_or(game.komi == self.komi, |range| range.komis().any(|komi| komi == game.komi));
        if !has_komi || !game.stones.is_empty() || game.first != Player::FIRST {
            return Err("it is not one of this training's komi, or begins with stones".to_owned());
        }
        let positions = game.positions() as u64;
        if (positions != row.positions && (is_new || positions != 0)) || game.turns.len() as u64 != row.moves
        {
            return Err(format!(
                "it has {positions} positions and {} moves, but {} and {} are recorded",
                game.turns.len(),
                row.positions,
                row.moves
            ));
        }
        if row.black != f64::from(game.result_of(Player::FIRST))
            || row.resigned != (game.end == End::Resignation)
        {
            return Err("its result or its end is not the recorded one".to_owned());
        }
        let replayed = self.game.replay(&game).map_err(|error| error.to_string())?;
        let value = match (game.end, replayed.result) {
            (End::Passes, Some(value)) => f64::from(value),
            (End::Passes, None) => return Err("it ended by its rules before its end".to_owned()),
            (_, Some(_)) => return Err("it was over by the rules before it ended".to_owned()),
            (End::Length, None) => f64::from(replayed.counted),
            (End::Resignation, None) => f64::from(u8::from(replayed.to_move != Player::FIRST)),
            (End::Unknown, None) => row.black,
        };
        if value != row.black {
            return Err(format!(
                "its value for the first player is {}, but its end gives {value}",
                row.black
            ));
        }
        Ok(())
    }
}
