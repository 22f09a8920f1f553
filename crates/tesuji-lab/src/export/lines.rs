//! Tables as lines of text.

use super::table::{Cell, ExportTable};
use crate::error::LabError;
use crate::store::Store;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file; none for a table without rows.
pub(super) fn csv(store: &Store, table: &ExportTable, dir: &Path) -> Result<Option<PathBuf>, LabError> {
    let path = dir.join(format!("{}.csv", table.name));
    let fault =
        |e: &dyn std::fmt::Display| LabError::Failed(format!("{} cannot be written: {e}", path.display()));
    let mut writer = None;
    table.each_row(store, &mut |row| {
        let writer = match &mut writer {
            Some(writer) => writer,
            None => {
                let writer = writer.insert(csv::Writer::from_path(&path).map_err(|e| fault(&e))?);
                writer.write_record(table.columns.iter().map(|(name, _)| name)).map_err(|e| fault(&e))?;
                writer
            }
        };
        writer.write_record(row.into_iter().map(text)).map_err(|e| fault(&e))
    })?;
    let Some(mut writer) = writer else { return Ok(None) };
    writer.flush().map_err(|e| fault(&e))?;
    Ok(Some(path))
}

/// The file; none for a table without rows.
pub(super) fn jsonl(store: &Store, table: &ExportTable, dir: &Path) -> Result<Option<PathBuf>, LabError> {
    let path = dir.join(format!("{}.jsonl", table.name));
    let fault = |e: std::io::Error| LabError::Failed(format!("{} cannot be written: {e}", path.display()));
    let mut writer = None;
    table.each_row(store, &mut |row| {
        let writer = match &mut writer {
            Some(writer) => writer,
            None => writer.insert(BufWriter::new(File::create(&path).map_err(fault)?)),
        };
        let keys = table.columns.iter().map(|(name, _)| (*name).to_owned());
        let object: Map<String, Value> = keys.zip(row.into_iter().map(value)).collect();
        writeln!(writer, "{}", Value::Object(object)).map_err(fault)
    })?;
    let Some(mut writer) = writer else { return Ok(None) };
    writer.flush().map_err(fault)?;
    Ok(Some(path))
}

fn text(cell: Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Int(n) => n.to_string(),
        Cell::Seed(n) => n.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Real(x) => x.to_string(),
        Cell::Text(text) => text,
    }
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Int(n) => n.into(),
        Cell::Seed(n) => n.into(),
        Cell::Flag(flag) => flag.into(),
        Cell::Real(x) => x.into(),
        Cell::Text(text) => text.into(),
    }
}
