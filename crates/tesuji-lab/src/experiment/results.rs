//! What the record of an experiment says.

use crate::error::LabError;
use crate::experiment::match_table::match_table;
use crate::report::chart::{Chart, Drawing};
use crate::store::Store;
use crate::table::Table;
use serde_json::{Map, Value, json};

/// The results of an experiment: everything that the program writes, prints and shows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// The tables. The first one has a line for each match or group of trials, in the order of the
    /// file.
    pub tables: Vec<Table>,
    /// Figures, each with its caption.
    pub charts: Vec<(String, Chart)>,
    /// Small pictures, each with its caption.
    pub pictures: Vec<Drawing>,
    /// Lines for people, before those of matches.
    pub summary: Vec<String>,
    /// Lines for people, after those of matches.
    pub ending: Vec<String>,
    /// Files beside the first table: the end of the name, and the text.
    pub files: Vec<(&'static str, String)>,
    /// The results as JSON: an object, or the rows of the first table.
    pub json: Value,
    /// The counted unit: `games`, `pairs`, ...
    pub unit: &'static str,
}

impl Results {
    /// One table with a line for each row. JSON has these rows only. `unit` is the unit that the
    /// rows count.
    pub fn rows(table: Table, unit: &'static str, summary: Vec<String>) -> Results {
        let json = table.json();
        Results { tables: vec![table], json, unit, summary, ..Results::default() }
    }

    /// The table of the matches.
    ///
    /// # Errors
    /// If the store fails.
    pub fn matches(store: &Store) -> Result<Results, LabError> {
        Ok(Results::rows(match_table("matches", store, |_| true)?, "games", Vec::new()))
    }

    /// Whether nothing was made.
    pub fn is_empty(&self) -> bool {
        self.tables.first().is_none_or(Table::is_empty)
    }

    /// The table of this name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// The first table as CSV, with a header.
    pub fn csv(&self) -> String {
        self.tables.first().map_or(String::new(), Table::csv)
    }

    /// The tables after the first one that have rows.
    pub fn further(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().skip(1).filter(|table| !table.is_empty())
    }

    /// The results as a JSON object.
    pub fn object(&self) -> Map<String, Value> {
        match (&self.json, self.tables.first()) {
            (Value::Object(object), _) => object.clone(),
            (rows, Some(table)) => Map::from_iter([(table.name.to_owned(), json!(rows))]),
            (_, None) => Map::new(),
        }
    }

    /// The table of the matches that are not evaluations, for people: a head, and for each match a
    /// line with remarks.
    pub fn match_lines(&self) -> Vec<String> {
        let of_matches = |table: &&Table| ["matches", "validation", "fresh"].contains(&table.name);
        let table = self.tables.iter().find(of_matches);
        table.map_or(Vec::new(), |table| table.lines.clone())
    }
}
