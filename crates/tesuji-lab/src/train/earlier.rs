//! Games of an earlier training, with which the window of another one begins.

use super::Training;
use super::files;
use super::networks::CheckpointError;
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::store::Store;
use serde_json::json;
use std::path::Path;
use tesuji_train::TrainingGame;

const EVENT: &str = "earlier";

impl Training {
    /// The games of the [earlier](Training::earlier) training with which the window begins: those
    /// that still have targets, in order, without those that it held out. None if it has none.
    ///
    /// # Errors
    /// If there is no record of a training, or a game is none that this one could learn from.
    pub fn earlier_games(&self) -> Result<Vec<TrainingGame>, LabError> {
        self.earlier.as_ref().map_or(Ok(Vec::new()), |dir| games(dir, self))
    }

    /// # Errors
    /// If the earlier training is this one, which has its record in `own`.
    pub(super) fn check_earlier(&self, own: Option<&Path>) -> Result<(), LabError> {
        let path = |dir: &Path| dir.canonicalize().ok();
        let (Some(dir), Some(own)) = (self.earlier.as_deref(), own) else { return Ok(()) };
        if path(dir).is_none_or(|dir| Some(dir) != path(own)) {
            return Ok(());
        }
        let fault = "it is that of this training".to_owned();
        Err(CheckpointError::Earlier { dir: dir.display().to_string(), fault }.into())
    }
}

fn games(dir: &Path, plan: &Training) -> Result<Vec<TrainingGame>, LabError> {
    let fail = |fault: String| CheckpointError::Earlier { dir: dir.display().to_string(), fault };
    let store = Store::read(dir).map_err(|error| fail(error.to_string()))?;
    let file = store.description()?.map(|description| description.file).unwrap_or_default();
    let experiment = Experiment::parse("its file", &file).map_err(|error| fail(error.to_string()))?;
    let earlier = experiment.plan_as::<Training>();
    let earlier = earlier.ok_or_else(|| fail("it is not of a training".to_owned()))?;
    let ((here, _), (there, _)) = (plan.named_game()?, earlier.named_game()?);
    // Go on another board is accepted: its games tell which boards they are for.
    if here != there && !(plan.go_size().is_ok() && earlier.go_size().is_ok()) {
        return Err(fail(format!("its game is {there}, here it is {here}")).into());
    }
    let (game, mut games) = (plan.trainable()?, Vec::new());
    store.each_self_play(&earlier.part(&[])?.group, [0, i64::MAX as u64], &mut |row| {
        let own = |fault: String| fail(format!("game {}: {fault}", row.number));
        let played = TrainingGame::from_bytes(&row.game).map_err(|error| own(error.to_string()))?;
        if played.positions() > 0 && !earlier.learning.is_held_out(row.number) {
            game.replay(&played).map_err(|error| own(error.to_string()))?;
            games.push(played);
        }
        Ok(())
    })?;
    Ok(games)
}

/// Notes in the record which games a window begins with, or checks that the record says so.
///
/// # Errors
/// If `done` iterations learned from other games.
pub(super) fn note(games: &[TrainingGame], store: &Store, done: u64) -> Result<(), LabError> {
    let mut hasher = blake3::Hasher::new();
    for game in games {
        hasher.update(&game.to_bytes());
    }
    let positions: usize = games.iter().map(TrainingGame::positions).sum();
    let hash = hasher.finalize().to_hex().to_string();
    let here = json!({ "games": games.len(), "positions": positions, "hash": hash });
    match files::last(store, EVENT)? {
        None if games.is_empty() => Ok(()),
        Some(noted) if noted == here => Ok(()),
        _ if done > 0 => Err(CheckpointError::OtherGames { done }.into()),
        _ => store.event(EVENT, &here),
    }
}
