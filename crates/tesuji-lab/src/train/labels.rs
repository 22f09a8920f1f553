//! The teacher that labels games of self-play.

use super::files;
use super::networks::CheckpointError;
use super::plan::TeacherPlan;
use crate::error::LabError;
use crate::store::Store;
use serde_json::json;
use tesuji::NetworkOptions;
use tesuji_train::{Teacher, TrainableGame};

const EVENT: &str = "teacher";

/// A teacher with a hash of its file.
#[derive(Clone, Debug)]
pub(super) struct TeacherLabels {
    pub(super) teacher: Box<dyn Teacher>,
    hash: String,
}

/// Reads a teacher of a game.
///
/// # Errors
/// If its file is not a network for the game, or not the one that the record names.
pub(super) fn open(
    plan: &TeacherPlan,
    game: &dyn TrainableGame,
    store: &Store,
) -> Result<TeacherLabels, LabError> {
    let fail = |fault: String| CheckpointError::Teacher { fault };
    let file = plan.file.display().to_string();
    let content = tesuji_net::read_file(&plan.file).map_err(|error| fail(format!("{file}: {error}")))?;
    let options = NetworkOptions { file: Some(file), symmetry: plan.symmetry, ..NetworkOptions::default() };
    let teacher = game.teacher(&options, plan.every).map_err(fail)?;
    let labels = TeacherLabels { teacher, hash: blake3::hash(&content).to_hex().to_string() };
    labels.is_noted(store)?;
    Ok(labels)
}

impl TeacherLabels {
    /// Notes the teacher in the record before its first label.
    ///
    /// # Errors
    /// If the record names another one.
    pub(super) fn note(&self, store: &Store) -> Result<(), LabError> {
        if self.is_noted(store)? { Ok(()) } else { store.event(EVENT, &json!({ "hash": self.hash })) }
    }

    /// Whether the record names it already.
    fn is_noted(&self, store: &Store) -> Result<bool, LabError> {
        let Some(detail) = files::last(store, EVENT)? else { return Ok(false) };
        let noted = detail["hash"].as_str().unwrap_or_default();
        if noted == self.hash {
            return Ok(true);
        }
        let (here, noted) = (self.hash.clone(), noted.to_owned());
        Err(CheckpointError::OtherTeacher { here, noted }.into())
    }
}
