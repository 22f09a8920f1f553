//! Whether the record of an experiment is sound.

mod game;
mod games;
mod plans;
mod replay;

pub(crate) use game::faults_of_game;
pub(crate) use replay::Replay;

use crate::error::LabError;
use crate::store::{FILE, OpenError, RowCounts, Store};
use serde::Serialize;
use std::path::Path;

/// The outcome of a check of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verification {
    /// Games of matches.
    pub games: u64,
    /// Trials of all cells, iterations of a training included.
    pub trials: u64,
    /// Games of self-play.
    pub self_play_games: u64,
    /// The faults, a sentence each; a sound record has none.
    pub faults: Vec<String>,
}

impl Verification {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Checks the record in the directory `dir` without changing it; another process may be writing to
/// it.
///
/// The check covers SQLite's own structures, the schema and its constraints, references, the
/// digests of rows, the hashes of moves and descriptions, the identities and seeds of games, and
/// the pairs. It replays every game by its rules and compares the end and the result. Trials must
/// have their figures, finished runs their games, and the events of tunings, races and trainings
/// must fit together; files of a training's networks must be readable. No agent is started. Rows of
/// earlier versions have no digests, so a changed time or count in them may remain unnoticed.
///
/// # Errors
/// If the directory holds no record. Whatever else fails is a fault that the result names.
pub fn verify(dir: &Path) -> Result<Verification, LabError> {
    let mut verification = Verification::default();
    if !dir.join(FILE).is_file() {
        return Err(OpenError::Empty { dir: dir.display().to_string(), file: FILE }.into());
    }
    match Store::read_with_faults(dir) {
        Ok(store) => verification.check(dir, &store),
        Err(error) => verification.faults.push(format!("the store cannot be read: {}", bare(&error))),
    }
    Ok(verification)
}

impl Verification {
    fn check(&mut self, dir: &Path, store: &Store) {
        if let Err(error) = store.begin_reading() {
            return self.add("the store", Err(error));
        }
        self.faults = store.row_faults();
        match store.row_counts() {
            Ok(RowCounts { games, trials, self_play }) => {
                (self.games, self.trials, self.self_play_games) = (games, trials, self_play);
            }
            Err(error) => self.add("the number of rows", Err(error)),
        }
        match games::faults(store) {
            Ok(found) => found.into_iter().for_each(|fault| self.add_of_row(fault)),
            Err(error) => self.add("the games", Err(error)),
        }
        self.add("the experiment", plans::faults(store, dir));
    }

    /// Adds what a part of the check found, or that it failed.
    fn add(&mut self, what: &str, found: Result<Vec<String>, LabError>) {
        match found {
            Ok(found) => found.into_iter().for_each(|fault| self.add_of_row(fault)),
            Err(error) => {
                let error = bare(&error);
                // It may have failed over a row that is named already.
                if !self.faults.contains(&error) {
                    self.faults.push(format!("{what} cannot be checked: {error}"));
                }
            }
        }
    }

    /// Adds a fault of a row unless it is named already.
    fn add_of_row(&mut self, fault: String) {
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}

/// What an error says of a damaged store, without the advice to verify it.
fn bare(error: &LabError) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("the store is damaged: ").unwrap_or(&text);
    text.split("; `tesuji verify`").next().unwrap_or(text).to_owned()
}
