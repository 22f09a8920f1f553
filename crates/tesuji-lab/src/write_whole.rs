//! Files that are never seen half written.

use crate::LabError;
use std::path::Path;

/// Writes a file under another name first, then renames it; makes its directory if need be.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), LabError> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let parent = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(parent)
        .and_then(|()| std::fs::write(&part, text))
        .and_then(|()| std::fs::rename(&part, path))
        .map_err(|e| LabError::Failed(format!("{} cannot be written: {e}", path.display())))
}
