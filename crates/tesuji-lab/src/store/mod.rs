//! The record of an experiment: one SQLite file that survives `kill -9` at any moment.
//!
//! Every finished game is one transaction. Nothing is counted while games are played: each number
//! in a report is a query over the games. Games and trials have identities that follow from
//! everything that decides them ([`Matchup::game_id`], [`TrialGroup::hash`]). So a second run makes
//! exactly what is missing, and two matches that ask for the same games share them.
//!
//! | table | a row for |
//! | --- | --- |
//! | `experiment` | the experiment: kind, name, file as last run, program ([`Description`]) |
//! | `match`, `part` | each match or cell of trials that it asks for, by name ([`StoredPlan`]) |
//! | `conditions`, `config` | each set of conditions and each agent, canonical TOML under its hash |
//! | `pair`, `game`, `move` | each opening between two agents, its finished games, what their searches found |
//! | `voided` | each forfeited game that was declared void: it counts no longer, and is played again |
//! | `cell`, `trial` | trials that differ only in their number, the figures that each gave |
//! | `self_play` | games that a network played against itself, in stores of trainings |
//! | `event` | whatever else happened: runs and their ends, failures, changes of the file |
//!
//! Rows obey `CHECK` constraints, and those of games, trials, events and plans have a digest of
//! their content. A store of an earlier version has neither until a program writes to it. If a row
//! breaks a constraint, the program refuses the store then, and [`verify`](crate::verify()) names
//! the row.

mod checks;
mod description;
mod digest;
mod disputed;
mod error;
mod file;
mod games;
mod migrate;
mod origins;
mod rows;
mod self_play;
mod sound;
mod stored_plan;
mod tally;
mod trials;
mod voided;

pub use description::{Description, Labels, PlannedMatch, PlannedTrials, StoredPlan, TrialGroup};
pub use disputed::Disputed;
pub use error::{BeginError, OpenError, VoidError};
pub use games::Place;
pub(crate) use games::StoredGame;
pub use origins::Origin;
pub use rows::{Config, Ending, GameRow, Matchup, SearchRow, Usage};
pub use self_play::{SelfPlayRow, SelfPlayTotals};
pub(crate) use sound::RowCounts;
pub(crate) use tally::KnownValues;
pub use tally::Tally;
pub use trials::Trials;
pub use voided::VoidedGame;

use crate::error::LabError;
pub use file::FILE;
use file::{StoreFile, open_to_read};
use migrate::Faults;
use rusqlite::backup::Backup;
use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The record of one experiment.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    dir: Option<PathBuf>,
    /// The file that is written to.
    file: Option<StoreFile>,
    /// Held as long as the store is open for writing.
    _lock: Option<File>,
    /// Where a copy lies that is read in place of the file.
    _copy: Option<TempDir>,
}

impl Store {
    /// A store in memory, which lives as long as the program.
    ///
    /// # Errors
    /// If SQLite cannot make its tables.
    pub fn in_memory() -> Result<Store, LabError> {
        Store::prepare(Connection::open_in_memory()?, None, None)
    }

    /// The store in the directory `dir`, to be written to; it is created if need be.
    ///
    /// # Errors
    /// If the directory cannot be written, if another process writes to its store, or if a newer
    /// version of this program wrote it.
    pub fn open(dir: &Path) -> Result<Store, LabError> {
        Store::open_locked(dir, lock(dir)?)
    }

    /// [`Store::open`], once no other process writes to it: for commands that hold it for moments.
    ///
    /// # Errors
    /// If the directory cannot be written, or if a newer version of this program wrote it.
    pub fn open_in_turn(dir: &Path) -> Result<Store, LabError> {
        let lock = lock_file(dir)?;
        lock.lock().map_err(|e| unusable(dir, e))?;
        Store::open_locked(dir, lock)
    }

    fn open_locked(dir: &Path, lock: File) -> Result<Store, LabError> {
        let db = Connection::open(dir.join(FILE))?;
        migrate::refuse_foreign(&db, dir)?;
        db.pragma_update(None, "journal_mode", "wal")?;
        Store::prepare(db, Some(dir.to_owned()), Some(lock))
    }

    /// The same store for another thread of this process, which may write to it, too.
    ///
    /// # Errors
    /// If this one was opened for reading or lives in memory only.
    pub fn reconnect(&self) -> Result<Store, LabError> {
        let (Some(dir), Some(lock)) = (&self.dir, &self._lock) else {
            return Err(LabError::Failed("only a store in a directory has several writers".to_owned()));
        };
        self.check_file()?;
        let db = Connection::open(dir.join(FILE))?;
        Store::prepare(db, Some(dir.clone()), Some(lock.try_clone().map_err(LabError::failed)?))
    }

    /// The store in the directory `dir`, to be read, while another process may write to it. The
    /// directory may lie on a read-only disk. A store of an earlier version is read through a copy
    /// in the current version.
    ///
    /// # Errors
    /// If there is none, a newer version of this program wrote it, or a row of an earlier version
    /// breaks a constraint.
    pub fn read(dir: &Path) -> Result<Store, LabError> {
        Store::read_with(dir, Faults::Refused)
    }

    /// [`Store::read`] that reads an earlier version with all of its faults.
    pub(crate) fn read_with_faults(dir: &Path) -> Result<Store, LabError> {
        Store::read_with(dir, Faults::Kept)
    }

    fn read_with(dir: &Path, faults: Faults) -> Result<Store, LabError> {
        let file = dir.join(FILE);
        if !file.exists() {
            return Err(OpenError::Empty { dir: dir.display().to_string(), file: FILE }.into());
        }
        let (mut db, copy) = open_to_read(&file)?;
        digest::register(&db)?;
        migrate::refuse_foreign(&db, dir)?;
        if migrate::version(&db)? < migrate::VERSION {
            // Without a name it is a file that the system removes.
            let mut present = Connection::open("")?;
            Backup::new(&db, &mut present)?.run_to_completion(1 << 12, Duration::ZERO, None)?;
            db = present;
            digest::register(&db)?;
            migrate::migrate(&mut db, faults)?;
        }
        db.pragma_update(None, "query_only", true)?;
        Ok(Store { db, dir: Some(dir.to_owned()), file: None, _lock: None, _copy: copy })
    }

    fn prepare(mut db: Connection, dir: Option<PathBuf>, lock: Option<File>) -> Result<Store, LabError> {
        // A reader may hold the file for a moment.
        db.busy_timeout(Duration::from_secs(60))?;
        db.pragma_update(None, "synchronous", "normal")?;
        // A transaction that reads first and then writes would fail without waiting if another
        // thread wrote in between.
        db.set_transaction_behavior(TransactionBehavior::Immediate);
        digest::register(&db)?;
        migrate::migrate(&mut db, Faults::Refused)?;
        let file = match &dir {
            Some(dir) => {
                let path = dir.join(FILE);
                let file = StoreFile::at(&path);
                Some(file.map_err(|e| LabError::Failed(format!("{}: {e}", path.display())))?)
            }
            None => None,
        };
        Ok(Store { db, dir, file, _lock: lock, _copy: None })
    }

    /// Makes sure that what was written is in the directory.
    ///
    /// # Errors
    /// If the file of the store was deleted, moved or replaced.
    pub(crate) fn check_file(&self) -> Result<(), LabError> {
        self.file.as_ref().map_or(Ok(()), StoreFile::check)
    }

    /// The directory, if the store has one.
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// Records an event; `detail` is written as JSON.
    ///
    /// # Errors
    /// If the store fails.
    pub fn event(&self, kind: &str, detail: &serde_json::Value) -> Result<(), LabError> {
        // The events of all threads, as a transaction: an event without its digest is never seen.
        let transaction = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?;
        insert_event(&transaction, kind, detail)?;
        transaction.commit()?;
        self.check_file()
    }

    /// All events in order: time (UTC), kind, detail as JSON.
    ///
    /// # Errors
    /// If a row is corrupt, or the store fails.
    pub fn events(&self) -> Result<Vec<(String, String, serde_json::Value)>, LabError> {
        let mut query = self.db.prepare("SELECT id, at, kind, detail FROM event ORDER BY id")?;
        let rows = query.query_map([], |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?, row.get::<_, String>(3)?))
        })?;
        rows.map(|row| {
            let (id, at, kind, detail) = row?;
            let detail = serde_json::from_str(&detail)
                .map_err(|error| damaged(format_args!("event {id}: its detail is not JSON: {error}")))?;
            Ok((at, kind, detail))
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

    /// SQLite's own check of the file: a line for each fault, none if the file is sound.
    ///
    /// # Errors
    /// If the store fails.
    pub fn integrity(&self) -> Result<Vec<String>, LabError> {
        let mut query = self.db.prepare("PRAGMA integrity_check")?;
        let lines: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}

/// An event with its digest.
fn insert_event(db: &Transaction<'_>, kind: &str, detail: &serde_json::Value) -> Result<(), LabError> {
    db.execute("INSERT INTO event (kind, detail) VALUES (?, ?)", params![kind, detail.to_string()])?;
    digest::seal(db, "event", "id = ?", [db.last_insert_rowid()])
}

/// What a stored row holds that no run writes.
pub(crate) fn damaged(what: impl std::fmt::Display) -> LabError {
    LabError::Failed(format!("the store is damaged: {what}; `tesuji verify` lists all of its faults"))
}

/// How long a lock is asked for again. A process that this one is starting, such as an engine, has
/// a copy of every lock until its own program runs, even of one that is given up meanwhile.
const PATIENCE: Duration = Duration::from_millis(500);

/// Makes the directory of an experiment if need be, and sees that no other process writes to it as
/// long as the result is held.
///
/// # Errors
/// If the directory cannot be written, or another process holds it.
fn lock(dir: &Path) -> Result<File, LabError> {
    let (lock, begin) = (lock_file(dir)?, Instant::now());
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if begin.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::Busy { dir: dir.display().to_string() }.into());
            }
            Err(TryLockError::Error(e)) => return Err(unusable(dir, e)),
        }
    }
}

/// The file whose lock a writer holds. Makes the directory if need be.
fn lock_file(dir: &Path) -> Result<File, LabError> {
    fs::create_dir_all(dir).and_then(|()| File::create(dir.join("lock"))).map_err(|e| unusable(dir, e))
}

fn unusable(dir: &Path, error: std::io::Error) -> LabError {
    OpenError::Unusable { dir: dir.display().to_string(), fault: error.to_string() }.into()
}
