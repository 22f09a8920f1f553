//! Faults in the rows of a store that do not depend on the kind of experiment.

use super::rows::hash;
use super::{Config, GameRow, Place, Store, TrialGroup, checks, digest, trials};
use crate::error::LabError;
use rusqlite::Connection;
use rusqlite::types::Value;

/// What a part of a check found; a check that fails is a fault itself.
pub(crate) type Faults = Result<Vec<String>, LabError>;

/// How many rows of each kind a store holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct RowCounts {
    pub(crate) games: u64,
    pub(crate) trials: u64,
    pub(crate) self_play: u64,
}

/// A check of the whole file.
type Check = fn(&Store) -> Faults;

impl Store {
    /// Holds what is read from now on to one state, whatever a running experiment adds.
    pub(crate) fn begin_reading(&self) -> Result<(), LabError> {
        Ok(self.db.execute_batch("BEGIN")?)
    }

    /// Everything that is wrong with the file, its tables and its rows, each in a sentence.
    pub(crate) fn row_faults(&self) -> Vec<String> {
        let all: [(&str, Check); 9] = [
            ("the file", Store::file_faults),
            ("references between rows", Store::reference_faults),
            ("the schema", Store::schema_faults),
            ("the ranges of values", |store| checks::faults(&store.db)),
            ("the digests of rows", |store| digest::faults(&store.db)),
            ("the hashes of descriptions", Store::hash_faults),
            ("pairs of games", Store::pair_faults),
            ("the figures of trials", Store::figure_faults),
            ("the counts of finished runs", Store::count_faults),
        ];
        let mut faults = Vec::new();
        for (what, check) in all {
            match check(self) {
                Ok(found) => faults.extend(found),
                Err(error) => faults.push(format!("{what} cannot be checked: {error}")),
            }
        }
        faults
    }

    /// How many rows there are.
    pub(crate) fn row_counts(&self) -> Result<RowCounts, LabError> {
        let count = |table: &str| -> Result<u64, LabError> {
            if !checks::has_table(&self.db, table)? {
                return Ok(0);
            }
            let sql = format!("SELECT COUNT(*) FROM {table}");
            Ok(self.db.query_row(&sql, [], |row| row.get::<_, u64>(0))?)
        };
        Ok(RowCounts { games: count("game")?, trials: count("trial")?, self_play: count("self_play")? })
    }

    /// The numbers of all games.
    pub(crate) fn game_numbers(&self) -> Result<Vec<i64>, LabError> {
        let mut query = self.db.prepare("SELECT number FROM game ORDER BY number")?;
        Ok(query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// A game with the descriptions of its agents; none if its pair or an agent is not there.
    pub(crate) fn game(&self, number: i64) -> Result<Option<(Place, GameRow, [Config; 2])>, LabError> {
        let Some((place, game)) = self.game_of_number(number)? else { return Ok(None) };
        let mut query = self.db.prepare_cached(
            "SELECT a.name, a.spec, b.name, b.spec FROM pair
             JOIN config AS a ON a.id = pair.a JOIN config AS b ON b.id = pair.b WHERE pair.id = ?",
        )?;
        let agents = query.query_row([place.pair], |row| {
            Ok([
                Config { name: row.get(0)?, spec: row.get(1)? },
                Config { name: row.get(2)?, spec: row.get(3)? },
            ])
        })?;
        Ok(Some((place, game, agents)))
    }

    fn file_faults(&self) -> Faults {
        // Rows that break a constraint are named by the check of ranges.
        let is_own = |line: &String| !line.starts_with("CHECK constraint failed");
        let lines = self.integrity()?.into_iter().filter(is_own);
        Ok(lines.map(|line| format!("SQLite finds the file damaged: {line}")).collect())
    }

    fn reference_faults(&self) -> Faults {
        let mut query = self.db.prepare("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check")?;
        let rows = query.query_map([], |row| {
            let (table, row_id, parent): (String, Option<i64>, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            let row = row_id.map_or_else(|| format!("a row of {table}"), |id| format!("row {id} of {table}"));
            Ok(format!("{row} refers to a row of {parent} that is not there"))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Whether the tables are those that this program makes.
    fn schema_faults(&self) -> Faults {
        let mut fresh = Store::in_memory()?;
        if checks::has_table(&self.db, "self_play")? {
            fresh.prepare_self_play()?;
        }
        let mut faults = checks::missing(&self.db)?;
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        let names = |db: &Connection| rows_of(db, tables, "");
        for table in names(&fresh.db)? {
            let [Value::Text(name)] = &table[..] else { continue };
            for (what, sql) in [
                ("its columns", "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?1)"),
                ("its references", "SELECT \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id"),
                ("its kind", "SELECT wr, strict FROM pragma_table_list(?1)"),
                (
                    "its keys",
                    "SELECT list.\"unique\", list.origin, list.partial, info.name FROM pragma_index_list(?1) AS list
                     JOIN pragma_index_info(list.name) AS info ORDER BY list.name, info.seqno",
                ),
            ] {
                if rows_of(&self.db, sql, name)? != rows_of(&fresh.db, sql, name)? {
                    faults.push(format!("table {name}: {what} are not those that this program makes"));
                }
            }
        }
        Ok(faults)
    }

    /// Whether what is found by its hash has it.
    fn hash_faults(&self) -> Faults {
        let mut faults = Vec::new();
        for (table, of) in [
            ("conditions", (|spec| hash(&[spec])) as fn(&str) -> String),
            ("config", |spec| Config { name: String::new(), spec: spec.to_owned() }.hash()),
            ("cell", |spec| TrialGroup { spec: spec.to_owned(), columns: Vec::new() }.hash()),
        ] {
            let mut query = self.db.prepare(&format!("SELECT id, hash, spec FROM {table} ORDER BY id"))?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                let (id, stored, spec): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
                if of(&spec) != stored {
                    let name = if table == "config" { "agent" } else { table };
                    faults.push(format!("{name} {id}: the description does not have the hash {stored}"));
                }
            }
        }
        Ok(faults)
    }

    fn pair_faults(&self) -> Faults {
        let mut faults = Vec::new();
        // Games that were declared void lie elsewhere.
        let mut without_game = "SELECT id FROM pair WHERE id NOT IN (SELECT pair FROM game)".to_owned();
        if checks::has_table(&self.db, "voided")? {
            without_game += " AND id NOT IN (SELECT pair FROM voided)";
        }
        for (sql, what) in [
            (without_game.as_str(), "has no game, though a pair is stored with its first game"),
            (
                "SELECT pair FROM game GROUP BY pair, a_first HAVING COUNT(*) > 1",
                "has two games in which the same agent begins",
            ),
            (
                "SELECT pair.id FROM pair JOIN game AS one ON one.pair = pair.id AND one.a_first = 1
                 JOIN game AS two ON two.pair = pair.id AND two.a_first = 0
                 JOIN conditions AS c ON c.id = pair.conditions
                 WHERE c.spec NOT LIKE '%unpaired = true%' AND one.ending <> 'forfeit' AND two.ending <> 'forfeit'
                     AND one.opening <> two.opening",
                "has two games with different openings",
            ),
        ] {
            for row in rows_of(&self.db, sql, "")? {
                if let [Value::Integer(id)] = &row[..] {
                    faults.push(format!("pair {id} {what}"));
                }
            }
        }
        Ok(faults)
    }

    /// Whether each trial has a figure for each column of its cell.
    fn figure_faults(&self) -> Faults {
        let mut faults = Vec::new();
        let mut query = self
            .db
            .prepare("SELECT cell, number, figures, columns FROM trial JOIN cell ON cell.id = cell")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let (cell, number, figures): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let columns: Option<Vec<String>> = serde_json::from_str(&row.get::<_, String>(3)?).ok();
            let (figures, wanted) = (trials::of_json(&figures), columns.map_or(0, |columns| columns.len()));
            if figures.is_none_or(|figures| figures.len() != wanted) {
                faults.push(format!("trial {number} of cell {cell}: its figures are not {wanted} numbers"));
            }
        }
        Ok(faults)
    }

    /// Whether matches have the games that their last run played to its end.
    fn count_faults(&self) -> Faults {
        let sql = "
            WITH since AS (SELECT COALESCE(MAX(id), 0) AS id FROM event WHERE kind IN ('changed', 'game failed', 'game voided')),
            run AS (SELECT id, json_extract(detail, '$.match') AS name, json_extract(detail, '$.games') AS games
                    FROM event WHERE kind = 'run' AND id > (SELECT id FROM since)),
            done AS (SELECT id, json_extract(detail, '$.match') AS name FROM event
                     WHERE kind = 'end' AND json_extract(detail, '$.stopped') = 0),
            asked AS (SELECT run.name AS name, MAX(run.games) AS games FROM run JOIN done ON done.name = run.name
                      WHERE done.id = (SELECT MIN(id) FROM event WHERE kind IN ('run', 'end') AND id > run.id
                          AND json_extract(detail, '$.match') = run.name)
                      GROUP BY run.name)
            SELECT match.name, asked.games, (SELECT COUNT(*) FROM game JOIN pair ON pair.id = game.pair
                WHERE pair.conditions = match.conditions AND pair.a = match.a AND pair.b = match.b
                    AND 2 * pair.opening + 1 - game.a_first < asked.games) AS there
            FROM asked JOIN match ON match.name = asked.name WHERE match.sprt IS NULL AND there < asked.games";
        let mut faults = Vec::new();
        for row in rows_of(&self.db, sql, "")? {
            if let [Value::Text(name), Value::Integer(asked), Value::Integer(there)] = &row[..] {
                faults.push(format!(
                    "match {name} has {there} of the {asked} games that its last run ended with"
                ));
            }
        }
        Ok(faults)
    }
}

/// The rows of a query with at most one parameter.
fn rows_of(db: &Connection, sql: &str, parameter: &str) -> Result<Vec<Vec<Value>>, LabError> {
    let mut query = db.prepare(sql)?;
    let columns = query.column_count();
    let values = if query.parameter_count() == 0 { Vec::new() } else { vec![parameter] };
    let rows = query.query_map(rusqlite::params_from_iter(values), |row| {
        (0..columns).map(|i| row.get(i)).collect::<Result<Vec<Value>, _>>()
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
