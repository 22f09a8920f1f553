//! Games of a directory of SGF files.

use crate::{TrainingGame, Window, read_sgf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The games of a directory of SGF files, some of them held out.
#[derive(Clone, Debug)]
pub struct SgfFiles {
    /// What is trained on: all of it.
    pub window: Window,
    /// What is not.
    pub held_out: Vec<TrainingGame>,
    /// What was found.
    pub census: Census,
}

/// What was found in a directory.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Census {
    /// A hash of the paths and contents of all files.
    pub hash: String,
    /// Files `.sgf`.
    pub files: u64,
    /// Games in those that can be used.
    pub games: u64,
    /// How many of the games are held out.
    pub held_out: u64,
    /// Files that were left out, by the reason.
    pub skipped: BTreeMap<String, u64>,
    /// The first of them for each reason, with what is wrong.
    pub examples: BTreeMap<String, String>,
}

impl SgfFiles {
    /// Reads the files `.sgf` in a directory and below it, in the order of their paths, for boards of this size. A file is among
    /// the share that is held out by a hash of its content; one that cannot be used is counted and left out.
    ///
    /// # Errors
    /// If the directory or a file cannot be read, or no game can be trained on.
    pub fn read(directory: &Path, size: usize, held_out: f64) -> Result<SgfFiles, SgfFilesError> {
        let fault = |error| SgfFilesError::Io(directory.to_owned(), error);
        let mut paths = Vec::new();
        find(directory, &mut paths).map_err(fault)?;
        paths.sort();
        let (mut census, mut all) = (Census::default(), blake3::Hasher::new());
        let (mut window, mut held) = (Window::new(u64::MAX), Vec::new());
        for path in paths {
            let content = std::fs::read(&path).map_err(fault)?;
            let own = blake3::hash(&content);
            let name = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
            all.update(name.as_bytes()).update(&[0]).update(own.as_bytes());
            census.files += 1;
            let games = match read_sgf(&String::from_utf8_lossy(&content), size) {
                Ok(games) => games,
                Err(why) => {
                    *census.skipped.entry(why.reason().to_owned()).or_default() += 1;
                    census
                        .examples
                        .entry(why.reason().to_owned())
                        .or_insert_with(|| format!("{name}: {why}"));
                    continue;
                }
            };
            let is_held_out = is_held_out(&own, held_out);
            census.games += games.len() as u64;
            for game in games {
                if is_held_out {
                    census.held_out += 1;
                    held.push(game);
                } else {
                    window.push(&game.to_bytes(), game.positions());
                }
            }
        }
        census.hash = all.finalize().to_hex().to_string();
        if window.games() == 0 {
            return Err(SgfFilesError::NoGame(directory.to_owned(), census));
        }
        Ok(SgfFiles { window, held_out: held, census })
    }
}

/// Files `.sgf` in a directory and below it.
fn find(directory: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
            paths.push(path);
        }
    }
    Ok(())
}

/// Whether a file with this hash is among the share that is held out.
fn is_held_out(hash: &blake3::Hash, share: f64) -> bool {
    let first = hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    (first as f64) < share * 2_f64.powi(64)
}

/// Such as `90 games of 100 files (5 held out); left out: 7 broken, 3 no result`.
impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games of {} files ({} held out)", self.games, self.files, self.held_out)?;
        let skipped: Vec<String> = self.skipped.iter().map(|(why, n)| format!("{n} {why}")).collect();
        if skipped.is_empty() { Ok(()) } else { write!(f, "; left out: {}", skipped.join(", ")) }
    }
}

/// A directory that cannot be trained on.
#[derive(Debug)]
pub enum SgfFilesError {
    /// It or a file in it cannot be read.
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
