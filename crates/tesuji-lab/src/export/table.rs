//! The tables of exports.

use crate::error::LabError;
use crate::store::Store;
use rusqlite::types::ValueRef;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ColumnKind {
    Int,
    /// A seed: 64 bits without a sign.
    Seed,
    Flag,
    Real,
    Text,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Cell {
    Null,
    Int(i64),
    Seed(u64),
    Flag(bool),
    Real(f64),
    Text(String),
}

/// A table: its name, its columns, and where its rows come from.
#[derive(Debug)]
pub(super) struct ExportTable {
    pub(super) name: &'static str,
    pub(super) columns: &'static [(&'static str, ColumnKind)],
    from: &'static str,
}

use ColumnKind::{Flag, Int, Real, Seed, Text};

/// The order of columns is that of the query.
pub(super) const TABLES: [ExportTable; 5] = [
    ExportTable {
        name: "matches",
        columns: &[
            ("name", Text),
            ("claim", Text),
            ("series", Text),
            ("x", Real),
            ("a", Text),
            ("b", Text),
            ("games", Int),
            ("conditions", Text),
            ("config_a", Text),
            ("config_b", Text),
            ("conditions_toml", Text),
            ("config_a_toml", Text),
            ("config_b_toml", Text),
        ],
        from: "SELECT match.name, claim, series, x, a_name, b_name, games, c.hash, a.hash, b.hash, c.spec, a.spec, b.spec
               FROM match JOIN conditions AS c ON c.id = conditions
               JOIN config AS a ON a.id = match.a JOIN config AS b ON b.id = match.b ORDER BY position",
    },
    ExportTable {
        name: "pairs",
        columns: &[
            ("pair", Int),
            ("conditions", Text),
            ("config_a", Text),
            ("config_b", Text),
            ("opening_number", Int),
            ("replica", Int),
            ("games", Int),
            ("points_a", Real),
        ],
        from: "SELECT pair.id, c.hash, a.hash, b.hash, pair.opening, replica, COUNT(*), SUM(a_value)
               FROM pair JOIN game ON game.pair = pair.id JOIN conditions AS c ON c.id = conditions
               JOIN config AS a ON a.id = pair.a JOIN config AS b ON b.id = pair.b GROUP BY pair.id ORDER BY pair.id",
    },
    ExportTable {
        name: "games",
        columns: &[
            ("game", Int),
            ("id", Text),
            ("pair", Int),
            ("a", Text),
            ("b", Text),
            ("a_first", Flag),
            ("seed", Seed),
            ("opening", Text),
            ("moves", Text),
            ("value_a", Real),
            ("result", Text),
            ("ending", Text),
            ("detail", Text),
            ("dispute", Text),
            ("seconds", Real),
        ],
        from: "SELECT number, game.id, pair, a.name, b.name, a_first, seed, game.opening, moves, a_value, result, ending,
                   detail, dispute, seconds
               FROM game JOIN pair ON pair.id = pair
               JOIN config AS a ON a.id = pair.a JOIN config AS b ON b.id = pair.b ORDER BY number",
    },
    ExportTable {
        name: "moves",
        columns: &[
            ("game", Int),
            ("ply", Int),
            ("by_a", Flag),
            ("move", Text),
            ("visits", Int),
            ("value", Real),
            ("simulations", Int),
            ("seconds", Real),
            ("nodes_peak", Int),
            ("bytes_peak", Int),
        ],
        from: "SELECT * FROM move ORDER BY game, ply",
    },
    ExportTable {
        name: "trials",
        columns: &[("part", Text), ("trial", Int), ("column", Text), ("figure", Real)],
        from: "SELECT part.name, trial.number, json_extract(columns, '$[' || figure.key || ']'), figure.value
               FROM part JOIN cell ON cell.id = part.cell JOIN trial ON trial.cell = cell.id
               JOIN json_each(figures) AS figure ORDER BY position, trial.number, figure.key",
    },
];

impl ExportTable {
    /// Hands on the rows, in the order of the columns.
    pub(super) fn each_row(
        &self,
        store: &Store,
        f: &mut dyn FnMut(Vec<Cell>) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        store.select(self.from, &mut |row| {
            let cell = |(i, &(_, kind)): (usize, &(&str, ColumnKind))| Ok(cell(kind, row.get_ref(i)?));
            f(self.columns.iter().enumerate().map(cell).collect::<Result<_, LabError>>()?)
        })
    }
}

fn cell(kind: ColumnKind, value: ValueRef<'_>) -> Cell {
    match (kind, value) {
        (Int, ValueRef::Integer(n)) => Cell::Int(n),
        (Seed, ValueRef::Integer(n)) => Cell::Seed(n as u64),
        (Flag, ValueRef::Integer(n)) => Cell::Flag(n != 0),
        (Real, ValueRef::Integer(n)) => Cell::Real(n as f64),
        (Real, ValueRef::Real(x)) => Cell::Real(x),
        (Text, ValueRef::Text(text)) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        _ => Cell::Null,
    }
}
