//! Files of saved trees.
//!
//! A file is, in little-endian order: [`MAGIC`]; the format's [`VERSION`] (u32); the [`TreeLabel`];
//! marks of the position at the root; the state of the search; the tree, generation by generation;
//! the state of playout policies and random numbers; the CRC-32 of all that (u32).

use crate::ArchiveError;
use alloc::string::{String, ToString};
use core::fmt;

/// What every file begins with.
pub(crate) const MAGIC: &[u8; 8] = b"tesuji\0\x1a";
pub(crate) const VERSION: u32 = 1;

/// Which tree a file holds. Whoever opens it must say the same.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TreeLabel {
    /// The agent, in a text that is equal for equal agents: `Recipe::identity` for recipes.
    pub recipe: String,
    /// The game and its parameters.
    pub game: String,
    /// The moves from its start to the position at the root.
    pub moves: String,
}

/// A tree cannot be saved, or not be opened. The file has no name here: put it in front of the
/// message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SavedTreeError {
    /// The agent's tree cannot be saved; why, and what could.
    Unable(String),
    /// The bytes are no saved tree.
    Foreign,
    /// They are one of this version of the format.
    Version(u32),
    /// They are a tree of something else: of what, and of which one.
    Other(&'static str, String),
    /// They are not as they were written; where they differ.
    Damaged(String),
}

impl fmt::Display for SavedTreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedTreeError::Unable(why) => f.write_str(why),
            SavedTreeError::Foreign => {
                f.write_str("this is no saved tree; accepted: what `tesuji analyze --save-tree` wrote")
            }
            SavedTreeError::Version(version) => {
                write!(f, "the tree is of version {version} of the format; accepted: version {VERSION}")
            }
            SavedTreeError::Other(what, which) => {
                write!(
                    f,
                    "the tree is of another {what}, {which}; accepted: the same {what} as when it was saved"
                )
            }
            SavedTreeError::Damaged(where_) => {
                write!(f, "the file is damaged: {where_}; accepted: a file as it was written")
            }
        }
    }
}

impl core::error::Error for SavedTreeError {}

impl From<ArchiveError> for SavedTreeError {
    fn from(error: ArchiveError) -> SavedTreeError {
        match error {
            ArchiveError::Damaged(_) => SavedTreeError::Damaged(error.to_string()),
            ArchiveError::Unable(what) => SavedTreeError::Unable(what.to_string()),
        }
    }
}
