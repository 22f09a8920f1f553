//! Brings stores of earlier versions to the present one.

use super::Matchup;
use super::rows::{Config, hash};
use crate::LabError;
use crate::conditions::Conditions;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

/// Takes a store to the next version: first the statements, then what they cannot do.
struct Migration {
    sql: &'static str,
    then: fn(&Transaction<'_>) -> Result<(), LabError>,
}

/// Each entry takes a store from the version that is its index to the next one.
const MIGRATIONS: [Migration; 2] = [
    Migration { sql: include_str!("schema-1.sql"), then: |_| Ok(()) },
    Migration { sql: include_str!("schema-2.sql"), then: one_match },
];

/// The version of stores that this program writes.
pub(super) const VERSION: u32 = MIGRATIONS.len() as u32;

/// The version of a store; 0 if it is empty.
///
/// # Errors
/// If a newer program wrote it.
pub(super) fn version(db: &Connection) -> Result<u32, LabError> {
    let version: u32 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > VERSION {
        return Err(LabError::Input(format!(
            "the store has format {version} of a newer program; this one reads up to {VERSION}"
        )));
    }
    Ok(version)
}

/// Brings a store to the present version, all or nothing for each step.
pub(super) fn migrate(db: &mut Connection) -> Result<(), LabError> {
    // Tables that others refer to are replaced.
    db.pragma_update(None, "foreign_keys", false)?;
    for (i, migration) in MIGRATIONS.iter().enumerate().skip(version(db)? as usize) {
        let transaction = db.transaction()?;
        // Else those that refer to a renamed table would go on to do so.
        transaction.pragma_update(None, "legacy_alter_table", true)?;
        transaction.execute_batch(migration.sql)?;
        (migration.then)(&transaction)?;
        transaction.pragma_update(None, "user_version", i as u32 + 1)?;
        transaction.commit()?;
    }
    Ok(db.pragma_update(None, "foreign_keys", true)?)
}

/// Version 1 held the games of one match; its description was the conditions and both agents in one text.
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
