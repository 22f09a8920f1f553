//! What decides races beside their games, as a record notes it.

use super::plan::Racing;
use crate::error::{LabError, faults};
use crate::store::{Store, damaged};
use serde::{Deserialize, Serialize};
use tesuji_race::{RiskBudget, Settings};

/// The terms of the races of a plan.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Terms {
    race: Settings,
    risk_budget: RiskBudget,
}

/// The kind of an event that notes them.
const TERMS: &str = "terms";

impl Terms {
    /// Whether these go on where others stopped: the same, with no fewer games of an arm.
    fn continues(&self, earlier: &Terms) -> bool {
        let without_most = |terms: &Terms| Terms { race: Settings { most: None, ..terms.race }, ..*terms };
        let most = |terms: &Terms| terms.race.most.unwrap_or(u64::MAX);
        without_most(self) == without_most(earlier) && most(self) >= most(earlier)
    }
}

/// The terms that a record notes, oldest first.
fn noted(store: &Store) -> Result<Vec<Terms>, LabError> {
    let read = |detail| {
        serde_json::from_value::<Terms>(detail)
            .map_err(|error| damaged(format_args!("the terms of races cannot be read: {error}")))
    };
    store
        .events()?
        .into_iter()
        .filter(|(_, kind, _)| kind == TERMS)
        .map(|(.., detail)| read(detail))
        .collect()
}

/// Every largest number of games of an arm that a record notes.
pub(super) fn limits(store: &Store) -> Result<Vec<u64>, LabError> {
    Ok(noted(store)?.iter().filter_map(|terms| terms.race.most).collect())
}

/// Checks that races go on by the terms of their record, unless `accept` allows others. Notes the
/// terms.
///
/// # Errors
/// If they are others, or the store fails.
pub(super) fn begin(plan: &Racing, store: &Store, accept: bool) -> Result<(), LabError> {
    let here = Terms { race: plan.race, risk_budget: plan.risk_budget };
    let there = noted(store)?.pop();
    if there == Some(here) {
        return Ok(());
    }
    if there.is_some_and(|there| !here.continues(&there)) && !accept {
        return Err(TermsError::Other.into());
    }
    store.event(TERMS, &serde_json::to_value(here).map_err(LabError::failed)?)
}

faults! {
    /// Why races cannot be resumed from their record.
    TermsError {
        Other => "race or risk_budget is not that of the record; repeat it to resume it (only most may grow), choose another \
            directory, or allow the change with --allow-changes: what is decided then has no guarantee",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_number_of_games_may_grow() {
        let terms = Terms { race: Settings::default(), risk_budget: RiskBudget::default() };
        let with = |race: Settings| Terms { race, ..terms };
        let [few, many] = [64, 256].map(|most| with(Settings { most: Some(most), ..terms.race }));
        assert!(terms.continues(&few) && many.continues(&few) && few.continues(&few));
        assert!(!few.continues(&many) && !few.continues(&terms));
        assert!(!with(Settings { risk: 0.3, ..terms.race }).continues(&terms));
        assert!(!with(Settings { accept: 0.6, reject: 0.7, ..terms.race }).continues(&terms));
    }
}
