//! Faults of a file, and where they are.

use std::fmt;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A fault of a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SgfError {
    /// The place; none if something is missing from the whole file.
    pub at: Option<Location>,
    /// One sentence.
    pub message: String,
}

impl SgfError {
    pub(super) fn new(at: Location, message: impl Into<String>) -> SgfError {
        let at = (at != Location::default()).then_some(at);
        SgfError { at, message: message.into() }
    }
}

impl fmt::Display for SgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "{at}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for SgfError {}
