//! The error for a text that is not a game.

use std::fmt;

/// A text is not a heap, a tree or a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The character at fault, counted from 1; one behind the last if the text ends too early.
    pub position: usize,
    /// The text found and the accepted form.
    pub what: String,
}

impl ParseError {
    /// At the character with this index, counted from 0.
    pub(crate) fn at(index: usize, what: impl Into<String>) -> ParseError {
        ParseError { position: index + 1, what: what.into() }
    }

    /// `expected` was expected at this index of `text`.
    pub(crate) fn expected(text: &[char], index: usize, expected: &str) -> ParseError {
        let found = text.get(index).map_or("the end".to_owned(), |c| format!("{c:?}"));
        ParseError::at(index, format!("expected {expected}, not {found}"))
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {}", self.position, self.what)
    }
}

impl std::error::Error for ParseError {}
