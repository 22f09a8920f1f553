//! Files of saved trees.
//!
//! A file is, in little-endian order: [`MAGIC`]; the format's [`VERSION`] (u32); the [`TreeLabel`];
//! marks of the position at the root; the state of the search; the tree, generation by generation;
//! the state of playout policies and random numbers; the CRC-32 of all that (u32).

use crate::archive::{Archive, ArchiveError};
use alloc::string::{String, ToString};
use core::fmt;

/// What every file begins with.
pub(crate) const MAGIC: &[u8; 8] = b"tesuji\0\x1a";
pub(crate) const VERSION: u32 = 1;

/// What comes after the magic bytes and the version of a file.
pub(crate) fn body(bytes: &[u8]) -> Result<&[u8], SavedTreeError> {
    let body = bytes.strip_prefix(MAGIC).ok_or(SavedTreeError::Foreign)?;
    let (version, body) = body.split_first_chunk().ok_or_else(SavedTreeError::cut)?;
    let version = u32::from_le_bytes(*version);
    if version == VERSION { Ok(body) } else { Err(SavedTreeError::Version(version)) }
}

/// The identity of the tree in a file. Whoever opens the file must name the same one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TreeLabel {
    /// The agent, in a text that is equal for equal agents: `Recipe::identity` for recipes.
    pub recipe: String,
    /// The game and its parameters.
    pub game: String,
    /// The moves from its start to the position at the root.
    pub moves: String,
}

impl TreeLabel {
    /// Reads the identity of the tree in these bytes, without reading the tree.
    ///
    /// # Errors
    /// If they do not begin as a saved tree of this version of the format does.
    pub fn read(bytes: &[u8]) -> Result<TreeLabel, SavedTreeError> {
        let (mut archive, mut label) = (Archive::reading(body(bytes)?), TreeLabel::default());
        archive.text(&mut label.game)?;
        archive.text(&mut label.recipe)?;
        archive.text(&mut label.moves)?;
        Ok(label)
    }
}

/// A tree cannot be saved, or not be opened. The file has no name here: put it in front of the
/// message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SavedTreeError {
    /// The agent's tree cannot be saved. Holds the reason, and what could be saved.
    Unable(String),
    /// The bytes are not a saved tree.
    Foreign,
    /// They are a tree in this other version of the format.
    Version(u32),
    /// They are a tree of another game, position or agent. Holds the kind and the name of what
    /// differs.
    Other(&'static str, String),
    /// They differ from what was written. Holds the place.
    Damaged(String),
}

impl SavedTreeError {
    /// For a file without its last bytes.
    pub(crate) fn cut() -> SavedTreeError {
        SavedTreeError::Damaged("it ends too early".to_string())
    }
}

impl fmt::Display for SavedTreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedTreeError::Unable(why) => f.write_str(why),
            SavedTreeError::Foreign => f.write_str(
                "this is not a saved tree; accepted: a file that `tesuji analyze --save-tree` wrote",
            ),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc_game::Nim;
    use crate::{Budget, Search};

    #[test]
    fn a_file_says_which_tree_it_holds() {
        let label = TreeLabel { recipe: "uct".into(), game: "nim".into(), moves: "1 2".into() };
        let mut search = Search::uct(&Nim::new(9), 0.7, 1);
        search.run(&Nim::new(9), &Budget::simulations(50)).unwrap();
        let bytes = search.save_tree(&label).unwrap();
        assert_eq!(TreeLabel::read(&bytes), Ok(label));
        assert_eq!(TreeLabel::read(b"tesuji"), Err(SavedTreeError::Foreign));
        for short in [8, 11, 12, 14] {
            let file = &bytes[..short];
            assert!(matches!(TreeLabel::read(file), Err(SavedTreeError::Damaged(_))), "{short}");
            let opened = search.open_tree(&Nim::new(9), &TreeLabel::default(), file);
            assert!(matches!(opened, Err(SavedTreeError::Damaged(_))), "{short}");
        }
    }
}
