//! Recorded results.

use crate::LabError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which rows of which file of results.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Source {
    /// A CSV file with a header, seen from the page.
    pub source: PathBuf,
    /// Columns and what they shall hold: alone, or as one of several with semicolons between.
    #[serde(default, rename = "where")]
    pub condition: BTreeMap<String, String>,
}

/// The rows of a file of results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Source {
    /// The rows; none if there is no such file yet.
    ///
    /// # Errors
    /// If the file is no CSV, or a condition names a column that it does not have.
    pub fn read(&self, dir: &Path) -> Result<Option<Data>, LabError> {
        let path = dir.join(&self.source);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(LabError::Input(format!("{}: {e}", path.display()))),
        };
        let named = |error: LabError| LabError::Input(format!("{}: {error}", path.display()));
        let mut data = Data::parse(&text).map_err(named)?;
        for (column, value) in &self.condition {
            let column = data.column(column).map_err(named)?;
            data.rows
                .retain(|row| row[column] == *value || row[column].split(';').any(|w| w.trim() == value));
        }
        Ok(Some(data))
    }
}

impl Data {
    /// Reads CSV text.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(text: &str) -> Result<Data, LabError> {
        let words = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = words(reader.headers().map_err(LabError::input)?);
        let rows = reader.records().map(|record| record.map(|record| words(&record)));
        Ok(Data { header, rows: rows.collect::<Result<_, _>>().map_err(LabError::input)? })
    }

    /// The place of a column.
    ///
    /// # Errors
    /// If there is none of this name; the message names those that there are.
    pub fn column(&self, name: &str) -> Result<usize, LabError> {
        self.header.iter().position(|column| column == name).ok_or_else(|| {
            LabError::Input(format!("there is no column `{name}`; there are {}", self.header.join(", ")))
        })
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }
}
