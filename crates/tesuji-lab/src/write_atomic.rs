//! Files that are never seen half written.

use crate::error::LabError;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

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
    write().map_err(|e| LabError::Failed(format!("{} cannot be written: {e}", path.display())))
}
