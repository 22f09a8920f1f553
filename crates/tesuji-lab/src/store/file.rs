//! The file of a store: opens it for reading, and checks whether it still exists.

use crate::error::LabError;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};
use tempfile::TempDir;

/// The file in an experiment's directory.
pub const FILE: &str = "games.sqlite";

/// The file that a store opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StoreFile {
    path: PathBuf,
    /// Device and number, where the system tells.
    identity: Option<[u64; 2]>,
}

impl StoreFile {
    /// The file at this path now.
    pub(super) fn at(path: &Path) -> io::Result<StoreFile> {
        let metadata = fs::metadata(path)?;
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            Some([metadata.dev(), metadata.ino()])
        };
        #[cfg(not(unix))]
        let identity = metadata.is_file().then_some([0; 2]);
        Ok(StoreFile { path: path.to_owned(), identity })
    }

    /// Makes sure that the path still leads to this file: SQLite writes on to one that was deleted,
    /// and everything is lost with the last process that has it open.
    ///
    /// # Errors
    /// If it was deleted, moved or replaced.
    pub(super) fn check(&self) -> Result<(), LabError> {
        if StoreFile::at(&self.path).is_ok_and(|now| now == *self) {
            return Ok(());
        }
        Err(LabError::Failed(format!(
            "{} was deleted, moved or replaced while this program wrote to it; results since then are lost",
            self.path.display()
        )))
    }
}

/// A connection to read with, and the directory of the copy that it reads, if it reads one.
pub(super) type Reader = (Connection, Option<TempDir>);

/// Opens a store to read it. Where its directory cannot be written, nothing beside the file is
/// needed: a file without a log is read as one that nobody changes, and one with the log of a run
/// that was killed is copied.
///
/// # Errors
/// If it cannot be read.
pub(super) fn open_to_read(file: &Path) -> Result<Reader, LabError> {
    match connect(Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)) {
        Ok(db) => Ok((db, None)),
        Err(error) if is_refused(&error) => open_on_a_read_only_disk(file),
        Err(error) => Err(error.into()),
    }
}

/// [`open_to_read`] where nothing can be written beside the file.
pub(super) fn open_on_a_read_only_disk(file: &Path) -> Result<Reader, LabError> {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    if fs::metadata(&log).map_or(0, |log| log.len()) == 0 {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        return Ok((connect(Connection::open_with_flags(immutable(file), flags))?, None));
    }
    let fault = |e: io::Error| LabError::Failed(format!("{} cannot be copied: {e}", file.display()));
    let dir = tempfile::tempdir().map_err(fault)?;
    let copy = dir.path().join(FILE);
    let mut copied_log = copy.clone().into_os_string();
    copied_log.push("-wal");
    for (from, to) in [(file.as_os_str(), copy.as_os_str()), (&log, &copied_log)] {
        // Not `fs::copy`, which copies the permissions as well.
        let bytes = fs::File::open(from).and_then(|mut from| io::copy(&mut from, &mut fs::File::create(to)?));
        bytes.map_err(fault)?;
    }
    Ok((connect(Connection::open(copy))?, Some(dir)))
}

/// A connection that has read the head of its file.
fn connect(db: rusqlite::Result<Connection>) -> rusqlite::Result<Connection> {
    let db = db?;
    db.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(db)
}

fn is_refused(error: &rusqlite::Error) -> bool {
    use ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    matches!(error.sqlite_error_code(), Some(CannotOpen | ReadOnly | PermissionDenied))
}

/// The address of a file that nobody changes.
fn immutable(file: &Path) -> String {
    let mut address = "file:".to_owned();
    for byte in file.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-~".contains(byte) {
            address.push(char::from(*byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address + "?immutable=1"
}
