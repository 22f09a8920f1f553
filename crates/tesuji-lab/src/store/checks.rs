//! The `CHECK` constraints of a store: every write obeys them, and `tesuji verify` checks them
//! again.

use crate::error::LabError;
use rusqlite::{Connection, ErrorCode};

/// What a column holds. A store of this program has the constraint `TABLE_COLUMN`.
struct Check {
    table: &'static str,
    column: &'static str,
    /// The condition in SQL; it holds where it is not false.
    holds: &'static str,
    /// The same for people.
    accepted: &'static str,
}

const fn check(
    table: &'static str,
    column: &'static str,
    holds: &'static str,
    accepted: &'static str,
) -> Check {
    Check { table, column, holds, accepted }
}

const DIGITS: &str = "32 hexadecimal digits in small letters";
const FLAG: &str = "0 or 1";
const COUNT: &str = "a whole number from 0";
const WORD: &str = "a whole number from 0 to 4294967295";
const SECONDS: &str = "a number from 0 to 10^12";
const LIST: &str = "a list in JSON";
const VALUE: &str = "0, 0.5 or 1";

/// Like the files `schema-N.sql`, entries never change: stores have them. Texts and blobs are
/// greater than every number.
const CHECKS: [Check; 46] = [
    check("config", "hash", "length(hash) = 32 AND hash NOT GLOB '*[^0-9a-f]*'", DIGITS),
    check("conditions", "hash", "length(hash) = 32 AND hash NOT GLOB '*[^0-9a-f]*'", DIGITS),
    check("cell", "hash", "length(hash) = 32 AND hash NOT GLOB '*[^0-9a-f]*'", DIGITS),
    check(
        "cell",
        "columns",
        "CASE WHEN json_valid(columns) THEN json_type(columns) = 'array' ELSE 0 END",
        LIST,
    ),
    check(
        "pair",
        "opening",
        "opening BETWEEN 0 AND 4611686018427387903",
        "a whole number from 0 to 4611686018427387903",
    ),
    check("pair", "replica", "replica BETWEEN 0 AND 4294967295", WORD),
    check("game", "id", "length(id) = 32 AND id NOT GLOB '*[^0-9a-f]*'", DIGITS),
    check("game", "a_first", "a_first IN (0, 1)", FLAG),
    check("game", "seed", "typeof(seed) = 'integer'", "a whole number"),
    check(
        "game",
        "opening",
        "opening = '' OR moves = opening OR substr(moves, 1, length(opening) + 1) = opening || ' '",
        "the first of its moves",
    ),
    check("game", "moves", "typeof(moves) = 'text'", "a text"),
    check("game", "moves_hash", "length(moves_hash) = 32 AND moves_hash NOT GLOB '*[^0-9a-f]*'", DIGITS),
    check("game", "a_value", "a_value IN (0.0, 0.5, 1.0)", VALUE),
    check(
        "game",
        "result",
        "result = '0' OR result GLOB 'B+*' OR result GLOB 'W+*'",
        "a result as in SGF: B+..., W+... or 0",
    ),
    check(
        "game",
        "ending",
        "ending IN ('rules', 'resign', 'forfeit', 'length', 'adjudicated')",
        "rules, resign, forfeit, length or adjudicated",
    ),
    check("game", "seconds", "seconds BETWEEN 0.0 AND 1e12", SECONDS),
    check("game", "dispute_value", "dispute_value IS NULL OR dispute_value IN (0.0, 0.5, 1.0)", VALUE),
    check("move", "ply", "ply BETWEEN 0 AND 4294967295", WORD),
    check("move", "by_a", "by_a IN (0, 1)", FLAG),
    check("move", "move", "typeof(move) = 'text' AND length(move) > 0", "a text that is not empty"),
    check("move", "visits", "visits IS NULL OR visits BETWEEN 0 AND 4294967295", WORD),
    check("move", "value", "value IS NULL OR value BETWEEN 0.0 AND 1.0", "a number from 0 to 1"),
    check("move", "simulations", "simulations BETWEEN 0 AND 9223372036854775807", COUNT),
    check("move", "seconds", "seconds BETWEEN 0.0 AND 1e12", SECONDS),
    check("move", "nodes_peak", "nodes_peak BETWEEN 0 AND 9223372036854775807", COUNT),
    check("move", "bytes_peak", "bytes_peak BETWEEN 0 AND 9223372036854775807", COUNT),
    check("trial", "number", "number >= 0", COUNT),
    check(
        "trial",
        "figures",
        "CASE WHEN json_valid(figures) THEN json_type(figures) = 'array' ELSE 0 END",
        LIST,
    ),
    check("match", "position", "position >= 0", COUNT),
    check("match", "games", "games >= 0", COUNT),
    check("match", "sprt", "sprt IS NULL OR json_valid(sprt)", "JSON"),
    check("match", "x", "x IS NULL OR abs(x) <= 1e300", "a finite number"),
    check("match", "disputed", "disputed IN ('void', 'board', 'opponent')", "void, board or opponent"),
    check("part", "position", "position >= 0", COUNT),
    check("part", "trials", "trials >= 0", COUNT),
    check("event", "detail", "json_valid(detail)", "JSON"),
    check("voided", "game", "json_valid(game)", "JSON"),
    check("self_play", "number", "number >= 0", COUNT),
    check("self_play", "positions", "positions BETWEEN 0 AND moves", "at most as many as its moves"),
    check("self_play", "moves", "moves BETWEEN 0 AND 4294967295", WORD),
    check("self_play", "black", "black IN (0.0, 0.5, 1.0)", VALUE),
    check("self_play", "resigned", "resigned IN (0, 1)", FLAG),
    check("self_play", "evaluations", "evaluations >= 0", COUNT),
    check("self_play", "hits", "hits BETWEEN 0 AND evaluations", "at most as many as its evaluations"),
    check("self_play", "seconds", "seconds BETWEEN 0.0 AND 1e12", SECONDS),
    check("self_play", "has_targets", "has_targets IN (0, 1)", FLAG),
];

/// Adds the constraints of all tables, or of one, that the store has.
///
/// # Errors
/// If a row breaks one, unless `lenient`: that constraint is then left out. The message names the
/// row.
pub(super) fn add(db: &Connection, table: Option<&str>, lenient: bool) -> Result<(), LabError> {
    for check in &CHECKS {
        if table.is_some_and(|table| table != check.table) || !has_table(db, check.table)? {
            continue;
        }
        match db.execute_batch(&format!("ALTER TABLE {} ADD {}", check.table, check.constraint())) {
            Ok(()) => {}
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                let Some(fault) = check.faults(db, Some(1))?.pop() else { return Err(error.into()) };
                if !lenient {
                    return Err(LabError::Failed(format!(
                        "{fault}; this store of an earlier version stays as it is, `tesuji verify` lists its faults"
                    )));
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Every row that breaks a constraint, with what would be accepted.
pub(super) fn faults(db: &Connection) -> Result<Vec<String>, LabError> {
    let mut faults = Vec::new();
    for check in &CHECKS {
        if has_table(db, check.table)? {
            faults.extend(check.faults(db, None)?);
        }
    }
    Ok(faults)
}

/// The constraints that a store lacks though its rows obey them.
pub(super) fn missing(db: &Connection) -> Result<Vec<String>, LabError> {
    let mut missing = Vec::new();
    for check in &CHECKS {
        let Check { table, column, .. } = check;
        if !has_table(db, table)? || check.is_in_schema(db)? || check.faults(db, Some(1))?.pop().is_some() {
            continue;
        }
        missing.push(format!("table {table}: its constraint for {column} is not that of this program"));
    }
    Ok(missing)
}

/// Whether there is a table of this name.
pub(super) fn has_table(db: &Connection, name: &str) -> Result<bool, LabError> {
    let mut query =
        db.prepare_cached("SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = ?")?;
    Ok(query.query_row([name], |row| row.get::<_, i64>(0))? > 0)
}

/// SQL for what messages call a row of a table.
pub(super) fn row_name(table: &str) -> &'static str {
    match table {
        "game" => "'game ' || number",
        "move" => "'move ' || (ply + 1) || ' of game ' || game",
        "trial" => "'trial ' || number || ' of cell ' || cell",
        "self_play" => "'game ' || number || ' of self-play'",
        "match" => "'match ' || name",
        "part" => "'part ' || name",
        "config" => "'agent ' || id",
        "experiment" => "'the experiment'",
        "conditions" => "'conditions ' || id",
        "cell" => "'cell ' || id",
        "pair" => "'pair ' || id",
        "voided" => "'void game ' || number",
        _ => "'event ' || id",
    }
}

impl Check {
    fn constraint(&self) -> String {
        let Check { table, column, holds, .. } = self;
        format!("CONSTRAINT {table}_{column} CHECK ({holds})")
    }

    fn is_in_schema(&self, db: &Connection) -> Result<bool, LabError> {
        let mut query =
            db.prepare_cached("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")?;
        let sql: String = query.query_row([self.table], |row| row.get(0))?;
        Ok(sql.contains(&self.constraint()))
    }

    fn faults(&self, db: &Connection, most: Option<u32>) -> Result<Vec<String>, LabError> {
        let Check { table, column, holds, accepted } = self;
        let (name, most) = (row_name(table), most.map_or(-1, i64::from));
        let sql = format!(
            "SELECT {name} || ': {column} is ' || substr(quote({column}), 1, 80) FROM {table}
             WHERE ({holds}) IS FALSE LIMIT {most}"
        );
        let mut query = db.prepare(&sql)?;
        let rows = query.query_map([], |row| row.get::<_, Option<String>>(0))?;
        rows.map(|row| {
            let found = row?.unwrap_or_else(|| format!("a row of {table}: {column} is not readable"));
            Ok(format!("{found}; accepted: {accepted}"))
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn every_constraint_is_in_the_schema_and_holds_for_writers() {
        let mut store = Store::in_memory().unwrap();
        store.prepare_self_play().unwrap();
        for check in &CHECKS {
            assert!(check.is_in_schema(&store.db).unwrap(), "{} is missing", check.constraint());
        }
        let error = store.db.execute("INSERT INTO event (kind, detail) VALUES ('x', '{')", []).unwrap_err();
        assert!(error.to_string().contains("event_detail"), "{error}");
    }
}
