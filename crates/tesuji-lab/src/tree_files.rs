//! Files of saved trees.

use crate::error::LabError;
use crate::write_atomic::write_atomic;
use std::fs;
use std::path::{Path, PathBuf};
use tesuji::SavedTreeError;

/// The files from which a search loads its tree, and to which it saves the tree.
#[derive(Clone, Default, Debug)]
pub struct TreeFiles {
    /// The file of a tree with which the search goes on.
    pub open: Option<PathBuf>,
    /// The file to which the tree is saved after the search.
    pub save: Option<PathBuf>,
}

impl TreeFiles {
    /// Reads the file, if one is to be opened, and passes it to `open`.
    ///
    /// # Errors
    /// If it cannot be read, or is not accepted; the message names the file.
    pub fn open_by(&self, open: impl FnOnce(&[u8]) -> Result<(), SavedTreeError>) -> Result<(), LabError> {
        let Some(file) = &self.open else { return Ok(()) };
        let bytes = read(file).map_err(|e| LabError::input(e).within(file.display()))?;
        open(&bytes).map_err(|e| LabError::input(e).within(file.display()))
    }

    /// Writes the tree that `save` returns, if one is to be saved.
    ///
    /// # Errors
    /// If there is no tree to save, or it cannot be written; the message names the file.
    pub fn save_by(&self, save: impl FnOnce() -> Result<Vec<u8>, SavedTreeError>) -> Result<(), LabError> {
        let Some(file) = &self.save else { return Ok(()) };
        let bytes = save().map_err(|e| LabError::input(e).within(file.display()))?;
        write_atomic(file, bytes)
    }
}

/// A device may have no end.
fn read(file: &Path) -> Result<Vec<u8>, String> {
    if !fs::metadata(file).map_err(|e| e.to_string())?.is_file() {
        return Err("this is not a file; accepted: a file that `tesuji analyze --save-tree` wrote".to_owned());
    }
    fs::read(file).map_err(|e| e.to_string())
}
