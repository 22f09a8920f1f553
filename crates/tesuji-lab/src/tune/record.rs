//! Suggestions and their results, as the store's events hold them.

use crate::error::LabError;
use crate::store::{PlannedMatch, Store, damaged};
use crate::tune::incumbents::Incumbents;
use crate::tune::plan::Tuning;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use tesuji_tune::{Optimizer, Parameter, Value};

/// Values that were asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Suggestion {
    /// Its number, from 0.
    pub number: u64,
    /// The values, in the order of the parameters.
    pub values: Vec<Value>,
    /// The evaluations under way at that time, in order.
    pub pending: Vec<u64>,
}

/// A suggestion whose value is known.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Completion {
    /// The suggestion.
    pub number: u64,
    /// The value and the variance of its noise; none if its games give them.
    pub told: Option<[f64; 2]>,
}

/// Whether an optimizer takes this value with this variance.
pub(super) fn is_value([value, variance]: [f64; 2]) -> bool {
    value.abs() <= Optimizer::LARGEST && variance >= 0.0 && variance.sqrt() <= Optimizer::LARGEST
}

/// Completions that count no longer, as games of theirs are void. They come again after they are
/// played anew.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Reopened {
    evaluations: Vec<u64>,
}

/// The recommendation after N evaluations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Recommended {
    pub(super) evaluations: u64,
    pub(super) values: Vec<Value>,
    /// What would have been recommended after each of them; none in a record of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) incumbents: Option<Incumbents>,
}

/// The course of a tuning.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct TuningRecord {
    pub(super) suggestions: Vec<Suggestion>,
    /// In the order in which they were completed.
    pub(super) completions: Vec<Completion>,
    /// In order: more evaluations may have been asked for after each.
    pub(super) recommended: Vec<Recommended>,
    /// The parameters of the suggestions.
    pub(super) parameters: Option<Vec<Parameter>>,
}

impl TuningRecord {
    pub(super) fn read(store: &Store) -> Result<TuningRecord, LabError> {
        fn parse<T: for<'a> Deserialize<'a>>(detail: serde_json::Value) -> Result<T, LabError> {
            serde_json::from_value(detail)
                .map_err(|error| damaged(format_args!("what a tuning noted cannot be read: {error}")))
        }
        let mut record = TuningRecord::default();
        for (_, kind, detail) in store.events()? {
            match kind.as_str() {
                "suggestion" => record.suggestions.push(parse(detail)?),
                "completion" => record.completions.push(parse(detail)?),
                "recommendation" => record.recommended.push(parse(detail)?),
                "reopened" => record.reopen(&parse::<Reopened>(detail)?),
                "parameters" => record.parameters = Some(parse(detail)?),
                _ => {}
            }
        }
        record.check()?;
        Ok(record)
    }

    /// Takes back completions, and the recommendations that follow from them.
    fn reopen(&mut self, Reopened { evaluations }: &Reopened) {
        let is_open = |done: &Completion| evaluations.contains(&done.number);
        let first = self.completions.iter().position(is_open).unwrap_or(self.completions.len()) as u64;
        self.completions.retain(|done| !is_open(done));
        self.recommended.retain(|recommended| recommended.evaluations <= first);
    }

    /// Notes that these evaluations are to be played anew.
    pub(super) fn note_reopened(store: &Store, evaluations: Vec<u64>) -> Result<(), LabError> {
        TuningRecord::note(store, "reopened", &Reopened { evaluations })
    }

    /// Checks that the events fit together.
    fn check(&self) -> Result<(), LabError> {
        for (place, suggestion) in (0..).zip(&self.suggestions) {
            let Suggestion { number, pending, .. } = suggestion;
            if *number != place || pending.iter().any(|earlier| earlier >= number) {
                return Err(damaged(format_args!("suggestion {number} is there, but {place} is expected")));
            }
        }
        let mut complete = HashSet::new();
        for &Completion { number, told } in &self.completions {
            if number >= self.suggestions.len() as u64 || !complete.insert(number) {
                return Err(damaged(format_args!(
                    "evaluation {number} is complete twice, or was never suggested"
                )));
            }
            if !told.is_none_or(is_value) {
                return Err(damaged(format_args!(
                    "evaluation {number} has a value or a variance out of range"
                )));
            }
        }
        Ok(())
    }

    /// The number of earlier recommendations after as many evaluations, by other models.
    pub(super) fn earlier(&self, place: usize) -> usize {
        let evaluations = |recommended: &Recommended| recommended.evaluations;
        let own = evaluations(&self.recommended[place]);
        self.recommended[..place].iter().filter(|earlier| evaluations(earlier) == own).count()
    }

    /// Notes an event of one of the kinds above.
    pub(super) fn note(store: &Store, kind: &str, detail: &impl Serialize) -> Result<(), LabError> {
        store.event(kind, &serde_json::to_value(detail).map_err(LabError::failed)?)
    }

    /// The match of each suggestion as a store keeps it; none without a game.
    pub(super) fn planned(&self, tuning: &Tuning) -> Result<Vec<PlannedMatch>, LabError> {
        let suggestions = self.suggestions.iter();
        tuning.evaluation_records(suggestions.map(|suggestion| (suggestion.number, &suggestion.values[..])))
    }

    /// The suggestions that are not completed, in order.
    pub(super) fn pending(&self) -> Vec<u64> {
        let is_complete = |number| self.completions.iter().any(|done| done.number == number);
        self.suggestions.iter().map(|s| s.number).filter(|&number| !is_complete(number)).collect()
    }
}
