//! Faults in the record of a tuning.

use crate::error::LabError;
use crate::store::Store;
use crate::tune::plan::Tuning;
use crate::tune::record::TuningRecord;
use std::collections::HashMap;

/// What is wrong, a sentence each.
pub(super) fn faults(plan: &Tuning, store: &Store) -> Result<Vec<String>, LabError> {
    // How many games each match asks for, and how many it has.
    let mut games = HashMap::new();
    for planned in store.matches()? {
        let there = store.played(&planned.matchup, planned.games)?;
        games.insert(planned.name, [planned.games, there]);
    }
    let (record, space) = (TuningRecord::read(store)?, plan.space()?);
    let mut faults = Vec::new();
    for suggestion in &record.suggestions {
        if let Err(error) = space.point(&suggestion.values) {
            faults.push(format!("suggestion {} is not possible: {error}", suggestion.number));
        }
    }
    for done in &record.completions {
        let number = done.number;
        if done.told.is_none()
            && let Some([asked, there]) = games.get(&format!("e{number}"))
            && there < asked
        {
            faults.push(format!("evaluation {number} is complete with {there} of {asked} games"));
        }
    }
    for recommended in &record.recommended {
        let evaluations = recommended.evaluations;
        if let Err(error) = space.point(&recommended.values) {
            faults
                .push(format!("the recommendation after {evaluations} evaluations is not possible: {error}"));
        }
        let count = recommended.incumbents.as_ref().map_or(evaluations, |known| known.rows.len() as u64);
        if count != evaluations {
            faults.push(format!("the recommendation after {evaluations} evaluations has {count} incumbents"));
        }
        if evaluations > record.completions.len() as u64 {
            let there = record.completions.len();
            faults.push(format!(
                "a recommendation follows {evaluations} evaluations, but {there} are complete"
            ));
        }
    }
    Ok(faults)
}
