//! The SGF files that a record says it learned from.

use super::networks::CheckpointError;
use crate::error::LabError;
use crate::store::Store;
use tesuji_train::Census;

const EVENT: &str = "sgf";

/// Notes in the record what was found, or checks that it is what the record says.
///
/// # Errors
/// If `done` iterations learned from other files.
pub(super) fn note(census: &Census, store: &Store, done: u64) -> Result<(), LabError> {
    let noted: Option<Census> = last(store, EVENT)?
        .map(|detail| serde_json::from_value(detail).map_err(LabError::failed))
        .transpose()?;
    match noted {
        Some(noted) if noted.hash == census.hash => Ok(()),
        Some(noted) if done > 0 => {
            let (there, here) = (noted.to_string(), census.to_string());
            Err(CheckpointError::OtherFiles { done, there, here }.into())
        }
        _ => store.event(EVENT, &serde_json::to_value(census).map_err(LabError::failed)?),
    }
}

/// The last event of this kind in the record.
pub(super) fn last(store: &Store, kind: &str) -> Result<Option<serde_json::Value>, LabError> {
    let last = store.events()?.into_iter().rfind(|(_, own, _)| own == kind);
    Ok(last.map(|(.., detail)| detail))
}
