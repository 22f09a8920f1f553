//! The record of an experiment: one SQLite file that survives `kill -9` at any moment.
//!
//! Every finished game is one transaction. Nothing is counted while games are played: each
//! number in a report is a query over the games. Games and trials have identities that follow from what decides them
//! ([`Matchup::game_id`], [`TrialCell::hash`]), so that whoever runs the experiment again makes exactly what is
//! missing, and two matches that ask for the same games share them.
//!
//! | table | a row for |
//! | --- | --- |
//! | `experiment` | the experiment: kind, name, file as last run, program ([`Description`]) |
//! | `match`, `part` | each match or cell of trials that it asks for, by name ([`Agenda`]) |
//! | `conditions`, `config` | each set of conditions and each agent, canonical TOML under its hash |
//! | `pair`, `game`, `move` | each opening between two agents, its finished games, what their searches found |
//! | `cell`, `trial` | trials that differ only in their number, the figures that each gave |
//! | `self_play` | games that a network played against itself, in stores of trainings |
//! | `event` | whatever else happened: runs and their ends, failures, changes of the file |

mod agenda;
mod description;
mod games;
mod migrate;
mod rows;
mod self_play;
mod tally;
mod trials;

pub use description::{Agenda, Description, Labels, PlannedMatch, PlannedTrials, TrialCell};
pub use games::Place;
pub use rows::{Config, Ending, GameRow, Matchup, SearchRow, Usage};
pub use self_play::{SelfPlayRow, SelfPlayTotals};
pub use tally::Tally;
pub use trials::Trials;

use crate::LabError;
use rusqlite::{Connection, OpenFlags, Row, TransactionBehavior, params};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file in an experiment's directory.
pub const FILE: &str = "games.sqlite";

/// The record of one experiment.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    dir: Option<PathBuf>,
    /// Held as long as the store is open for writing.
    _lock: Option<File>,
}

impl Store {
    /// A store that lives as long as the program.
    pub fn in_memory() -> Result<Store, LabError> {
        Store::prepare(Connection::open_in_memory()?, None, None)
    }

    /// The store in the directory `dir`, to be written to; it is created if need be.
    ///
    /// # Errors
    /// If the directory cannot be written, if another process writes to its store, or if a newer version of
    /// this program wrote it.
    pub fn open(dir: &Path) -> Result<Store, LabError> {
        let lock = lock(dir)?;
        let db = Connection::open(dir.join(FILE))?;
        db.pragma_update(None, "journal_mode", "wal")?;
        db.pragma_update(None, "synchronous", "normal")?;
        Store::prepare(db, Some(dir.to_owned()), Some(lock))
    }

    /// The same store for another thread of this process to write to as well.
    ///
    /// # Errors
    /// If this one was opened for reading or lives in memory only.
    pub fn again(&self) -> Result<Store, LabError> {
        let (Some(dir), Some(lock)) = (&self.dir, &self._lock) else {
            return Err(LabError::Failed("only a store in a directory has several writers".to_owned()));
        };
        let db = Connection::open(dir.join(FILE))?;
        db.pragma_update(None, "synchronous", "normal")?;
        Store::prepare(db, Some(dir.clone()), Some(lock.try_clone().map_err(LabError::failed)?))
    }

    /// The store in the directory `dir`, to be read, while another process may write to it. A store of an earlier version
    /// is first brought to the present one.
    ///
    /// # Errors
    /// If there is none, or a newer version of this program wrote it.
    pub fn read(dir: &Path) -> Result<Store, LabError> {
        let file = dir.join(FILE);
        if !file.exists() {
            return Err(LabError::Input(format!(
                "{} holds no experiment: expected a directory with a file {FILE}, as `--out` makes it",
                dir.display()
            )));
        }
        let open = || Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_WRITE);
        if migrate::version(&open()?)? < migrate::VERSION {
            Store::open(dir)?;
        }
        let db = open()?;
        db.pragma_update(None, "query_only", true)?;
        Ok(Store { db, dir: Some(dir.to_owned()), _lock: None })
    }

    fn prepare(mut db: Connection, dir: Option<PathBuf>, lock: Option<File>) -> Result<Store, LabError> {
        // A reader may hold the file for a moment.
        db.busy_timeout(Duration::from_secs(60))?;
        // A transaction that reads first and then writes would fail without waiting if another thread wrote in between.
        db.set_transaction_behavior(TransactionBehavior::Immediate);
        migrate::migrate(&mut db)?;
        Ok(Store { db, dir, _lock: lock })
    }

    /// The directory, if the store has one.
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// Notes what happened; `detail` is written as JSON.
    pub fn event(&self, kind: &str, detail: &serde_json::Value) -> Result<(), LabError> {
        self.db
            .execute("INSERT INTO event (kind, detail) VALUES (?, ?)", params![kind, detail.to_string()])?;
        Ok(())
    }

    /// What happened, in order: time (UTC), kind, detail as JSON.
    pub fn events(&self) -> Result<Vec<(String, String, serde_json::Value)>, LabError> {
        let mut query = self.db.prepare("SELECT at, kind, detail FROM event ORDER BY id")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))?;
        rows.map(|row| {
            let (at, kind, detail) = row?;
            Ok((at, kind, serde_json::from_str(&detail).map_err(LabError::failed)?))
        })
        .collect()
    }

    /// Hands on the rows of a query.
    pub(crate) fn select(
        &self,
        sql: &str,
        f: &mut dyn FnMut(&Row<'_>) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        let mut query = self.db.prepare(sql)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            f(row)?;
        }
        Ok(())
    }

    /// SQLite's own check of the file: empty if it is sound, else what is wrong.
    pub fn integrity(&self) -> Result<Vec<String>, LabError> {
        let mut query = self.db.prepare("PRAGMA integrity_check")?;
        let lines: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}

/// Makes the directory of an experiment if need be, and sees that no other process writes to it as long as the
/// result is held.
///
/// # Errors
/// If the directory cannot be written, or another process holds it.
fn lock(dir: &Path) -> Result<File, LabError> {
    let fault = |e| LabError::Input(format!("the directory {} cannot be used: {e}", dir.display()));
    fs::create_dir_all(dir).map_err(fault)?;
    let lock = File::create(dir.join("lock")).map_err(fault)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(LabError::Input(format!(
                "another process is running the experiment in {}; wait for it or choose another directory",
                dir.display()
            )));
        }
        Err(TryLockError::Error(e)) => return Err(fault(e)),
    }
    Ok(lock)
}
