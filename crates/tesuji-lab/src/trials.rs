//! Trials: what is done often with other random numbers, each time with some figures as the result.

use crate::LabError;
use crate::experiment::{ExperimentOptions, ExperimentProgress};
use crate::store::{Agenda, PlannedTrials, Store, TrialCell, Trials};
use crate::tasks::{SOON, do_tasks};
use tesuji::Stop;

/// A part of an experiment: trials that differ only in their number.
pub(crate) trait Trial: Sync {
    /// What a thread keeps from trial to trial.
    type State;

    /// Its name, unique in the experiment.
    fn name(&self) -> &str;

    /// How many trials it shall have: those with the first numbers.
    fn planned(&self) -> u64;

    /// Everything that decides the trials but their number.
    fn cell(&self) -> TrialCell;

    /// Makes one; none if it was stopped.
    fn make(
        &self,
        state: &mut Option<Self::State>,
        number: u64,
        stop: &Stop,
    ) -> Result<Option<Vec<f64>>, LabError>;
}

/// The most trials of a part: all of them are held in memory.
const MOST: u64 = 10_000_000;

/// Checks a number of trials that this key asks for.
///
/// # Errors
/// If it is none, or too many.
pub(crate) fn check_count(key: &str, count: u64) -> Result<(), LabError> {
    if (1..=MOST).contains(&count) {
        return Ok(());
    }
    Err(LabError::Input(format!("{key} is {count}; accepted: 1 to {MOST}")))
}

/// What an experiment of these parts asks for.
pub(crate) fn agenda(parts: &[impl Trial]) -> Agenda {
    let planned = |part: &_| PlannedTrials {
        name: Trial::name(part).to_owned(),
        cell: Trial::cell(part),
        trials: Trial::planned(part),
    };
    Agenda { parts: parts.iter().map(planned).collect(), ..Agenda::default() }
}

/// The trials of each part that count.
pub(crate) fn found(parts: &[impl Trial], store: &Store) -> Result<Vec<Trials>, LabError> {
    let of = |part: &_| {
        let mut trials = store.trials(&Trial::cell(part))?;
        trials.retain(|&number, _| number < Trial::planned(part));
        Ok(trials)
    };
    parts.iter().map(of).collect()
}

/// Makes what is missing of the chosen parts; [`ExperimentOptions::games`] limits the trials of each. Tells `ended` after
/// each part for which anything was done.
pub(crate) fn make_trials(
    parts: &[impl Trial],
    store: &mut Store,
    options: &ExperimentOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(ExperimentProgress<'_>),
    ended: &mut dyn FnMut(&Store) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let names: Vec<&str> = parts.iter().map(Trial::name).collect();
    let chosen = options.choose(&names)?;
    for (number, &i) in chosen.iter().enumerate() {
        if stop.is_stopped() {
            break;
        }
        let (part, cell) = (&parts[i], parts[i].cell());
        let made = store.trials(&cell)?;
        let most = options.games.map_or(part.planned(), |trials| trials.min(part.planned()));
        let missing: Vec<u64> = (0..most).filter(|trial| !made.contains_key(trial)).collect();
        if missing.is_empty() {
            continue;
        }
        let total = missing.len() as u64;
        watch(ExperimentProgress::Begun {
            name: part.name(),
            about: "",
            number: number + 1,
            of: chosen.len(),
            total,
        });
        let mut done = 0;
        let make = |state: &mut Option<_>, &number: &u64| {
            if stop.is_stopped() {
                return Ok(None);
            }
            Ok(part.make(state, number, stop)?.map(|figures| (number, figures)))
        };
        let outcome = do_tasks(&missing, options.threads, SOON, make, &mut |batch| {
            store.insert_trials(&cell, batch)?;
            done += batch.len() as u64;
            watch(ExperimentProgress::Done(done));
            Ok(())
        });
        watch(ExperimentProgress::Ended);
        outcome?;
        ended(store)?;
    }
    Ok(())
}
