//! Faults of recipes.

use std::fmt;
use std::string::String;

/// A recipe cannot be used. The message names the place, the key, what stood there and what would
/// be accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecipeError {
    pub(super) source: Source,
    pub(super) message: String,
}

/// Where a recipe's text came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A file, and the line where known.
    File { name: String, line: Option<usize> },
    /// A name with overrides on a command line.
    Line(String),
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::File { name, line: Some(line) } => write!(f, "{name}, line {line}: {}", self.message),
            Source::File { name, line: None } => write!(f, "{name}: {}", self.message),
            Source::Line(spec) => write!(f, "recipe `{spec}`: {}", self.message),
        }
    }
}

impl std::error::Error for RecipeError {}
