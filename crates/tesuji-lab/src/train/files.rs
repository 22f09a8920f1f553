//! Games of SGF files.

use super::plan::SgfPlan;
use crate::LabError;
use crate::store::Store;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tesuji_train::{Learning, TrainingGame, Window, read_sgf};

/// The games of a directory.
#[derive(Clone, Debug)]
pub(super) struct Files {
    /// What is trained on.
    pub(super) window: Window,
    /// What is not.
    pub(super) held: Vec<TrainingGame>,
    pub(super) census: Census,
}

/// What was found in a directory.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Census {
    /// A hash of the paths and contents of all files.
    pub(super) hash: String,
    pub(super) files: u64,
    pub(super) games: u64,
    /// Of the games.
    pub(super) held_out: u64,
    /// Files that were left out, by the reason.
    pub(super) skipped: BTreeMap<String, u64>,
    /// The first of them for each reason, with what is wrong.
    pub(super) examples: BTreeMap<String, String>,
}

const EVENT: &str = "sgf";

impl Files {
    /// Reads the files in the order of their paths.
    ///
    /// # Errors
    /// If the directory cannot be read, or no game of it can be trained on.
    pub(super) fn read(plan: &SgfPlan, size: usize, learning: &Learning) -> Result<Files, LabError> {
        let directory = &plan.directory;
        let fault =
            |e: std::io::Error| LabError::Input(format!("sgf.directory {}: {e}", directory.display()));
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
            let is_held_out = is_held_out(&own, learning.held_out);
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
            return Err(LabError::Input(format!(
                "sgf.directory {} has no game to train on: {census}",
                directory.display()
            )));
        }
        Ok(Files { window, held, census })
    }

    /// Notes in the record what was found, or checks that it is what the record says.
    ///
    /// # Errors
    /// If `done` iterations learnt from other files.
    pub(super) fn note(&self, store: &Store, done: u64) -> Result<(), LabError> {
        match last(store)? {
            Some(noted) if noted.hash == self.census.hash => Ok(()),
            Some(noted) if done > 0 => Err(LabError::Input(format!(
                "the files are not those that {done} iterations learnt from: {noted} there, {} here; put them back, or choose \
                 another directory with --out",
                self.census
            ))),
            _ => store.event(EVENT, &serde_json::to_value(&self.census).map_err(LabError::failed)?),
        }
    }
}

/// What the record says of the files.
pub(super) fn last(store: &Store) -> Result<Option<Census>, LabError> {
    let mut events = store.events()?;
    events.retain(|(_, kind, _)| kind == EVENT);
    events.pop().map(|(.., detail)| serde_json::from_value(detail).map_err(LabError::failed)).transpose()
}

/// Files `.sgf` in a directory and below it.
fn find(directory: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
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
impl std::fmt::Display for Census {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} games of {} files ({} held out)", self.games, self.files, self.held_out)?;
        let skipped: Vec<String> = self.skipped.iter().map(|(why, n)| format!("{n} {why}")).collect();
        if skipped.is_empty() { Ok(()) } else { write!(f, "; left out: {}", skipped.join(", ")) }
    }
}
