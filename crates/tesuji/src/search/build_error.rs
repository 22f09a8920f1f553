//! Why a search cannot be made.

use crate::memory::MemoryError;
use alloc::string::String;
use core::fmt;

/// A search cannot be made of these parts and settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// Two of them do not go together, or one does not suit the game: which, in a sentence.
    Clash(String),
    /// The memory limit cannot be kept.
    Memory(MemoryError),
}

impl From<MemoryError> for BuildError {
    fn from(error: MemoryError) -> BuildError {
        BuildError::Memory(error)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Clash(clash) => f.write_str(clash),
            BuildError::Memory(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for BuildError {}
