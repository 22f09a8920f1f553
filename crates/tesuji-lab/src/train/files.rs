//! The SGF files that a record says it learnt from.

use crate::LabError;
use crate::store::Store;
use tesuji_train::Census;

const EVENT: &str = "sgf";

/// Notes in the record what was found, or checks that it is what the record says.
///
/// # Errors
/// If `done` iterations learnt from other files.
pub(super) fn note(census: &Census, store: &Store, done: u64) -> Result<(), LabError> {
    match last(store)? {
        Some(noted) if noted.hash == census.hash => Ok(()),
        Some(noted) if done > 0 => Err(LabError::Input(format!(
            "the files are not those that {done} iterations learnt from: {noted} there, {census} here; put them back, or \
             choose another directory with --out"
        ))),
        _ => store.event(EVENT, &serde_json::to_value(census).map_err(LabError::failed)?),
    }
}

/// What the record says of the files.
fn last(store: &Store) -> Result<Option<Census>, LabError> {
    let mut events = store.events()?;
    events.retain(|(_, kind, _)| kind == EVENT);
    events.pop().map(|(.., detail)| serde_json::from_value(detail).map_err(LabError::failed)).transpose()
}
