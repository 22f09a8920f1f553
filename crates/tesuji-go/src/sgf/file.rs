//! Reading files.

use std::path::Path;

/// The largest file that is read, bytes. A record of 32 000 moves has a few hundred thousand;
/// in memory a byte may become a node of a hundred bytes.
const LARGEST: u64 = 1 << 22;

/// The content of a file of at most 4 MiB. A device may have no end, and a pipe may never begin.
///
/// # Errors
/// If it is no regular file, is larger, or cannot be read; a sentence without its name.
pub fn read_file(file: &Path) -> Result<Vec<u8>, String> {
    let kind = std::fs::metadata(file).map_err(|e| e.to_string())?;
    if !kind.is_file() {
        return Err("this is not a regular file".into());
    }
    if kind.len() > LARGEST {
        return Err(format!("it has {} bytes; accepted: at most {LARGEST}", kind.len()));
    }
    std::fs::read(file).map_err(|e| e.to_string())
}
