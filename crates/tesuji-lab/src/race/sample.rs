//! The patterns that were drawn, as the record has them.

use crate::error::LabError;
use crate::store::{Store, damaged};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use tesuji_go::pattern::Pattern;

/// A pattern that passed the filter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct SampledPattern {
    pub(super) pattern: String,
    /// The share of the corpus's moves that it matches.
    pub(super) match_rate: f64,
    /// The share of searches whose move it changes.
    pub(super) changed: f64,
}

/// The patterns of one race, as they are recorded.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct PatternSample {
    pub(super) race: u64,
    pub(super) drawn: Vec<SampledPattern>,
}

/// A race is open again, as games of it, or of the corpus if its number is 0, are void: patterns
/// that were drawn for later races followed from its end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct ReopenedRace {
    pub(super) race: u64,
}

/// The kind of an event that notes it.
pub(super) const REOPENED: &str = "reopened";

/// The patterns that were drawn, race by race, of N races.
///
/// # Errors
/// If an event has no patterns, or some that cannot be drawn.
pub(super) fn draws(rounds: u64, store: &Store) -> Result<Vec<PatternSample>, LabError> {
    let (mut draws, mut races) = (Vec::new(), HashSet::new());
    for (_, kind, detail) in store.events()? {
        let fault = |error| damaged(format_args!("the patterns of a race cannot be read: {error}"));
        if kind == REOPENED {
            let ReopenedRace { race } = serde_json::from_value(detail).map_err(fault)?;
            draws.retain(|draw: &PatternSample| draw.race <= race);
            races.retain(|&drawn| drawn <= race);
            continue;
        } else if kind != "patterns" {
            continue;
        }
        let draw: PatternSample = serde_json::from_value(detail).map_err(fault)?;
        let race = draw.race;
        if !(1..=rounds).contains(&race) || !races.insert(race) {
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
