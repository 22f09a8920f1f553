//! Tables of results.

use crate::error::{LabError, faults};
use crate::report::data::Source;
use crate::table::{Field, Table};
use serde::Deserialize;
use std::path::Path;

/// A table: one row for each row of its results.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkdownTable {
    /// A CSV file with a header, relative to the page.
    source: std::path::PathBuf,
    /// As in [`Source`].
    #[serde(default, rename = "where")]
    condition: std::collections::BTreeMap<String, String>,
    /// Heads of columns, each with the text of its cells, in which `{score}` stands for the column
    /// `score` of the results, `{score:2}` for it with two decimals, `{score:%}` for a percentage
    /// with one, and `{nodes:,}` for a whole number in groups of three digits.
    columns: Vec<[String; 2]>,
}

impl MarkdownTable {
    /// The table as Markdown; none if there are no results yet.
    ///
    /// # Errors
    /// If the results cannot be read, or a column is none of theirs.
    pub fn markdown(&self, dir: &Path) -> Result<Option<String>, LabError> {
        let source = Source { source: self.source.clone(), condition: self.condition.clone() };
        let Some(data) = source.read(dir)?.filter(|data| !data.rows().is_empty()) else {
            return Ok(None);
        };
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.columns.iter().map(|[head, _]| head.clone()).collect());
        text += &line(vec!["---".to_owned(); self.columns.len()]);
        for row in data.rows() {
            let cells: Result<Vec<_>, _> =
                self.columns.iter().map(|[_, template]| fill(template, &data, &self.source, row)).collect();
            text += &line(cells?);
        }
        Ok(Some(text))
    }
}

/// Puts the values of a row into a template.
fn fill(template: &str, data: &Table, source: &Path, row: &[Field]) -> Result<String, LabError> {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, after)) = rest.split_once('{') {
        let Some((field, after)) = after.split_once('}') else {
            return Err(PageError::Brace { template: template.to_owned() }.into());
        };
        let (name, format) = field.split_once(':').unwrap_or((field, ""));
        text += before;
        let column = data.column(name).map_err(|error| error.within(source.display()))?;
        text += &formatted(row[column].text(), format)
            .ok_or_else(|| PageError::Format { field: field.to_owned() })?;
        rest = after;
    }
    Ok(text + rest)
}

/// A value of results as tables show it: as it is (an empty format), as a percentage with one
/// decimal (`%`), as a whole number in groups of three digits (`,`), or with a number of decimals
/// (`2`). A text that is not a number stays as it is. None if there is no such format.
pub fn formatted(value: &str, format: &str) -> Option<String> {
    let number = value.parse::<f64>();
    match (format, number) {
        ("" | "%" | ",", Err(_)) | ("", _) => Some(value.to_owned()),
        ("%", Ok(x)) => Some(format!("{:.1} %", 100.0 * x)),
        (",", Ok(x)) => Some(grouped(&format!("{x:.0}"))),
        (digits, number) => {
            let digits: usize = digits.parse().ok()?;
            Some(number.map_or(value.to_owned(), |x| format!("{x:.digits$}")))
        }
    }
}

/// 12800 as 12 800, and -12800 as -12 800.
pub(super) fn grouped(number: &str) -> String {
    let digits = number.trim_start_matches('-');
    let mut text = number[..number.len() - digits.len()].to_owned();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

faults! {
    /// Why a block of a page cannot be rewritten.
    PageError {
        Line { number: usize, fault: String } => "line {number}: {fault}",
        Brace { template: String } => "`{template}` has a {{ without a }}",
        Format { field: String } => "`{field}`: unknown format; accepted are digits, % and ,",
        Axis { label: String, lo: f64, hi: f64, positive: &'static str } =>
            "the axis {label:?} would go from {lo} to {hi}; its ends must be in order, finite{positive}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let data = Table::parse("a,score,nodes,elo\n\"uct,c=1\",0.56789,12800,\n").unwrap();
        let fill = |template| fill(template, &data, Path::new("a.csv"), &data.rows()[0]);
        let filled = |template| fill(template).unwrap();
        assert_eq!(filled("`{a}`: {score:%} or {score:2}"), "`uct,c=1`: 56.8 % or 0.57");
        assert_eq!(filled("{nodes:,} ({nodes}) {elo:1}."), "12 800 (12800) .");
        assert_eq!(["-123456", "-1234"].map(grouped), ["-123 456", "-1234"]);
        let error = |template| fill(template).unwrap_err().to_string();
        assert!(
            error("{games}").starts_with("a.csv: ")
                && error("{games}").contains("there are a, score, nodes, elo")
        );
        assert!(error("{score:x}").contains("accepted are digits"));
        assert!(error("{score").contains("without a }"));
    }
}
