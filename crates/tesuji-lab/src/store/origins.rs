//! The origins of trials that another program did.

use super::{Store, TrialGroup, insert_event};
use crate::error::LabError;
use rusqlite::Transaction;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

/// The kind of an event that names trials and who did them.
const EVENT: &str = "done elsewhere";

/// The kinds of the events that declare a game, a trial or a game of self-play void.
pub(super) const GAME_VOIDED: &str = "game voided";
pub(super) const TRIAL_VOIDED: &str = "trial voided";
pub(super) const SELF_PLAY_VOIDED: &str = "game of self-play voided";

/// The worker that did trials of a store, if it was not the program that writes the store.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The worker's name.
    pub worker: String,
    /// The version of its program.
    pub version: String,
    /// The processor and the system with which it computes networks.
    pub platform: String,
}

/// Notes who did trials: `numbers` are what they are called in the rows of `what`, in this cell if
/// they are not games.
pub(super) fn insert_origin(
    db: &Transaction<'_>,
    origin: &Origin,
    (what, cell): (&str, Option<&TrialGroup>),
    numbers: &Value,
) -> Result<(), LabError> {
    let Origin { worker, version, platform } = origin;
    let mut detail = json!({ "worker": worker, "version": version, "platform": platform, what: numbers });
    if let Some(cell) = cell {
        detail["cell"] = json!(cell.hash());
    }
    insert_event(db, EVENT, &detail)
}

impl Store {
    /// The identities of the games that this worker has played, the last time that they were
    /// played, unless they were declared void since: a game that is played here has no such event.
    pub(super) fn games_of_worker(&self, worker: &str) -> Result<HashSet<String>, LabError> {
        let mut query = self.db.prepare(
            "SELECT game FROM (SELECT game, worker, MAX(id) FROM (
                 SELECT json_each.value AS game, json_extract(detail, '$.worker') AS worker, event.id AS id
                 FROM event, json_each(detail, '$.games') WHERE kind = ?
                 UNION ALL SELECT json_extract(detail, '$.game'), NULL, id FROM event WHERE kind = ?
             ) GROUP BY game) WHERE worker = ?",
        )?;
        Ok(query.query_map([EVENT, GAME_VOIDED, worker], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// The cells and numbers of the trials that this worker has done, the last time that they were
    /// done, unless they were declared void since.
    pub(super) fn trials_of_worker(&self, worker: &str) -> Result<Vec<(String, i64)>, LabError> {
        self.rows_of_worker(worker, "trials", (TRIAL_VOIDED, "trial"))
    }

    /// The same for `what`, whose void rows events of this kind name in this place.
    fn rows_of_worker(
        &self,
        worker: &str,
        what: &str,
        (voided, place): (&str, &str),
    ) -> Result<Vec<(String, i64)>, LabError> {
        let mut query = self.db.prepare(&format!(
            "SELECT cell, number FROM (SELECT cell, number, worker, MAX(id) FROM (
                 SELECT json_extract(detail, '$.cell') AS cell, json_each.value AS number,
                        json_extract(detail, '$.worker') AS worker, event.id AS id
                 FROM event, json_each(detail, '$.{what}') WHERE kind = ?
                 UNION ALL
                 SELECT json_extract(detail, '$.cell'), json_extract(detail, '$.{place}'), NULL, id
                 FROM event WHERE kind = ?
             ) GROUP BY cell, number) WHERE worker = ? AND cell IS NOT NULL"
        ))?;
        let rows = query.query_map([EVENT, voided, worker], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The numbers of the games of self-play of a cell that this worker has played.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) fn self_play_of_worker(
        &self,
        worker: &str,
        cell: &TrialGroup,
    ) -> Result<HashSet<i64>, LabError> {
        let rows = self.rows_of_worker(worker, "self_play", (SELF_PLAY_VOIDED, "self_play.number"))?;
        let hash = cell.hash();
        Ok(rows.into_iter().filter(|(cell, _)| *cell == hash).map(|(_, number)| number).collect())
    }

    /// The number of trials that each worker has done with each version of its program.
    ///
    /// # Errors
    /// If the store fails.
    pub fn origins(&self) -> Result<BTreeMap<Origin, u64>, LabError> {
        let mut query = self.db.prepare(
            // Stores of earlier programs call the platform `kernel`.
            "SELECT json_extract(detail, '$.worker'), json_extract(detail, '$.version'),
                    COALESCE(json_extract(detail, '$.platform'), json_extract(detail, '$.kernel')),
                    SUM(json_array_length(detail, '$.games')), SUM(json_array_length(detail, '$.trials')),
                    SUM(json_array_length(detail, '$.self_play'))
             FROM event WHERE kind = ? GROUP BY 1, 2, 3",
        )?;
        let rows = query.query_map([EVENT], |row| {
            let count = |place: usize| row.get::<_, Option<u64>>(place).map(Option::unwrap_or_default);
            let origin = Origin { worker: row.get(0)?, version: row.get(1)?, platform: row.get(2)? };
            Ok((origin, count(3)? + count(4)? + count(5)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
