//! Faults in the plan of an experiment, and in the events of tunings, races and trainings.

use crate::conditions::Conditions;
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::store::Store;
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
        faults.push(match matches.is_empty() && parts.is_empty() {
            true => "the store is empty: nothing was begun in it".to_owned(),
            false => "the store does not name its experiment".to_owned(),
        });
        return Ok(faults);
    };
    if description.kind == "match" {
        if matches.len() != 1 {
            faults.push(format!("the store is that of one match and names {}", matches.len()));
        }
        return Ok(faults);
    }
    let experiment = Experiment::parse("experiment.toml", &description.file)?;
    if experiment.plan().kind() != description.kind || experiment.name != description.name {
        faults.push(format!(
            "the experiment is {:?} of kind {:?}, where its file says {:?} and {:?}",
            description.name,
            description.kind,
            experiment.name,
            experiment.plan().kind()
        ));
    }
    faults.extend(experiment.plan().faults(store, dir)?);
    Ok(faults)
}
