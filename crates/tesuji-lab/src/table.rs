//! Tables of results: columns with units, and rows. CSV, JSON, pages and reports read the same
//! ones.

use crate::error::{LabError, faults};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// The content of a row in a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Field {
    /// Nothing.
    Empty,
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Count(u64),
    /// A number.
    Real(f64),
    /// A number of single precision.
    Single(f32),
    /// A text.
    Text(String),
}

impl Field {
    /// The field of a word, such as that of an enum, or of a whole number.
    pub fn word(value: &impl Serialize) -> Field {
        match serde_json::to_value(value) {
            Ok(Value::String(text)) => Field::Text(text),
            Ok(Value::Number(number)) => number.as_u64().map_or(Field::Empty, Field::Count),
            _ => Field::Empty,
        }
    }

    /// The number; none if the field has none.
    pub fn number(&self) -> Option<f64> {
        match self {
            Field::Count(n) => Some(*n as f64),
            Field::Real(x) => Some(*x),
            Field::Single(x) => Some(f64::from(*x)),
            Field::Text(text) => text.parse().ok(),
            Field::Empty | Field::Flag(_) => None,
        }
    }

    /// The whole number; none if the field has none.
    pub fn count(&self) -> Option<u64> {
        match self {
            Field::Count(n) => Some(*n),
            Field::Text(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The text; empty if the field has none.
    pub fn text(&self) -> &str {
        if let Field::Text(text) = self { text } else { "" }
    }
}

/// Writes the field of each plain type.
macro_rules! fields {
    ($($type:ty: $value:ident => $field:expr;)*) => {
        $(impl From<$type> for Field {
            fn from($value: $type) -> Field {
                $field
            }
        })*
    };
}

fields! {
    bool: flag => Field::Flag(flag);
    u64: n => Field::Count(n);
    u32: n => Field::Count(n.into());
    usize: n => Field::Count(n as u64);
    f64: x => Field::Real(x);
    f32: x => Field::Single(x);
    &str: text => Field::Text(text.to_owned());
    &String: text => Field::Text(text.clone());
    String: text => Field::Text(text);
}

impl<T: Into<Field>> From<Option<T>> for Field {
    fn from(value: Option<T>) -> Field {
        value.map_or(Field::Empty, T::into)
    }
}

/// As CSV has it.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::Empty => f.pad(""),
            Field::Flag(flag) => flag.fmt(f),
            Field::Count(n) => n.fmt(f),
            Field::Real(x) => fmt::Debug::fmt(x, f),
            Field::Single(x) => fmt::Debug::fmt(x, f),
            Field::Text(text) => f.pad(text),
        }
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Field::Empty => serializer.serialize_none(),
            Field::Flag(flag) => serializer.serialize_bool(*flag),
            Field::Count(n) => serializer.serialize_u64(*n),
            Field::Real(x) => serializer.serialize_f64(*x),
            Field::Single(x) => serializer.serialize_f32(*x),
            Field::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The unit of its numbers; empty for texts, counts and shares.
    pub unit: &'static str,
}

/// A row that names its columns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row(Vec<(Column, Field)>);

impl Row {
    /// A row without columns.
    pub fn new() -> Row {
        Row::default()
    }

    /// The row with one more column.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Field>) -> Row {
        self.0.push((Column { name: name.into(), unit: "" }, value.into()));
        self
    }

    /// The row, with a unit for its last column.
    #[must_use]
    pub fn unit(mut self, unit: &'static str) -> Row {
        if let Some((column, _)) = self.0.last_mut() {
            column.unit = unit;
        }
        self
    }
}

/// The place of a table on a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shown {
    /// Nowhere, because a figure shows it or it is a table of matches.
    #[default]
    No,
    /// Before the figures, under this title.
    Before(&'static str),
    /// After them, as it may be long.
    After(&'static str),
}

/// A table of results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// Its name: the key of the rows in JSON, and a suffix of the file's name unless the table is
    /// the first one.
    pub name: &'static str,
    /// The place of the table on a page.
    pub shown: Shown,
    /// The table for people, where columns of plain numbers are not enough.
    pub(crate) lines: Vec<String>,
    columns: Vec<Column>,
    rows: Vec<Vec<Field>>,
}

impl Table {
    /// A table of rows, which have the columns of the first one.
    pub fn new(name: &'static str, rows: impl IntoIterator<Item = Row>) -> Table {
        let mut table = Table { name, ..Table::default() };
        for Row(row) in rows {
            let (columns, fields) = row.into_iter().unzip();
            if table.rows.is_empty() {
                table.columns = columns;
            }
            table.rows.push(fields);
        }
        table
    }

    /// The same table, shown on a page.
    #[must_use]
    pub fn shown(self, shown: Shown) -> Table {
        Table { shown, ..self }
    }

    /// Reads CSV text; every field is a text.
    ///
    /// # Errors
    /// If the text is not CSV.
    pub fn parse(text: &str) -> Result<Table, LabError> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let column = |name: &str| Column { name: name.to_owned().into(), unit: "" };
        let columns = reader.headers().map_err(LabError::input)?.iter().map(column).collect();
        let fields =
            |record: csv::StringRecord| record.iter().map(|text| Field::Text(text.to_owned())).collect();
        let rows = reader.records().map(|record| record.map(fields));
        let rows = rows.collect::<Result<_, _>>().map_err(LabError::input)?;
        Ok(Table { columns, rows, ..Table::default() })
    }

    /// [`Table::parse`] of a file.
    ///
    /// # Errors
    /// If there is no such file, or its text is not CSV; the message names the file.
    pub fn read(path: &Path) -> Result<Table, LabError> {
        let named = |error: LabError| error.within(path.display());
        let text = std::fs::read_to_string(path).map_err(|error| named(LabError::input(error)))?;
        Table::parse(&text).map_err(named)
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, with a field for each column.
    pub fn rows(&self) -> &[Vec<Field>] {
        &self.rows
    }

    /// Keeps the rows of which `f` says so.
    pub(crate) fn retain(&mut self, f: impl FnMut(&Vec<Field>) -> bool) {
        self.rows.retain(f);
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The place of a column.
    ///
    /// # Errors
    /// If there is none of this name; the message names those that there are.
    pub fn column(&self, name: &str) -> Result<usize, LabError> {
        self.columns.iter().position(|column| column.name == name).ok_or_else(|| {
            let there: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
            ColumnError::Unknown { name: name.to_owned(), columns: there.join(", ") }.into()
        })
    }

    /// The content of a row in a column; [`Field::Empty`] if there is no such row or column.
    pub fn at(&self, row: usize, column: &str) -> &Field {
        let field = self.column(column).ok().and_then(|column| self.rows.get(row)?.get(column));
        field.unwrap_or(&Field::Empty)
    }

    /// The first row with this text in a column.
    pub fn find(&self, column: &str, text: &str) -> Option<usize> {
        (0..self.len()).find(|&row| self.at(row, column).text() == text)
    }

    /// The numbers of a column, in the order of the rows; NaN for a field without a number.
    pub fn numbers(&self, column: &str) -> Vec<f64> {
        (0..self.len()).map(|row| self.at(row, column).number().unwrap_or(f64::NAN)).collect()
    }

    /// The table as CSV, with a header; empty without rows.
    #[expect(
        clippy::missing_panics_doc,
        reason = "all rows have the columns of the table, and memory takes them"
    )]
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        if !self.is_empty() {
            let header = self.columns.iter().map(|column| column.name.to_string()).collect::<Vec<_>>();
            let rows = self.rows.iter().map(|row| row.iter().map(Field::to_string).collect());
            for record in std::iter::once(header).chain(rows) {
                writer.write_record(&record).expect("rows have the same length and memory takes them");
            }
        }
        let bytes = writer.into_inner().expect("memory takes every record");
        String::from_utf8(bytes).expect("all fields are texts")
    }

    /// The table as a list of JSON objects.
    pub fn json(&self) -> Value {
        let row = |row: &Vec<Field>| {
            let field = |(column, field): (&Column, &Field)| {
                (column.name.to_string(), serde_json::to_value(field).unwrap_or_default())
            };
            Value::Object(self.columns.iter().zip(row).map(field).collect::<Map<_, _>>())
        };
        Value::Array(self.rows.iter().map(row).collect())
    }
}

/// Rounded to three significant digits, for p-values of any size.
pub(crate) fn significant(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// `x`, rounded to N decimals.
pub(crate) fn rounded(x: f64, decimals: i32) -> f64 {
    (x * 10_f64.powi(decimals)).round() / 10_f64.powi(decimals)
}

faults! {
    /// Why a table has no such column.
    ColumnError {
        Unknown { name: String, columns: String } => "there is no column `{name}`; there are {columns}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_the_same_everywhere() {
        let row = |name: &str, x: Option<f64>| {
            Row::new().with("name", name).with("n", 7_u64).with("x", x).unit("s").with("f", 0.02_f32)
        };
        let table = Table::new("rows", [row("a,b", Some(1.0)), row("c", None), row("d", Some(1e-7))]);
        assert_eq!(table.csv(), "name,n,x,f\n\"a,b\",7,1.0,0.02\nc,7,,0.02\nd,7,1e-7,0.02\n");
        assert_eq!(table.json()[1].to_string(), r#"{"name":"c","n":7,"x":null,"f":0.019999999552965164}"#);
        let read = Table::parse(&table.csv()).unwrap();
        assert_eq!(
            (read.at(0, "x").number(), read.at(1, "x").number(), read.csv()),
            (Some(1.0), None, table.csv())
        );
        assert_eq!(
            (table.columns()[2].unit, table.find("name", "d"), table.at(9, "n")),
            ("s", Some(2), &Field::Empty)
        );
        assert_eq!(Table::new("none", []).csv(), "");
    }
}
