//! Recipes as text.

use super::{RecipeError, Source};
use std::path::Path;
use std::string::ToString;
use toml::de::DeTable;
use toml::{Table, Value};

/// The parts of a text between those commas that are outside brackets and double quotes.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut is_quoted) = (0, false);
    text.split(move |c| {
        match c {
            '"' => is_quoted = !is_quoted,
            '[' | '{' if !is_quoted => depth += 1,
            ']' | '}' if !is_quoted => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0 && !is_quoted
    })
}

/// Whether this is the name of a TOML file.
pub(super) fn is_toml(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// The beginning of an agent, before its overrides: a name, or the path of a TOML file. The path of
/// a file that exists may contain commas.
pub fn base(spec: &str) -> &str {
    let is_file = |end: usize| is_toml(&spec[..end]) && Path::new(&spec[..end]).is_file();
    let commas = spec.match_indices(',').map(|(at, _)| at);
    let end = commas.chain([spec.len()]).find(|&end| is_file(end));
    end.map_or(words(spec).next().unwrap_or_default(), |end| &spec[..end])
}

/// Parses TOML.
pub(super) fn parse(name: &str, text: &str) -> Result<Table, RecipeError> {
    text.parse::<Table>().map_err(|error| RecipeError {
        source: Source::File {
            name: name.to_string(),
            line: error.span().map(|span| line_at(text, span.start)),
        },
        message: error.message().replace('\n', ", "),
    })
}

/// The line of a dotted key in a text that parses.
pub(super) fn line_of(text: &str, key: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let mut table = document.get_ref();
    let mut line = None;
    for word in key.split('.') {
        let (name, value) = table.iter().find(|(name, _)| name.get_ref() == word)?;
        line = Some(line_at(text, name.span().start));
        match value.get_ref().as_table() {
            Some(inner) => table = inner,
            None => break,
        }
    }
    line
}

fn line_at(text: &str, offset: usize) -> usize {
    text[..offset.min(text.len())].matches('\n').count() + 1
}

/// Sets a dotted key. A new `kind` drops what belonged to the old one.
pub(super) fn set(table: &mut Table, key: &str, value: &str) {
    let value = parse_value(value);
    let Some((axis, rest)) = key.split_once('.') else {
        table.insert(key.to_string(), value);
        return;
    };
    if rest == "kind" {
        table.insert(axis.to_string(), value);
        return;
    }
    let inner = table.entry(axis).or_insert_with(|| Value::Table(Table::new()));
    if let Value::String(kind) = inner {
        let kind = Value::String(core::mem::take(kind));
        *inner = Value::Table(Table::from_iter([("kind".to_string(), kind)]));
    }
    match inner {
        Value::Table(inner) => set(inner, rest, &value.to_string()),
        other => *other = Value::Table(Table::from_iter([(rest.to_string(), value)])),
    }
}

/// A value as TOML has it; anything else is a text.
fn parse_value(text: &str) -> Value {
    let line = std::format!("v = {text}");
    match line.parse::<Table>() {
        Ok(mut table) => table.remove("v").unwrap_or(Value::String(text.to_string())),
        Err(_) => Value::String(text.to_string()),
    }
}
