//! Faults in the record of races.

use super::plan::Racing;
use super::sample::draws;
use crate::error::LabError;
use crate::store::Store;
use std::collections::HashSet;

/// What is wrong, a sentence each.
pub(super) fn faults(plan: &Racing, store: &Store) -> Result<Vec<String>, LabError> {
    draws(plan.rounds(), store)?;
    let asked: HashSet<String> = store.matches()?.into_iter().map(|planned| planned.name).collect();
    let is_known = |name: &&String| {
        let of_race = name.strip_prefix('r').and_then(|rest| rest.split_once('-')?.0.parse::<u64>().ok());
        *name == "corpus"
            || name.starts_with("fresh-")
            || of_race.is_some_and(|race| (1..=plan.rounds()).contains(&race))
    };
    let unknown = asked.iter().filter(|name| !is_known(name));
    Ok(unknown.map(|name| format!("match {name} belongs to no race of the experiment file")).collect())
}
