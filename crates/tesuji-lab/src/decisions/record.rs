//! The record of decisions: one SQLite file that survives `kill -9` at any moment.

use crate::LabError;
use crate::store::lock;
use rusqlite::{Connection, params};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

/// The file in an experiment's directory.
const FILE: &str = "decisions.sqlite";

const SCHEMA: &str = "
CREATE TABLE search (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, spec TEXT NOT NULL) STRICT;
CREATE TABLE decision (
    search INTEGER NOT NULL REFERENCES search,
    tree INTEGER NOT NULL,
    robust_fails INTEGER NOT NULL,
    max_fails INTEGER NOT NULL,
    PRIMARY KEY (search, tree)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;
";

/// Whether an agent failed at a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decision {
    /// By the most visited move.
    pub(super) robust_fails: bool,
    /// By the move of the highest value.
    pub(super) max_fails: bool,
}

/// Decisions by the seed of their tree.
pub(super) type ByTree = BTreeMap<u64, Decision>;

/// The decisions of an experiment. Those of a search are found by a hash of all that decides them, so what a changed
/// file asks for is never mistaken for what was done before.
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
                    "the record of decisions has format {version} of a newer program; this one reads 1"
                )));
            }
        }
        Ok(Record { db, _lock: lock })
    }

    /// The decisions of a search.
    pub(super) fn read(&self, hash: &str) -> Result<ByTree, LabError> {
        let mut query = self.db.prepare_cached(
            "SELECT tree, robust_fails, max_fails FROM decision JOIN search ON search.id = search WHERE hash = ?",
        )?;
        let rows = query.query_map([hash], |row| {
            let decision = Decision { robust_fails: row.get(1)?, max_fails: row.get(2)? };
            Ok((row.get::<_, i64>(0)? as u64, decision))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds decisions of a search that `spec` describes, all or none.
    pub(super) fn insert(
        &mut self,
        hash: &str,
        spec: &str,
        decisions: &[(u64, Decision)],
    ) -> Result<(), LabError> {
        let transaction = self.db.transaction()?;
        transaction
            .execute("INSERT OR IGNORE INTO search (hash, spec) VALUES (?, ?)", params![hash, spec])?;
        let search: i64 =
            transaction.query_row("SELECT id FROM search WHERE hash = ?", [hash], |row| row.get(0))?;
        {
            let mut insert = transaction.prepare_cached("INSERT INTO decision VALUES (?, ?, ?, ?)")?;
            for (tree, Decision { robust_fails, max_fails }) in decisions {
                insert.execute(params![search, *tree as i64, robust_fails, max_fails])?;
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
        let decision = |robust_fails, max_fails| Decision { robust_fails, max_fails };
        {
            let mut record = Record::open(dir.path()).unwrap();
            record.insert("a", "A", &[(7, decision(true, false)), (3, decision(false, true))]).unwrap();
            record.insert("b", "B", &[(7, decision(false, false))]).unwrap();
            record.insert("a", "A", &[(8, decision(true, true))]).unwrap();
            assert!(
                record.insert("a", "A", &[(9, decision(true, true)), (8, decision(true, true))]).is_err()
            );
            assert!(Record::open(dir.path()).is_err(), "one process at a time");
        }
        let found = Record::open(dir.path()).unwrap().read("a").unwrap();
        let expected = [(3, decision(false, true)), (7, decision(true, false)), (8, decision(true, true))];
        assert!(found.into_iter().eq(expected));
    }
}
