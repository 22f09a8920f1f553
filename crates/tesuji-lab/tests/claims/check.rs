//! Claims and permits of pages.

use super::prose::Prose;
use rusqlite::Connection;
use rusqlite::types::Value;
use serde::Deserialize;
use std::ops::Range;
use tesuji_lab::report::formatted;

/// What pages may say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claims {
    /// Pages, seen from the file of claims.
    pub(crate) pages: Vec<String>,
    /// Whether tables written by hand count as prose.
    #[serde(default)]
    tables: bool,
    /// Words with numbers that are names, definitions or set-up.
    #[serde(default)]
    given: Vec<String>,
    /// Words with numbers that were measured, but are in no file of results.
    #[serde(default)]
    unrecorded: Vec<String>,
    #[serde(default)]
    claim: Vec<Claim>,
}

/// A text with numbers from results.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    /// `{score:%}` stands for the column `score` of the query, in the formats of generated tables.
    text: String,
    /// A query with one row. Its column `holds`, if it has one, must be 1.
    sql: String,
}

/// What is wrong on the pages, given as names and Markdown.
pub(crate) fn faults(claims: &Claims, pages: &[(String, String)], results: &Connection) -> Vec<String> {
    let mut found = Vec::new();
    let mut pages: Vec<(&str, Prose)> =
        pages.iter().map(|(name, page)| (name.as_str(), Prose::of(page, claims.tables))).collect();
    for claim in &claims.claim {
        match claim.filled(results) {
            Err(fault) => found.push(format!("{fault}, in the claim: {}", claim.text.trim())),
            Ok((text, numbers)) => {
                let mut is_there = false;
                for (_, prose) in &mut pages {
                    let found = prose.text.clone();
                    for (at, _) in found.match_indices(&text) {
                        // The text may begin with a number, of which this may be the end alone.
                        let cuts = |c: char| matches!(c, '-' | '−' | '.') || c.is_ascii_digit();
                        let begins = numbers.first().is_some_and(|number| number.start == 0);
                        if begins && found[..at].ends_with(cuts) {
                            continue;
                        }
                        is_there = true;
                        for number in &numbers {
                            prose.cover(at + number.start..at + number.end);
                        }
                    }
                }
                if !is_there {
                    found.push(format!("not on the pages: {text}"));
                }
            }
        }
    }
    for words in claims.given.iter().chain(&claims.unrecorded) {
        let mut is_there = false;
        for (_, prose) in &mut pages {
            for (at, _) in prose.text.clone().match_indices(words) {
                if is_whole(&prose.text, at..at + words.len()) {
                    is_there = true;
                    prose.cover(at..at + words.len());
                }
            }
        }
        if !is_there {
            found.push(format!("`{words}` is not on the pages"));
        }
    }
    for (name, prose) in &pages {
        for (number, sentence) in prose.uncovered() {
            found.push(format!("{name} has no claim and no permit for {number}: {sentence}"));
        }
    }
    found
}

impl Claim {
    /// Its text with numbers, and where they are.
    fn filled(&self, results: &Connection) -> Result<(String, Vec<Range<usize>>), String> {
        let row = row(&self.sql, results)?;
        let holds = row.iter().find(|(column, _)| column == "holds");
        if holds.is_some_and(|(_, value)| value != "1") {
            return Err(format!("does not hold: {row:?}"));
        }
        let (text, numbers) = filled(&self.text, &row)?;
        if numbers.is_empty() && holds.is_none() {
            return Err("it checks nothing: it has neither a {column} nor a column `holds`".to_owned());
        }
        Ok((text, numbers))
    }
}

/// A template in one line with the values of a row, and where these are.
pub(crate) fn filled(
    template: &str,
    row: &[(String, String)],
) -> Result<(String, Vec<Range<usize>>), String> {
    let template = template.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut text, mut numbers, mut rest) = (String::new(), Vec::new(), template.as_str());
    while let Some((before, after)) = rest.split_once('{') {
        let (field, after) = after.split_once('}').ok_or("a { without a }")?;
        let (name, format) = field.split_once(':').unwrap_or((field, ""));
        let value = row.iter().find(|(column, _)| column == name).map(|(_, value)| value.as_str());
        let value = value.ok_or_else(|| format!("the query has no column `{name}`"))?;
        text += before;
        let start = text.len();
        text += &formatted(value, format).ok_or_else(|| format!("`{field}` has an unknown format"))?;
        numbers.push(start..text.len());
        rest = after;
    }
    Ok((text + rest, numbers))
}

/// The columns of the only row of a query.
pub(crate) fn row(sql: &str, results: &Connection) -> Result<Vec<(String, String)>, String> {
    let fault = |e: rusqlite::Error| e.to_string();
    let mut query = results.prepare(sql).map_err(fault)?;
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let mut rows = query.query([]).map_err(fault)?;
    let (mut row, mut count) = (Vec::new(), 0);
    while let Some(next) = rows.next().map_err(fault)? {
        row = (0..columns.len())
            .map(|i| {
                let text = match next.get(i)? {
                    Value::Integer(i) => i.to_string(),
                    Value::Real(x) => format!("{x:?}"),
                    Value::Text(text) => text,
                    Value::Null | Value::Blob(_) => String::new(),
                };
                Ok((columns[i].clone(), text))
            })
            .collect::<Result<_, _>>()
            .map_err(fault)?;
        count += 1;
    }
    if count == 1 { Ok(row) } else { Err(format!("the query has {count} rows, expected one")) }
}

/// Whether the words at this place begin and end no longer number: `9x9` is not whole in `19x19`,
/// nor `800` in `12 800`.
fn is_whole(text: &str, at: Range<usize>) -> bool {
    let (before, words, after) = (&text[..at.start], &text[at.clone()], &text[at.end..]);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let ends_with_digit = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    let begins = match digits(words) {
        0 => true,
        3 if before.strip_suffix(' ').is_some_and(ends_with_digit) => false,
        _ => !ends_with_digit(before) && !before.strip_suffix('.').is_some_and(ends_with_digit),
    };
    let ends = !ends_with_digit(words)
        || digits(after) == 0 && after.strip_prefix('.').is_none_or(|rest| digits(rest) == 0);
    begins && ends
}
