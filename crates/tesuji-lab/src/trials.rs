//! Trials: what is done often with other random numbers, each time with some figures as the result.

use crate::error::LabError;
use crate::event::Event;
use crate::executor::{SOON, execute_list};
use crate::experiment::session::Session;
use crate::store::{PlannedTrials, Store, StoredPlan, TrialGroup, Trials};
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
    fn cell(&self) -> TrialGroup;

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
pub(crate) fn stored_plan(parts: &[impl Trial]) -> StoredPlan {
    let planned = |part: &_| PlannedTrials {
        name: Trial::name(part).to_owned(),
        cell: Trial::cell(part),
        trials: Trial::planned(part),
    };
    StoredPlan { parts: parts.iter().map(planned).collect(), ..StoredPlan::default() }
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

/// The names of these parts.
pub(crate) fn names(parts: &[impl Trial]) -> Vec<String> {
    parts.iter().map(|part| part.name().to_owned()).collect()
}

/// Whether the store asks for other trials than these parts.
pub(crate) fn faults(parts: &[impl Trial], store: &Store) -> Result<Vec<String>, LabError> {
    let count = |planned: PlannedTrials| (planned.name, planned.trials);
    let is_same = stored_plan(parts).parts.into_iter().map(count).eq(store.parts()?.into_iter().map(count));
    let differ = "the trials that the store asks for are not those of its experiment file";
    Ok(if is_same { Vec::new() } else { vec![differ.to_owned()] })
}

/// Makes what is missing of the chosen parts; the options limit the trials of each.
pub(crate) fn make_trials(parts: &[impl Trial], session: &mut Session<'_>) -> Result<(), LabError> {
    let (options, stop, chosen) = (session.options, session.stop, session.chosen.clone());
    let run = serde_json::json!({ "version": options.version, "threads": options.threads });
    session.store.event("run", &run)?;
    for (number, &i) in chosen.iter().enumerate() {
        if stop.is_stopped() {
            break;
        }
        let (part, cell) = (&parts[i], parts[i].cell());
        let made = session.store.trials(&cell)?;
        let missing = (0..session.most(part.planned())).filter(|trial| !made.contains_key(trial));
        let missing: Vec<u64> = missing.collect();
        if missing.is_empty() {
            continue;
        }
        let (name, total) = (part.name(), missing.len() as u64);
        let (number, of) = (number + 1, chosen.len());
        session.tell(Event::Started { name, about: "", number, of, total });
        let make = |state: &mut Option<_>, &number: &u64| {
            if stop.is_stopped() {
                return Ok(None);
            }
            Ok(part.make(state, number, stop)?.map(|figures| (number, figures)))
        };
        let mut done = 0;
        let outcome = execute_list(&missing, options.threads, SOON, make, &mut |batch| {
            session.store.insert_trials(&cell, batch)?;
            done += batch.len() as u64;
            session.tell(Event::Done(done));
            Ok(())
        });
        session.tell_end(outcome.is_err());
        outcome?;
        session.end_step()?;
    }
    session.store.event("end", &serde_json::json!({ "stopped": stop.is_stopped() }))
}

/// Writes a struct of what is recorded of a trial, with its columns, from one list of fields.
macro_rules! figures {
    ($(#[$about:meta])* $figures:ident: $($(#[$field:meta])* $name:ident),* $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Default, Debug)]
        pub(super) struct $figures {
            $($(#[$field])* pub(super) $name: f64,)*
        }

        impl $figures {
            pub(super) const COLUMNS: &'static [&'static str] = &[$(stringify!($name)),*];

            pub(super) fn to_list(self) -> Vec<f64> {
                vec![$(self.$name),*]
            }

            pub(super) fn of_list(list: &[f64]) -> Option<$figures> {
                let mut numbers = list.iter().copied();
                let figures = $figures { $($name: numbers.next()?),* };
                numbers.next().is_none().then_some(figures)
            }
        }
    };
}

pub(crate) use figures;

/// Writes the [`Kind`](crate::experiment::Kind) of a plan whose parts an expression gives.
macro_rules! kind_of_trials {
    ($plan:ty, $kind:literal, $parts:expr, $results:expr) => {
        impl $crate::experiment::kind::Kind for $plan {
            fn kind(&self) -> &'static str {
                $kind
            }

            fn names(&self) -> Result<Option<Vec<String>>, LabError> {
                Ok(Some($crate::trials::names(&$parts(self)?)))
            }

            fn stored_plan(&self, _: &Store) -> Result<$crate::store::StoredPlan, LabError> {
                Ok($crate::trials::stored_plan(&$parts(self)?))
            }

            fn make(&self, session: &mut $crate::experiment::session::Session<'_>) -> Result<(), LabError> {
                $crate::trials::make_trials(&$parts(self)?, session)
            }

            fn results(&self, store: &Store) -> Result<Results, LabError> {
                $results(self, store)
            }

            fn faults(&self, store: &Store, _: &std::path::Path) -> Result<Vec<String>, LabError> {
                $crate::trials::faults(&$parts(self)?, store)
            }
        }
    };
}

pub(crate) use kind_of_trials;
