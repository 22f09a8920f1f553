//! The record of an experiment: one SQLite file that survives `kill -9` at any moment.
//!
//! Every finished game is one transaction. Nothing is counted while games are played: each
//! number in a report is a query over the games. Games have identities that follow from what decides them, so
//! that whoever runs the experiment again plays exactly the games that are missing.

mod description;
mod queries;
mod rows;

pub use description::Description;
pub use queries::{Place, Tally};
pub(crate) use rows::hash;
pub use rows::{Config, Ending, GameRow, SearchRow, Usage, game_id};

use crate::LabError;
use rusqlite::{Connection, OptionalExtension, params};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The file in an experiment's directory.
pub const FILE: &str = "games.sqlite";

/// Each entry takes a store from the version that is its index to the next one.
const MIGRATIONS: [&str; 1] = [include_str!("schema.sql")];

/// The record of one experiment.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    dir: Option<PathBuf>,
    /// Held as long as the store is open for writing.
    _lock: Option<File>,
}

/// Makes the directory of an experiment if need be, and sees that no other process writes to it as long as the
/// result is held.
///
/// # Errors
/// If the directory cannot be written, or another process holds it.
pub(crate) fn lock(dir: &Path) -> Result<File, LabError> {
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

impl Store {
    /// A store that lives as long as the program.
    pub fn in_memory() -> Result<Store, LabError> {
        Store::prepare(Connection::open_in_memory()?, None, None)
    }

    /// The store in the directory `dir`, which is created if need be.
    ///
    /// # Errors
    /// If the directory cannot be written, if another process has its store open, or if a newer version of
    /// this program wrote it.
    pub fn open(dir: &Path) -> Result<Store, LabError> {
        let lock = lock(dir)?;
        let db = Connection::open(dir.join(FILE))?;
        db.pragma_update(None, "journal_mode", "wal")?;
        db.pragma_update(None, "synchronous", "normal")?;
        Store::prepare(db, Some(dir.to_owned()), Some(lock))
    }

    fn prepare(mut db: Connection, dir: Option<PathBuf>, lock: Option<File>) -> Result<Store, LabError> {
        db.pragma_update(None, "foreign_keys", true)?;
        let version: u32 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version as usize > MIGRATIONS.len() {
            return Err(LabError::Input(format!(
                "the store has format {version} of a newer program; this one reads up to {}",
                MIGRATIONS.len()
            )));
        }
        for (i, migration) in MIGRATIONS.iter().enumerate().skip(version as usize) {
            let transaction = db.transaction()?;
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", i as u32 + 1)?;
            transaction.commit()?;
        }
        Ok(Store { db, dir, _lock: lock })
    }

    /// The directory, if the store has one.
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// Makes this the record of the described experiment, or checks that it is; `version` is that of the program.
    ///
    /// # Errors
    /// If it is the record of another one; the message names what differs.
    pub fn begin(&mut self, description: &Description, version: &str) -> Result<(), LabError> {
        let stored = self
            .db
            .query_row("SELECT kind, spec FROM experiment", [], |row| {
                Ok(Description { kind: row.get(0)?, spec: row.get(1)? })
            })
            .optional()?;
        let Some(stored) = stored else {
            self.db.execute(
                "INSERT INTO experiment (id, kind, spec, hash, version) VALUES (1, ?, ?, ?, ?)",
                params![description.kind, description.spec, description.hash(), version],
            )?;
            if let Some(dir) = &self.dir {
                fs::write(dir.join("experiment.toml"), &description.spec).map_err(LabError::failed)?;
            }
            return Ok(());
        };
        let differences = stored.differences(description);
        if differences.is_empty() {
            return Ok(());
        }
        let place = self.dir.as_ref().map(|dir| format!("{} holds", dir.display()));
        Err(LabError::Input(format!(
            "{} another experiment: {}; repeat its settings to resume it, or choose another directory",
            place.as_deref().unwrap_or("the store holds"),
            differences.join(", ")
        )))
    }

    /// Notes what happened; `detail` is written as JSON.
    pub fn event(&self, kind: &str, detail: &serde_json::Value) -> Result<(), LabError> {
        self.db
            .execute("INSERT INTO event (kind, detail) VALUES (?, ?)", params![kind, detail.to_string()])?;
        Ok(())
    }

    /// The value for `a` of the game with this identity, if it was played.
    pub fn value_of(&self, id: &str) -> Result<Option<f64>, LabError> {
        let mut query = self.db.prepare_cached("SELECT a_value FROM game WHERE id = ?")?;
        Ok(query.query_row([id], |row| row.get(0)).optional()?)
    }

    /// Records a finished game in one transaction; does nothing if it is there already.
    pub fn insert(
        &mut self,
        a: &Config,
        b: &Config,
        opening: u64,
        replica: u32,
        game: &GameRow,
    ) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        {
            let config = |config: &Config| -> Result<i64, rusqlite::Error> {
                let mut insert = transaction.prepare_cached(
                    "INSERT INTO config (hash, name, spec) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                )?;
                insert.execute(params![config.hash(), config.name, config.spec])?;
                let mut query = transaction.prepare_cached("SELECT id FROM config WHERE hash = ?")?;
                query.query_row([config.hash()], |row| row.get(0))
            };
            let place = params![config(a)?, config(b)?, opening as i64, replica];
            transaction
                .prepare_cached(
                    "INSERT INTO pair (a, b, opening, replica) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                )?
                .execute(place)?;
            let pair: i64 = transaction
                .prepare_cached("SELECT id FROM pair WHERE a = ? AND b = ? AND opening = ? AND replica = ?")?
                .query_row(place, |row| row.get(0))?;
            let inserted = transaction
                .prepare_cached(
                    "INSERT INTO game (id, pair, a_first, seed, opening, moves, moves_hash, a_value, result, ending, \
                     detail, dispute, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                )?
                .execute(params![
                    game.id,
                    pair,
                    game.a_first,
                    game.seed as i64,
                    game.opening.join(" "),
                    game.moves.join(" "),
                    game.moves_hash(),
                    game.a_value,
                    game.result,
                    game.ending.to_string(),
                    game.detail,
                    game.dispute,
                    game.seconds,
                ])?;
            if inserted == 1 {
                let number = transaction.last_insert_rowid();
                let mut insert =
                    transaction.prepare_cached("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
                for s in &game.searches {
                    insert.execute(params![
                        number,
                        s.ply,
                        s.by_a,
                        s.chosen,
                        s.visits,
                        s.value,
                        s.simulations as i64,
                        s.seconds,
                        s.nodes_peak as i64,
                        s.bytes_peak as i64,
                    ])?;
                }
            }
        }
        transaction.commit()?;
        Ok(())
    }
}
