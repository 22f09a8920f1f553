//! Runs experiments.

use super::results::Results;
use super::{Cell, Experiment, Plan, Session};
use crate::matches::{Match, Pass};
use crate::process::reset_peak_memory;
use crate::race;
use crate::runner::RunReport;
use crate::store::{Agenda, Description, FILE, Store};
use crate::train;
use crate::trials::{self, Trial, make_trials};
use crate::tune;
use crate::write_whole::write_whole;
use crate::{LabError, MatchProgress};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tesuji::Stop;

/// How to run an experiment: nothing of this decides its games.
#[derive(Clone, Debug)]
pub struct ExperimentOptions {
    /// The directory of records: that of an experiment is `OUT/EXPERIMENT`.
    pub out: PathBuf,
    /// The directory of tables: this one is `RESULTS/EXPERIMENT.csv`. One that is there and says more than the record stays.
    pub results: PathBuf,
    /// At most so many games of each match (of tunings and races of the last ones alone: validations, and matches of what was
    /// accepted), trials of each part, or iterations, those made before included; with 0 everything is checked, nothing is played,
    /// and the table is written from the record.
    pub games: Option<u64>,
    /// Only the matches or parts whose names begin with one of these; all if there is none. Not for tunings, races and trainings.
    pub only: Vec<String>,
    /// How many games are played, or trials made, at a time.
    pub threads: usize,
    /// Go on though something with results has changed in the file or is gone: what is the same counts.
    pub changed: bool,
    /// The program's version and commit, for the record.
    pub version: String,
}

/// How an experiment stands while it goes on.
#[derive(Clone, Debug)]
pub enum ExperimentProgress<'a> {
    /// A match, or a part with trials, begins or goes on.
    Begun {
        /// Its name.
        name: &'a str,
        /// What it is.
        about: &'a str,
        /// Its place among those to be made, from 1.
        number: usize,
        /// How many are to be made.
        of: usize,
        /// Games that it shall have, or trials that are missing.
        total: u64,
    },
    /// A game of the match was played, or found in the record.
    Game(MatchProgress),
    /// So many of the missing trials are made, or games of evaluations played.
    Done(u64),
    /// Something that should be told.
    Note(&'a str),
    /// It has what it shall have, or was stopped.
    Ended,
}

/// What an experiment gave.
#[derive(Clone, PartialEq, Debug)]
pub struct ExperimentReport {
    /// What its record says.
    pub results: Results,
    /// The table.
    pub table: PathBuf,
    /// Whether a table that has more games than the record was there, and stayed.
    pub kept: bool,
    /// What was taken out of the file or changed in it though it had results.
    pub changes: Vec<String>,
    /// Games of this run that failed by a fault of this program.
    pub failed: u64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Makes the games or trials of an experiment in order, or what is missing of them. The table of results is renewed after
/// a match or part, unless that would take more than a twentieth of the time, and at the end. The numbers do not depend on
/// the threads.
///
/// # Errors
/// If something is not possible: everything is checked before the first game. If the record has results of other
/// settings, unless [`ExperimentOptions::changed`] is set. Also if the record fails or the table cannot be written.
pub fn run_experiment(
    experiment: &Experiment,
    options: &ExperimentOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(ExperimentProgress<'_>),
) -> Result<ExperimentReport, LabError> {
    let mut run = Run {
        experiment,
        options,
        stop,
        watch,
        report: ExperimentReport {
            results: Results::default(),
            table: options.results.join(format!("{}.csv", experiment.name)),
            kept: false,
            changes: Vec::new(),
            failed: 0,
            interrupted: false,
        },
    };
    match &experiment.plan {
        Plan::Matches(cells) => run.matches(cells)?,
        Plan::RoundRobin(plan) => run.matches(&plan.cells)?,
        Plan::Sweep(plan) => run.matches(&plan.cells)?,
        Plan::Tuning(plan) => run.course(&**plan, tune::agenda, tune::play)?,
        Plan::Race(plan) => run.course(&**plan, race::agenda, race::play)?,
        Plan::Train(plan) => run.course(&**plan, train::agenda, train::play)?,
        Plan::Decisions(plan) => run.trials(&plan.parts()?)?,
        Plan::Incentives(cells) => run.trials(cells)?,
        Plan::Points(cells) => run.trials(cells)?,
    }
    run.report.interrupted = stop.is_stopped();
    Ok(run.report)
}

struct Run<'a> {
    experiment: &'a Experiment,
    options: &'a ExperimentOptions,
    stop: &'a Stop,
    watch: &'a mut dyn FnMut(ExperimentProgress<'_>),
    report: ExperimentReport,
}

impl Run<'_> {
    fn matches(&mut self, cells: &[Cell]) -> Result<(), LabError> {
        let checked = |cell: &Cell| {
            cell.spec().and_then(|spec| Match::new(&spec)).map_err(|error| named(&cell.name, error))
        };
        let matches: Vec<Match> = cells.iter().map(checked).collect::<Result<_, _>>()?;
        let names: Vec<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
        let chosen = self.options.choose(&names)?;
        let planned = matches.iter().map(|m| m.planned().clone()).collect();
        let mut store = self.begin(|_| Ok(Agenda { matches: planned, ..Agenda::default() }))?;
        let (plan, table, mut renewal) = (&self.experiment.plan, &self.report.table, Renewal::new());
        for (number, &i) in chosen.iter().enumerate() {
            let (m, cell) = (&matches[i], &cells[i]);
            let games = self.options.games.map_or(cell.games, |games| games.min(cell.games));
            if store.played(&m.planned().matchup, games)? < games.min(store.counted_games(m.planned())?) {
                let about = format!("{} against {}, {}", cell.a, cell.b, cell.game);
                reset_peak_memory();
                let files = store.dir().map(|dir| dir.join("games").join(&cell.name));
                let pass = Pass { files, ..self.options.pass(games, self.options.threads) };
                let place = (number + 1, chosen.len());
                let played = play_one(m, &about, place, &mut store, &pass, self.stop, self.watch);
                self.report.failed += played.map_err(|error| named(&cell.name, error))?.failed;
                renewal.renew(&mut || write_table(&Results::of(plan, &store)?, table).map(drop))?;
            }
            if self.stop.is_stopped() {
                break;
            }
        }
        self.write(&store)
    }

    /// What decides as it goes on which matches come next: its agenda so far, and how it is played.
    fn course<P>(
        &mut self,
        plan: &P,
        agenda: fn(&P, &Store) -> Result<Agenda, LabError>,
        play: fn(&P, &mut Session<'_>) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        if let Some(name) = self.options.only.first() {
            return Err(LabError::Input(format!(
                "only {name:?}: a {} decides itself what comes next; accepted: without it",
                self.experiment.plan.kind()
            )));
        }
        let mut store = self.begin(|store| agenda(plan, store))?;
        let (all, table, mut renewal) = (&self.experiment.plan, &self.report.table, Renewal::new());
        let ended = &mut |store: &Store| {
            renewal.renew(&mut || write_table(&Results::of(all, store)?, table).map(drop))
        };
        let Run { options, stop, watch, .. } = self;
        let mut session = Session { store: &mut store, options, stop, watch, ended, failed: 0 };
        play(plan, &mut session)?;
        self.report.failed = session.failed;
        self.write(&store)
    }

    fn trials<T: Trial>(&mut self, parts: &[T]) -> Result<(), LabError> {
        let names: Vec<&str> = parts.iter().map(Trial::name).collect();
        self.options.choose(&names)?;
        let mut store = self.begin(|_| Ok(trials::agenda(parts)))?;
        let run = serde_json::json!({ "version": self.options.version, "threads": self.options.threads });
        store.event("run", &run)?;
        let (plan, table, mut renewal) = (&self.experiment.plan, &self.report.table, Renewal::new());
        make_trials(parts, &mut store, self.options, self.stop, self.watch, &mut |store| {
            renewal.renew(&mut || write_table(&Results::of(plan, store)?, table).map(drop))
        })?;
        store.event("end", &serde_json::json!({ "stopped": self.stop.is_stopped() }))?;
        self.write(&store)
    }

    /// The store of the experiment; one in memory if there is none and nothing is to be played.
    fn begin(&mut self, agenda: impl FnOnce(&Store) -> Result<Agenda, LabError>) -> Result<Store, LabError> {
        let Experiment { name, about, file, plan } = self.experiment;
        let dir = self.options.out.join(name);
        let checks = self.options.games == Some(0) && !dir.join(FILE).exists();
        let mut store = if checks { Store::in_memory()? } else { Store::open(&dir)? };
        let agenda = agenda(&store)?;
        let description = Description {
            kind: plan.kind().to_owned(),
            name: name.clone(),
            about: about.clone(),
            file: file.clone(),
            version: self.options.version.clone(),
        };
        self.report.changes = store.begin(&description, &agenda, self.options.changed)?;
        Ok(store)
    }

    /// Takes the results from the record, if there is one, and writes their table and a summary beside the record.
    fn write(&mut self, store: &Store) -> Result<(), LabError> {
        let Some(dir) = store.dir() else { return Ok(()) };
        // Else the summary of what is lost would be written to a new directory.
        store.check_file()?;
        self.report.results = Results::of(&self.experiment.plan, store)?;
        let Experiment { name, about, .. } = self.experiment;
        let summary =
            serde_json::json!({ "name": name, "about": about, "results": self.report.results.json });
        write_whole(&dir.join("summary.json"), &format!("{summary:#}\n"))?;
        self.report.kept = !write_table(&self.report.results, &self.report.table)?;
        Ok(())
    }
}

/// Plays a match, the `number`-th of so many, and tells how it stands.
pub(super) fn play_one(
    m: &Match,
    about: &str,
    (number, of): (usize, usize),
    store: &mut Store,
    pass: &Pass,
    stop: &Stop,
    watch: &mut dyn FnMut(ExperimentProgress<'_>),
) -> Result<RunReport, LabError> {
    watch(ExperimentProgress::Begun { name: &m.planned().name, about, number, of, total: pass.games });
    let report = m.play(store, pass, stop, &mut |state| watch(ExperimentProgress::Game(state)))?;
    watch(ExperimentProgress::Ended);
    Ok(report)
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
            return Err(LabError::Input(
                "nothing is asked for; accepted: at least one match or part".to_owned(),
            ));
        }
        if chosen.is_empty() {
            return Err(LabError::Input(format!(
                "nothing has a name that begins with {}; there are {}",
                self.only.join(" or "),
                names.join(", ")
            )));
        }
        Ok(chosen)
    }
}

/// What is renewed now and then.
struct Renewal {
    last: Instant,
    /// How long it took.
    took: Duration,
}

impl Renewal {
    fn new() -> Renewal {
        Renewal { last: Instant::now(), took: Duration::ZERO }
    }

    /// Does so if it takes little of the time.
    fn renew(&mut self, write: &mut dyn FnMut() -> Result<(), LabError>) -> Result<(), LabError> {
        if self.last.elapsed() < 20 * self.took {
            return Ok(());
        }
        let begun = Instant::now();
        write()?;
        *self = Renewal { last: Instant::now(), took: begun.elapsed() };
        Ok(())
    }
}

/// The table of results, and what else there is beside it: further tables and files. False if the table that is
/// there says more, as that of a longer run elsewhere, and is left.
fn write_table(results: &Results, table: &Path) -> Result<bool, LabError> {
    if results.is_empty() {
        return Ok(true);
    }
    let csv = results.csv();
    if std::fs::read_to_string(table).is_ok_and(|there| amount(&there) > amount(&csv)) {
        return Ok(false);
    }
    for further in results.further() {
        write_whole(&beside(table, further.name), &further.csv())?;
    }
    for (end, text) in &results.files {
        write_whole(&table.with_extension(end), text)?;
    }
    write_whole(table, &csv)?;
    Ok(true)
}

/// How much a table says: its games, trees or pairs of games, then its lines.
fn amount(table: &str) -> (u64, u64) {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let mut place = |name: &&str| reader.headers().ok()?.iter().position(|column| column == *name);
    let column = ["games", "trees", "pairs"].iter().find_map(&mut place);
    reader.into_records().flatten().fold((0, 0), |(sum, lines), row| {
        let number = column.and_then(|column| row.get(column)?.parse::<u64>().ok());
        (sum + number.unwrap_or(0), lines + 1)
    })
}

/// The table `name` beside that of results.
fn beside(table: &Path, name: &str) -> PathBuf {
    let stem = table.file_stem().unwrap_or_default().to_string_lossy();
    table.with_file_name(format!("{stem}-{name}.csv"))
}

/// An error of the match of this name.
pub(crate) fn named(name: &str, error: LabError) -> LabError {
    match error {
        LabError::Input(message) => LabError::Input(format!("match {name}: {message}")),
        LabError::Failed(message) => LabError::Failed(format!("match {name}: {message}")),
    }
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
