//! Games of a directory of SGF files.

use crate::game::TrainingGame;
use crate::sgf::read_sgf;
use crate::window::Window;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use tesuji_go::sgf::decode;

/// The games of a directory of SGF files, some of them held out.
#[derive(Clone, Debug)]
pub struct SgfFiles {
    /// The games to train on, all of them.
    pub window: Window,
    /// The games held out.
    pub held_out: Vec<TrainingGame>,
    /// The counts of files and games.
    pub census: Census,
}

/// The counts of files and games in a directory.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Census {
    /// A hash of the paths and contents of all files.
    pub hash: String,
    /// Files `.sgf`.
    pub files: u64,
    /// Games in them that can be used.
    pub games: u64,
    /// The number of games held out.
    pub held_out: u64,
    /// Games that were left out, by reason. A file that cannot be read, or is not SGF, counts as
    /// one.
    pub skipped: BTreeMap<String, u64>,
    /// The first of them for each reason, with its fault.
    pub examples: BTreeMap<String, String>,
}

impl Census {
    fn skip(&mut self, reason: &str, example: impl FnOnce() -> String) {
        *self.skipped.entry(reason.to_owned()).or_default() += 1;
        self.examples.entry(reason.to_owned()).or_insert_with(example);
    }
}

impl SgfFiles {
    /// Reads the files `.sgf` in a directory and below it, in the order of their paths, for boards
    /// of this size; links to directories are not followed. A file is among the share that is held
    /// out by a hash of its content; files and games that cannot be used are counted and left out.
    ///
    /// # Errors
    /// If a directory cannot be read, or no game can be trained on.
    pub fn read(directory: &Path, size: usize, held_out: f64) -> Result<SgfFiles, SgfFilesError> {
        let mut paths = Vec::new();
        find(directory, &mut paths)?;
        paths.sort();
        let (mut census, mut all) = (Census::default(), blake3::Hasher::new());
        let (mut window, mut held) = (Window::new(u64::MAX), Vec::new());
        for path in paths {
            let name = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
            all.update(name.as_bytes()).update(&[0]);
            census.files += 1;
            let content = match read(&path) {
                Ok(content) => content,
                Err(error) => {
                    census.skip("unreadable", || format!("{name}: {error}"));
                    continue;
                }
            };
            let own = blake3::hash(&content);
            all.update(own.as_bytes());
            let is_held_out = is_held_out(&own, held_out);
            for (number, game) in read_sgf(&decode(&content), size).into_iter().enumerate() {
                match game {
                    Err(why) => census.skip(why.reason(), || format!("{name}, game {}: {why}", number + 1)),
                    Ok(game) if is_held_out => held.push(game),
                    Ok(game) => window.push(&game),
                }
            }
        }
        census.held_out = held.len() as u64;
        census.games = census.held_out + window.games() as u64;
        census.hash = all.finalize().to_hex().to_string();
        if window.games() == 0 {
            return Err(SgfFilesError::NoGame(directory.to_owned(), census));
        }
        Ok(SgfFiles { window, held_out: held, census })
    }
}

/// Files `.sgf` in a directory and below it.
fn find(directory: &Path, paths: &mut Vec<PathBuf>) -> Result<(), SgfFilesError> {
    let fault = |error| SgfFilesError::Io(directory.to_owned(), error);
    for entry in std::fs::read_dir(directory).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        let path = entry.path();
        if entry.file_type().map_err(fault)?.is_dir() {
            find(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
            paths.push(path);
        }
    }
    Ok(())
}

/// The content of a file, not of a pipe that nobody may write to.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("this is not a file"));
    }
    std::fs::read(path)
}

/// Whether a file with this hash is among the share that is held out.
fn is_held_out(hash: &blake3::Hash, share: f64) -> bool {
    let first = hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    (first as f64) < share * 2_f64.powi(64)
}

/// Such as `90 games of 100 files (5 held out); left out: 7 broken (a.sgf, game 1: ...)`, with the
/// first game of each fault.
impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games of {} files ({} held out)", self.games, self.files, self.held_out)?;
        let example = |why: &String| self.examples.get(why).map_or("?", String::as_str);
        let skipped = self.skipped.iter().map(|(why, n)| format!("{n} {why} ({})", example(why)));
        let skipped: Vec<String> = skipped.collect();
        if skipped.is_empty() { Ok(()) } else { write!(f, "; left out: {}", skipped.join(", ")) }
    }
}

/// A directory that cannot be trained on.
#[derive(Debug)]
pub enum SgfFilesError {
    /// The directory, or one below it, cannot be read.
    Io(PathBuf, io::Error),
    /// It holds no game that can be trained on.
    NoGame(PathBuf, Census),
}

impl fmt::Display for SgfFilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SgfFilesError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            SgfFilesError::NoGame(path, census) => {
                write!(f, "{} has no game to train on: {census}", path.display())
            }
        }
    }
}

impl std::error::Error for SgfFilesError {}
