//! Makes the trials of an experiment.

use super::TrialProgress;
use super::record::{Record, Trials};
use crate::LabError;
use crate::csv_table::csv_table;
use crate::experiment::ExperimentOptions;
use crate::store::hash;
use crate::tasks::do_tasks;
use crate::write_whole::write_whole;
use serde::Serialize;
use std::path::PathBuf;
use tesuji::Stop;

/// A cell of an experiment: trials that differ only in their number.
pub(crate) trait Trial: Sync {
    /// The line of the table.
    type Row: Serialize;

    /// Its name.
    fn name(&self) -> &str;

    /// How many trials it shall have.
    fn planned(&self) -> u64;

    /// Everything that decides the trials but their number.
    fn spec(&self) -> String;

    /// Makes one; none if it was stopped.
    fn make(&self, number: u64, stop: &Stop) -> Result<Option<Vec<f64>>, LabError>;

    /// What they came to; there is at least one.
    fn row(&self, trials: &[&[f64]]) -> Self::Row;
}

/// What an experiment of trials gave.
#[derive(Clone, PartialEq, Debug)]
pub struct TrialReport<R> {
    /// A row for each part with trials, in the order of the file.
    pub rows: Vec<R>,
    /// The table.
    pub table: PathBuf,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Makes the trials of the experiment `name`, or what is missing of them; [`ExperimentOptions::games`] limits those of each
/// cell. The table is written anew after each cell.
pub(crate) fn run_trials<C: Trial>(
    name: &str,
    cells: &[C],
    options: &ExperimentOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(TrialProgress<'_>),
) -> Result<TrialReport<C::Row>, LabError> {
    let chosen =
        |cell: &C| options.only.is_empty() || options.only.iter().any(|start| cell.name().starts_with(start));
    let to_run: Vec<usize> = (0..cells.len()).filter(|&i| chosen(&cells[i])).collect();
    if to_run.is_empty() {
        let names: Vec<_> = cells.iter().map(C::name).collect();
        return Err(LabError::Input(format!(
            "nothing has a name that begins with {}; there are {}",
            options.only.join(" or "),
            names.join(", ")
        )));
    }
    let mut record = Record::open(&options.out.join(name))?;
    let mut made = Vec::new();
    for cell in cells {
        let mut trials = record.read(&hash(&[&cell.spec()]))?;
        trials.retain(|&number, _| number < cell.planned());
        made.push(trials);
    }
    let table = options.results.join(format!("{name}.csv"));
    for (number, &i) in to_run.iter().enumerate() {
        let cell = &cells[i];
        let most = options.games.map_or(cell.planned(), |trials| trials.min(cell.planned()));
        let missing: Vec<u64> = (0..most).filter(|trial| !made[i].contains_key(trial)).collect();
        if !missing.is_empty() {
            watch(TrialProgress::Begun {
                name: cell.name(),
                number: number + 1,
                of: to_run.len(),
                trials: missing.len() as u64,
            });
            let (spec, mut done) = (cell.spec(), 0);
            let make = |_: &mut Option<()>, &number: &u64| {
                if stop.is_stopped() {
                    return Ok(None);
                }
                Ok(cell.make(number, stop)?.map(|results| (number, results)))
            };
            do_tasks(&missing, options.threads, make, &mut |batch| {
                record.insert(&hash(&[&spec]), &spec, batch)?;
                made[i].extend(batch.iter().cloned());
                done += batch.len() as u64;
                watch(TrialProgress::Done(done));
                Ok(())
            })?;
            watch(TrialProgress::Ended);
        }
        let last = number + 1 == to_run.len() || stop.is_stopped();
        if !missing.is_empty() || last {
            write_whole(&table, &csv_table(rows(cells, &made))?)?;
        }
        if last {
            break;
        }
    }
    Ok(TrialReport { rows: rows(cells, &made), table, interrupted: stop.is_stopped() })
}

fn rows<C: Trial>(cells: &[C], made: &[Trials]) -> Vec<C::Row> {
    let with_trials = cells.iter().zip(made).filter(|(_, trials)| !trials.is_empty());
    with_trials
        .map(|(cell, trials)| cell.row(&trials.values().map(Vec::as_slice).collect::<Vec<_>>()))
        .collect()
}
