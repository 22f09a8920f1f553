//! What can go wrong in the laboratory, by whose fault.

use std::fmt;

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabError {
    /// What was asked for is not possible; the sentence names what was wrong and what would be accepted.
    Input(String),
    /// Something failed while running.
    Failed(String),
}

impl LabError {
    /// A fault of the input.
    pub fn input(message: impl fmt::Display) -> LabError {
        LabError::Input(message.to_string())
    }

    /// A failure.
    pub fn failed(message: impl fmt::Display) -> LabError {
        LabError::Failed(message.to_string())
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::Input(message) | LabError::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for LabError {}

impl From<rusqlite::Error> for LabError {
    fn from(error: rusqlite::Error) -> Self {
        LabError::Failed(format!("the store of games: {error}"))
    }
}
