//! Plays the matches of an experiment.

use super::{Cell, Row};
use crate::csv_table::csv_table;
use crate::process::reset_peak_memory;
use crate::write_whole::write_whole;
use crate::{LabError, MatchOptions, MatchProgress, run_match, summarize_match};
use std::path::PathBuf;
use tesuji::Stop;

/// How to run an experiment: nothing of this decides its games.
#[derive(Clone, Debug)]
pub struct ExperimentOptions {
    /// The directory of records: the games of a match are in `OUT/EXPERIMENT/MATCH`.
    pub out: PathBuf,
    /// The directory of tables: this one is `RESULTS/EXPERIMENT.csv`.
    pub results: PathBuf,
    /// At most so many games of each match, those played before included; with 0 everything is checked, nothing is
    /// played, and the table is written from the record.
    pub games: Option<u64>,
    /// Only the matches whose names begin with one of these; all if there is none.
    pub only: Vec<String>,
    /// How many games are played at a time.
    pub threads: usize,
    /// The program's version and commit, for the record.
    pub version: String,
}

/// How an experiment stands while it goes on.
#[derive(Clone, Debug)]
pub enum CellProgress<'a> {
    /// A match begins or goes on.
    Begun {
        /// The match.
        cell: &'a Cell,
        /// Its place among those to be played, from 1.
        number: usize,
        /// How many are to be played.
        of: usize,
        /// Games that it shall have.
        games: u64,
    },
    /// A game of it was played, or found in the record.
    Game(MatchProgress),
    /// The match has its games, or was stopped.
    Ended(&'a Row),
}

/// What an experiment gave.
#[derive(Clone, PartialEq, Debug)]
pub struct ExperimentReport {
    /// A row for each match that has games, in the order of the file.
    pub rows: Vec<Row>,
    /// The table.
    pub table: PathBuf,
    /// Games of this run that failed by a fault of this program.
    pub failed: u64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Plays the matches of the experiment `name` in order, or what is missing of them. The table of results is written anew
/// after each match.
///
/// # Errors
/// If a match is not possible, or its record is that of another match: all are checked before the first game. Also
/// if a store fails or the table cannot be written.
pub fn run_matches(
    name: &str,
    cells: &[Cell],
    options: &ExperimentOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(CellProgress<'_>),
) -> Result<ExperimentReport, LabError> {
    let named = |cell: &Cell, error: LabError| match error {
        LabError::Input(message) => LabError::Input(format!("match {}: {message}", cell.name)),
        LabError::Failed(message) => LabError::Failed(format!("match {}: {message}", cell.name)),
    };
    let (mut matches, mut rows) = (Vec::<(&Cell, MatchOptions)>::new(), Vec::<Option<Row>>::new());
    for cell in cells {
        let mut match_options = cell.options(&options.version).map_err(|e| named(cell, e))?;
        match_options.out = Some(options.out.join(name).join(&cell.name));
        match_options.threads = options.threads;
        let row = summarize_match(&match_options).map_err(|e| named(cell, e))?;
        matches.push((cell, match_options));
        rows.push(row.filter(|s| s.games > 0).map(|s| Row::new(cell, &s)));
    }
    let chosen = |cell: &Cell| options.only.iter().any(|start| cell.name.starts_with(start));
    let to_play: Vec<usize> =
        (0..matches.len()).filter(|&i| options.only.is_empty() || chosen(matches[i].0)).collect();
    if to_play.is_empty() {
        let names: Vec<_> = cells.iter().map(|cell| cell.name.as_str()).collect();
        return Err(LabError::Input(format!(
            "no match has a name that begins with {}; the matches are {}",
            options.only.join(" or "),
            names.join(", ")
        )));
    }
    let table = options.results.join(format!("{name}.csv"));
    let mut report = ExperimentReport { rows: Vec::new(), table, failed: 0, interrupted: false };
    for (number, &i) in to_play.iter().enumerate() {
        let ((cell, match_options), row) = (&matches[i], &mut rows[i]);
        let games = options.games.map_or(cell.games, |games| games.min(cell.games));
        if row.as_ref().map_or(0, |row| row.games) < games {
            watch(CellProgress::Begun { cell, number: number + 1, of: to_play.len(), games });
            reset_peak_memory();
            let pass = MatchOptions { games, ..match_options.clone() };
            let summary = run_match(&pass, stop, &mut |state| watch(CellProgress::Game(state)))
                .map_err(|e| named(cell, e))?;
            report.failed += summary.failed;
            report.interrupted = summary.interrupted;
            let all = summarize_match(match_options).map_err(|e| named(cell, e))?;
            *row = all.filter(|s| s.games > 0).map(|s| Row::new(cell, &s));
            if let Some(row) = row {
                watch(CellProgress::Ended(row));
            }
        }
        Row::correct(&mut rows);
        if rows.iter().any(Option::is_some) {
            write_whole(&report.table, &csv_table(rows.iter().flatten())?)?;
        }
        if report.interrupted {
            break;
        }
    }
    report.rows = rows.into_iter().flatten().collect();
    Ok(report)
}
