//! Trials: work that is repeated with other random numbers, and has some figures as its result each
//! time.

use crate::error::{LabError, RangeError};
use crate::store::{PlannedTrials, Store, TrialGroup, Trials};
use std::sync::atomic::AtomicU64;
use tesuji::Stop;

/// A group of trials: they differ only in their number.
pub trait Trial: Sync {
    /// Its name, unique in the experiment.
    fn name(&self) -> &str;

    /// The number of trials to make: those with the first numbers.
    fn planned(&self) -> u64;

    /// Everything that decides the trials but their number, and the names of their figures.
    fn group(&self) -> TrialGroup;

    /// Prepares what all trials of the group need, if there is something; `progress` grows
    /// meanwhile. Default: nothing.
    ///
    /// # Errors
    /// If that fails.
    fn prepare(&self, stop: &Stop, progress: &AtomicU64) -> Result<(), LabError> {
        let _ = (stop, progress);
        Ok(())
    }

    /// What makes trials on one thread.
    fn worker(&self) -> Worker<'_>;

    /// The trials as a store keeps them.
    fn stored(&self) -> PlannedTrials {
        PlannedTrials { name: self.name().to_owned(), group: self.group(), trials: self.planned() }
    }
}

impl std::fmt::Debug for dyn Trial + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Trial").field(&self.name()).finish()
    }
}

/// Makes the trial with a number: its figures, or none if it was stopped.
pub type Worker<'a> = Box<dyn FnMut(u64, &Stop) -> Result<Option<Vec<f64>>, LabError> + 'a>;

/// The most trials of a part: all of them are held in memory.
const MOST: u64 = 10_000_000;

/// Checks a number of trials that this key asks for.
///
/// # Errors
/// If it is none, or too many.
pub(crate) fn check_count(key: &str, count: u64) -> Result<(), RangeError> {
    match count {
        1..=MOST => Ok(()),
        _ => Err(RangeError::Count { key: key.to_owned(), count, most: MOST }),
    }
}

/// The trials of a group that count.
pub(crate) fn found(trial: &dyn Trial, store: &Store) -> Result<Trials, LabError> {
    let mut trials = store.trials(&trial.group())?;
    trials.retain(|&number, _| number < trial.planned());
    Ok(trials)
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
