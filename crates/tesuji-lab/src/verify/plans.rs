//! What is wrong with the plan of an experiment, and with what tunings, races and trainings noted.

use super::self_play;
use crate::experiment::{Experiment, Plan};
use crate::store::{PlannedMatch, Store};
use crate::trials::{self, Trial};
use crate::{Conditions, LabError, race, train, tune};
use std::collections::HashMap;
use std::path::Path;

/// What is wrong with the experiment, a sentence each.
pub(super) fn faults(store: &Store, dir: &Path) -> Result<Vec<String>, LabError> {
    let (matches, parts) = (store.matches()?, store.parts()?);
    let mut faults = Vec::new();
    for planned in &matches {
        if let Err(error) = Conditions::parse(&planned.matchup.conditions) {
            faults.push(format!("match {}: its conditions cannot be read: {error}", planned.name));
        }
    }
    store.events()?;
    let Some(description) = store.description()? else {
        if !matches.is_empty() || !parts.is_empty() {
            faults.push("the store does not say of which experiment it is".to_owned());
        }
        return Ok(faults);
    };
    if description.kind == "match" {
        if matches.len() != 1 {
            faults.push(format!("the store is that of one match and names {}", matches.len()));
        }
        return Ok(faults);
    }
    let experiment = Experiment::parse("experiment.toml", &description.file)?;
    if experiment.plan.kind() != description.kind || experiment.name != description.name {
        faults.push(format!(
            "the experiment is {:?} of kind {:?}, where its file says {:?} and {:?}",
            description.name,
            description.kind,
            experiment.name,
            experiment.plan.kind()
        ));
    }
    let planned: Vec<(String, u64)> =
        parts.iter().map(|planned| (planned.name.clone(), planned.trials)).collect();
    match &experiment.plan {
        Plan::Matches(_) | Plan::RoundRobin(_) | Plan::Sweep(_) => {
            let asked: Vec<(&str, u64)> =
                experiment.plan.cells().iter().map(|cell| (cell.name.as_str(), cell.games)).collect();
            let there: Vec<(&str, u64)> =
                matches.iter().map(|planned| (planned.name.as_str(), planned.games)).collect();
            if asked != there {
                faults.push("the matches of the store are not those of its experiment file".to_owned());
            }
        }
        Plan::Decisions(plan) => faults.extend(other_parts(&plan.parts()?, &planned)),
        Plan::Incentives(cells) => faults.extend(other_parts(cells, &planned)),
        Plan::Points(cells) => faults.extend(other_parts(cells, &planned)),
        Plan::Tuning(plan) => faults.extend(tune::faults(plan, store, &games_of(store, &matches)?)?),
        Plan::Race(plan) => faults.extend(race::faults(plan, store)?),
        Plan::Train(plan) => {
            faults.extend(train::faults(plan, store, dir)?);
            if plan.sgf.is_none() {
                let (size, rules) = plan.go()?;
                faults.extend(self_play::faults(store, &plan.part(&[])?.cell, size, rules)?);
            }
        }
    }
    Ok(faults)
}

/// Whether the store asks for other trials than its file.
fn other_parts(parts: &[impl Trial], there: &[(String, u64)]) -> Option<String> {
    let asked = trials::agenda(parts).parts.into_iter().map(|planned| (planned.name, planned.trials));
    let differ = || "the trials that the store asks for are not those of its experiment file".to_owned();
    (!asked.eq(there.iter().cloned())).then(differ)
}

/// How many games each match asks for, and how many it has.
fn games_of(store: &Store, matches: &[PlannedMatch]) -> Result<HashMap<String, [u64; 2]>, LabError> {
    let of = |planned: &PlannedMatch| {
        Ok((planned.name.clone(), [planned.games, store.played(&planned.matchup, planned.games)?]))
    };
    matches.iter().map(of).collect()
}
