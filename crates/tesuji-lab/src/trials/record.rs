//! The record of trials: one SQLite file that survives `kill -9` at any moment.

use crate::LabError;
use crate::store::lock;
use rusqlite::{Connection, params};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

/// The file in an experiment's directory.
const FILE: &str = "trials.sqlite";

const SCHEMA: &str = "
CREATE TABLE cell (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, spec TEXT NOT NULL) STRICT;
CREATE TABLE trial (
    cell INTEGER NOT NULL REFERENCES cell,
    number INTEGER NOT NULL,
    results TEXT NOT NULL,
    PRIMARY KEY (cell, number)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;
";

/// What trials gave, by their numbers.
pub(super) type Trials = BTreeMap<u64, Vec<f64>>;

/// The trials of an experiment. Those of a cell are found by a hash of all that decides them, so what a changed file
/// asks for is never mistaken for what was done before.
#[derive(Debug)]
pub(super) struct Record {
    db: Connection,
    /// Held as long as the record is open.
    _lock: File,
}

impl Record {
    /// The record in the directory `dir`, which is created if need be.
    pub(super) fn open(dir: &Path) -> Result<Record, LabError> {
        let lock = lock(dir)?;
        let db = Connection::open(dir.join(FILE))?;
        db.pragma_update(None, "journal_mode", "wal")?;
        db.pragma_update(None, "synchronous", "normal")?;
        match db.pragma_query_value(None, "user_version", |row| row.get(0))? {
            0 => db.execute_batch(&format!("BEGIN; {SCHEMA} COMMIT;"))?,
            1 => {}
            version => {
                return Err(LabError::Input(format!(
                    "the record of trials has format {version} of a newer program; this one reads 1"
                )));
            }
        }
        Ok(Record { db, _lock: lock })
    }

    /// The trials of a cell.
    pub(super) fn read(&self, hash: &str) -> Result<Trials, LabError> {
        let mut query = self
            .db
            .prepare_cached("SELECT number, results FROM trial JOIN cell ON cell.id = cell WHERE hash = ?")?;
        let rows =
            query.query_map([hash], |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, String>(1)?)))?;
        let mut trials = Trials::new();
        for row in rows {
            let (number, results) = row?;
            let results = results.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>();
            trials.insert(number, results.map_err(LabError::failed)?);
        }
        Ok(trials)
    }

    /// Adds trials of a cell that `spec` describes, all or none.
    pub(super) fn insert(
        &mut self,
        hash: &str,
        spec: &str,
        trials: &[(u64, Vec<f64>)],
    ) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        transaction.execute("INSERT OR IGNORE INTO cell (hash, spec) VALUES (?, ?)", params![hash, spec])?;
        let cell: i64 =
            transaction.query_row("SELECT id FROM cell WHERE hash = ?", [hash], |row| row.get(0))?;
        {
            let mut insert = transaction.prepare_cached("INSERT INTO trial VALUES (?, ?, ?)")?;
            for (number, results) in trials {
                let results: Vec<_> = results.iter().map(f64::to_string).collect();
                insert.execute(params![cell, *number as i64, results.join(" ")])?;
            }
        }
        Ok(transaction.commit()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        {
            let mut record = Record::open(dir.path()).unwrap();
            record.insert("a", "A", &[(7, vec![0.1, -2.0]), (3, vec![f64::NAN])]).unwrap();
            record.insert("b", "B", &[(7, vec![1e300])]).unwrap();
            assert!(record.insert("a", "A", &[(9, vec![1.0]), (7, vec![1.0])]).is_err());
            assert!(Record::open(dir.path()).is_err(), "one process at a time");
        }
        let found = Record::open(dir.path()).unwrap().read("a").unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), [&3, &7]);
        assert!(found[&3][0].is_nan());
        assert_eq!(found[&7], [0.1, -2.0]);
    }
}
