//! Digests of rows: they show whether a row has changed since it was written.

use super::checks::{has_table, row_name};
use crate::error::LabError;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Params};

/// A table whose rows have a digest of these columns. Rows of programs that knew no digests have
/// none.
struct Sealed {
    table: &'static str,
    columns: &'static str,
}

/// A game's digest covers its searches. Entries never change: stores have digests of them. What is
/// found by its own hash (conditions, pairs) has none.
const SEALED: [Sealed; 10] = [
    Sealed {
        table: "game",
        columns: "id, pair, a_first, seed, opening, moves, moves_hash, a_value, result, ending, detail, dispute, seconds,
            dispute_value,
            (SELECT group_concat(digest_of(ply, by_a, move, visits, value, simulations, seconds, nodes_peak, bytes_peak),
                ' ' ORDER BY ply) FROM move WHERE move.game = game.number)",
    },
    Sealed { table: "trial", columns: "cell, number, figures" },
    Sealed {
        table: "self_play",
        columns: "cell, number, positions, moves, black, resigned, evaluations, hits, seconds, has_targets, game",
    },
    Sealed { table: "event", columns: "id, at, kind, detail" },
    Sealed { table: "experiment", columns: "id, kind, name, about, file, version, created" },
    Sealed { table: "config", columns: "id, hash, name, spec" },
    Sealed { table: "cell", columns: "id, hash, spec, columns" },
    Sealed {
        table: "match",
        columns: "position, name, conditions, a, b, a_name, b_name, games, sprt, claim, series, x, disputed",
    },
    Sealed { table: "part", columns: "position, name, cell, trials" },
    Sealed { table: "voided", columns: "id, at, number, pair, game" },
];

/// Makes the SQL function `digest_of` known to a connection: 128 bits of BLAKE3 of its arguments.
pub(super) fn register(db: &Connection) -> Result<(), LabError> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    db.create_scalar_function("digest_of", -1, flags, |context| {
        let mut hasher = blake3::Hasher::new();
        for i in 0..context.len() {
            let (kind, bytes): (u8, &[u8]) = match context.get_raw(i) {
                ValueRef::Null => (0, &[]),
                ValueRef::Integer(n) => (1, &n.to_le_bytes()),
                ValueRef::Real(x) => (2, &x.to_le_bytes()),
                ValueRef::Text(text) => (3, text),
                ValueRef::Blob(blob) => (4, blob),
            };
            hasher.update(&[kind]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        }
        Ok(hasher.finalize().to_hex()[..32].to_owned())
    })?;
    Ok(())
}

/// Adds the column to every table that lacks it.
pub(super) fn add(db: &Connection) -> Result<(), LabError> {
    for Sealed { table, .. } in &SEALED {
        if has_table(db, table)? {
            db.execute_batch(&format!("ALTER TABLE {table} ADD COLUMN digest TEXT"))?;
        }
    }
    Ok(())
}

/// Gives the rows of a table that a condition in SQL picks the digests of what they hold.
pub(super) fn seal(
    db: &Connection,
    table: &str,
    condition: &str,
    parameters: impl Params,
) -> Result<(), LabError> {
    if let Some(Sealed { columns, .. }) = SEALED.iter().find(|sealed| sealed.table == table) {
        let sql = format!("UPDATE {table} SET digest = digest_of({columns}) WHERE {condition}");
        db.prepare_cached(&sql)?.execute(parameters)?;
    }
    Ok(())
}

/// Every row that is not what was written.
pub(super) fn faults(db: &Connection) -> Result<Vec<String>, LabError> {
    let mut faults = Vec::new();
    for Sealed { table, columns } in &SEALED {
        if !has_table(db, table)? {
            continue;
        }
        let name = row_name(table);
        let sql = format!("SELECT {name} FROM {table} WHERE digest <> digest_of({columns})");
        let mut query = db.prepare(&sql)?;
        for row in query.query_map([], |row| row.get::<_, Option<String>>(0))? {
            let row = row?.unwrap_or_else(|| format!("a row of {table}"));
            faults
                .push(format!("{row} has changed since it was written: its digest is that of other content"));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Else every row of the stores that there are would be one that was not written.
    #[test]
    fn digests_never_change() {
        let db = Connection::open_in_memory().unwrap();
        register(&db).unwrap();
        let digest = |columns: &str| -> String {
            db.query_row(&format!("SELECT digest_of({columns})"), [], |row| row.get(0)).unwrap()
        };
        assert_eq!(digest("NULL, -1, 0.5, 'b2', x'00ff'"), "aba25fb66c66a726d5887b1a59a723c1");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\'', "''");
        let covered = SEALED.map(|Sealed { table, columns }| format!("'{table}', '{}'", words(columns)));
        assert_eq!(digest(&covered[..10].join(", ")), "cc2a7d9f76598462d7b9c0c22e532243");
    }
}
