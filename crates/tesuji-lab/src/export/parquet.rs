//! Tables as Parquet files.

use super::table::{Cell, ColumnKind, ExportTable};
use crate::error::LabError;
use crate::store::Store;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows of a group, which are held in memory.
const GROUP: usize = 1 << 16;

/// The file; none for a table without rows. Every column is optional.
pub(super) fn parquet(store: &Store, table: &ExportTable, dir: &Path) -> Result<Option<PathBuf>, LabError> {
    let path = dir.join(format!("{}.parquet", table.name));
    let fault =
        |e: &dyn std::fmt::Display| LabError::Failed(format!("{} cannot be written: {e}", path.display()));
    let mut writer = None;
    let mut group: Vec<Vec<Cell>> = vec![Vec::new(); table.columns.len()];
    let mut write = |group: &mut Vec<Vec<Cell>>| -> Result<(), LabError> {
        let writer = match &mut writer {
            Some(writer) => writer,
            None => {
                let file = File::create(&path).map_err(|e| fault(&e))?;
                let schema = parse_message_type(&schema(table)).map_err(|e| fault(&e))?;
                let properties = Arc::new(WriterProperties::builder().build());
                writer.insert(
                    SerializedFileWriter::new(file, Arc::new(schema), properties).map_err(|e| fault(&e))?,
                )
            }
        };
        write_group(writer, table, group).map_err(|e| fault(&e))?;
        group.iter_mut().for_each(Vec::clear);
        Ok(())
    };
    table.each_row(store, &mut |row| {
        group.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
        if group[0].len() == GROUP { write(&mut group) } else { Ok(()) }
    })?;
    if !group[0].is_empty() {
        write(&mut group)?;
    }
    let Some(writer) = writer else { return Ok(None) };
    writer.close().map_err(|e| fault(&e))?;
    Ok(Some(path))
}

/// The schema in Parquet's own notation.
fn schema(table: &ExportTable) -> String {
    let column = |(name, kind): &(&str, ColumnKind)| match kind {
        ColumnKind::Int => format!("OPTIONAL INT64 {name};"),
        ColumnKind::Seed => format!("OPTIONAL INT64 {name} (INTEGER(64,false));"),
        ColumnKind::Flag => format!("OPTIONAL BOOLEAN {name};"),
        ColumnKind::Real => format!("OPTIONAL DOUBLE {name};"),
        ColumnKind::Text => format!("OPTIONAL BYTE_ARRAY {name} (UTF8);"),
    };
    let columns: Vec<String> = table.columns.iter().map(column).collect();
    format!("message {} {{ {} }}", table.name, columns.join(" "))
}

fn write_group(
    writer: &mut SerializedFileWriter<File>,
    table: &ExportTable,
    group: &[Vec<Cell>],
) -> Result<(), ParquetError> {
    let mut rows = writer.next_row_group()?;
    for ((_, kind), cells) in table.columns.iter().zip(group) {
        let Some(mut column) = rows.next_column()? else { break };
        let levels: Vec<i16> = cells.iter().map(|cell| i16::from(*cell != Cell::Null)).collect();
        match kind {
            ColumnKind::Int | ColumnKind::Seed => {
                let values: Vec<i64> = cells.iter().filter_map(int).collect();
                column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
            }
            ColumnKind::Flag => {
                let flag = |cell: &Cell| if let Cell::Flag(flag) = cell { Some(*flag) } else { None };
                let values: Vec<bool> = cells.iter().filter_map(flag).collect();
                column.typed::<BoolType>().write_batch(&values, Some(&levels), None)?;
            }
            ColumnKind::Real => {
                let real = |cell: &Cell| if let Cell::Real(x) = cell { Some(*x) } else { None };
                let values: Vec<f64> = cells.iter().filter_map(real).collect();
                column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
            }
            ColumnKind::Text => {
                let text = |cell: &Cell| {
                    if let Cell::Text(t) = cell { Some(ByteArray::from(t.as_str())) } else { None }
                };
                let values: Vec<ByteArray> = cells.iter().filter_map(text).collect();
                column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
            }
        }
        column.close()?;
    }
    rows.close()?;
    Ok(())
}

fn int(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Int(n) => Some(*n),
        Cell::Seed(n) => Some(*n as i64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::TrialGroup;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    #[test]
    fn trials_are_read_again() {
        let cell =
            TrialGroup { spec: "x = 1\n".to_owned(), columns: vec!["one".to_owned(), "two".to_owned()] };
        let stored_plan = crate::store::StoredPlan {
            parts: vec![crate::store::PlannedTrials {
                name: "part".to_owned(),
                group: cell.clone(),
                trials: 2,
            }],
            ..Default::default()
        };
        let description = crate::store::Description {
            kind: "points".to_owned(),
            name: "x".to_owned(),
            about: String::new(),
            file: String::new(),
            version: String::new(),
        };
        let mut store = Store::in_memory().unwrap();
        store.begin(&description, &stored_plan, false).unwrap();
        store.insert_trials(&cell, &[(0, vec![0.5, f64::NAN]), (1, vec![2.0, 3.0])]).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let files = crate::export(&store, crate::export::Format::Parquet, dir.path()).unwrap();
        assert_eq!(files, [dir.path().join("trials.parquet")], "tables without rows have no file");
        let reader = SerializedFileReader::new(File::open(&files[0]).unwrap()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        let row = |i: usize| (rows[i].get_string(2).unwrap().as_str(), rows[i].get_double(3).ok());
        assert_eq!((rows.len(), row(0), row(1)), (4, ("one", Some(0.5)), ("two", None)));
        assert_eq!((rows[3].get_long(1).unwrap(), row(3)), (1, ("two", Some(3.0))));
    }
}
