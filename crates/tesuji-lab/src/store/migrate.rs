//! Converts stores of earlier versions to the current one.

use super::error::OpenError;
use super::rows::{Config, hash};
use super::{FILE, Matchup, checks, digest};
use crate::conditions::Conditions;
use crate::error::LabError;
use crate::record::value_of_result;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use std::path::Path;

/// Takes a store to the next version: first the statements, then what they cannot do.
struct Migration {
    sql: &'static str,
    then: fn(&Transaction<'_>, Faults) -> Result<(), LabError>,
}

/// The treatment of a store with a row that breaks a constraint of a later version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Faults {
    /// It is refused, and stays as it is.
    Refused,
    /// The constraint is left out, so that the fault can be told.
    Kept,
}

/// Each entry takes a store from the version that is its index to the next one.
const MIGRATIONS: [Migration; 4] = [
    Migration { sql: include_str!("schema-1.sql"), then: |_, _| Ok(()) },
    Migration { sql: include_str!("schema-2.sql"), then: |db, _| one_match(db) },
    Migration { sql: include_str!("schema-3.sql"), then: |db, _| dispute_values(db) },
    Migration { sql: "", then: constrain },
];

/// The version of stores that this program writes.
pub(super) const VERSION: u32 = MIGRATIONS.len() as u32;

/// The version of a store; 0 if it is empty, or another program's.
///
/// # Errors
/// If a newer program wrote it.
pub(super) fn version(db: &Connection) -> Result<u32, LabError> {
    let version: u32 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > VERSION {
        return Err(OpenError::Newer { format: version, own: VERSION }.into());
    }
    Ok(version)
}

/// Fails if another program has made the database of this directory.
pub(super) fn refuse_foreign(db: &Connection, dir: &Path) -> Result<(), LabError> {
    let has_tables = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)";
    if version(db)? == 0 && db.query_row(has_tables, [], |row| row.get(0))? {
        return Err(OpenError::Foreign { dir: dir.display().to_string(), file: FILE }.into());
    }
    Ok(())
}

/// Brings a store to the present version, all or nothing.
pub(super) fn migrate(db: &mut Connection, faults: Faults) -> Result<(), LabError> {
    // Tables that others refer to are replaced.
    db.pragma_update(None, "foreign_keys", false)?;
    if version(db)? < VERSION {
        let transaction = db.transaction()?;
        // Else those that refer to a renamed table would go on to do so.
        transaction.pragma_update(None, "legacy_alter_table", true)?;
        // Another thread may have been first.
        for migration in &MIGRATIONS[version(&transaction)? as usize..] {
            transaction.execute_batch(migration.sql)?;
            (migration.then)(&transaction, faults)?;
        }
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()?;
    }
    Ok(db.pragma_update(None, "foreign_keys", true)?)
}

/// Adds the constraints of rows, and the column of their digests.
fn constrain(db: &Transaction<'_>, faults: Faults) -> Result<(), LabError> {
    digest::add(db)?;
    checks::add(db, None, faults == Faults::Kept)
}

/// Version 2 had what engines said of a result in words alone, the second agent's last:
/// `gtp:gnugo says B+40.5 (dead: G7); ...`.
fn dispute_values(db: &Transaction<'_>) -> Result<(), LabError> {
    let mut query = db.prepare("SELECT number, a_first, dispute FROM game WHERE dispute IS NOT NULL")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let rows: Vec<(i64, bool, String)> = rows.collect::<Result<_, _>>()?;
    for (number, a_first, dispute) in rows {
        let said = dispute.rsplit_once(" says ").and_then(|(_, said)| said.split_whitespace().next());
        // Who named no winner disputed nothing.
        if let Some(first) = said.and_then(value_of_result) {
            let value = if a_first { first } else { 1.0 - first };
            db.execute("UPDATE game SET dispute_value = ? WHERE number = ?", params![value, number])?;
        }
    }
    Ok(())
}

/// Version 1 held the games of one match; its description was the conditions and both agents in one
/// text.
fn one_match(db: &Transaction<'_>) -> Result<(), LabError> {
    let old = db.query_row("SELECT spec, version, created FROM experiment_1", [], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
    });
    let agents = db.query_row("SELECT a, b FROM pair_1 ORDER BY id LIMIT 1", [], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
    });
    // Without any game there is nothing to keep.
    if let (Some((spec, version, created)), Some((a, b))) = (old.optional()?, agents.optional()?) {
        let mut table: toml::Table = spec.parse().map_err(LabError::failed)?;
        table.remove("a");
        table.remove("b");
        let conditions: Conditions = table.try_into().map_err(LabError::failed)?;
        let spec = conditions.canonical();
        db.execute("INSERT INTO conditions VALUES (1, ?, ?)", params![hash(&[&spec]), spec])?;
        db.execute("INSERT INTO pair SELECT id, 1, a, b, opening, replica FROM pair_1", [])?;
        db.execute(
            "INSERT INTO match SELECT 1, 'match', 1, ?1, ?2, a.name, b.name,
                 COALESCE((SELECT json_extract(detail, '$.games') FROM event WHERE kind = 'run' ORDER BY id DESC), 0),
                 (SELECT json_extract(detail, '$.sprt') FROM event WHERE kind = 'run' ORDER BY id DESC), '', '', NULL
             FROM config AS a, config AS b WHERE a.id = ?1 AND b.id = ?2",
            [a, b],
        )?;
        let config = |id: i64| -> Result<Config, rusqlite::Error> {
            db.query_row("SELECT name, spec FROM config WHERE id = ?", [id], |row| {
                Ok(Config { name: row.get(0)?, spec: row.get(1)? })
            })
        };
        let file = Matchup { conditions: spec, a: config(a)?, b: config(b)? }.spec();
        db.execute(
            "INSERT INTO experiment VALUES (1, 'match', 'match', '', ?, ?, ?)",
            params![file, version, created],
        )?;
        db.execute(
            "UPDATE event SET detail = json_set(detail, '$.match', 'match') WHERE kind IN ('run', 'end')",
            [],
        )?;
    }
    Ok(db.execute_batch("DROP TABLE pair_1; DROP TABLE experiment_1;")?)
}
