//! What is wrong with the record of races.

use super::course::Draw;
use super::plan::Racing;
use crate::LabError;
use crate::store::{Store, damaged};
use std::collections::HashSet;
use tesuji_go::pattern::Pattern;

/// The patterns that were drawn, race by race.
///
/// # Errors
/// If an event has no patterns, or some that cannot be drawn.
pub(super) fn draws(plan: &Racing, store: &Store) -> Result<Vec<Draw>, LabError> {
    let (mut draws, mut races) = (Vec::new(), HashSet::new());
    for (_, kind, detail) in store.events()? {
        if kind != "patterns" {
            continue;
        }
        let draw: Draw = serde_json::from_value(detail)
            .map_err(|error| damaged(format_args!("the patterns of a race cannot be read: {error}")))?;
        let race = draw.race;
        if !(1..=plan.rounds()).contains(&race) || !races.insert(race) {
            return Err(damaged(format_args!(
                "the patterns of race {race} are drawn twice, or for no race of the file"
            )));
        }
        for drawn in &draw.drawn {
            let is_share = |share: f64| (0.0..=1.0).contains(&share);
            if drawn.pattern.parse::<Pattern>().is_err()
                || !is_share(drawn.match_rate)
                || !is_share(drawn.changed)
            {
                return Err(damaged(format_args!(
                    "race {race} has a pattern {:?} that cannot be drawn",
                    drawn.pattern
                )));
            }
        }
        draws.push(draw);
    }
    Ok(draws)
}

/// What is wrong, a sentence each.
pub(crate) fn faults(plan: &Racing, store: &Store) -> Result<Vec<String>, LabError> {
    draws(plan, store)?;
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
