//! A kind of experiment, and the driver of all kinds.

use crate::error::LabError;
use crate::event::Event;
use crate::experiment::driver::drive;
use crate::experiment::match_config::MatchConfig;
use crate::experiment::results::Results;
use crate::experiment::run::{ChoiceError, ExperimentOptions, ExperimentReport};
use crate::experiment::session::Session;
use crate::experiment::steps::{ListedSteps, Steps};
use crate::report::MatchRecord;
use crate::store::{Description, FILE, Store, StoredPlan};
use crate::table::Table;
use crate::trials::Trial;
use crate::write_atomic::{check_writable, write_atomic};
use std::any::Any;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tesuji::Stop;

/// A kind of experiment: a plan, as a file describes it, and everything that is special about it.
/// [`run_kind`] stores, resumes, reports progress and writes tables for every kind.
///
/// A kind whose matches and trials are known from the beginning lists them, and everything else is
/// provided. A kind that chooses its next step from results has no [names](Kind::names), and
/// [opens](Kind::open) a state that is asked for each step.
///
/// The record decides what is missing. When a kind goes on, it reads everything that it needs from
/// the store.
pub trait Kind: Any + Debug + Send + Sync {
    /// The word for the kind in a file.
    fn kind(&self) -> &'static str;

    /// The matches that are known from the beginning.
    ///
    /// # Errors
    /// If the plan is not possible.
    fn matches(&self) -> Result<Vec<MatchConfig>, LabError> {
        Ok(Vec::new())
    }

    /// The groups of trials that are known from the beginning.
    ///
    /// # Errors
    /// If the plan is not possible.
    fn trials(&self) -> Result<Vec<Box<dyn Trial + '_>>, LabError> {
        Ok(Vec::new())
    }

    /// Checks that everything is possible before anything is stored. This may start engines.
    ///
    /// # Errors
    /// If something is not possible.
    fn check(&self) -> Result<(), LabError> {
        self.matches()?.iter().try_for_each(MatchConfig::check)
    }

    /// The names of the steps, in order: matches, then groups of trials. None if the experiment
    /// chooses its steps as it goes on.
    ///
    /// # Errors
    /// If the plan is not possible.
    fn names(&self) -> Result<Option<Vec<String>>, LabError> {
        let mut names: Vec<String> = self.matches()?.into_iter().map(|config| config.name).collect();
        names.extend(self.trials()?.iter().map(|trial| trial.name().to_owned()));
        Ok(Some(names))
    }

    /// What the experiment asks for, as far as its record shows.
    ///
    /// # Errors
    /// If the store fails, or is one of another experiment.
    fn stored_plan(&self, store: &Store) -> Result<StoredPlan, LabError> {
        let _ = store;
        let matches = self.matches()?.iter().map(MatchConfig::planned).collect::<Result<_, _>>()?;
        Ok(StoredPlan { matches, parts: self.trials()?.iter().map(|trial| trial.stored()).collect() })
    }

    /// The state of the experiment in its record, which is asked for its steps; none if nothing
    /// shall be made.
    ///
    /// # Errors
    /// If something is not possible, or the store fails.
    fn open<'a>(&'a self, session: &mut Session<'_>) -> Result<Option<Box<dyn Steps + 'a>>, LabError> {
        Ok(Some(Box::new(ListedSteps::new(self.matches()?, self.trials()?, session)?)))
    }

    /// The results in the record: usually the table of its matches.
    ///
    /// # Errors
    /// If the store fails, or is one of another experiment.
    fn results(&self, store: &Store) -> Result<Results, LabError> {
        Results::matches(store)
    }

    /// Whether the experiment has steps left that its record does not show yet. A kind that has no
    /// [names](Kind::names) answers for its next step.
    ///
    /// # Errors
    /// If the store fails.
    fn has_more(&self, store: &Store) -> Result<bool, LabError> {
        let _ = store;
        Ok(false)
    }

    /// Whether a match of this name is one of many evaluations, which says little by itself.
    fn is_evaluation(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Games that a report shows beside those of matches.
    ///
    /// # Errors
    /// If the record cannot be read.
    fn samples(&self, store: &Store) -> Result<Option<MatchRecord>, LabError> {
        let _ = store;
        Ok(None)
    }

    /// What is wrong with the record in a directory, a sentence each.
    ///
    /// # Errors
    /// If the record cannot be read.
    fn faults(&self, store: &Store, dir: &Path) -> Result<Vec<String>, LabError> {
        let _ = dir;
        let matches = self.matches()?.into_iter().map(|config| (config.name, config.games));
        let trials = self.trials()?;
        let trials = trials.iter().map(|trial| (trial.name().to_owned(), trial.planned()));
        let there = store.stored_plan()?;
        let has_matches = matches.eq(there.matches.into_iter().map(|planned| (planned.name, planned.games)));
        let has_trials = trials.eq(there.parts.into_iter().map(|planned| (planned.name, planned.trials)));
        let faults = [
            (has_matches, "the matches of the store are not those of its experiment file"),
            (has_trials, "the trials that the store asks for are not those of its experiment file"),
        ];
        Ok(faults.into_iter().filter(|(holds, _)| !holds).map(|(_, fault)| fault.to_owned()).collect())
    }
}

/// Makes the missing part of an experiment. The tables of results are written again after each
/// step, unless that would take more than a twentieth of the time, and at the end. `name` is the
/// path of the record and of the first table, `file` the text of the experiment.
///
/// # Errors
/// If something is not possible, the record has results of other settings, or the record or a table
/// cannot be written.
pub fn run_kind(
    kind: &dyn Kind,
    [name, about, file]: [&str; 3],
    options: &ExperimentOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<ExperimentReport, LabError> {
    kind.check()?;
    let chosen = match (kind.names()?, options.only.first()) {
        (Some(names), _) => options.choose(&names.iter().map(String::as_str).collect::<Vec<_>>())?,
        (None, None) => Vec::new(),
        (None, Some(only)) => {
            return Err(ChoiceError::DecidesItself { only: only.clone(), kind: kind.kind() }.into());
        }
    };
    let dir = options.out.join(name);
    // Where nothing is to be played, a record is not begun.
    let checks = options.games == Some(0) && !dir.join(FILE).exists();
    let mut store = if checks { Store::in_memory()? } else { Store::open(&dir)? };
    let description = Description {
        kind: kind.kind().to_owned(),
        name: name.to_owned(),
        about: about.to_owned(),
        file: file.to_owned(),
        version: options.version.clone(),
    };
    let stored_plan = kind.stored_plan(&store)?;
    let table = options.results.join(format!("{name}.csv"));
    if !checks {
        check_writable(&table)?;
    }
    let changes = store.begin(&description, &stored_plan, options.changed)?;
    let mut throttle = Throttle::new();
    let ended =
        &mut |store: &Store| throttle.run(&mut || write_tables(&kind.results(store)?, &table).map(drop));
    let (failed, voided) = (0, 0);
    let mut session =
        Session { store: &mut store, options, file, chosen, stop, watch, ended, failed, voided };
    if let Some(mut steps) = kind.open(&mut session)? {
        drive(&mut *steps, &mut session)?;
    }
    let failed = session.failed;
    // Else the summary of what is lost would be written to a new directory.
    store.check_file()?;
    let (results, mut kept) = (kind.results(&store)?, false);
    if let Some(dir) = store.dir() {
        let mut summary = serde_json::json!({ "name": name, "about": about, "results": results.json });
        if store.is_unfinished()? || kind.has_more(&store)? {
            summary["is_unfinished"] = true.into();
        }
        write_atomic(&dir.join("summary.json"), format!("{summary:#}\n"))?;
        kept = !write_tables(&results, &table)?;
    }
    Ok(ExperimentReport { results, table, kept, changes, failed, interrupted: stop.is_stopped() })
}

/// Does something again and again that shall take little of the time.
struct Throttle {
    last: Instant,
    /// How long it took.
    took: Duration,
}

impl Throttle {
    fn new() -> Throttle {
        Throttle { last: Instant::now(), took: Duration::ZERO }
    }

    /// Does so unless it would take more than a twentieth of the time.
    fn run(&mut self, write: &mut dyn FnMut() -> Result<(), LabError>) -> Result<(), LabError> {
        if self.last.elapsed() < 20 * self.took {
            return Ok(());
        }
        let begun = Instant::now();
        write()?;
        *self = Throttle { last: Instant::now(), took: begun.elapsed() };
        Ok(())
    }
}

/// Writes the tables of results and the files beside them. False if the table that is there says
/// more, as that of a longer run elsewhere, and is left.
fn write_tables(results: &Results, path: &Path) -> Result<bool, LabError> {
    if results.is_empty() {
        return Ok(true);
    }
    let csv = results.csv();
    if std::fs::read_to_string(path).is_ok_and(|there| amount(&there) > amount(&csv)) {
        return Ok(false);
    }
    for further in results.further() {
        write_atomic(&beside(path, further.name), further.csv())?;
    }
    for (end, text) in &results.files {
        write_atomic(&path.with_extension(end), text)?;
    }
    write_atomic(path, &csv)?;
    Ok(true)
}

/// How much a table says: its games, trees or pairs of games, then its lines.
fn amount(csv: &str) -> (u64, u64) {
    let Ok(table) = Table::parse(csv) else { return (0, 0) };
    let column = ["games", "trees", "pairs"].into_iter().find(|column| table.column(column).is_ok());
    let count = |row| column.and_then(|column| table.at(row, column).count()).unwrap_or(0);
    ((0..table.len()).map(count).sum(), table.len() as u64)
}

/// The table `name` beside that of results.
fn beside(table: &Path, name: &str) -> PathBuf {
    let stem = table.file_stem().unwrap_or_default().to_string_lossy();
    table.with_file_name(format!("{stem}-{name}.csv"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_compared_by_what_they_count() {
        let table = |rows: &str| amount(&format!("name,planned,games,wins\n{rows}"));
        assert_eq!(table("a,9,4,1\nb,9,6,2\n"), (10, 2));
        assert!(table("a,9,11,1\n") > table("a,9,4,1\nb,9,6,2\n"));
        assert_eq!(amount("iteration,loss\n0,1.5\n1,1.4\n"), (0, 2));
        assert_eq!(amount(""), (0, 0));
    }
}
