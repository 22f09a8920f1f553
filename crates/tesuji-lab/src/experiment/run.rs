//! Runs experiments.

use crate::error::{LabError, faults};
use crate::experiment::results::Results;
use crate::job::Cluster;
use std::path::PathBuf;
use std::sync::Arc;

/// The options of a run, none of which decides its games.
#[derive(Clone, Debug)]
pub struct ExperimentOptions {
    /// The directory of records: that of an experiment is `OUT/EXPERIMENT`.
    pub out: PathBuf,
    /// The directory of tables: this one is `RESULTS/EXPERIMENT.csv`. An existing table that has
    /// more than the record stays.
    pub results: PathBuf,
    /// Make at most N games of each match, N trials of each group, or N iterations, including
    /// earlier ones. In tunings and races, the limit applies to the last matches only: validations,
    /// and matches of accepted changes. With 0, the run checks everything, plays nothing, and
    /// writes the table from the record.
    pub games: Option<u64>,
    /// Only the matches or parts whose names begin with one of these; all if there is none. Not for
    /// tunings, races and trainings.
    pub only: Vec<String>,
    /// The number of games played, or trials made, at a time.
    pub threads: usize,
    /// The workers that make them, in place of threads of this program.
    pub cluster: Option<Arc<dyn Cluster>>,
    /// Go on even if entries with results were changed in the file or removed from it. Unchanged
    /// results count.
    pub changed: bool,
    /// The program's version and commit, for the record.
    pub version: String,
}

/// The outcome of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct ExperimentReport {
    /// The results in its record.
    pub results: Results,
    /// The table.
    pub table: PathBuf,
    /// Whether an existing table with more games than the record was kept.
    pub kept: bool,
    /// The entries with results that were changed in the file or removed from it.
    pub changes: Vec<String>,
    /// Games of this run that failed by a fault of this program.
    pub failed: u64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

impl ExperimentOptions {
    /// The indices of the names that shall be made.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn choose(&self, names: &[&str]) -> Result<Vec<usize>, LabError> {
        let is_chosen =
            |name: &str| self.only.is_empty() || self.only.iter().any(|start| name.starts_with(start));
        let chosen: Vec<usize> = (0..names.len()).filter(|&i| is_chosen(names[i])).collect();
        if names.is_empty() {
            return Err(ChoiceError::Nothing.into());
        }
        if chosen.is_empty() {
            let (starts, names) = (self.only.join(" or "), names.join(", "));
            return Err(ChoiceError::Unknown { starts, names }.into());
        }
        Ok(chosen)
    }
}

/// An error of the match of this name.
pub(crate) fn named(name: &str, error: LabError) -> LabError {
    error.within(format_args!("match {name}"))
}

faults! {
    /// Why nothing is selected to run.
    ChoiceError {
        File { file: String, fault: String } => "the experiment file {file}: {fault}",
        Nothing => "the file asks for nothing; accepted: at least one match or group of trials",
        Unknown { starts: String, names: String } => "nothing has a name that begins with {starts}; there are {names}",
        DecidesItself { only: String, kind: &'static str } =>
            "--only {only}: a {kind} itself decides what comes next; accepted: the command without --only",
    }
}
