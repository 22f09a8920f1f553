//! The text of an experiment file, and the places of faults in it.

use crate::error::LabError;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use tesuji::recipe::did_you_mean;
use toml::de::{DeTable, DeValue, Error};
use toml::{Deserializer, Spanned};

/// The text of a file.
pub(super) struct FileText<'a> {
    /// The file's name in messages.
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl<'a> FileText<'a> {
    /// The whole text as a table.
    pub(super) fn table(&self) -> Result<Spanned<DeTable<'a>>, LabError> {
        let table = DeTable::parse(self.text).map_err(|error| self.wrong(&error))?;
        Ok(Spanned::new(0..self.text.len(), table.into_inner()))
    }

    /// What a table says.
    pub(super) fn read<T: DeserializeOwned>(&self, table: Spanned<DeTable<'_>>) -> Result<T, LabError> {
        T::deserialize(Deserializer::from(table)).map_err(|error| self.wrong(&error))
    }

    /// The error of a check of the table `[[key]]` of this name.
    pub(super) fn checked<T>(
        &self,
        key: &str,
        name: &str,
        result: Result<T, LabError>,
    ) -> Result<(), LabError> {
        result.map(drop).map_err(|error| self.placed(error.within(format_args!("{key} {name}"))))
    }

    /// A fault at what the message begins with, if that stands in the text.
    pub(super) fn fault(&self, message: impl Display) -> LabError {
        self.placed(LabError::input(message))
    }

    /// An error at what its message begins with, if that stands in the text.
    pub(super) fn placed(&self, error: LabError) -> LabError {
        let message = error.to_string();
        let place = DeTable::parse(self.text).ok().and_then(|table| {
            let table = table.get_ref();
            // Matches of round robins and sweeps have no tables: what is wrong with one stands at
            // the top.
            let of_match = || Some(message.strip_prefix("match ")?.split_once(": ")?.1);
            let unknown = || message.strip_prefix("unknown field `")?.split_once('`');
            place(table, &message)
                .or_else(|| place(table, of_match()?))
                .or_else(|| key_within(table, unknown()?.0))
        });
        self.at(place, error)
    }

    /// A fault at this place.
    pub(super) fn at(&self, place: Option<usize>, error: LabError) -> LabError {
        let line = |place| format!(": line {}", self.text[..place].matches('\n').count() + 1);
        error.within(format_args!("{}{}", self.file, place.map_or(String::new(), line)))
    }

    fn wrong(&self, error: &Error) -> LabError {
        // What is missing at the top stands in no line.
        let span = error.span().filter(|span| *span != (0..self.text.len()));
        self.at(span.map(|span| span.start), LabError::input(told(error)))
    }
}

/// Where that is which a message begins with: a key, or a key and the name of one of its tables,
/// then perhaps keys therein, as in `network: filters is` or `opponent uct: games is`. Settings
/// that a table shares stand beside it.
fn place(table: &DeTable<'_>, message: &str) -> Option<usize> {
    let (word, rest) = message.trim_start_matches([' ', '`']).split_once([' ', ':', '.', '`'])?;
    let (key, value) = table.get_key_value(word)?;
    let within = match value.get_ref() {
        DeValue::Table(inner) => place(inner, rest),
        DeValue::Array(list) if list.iter().any(|own| own.get_ref().is_table()) => {
            let (name, rest) = rest.trim_start().split_once([' ', ':'])?;
            let is_meant = |own: &&Spanned<DeValue<'_>>| {
                let own = own.get_ref().get("name").and_then(|own| own.get_ref().as_str());
                own == Some(name.trim_matches('"'))
            };
            let own = list.iter().find(is_meant)?;
            let inner = own.get_ref().as_table().and_then(|own| place(own, rest));
            inner.or_else(|| place(table, rest)).or(Some(own.span().start))
        }
        _ => None,
    };
    within.or(Some(key.span().start))
}

/// Where a key of this name stands, in a table or in the tables within it.
fn key_within(table: &DeTable<'_>, name: &str) -> Option<usize> {
    let within = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::Table(inner) => key_within(inner, name),
        DeValue::Array(list) => list.iter().find_map(|own| key_within(own.get_ref().as_table()?, name)),
        _ => None,
    };
    let own = table.get_key_value(name).map(|(key, _)| key.span().start);
    own.or_else(|| table.values().find_map(within))
}

/// What is wrong with a value of TOML, in one line: its key, if it is known, and what would be
/// accepted.
pub(crate) fn told(error: &Error) -> String {
    // Only as text, and without the lines around it, does an error name its key: "MESSAGE\nin
    // `KEY`".
    let mut bare = error.clone();
    bare.set_input(None);
    let text = bare.to_string();
    let key = text[error.message().len()..].trim().strip_prefix("in `").map(|key| key.trim_end_matches('`'));
    // A field that is not known is named in the message itself.
    let key = key.filter(|_| !error.message().starts_with("unknown field"));
    let key = key.map_or(String::new(), |key| format!("{key}: "));
    let message = error.message().trim().replace('\n', ", ");
    match message.rsplit_once(", expected ") {
        Some((wrong, expected)) => {
            let quoted = |text: &'_ str| -> Vec<String> {
                text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
            };
            let (words, names) = (quoted(wrong), quoted(expected));
            let meant = words.first().map(|word| did_you_mean(word, names.iter().map(String::as_str)));
            format!("{key}{wrong}; accepted: {}{}", accepted(expected), meant.unwrap_or_default())
        }
        None => format!("{key}{message}"),
    }
}

/// Rust's names for values in words.
fn accepted(expected: &str) -> &str {
    match expected {
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0",
        "a nonzero u64" => "a whole number from 1",
        "i8" => "a whole number from -128 to 127",
        "f32" | "f64" => "a number",
        "a string" => "a text in quotation marks",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        _ if expected.starts_with("struct ") => "a table",
        _ => expected,
    }
}
