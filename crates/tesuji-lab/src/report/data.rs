//! Recorded results.

use crate::error::LabError;
use crate::table::Table;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file of results and a choice of its rows.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Source {
    /// A CSV file with a header, relative to the page.
    pub source: PathBuf,
    /// Columns with the text that a row must have there: the whole field, or one of several texts
    /// separated by semicolons.
    #[serde(default, rename = "where")]
    pub condition: BTreeMap<String, String>,
}

impl Source {
    /// The rows; none if there is no such file yet.
    ///
    /// # Errors
    /// If the file is no CSV, or a condition names a column that it does not have.
    pub fn read(&self, dir: &Path) -> Result<Option<Table>, LabError> {
        let path = dir.join(&self.source);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(LabError::input(e).within(path.display())),
        };
        let named = |error: LabError| error.within(path.display());
        let mut data = Table::parse(&text).map_err(named)?;
        for (column, value) in &self.condition {
            let column = data.column(column).map_err(named)?;
            data.retain(|row| {
                let text = row[column].text();
                text == value || text.split(';').any(|word| word.trim() == value)
            });
        }
        Ok(Some(data))
    }
}
