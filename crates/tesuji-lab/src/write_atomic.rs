//! Files that are never seen half written.

use crate::error::LabError;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Makes the directory of a file that is to be written later, and sees whether it can be.
///
/// # Errors
/// If it cannot.
pub(crate) fn check_writable(path: &Path) -> Result<(), LabError> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let write = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        File::create(&part)?;
        fs::remove_file(&part)
    };
    write().map_err(|e| cannot(path, &e))
}

/// Writes a file under another name first, then renames it; makes its directory if need be. Both
/// the file and its name are on the disk afterwards.
///
/// # Errors
/// If it cannot be written.
pub fn write_atomic(path: &Path, content: impl AsRef<[u8]>) -> Result<(), LabError> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> io::Result<()> {
        fs::create_dir_all(parent)?;
        let mut file = File::create(&part)?;
        file.write_all(content.as_ref())?;
        file.sync_all()?;
        fs::rename(&part, path)?;
        // Elsewhere directories cannot be opened.
        if cfg!(unix) {
            File::open(parent)?.sync_all()?;
        }
        Ok(())
    };
    write().map_err(|e| cannot(path, &e))
}

fn cannot(path: &Path, error: &io::Error) -> LabError {
    LabError::Failed(format!("{} cannot be written: {error}", path.display()))
}
