//! Lists of matches.

use crate::agent_spec::AgentSpec;
use crate::error::LabError;
use crate::experiment::kind::Kind;
use crate::experiment::match_config::MatchConfig;
use crate::experiment::results::Results;
use crate::experiment::run::named;
use crate::experiment::session::Session;
use crate::matches::Match;
use crate::process::reset_peak_memory;
use crate::store::{Store, StoredPlan};
use std::path::Path;

impl Kind for Vec<MatchConfig> {
    fn kind(&self) -> &'static str {
        "matches"
    }

    fn check(&self) -> Result<(), LabError> {
        let check = |cell: &MatchConfig| {
            let checked = cell.spec().and_then(|spec| Match::new(&spec));
            checked.map(drop).map_err(|error| named(&cell.name, error))
        };
        self.iter().try_for_each(check)
    }

    fn names(&self) -> Result<Option<Vec<String>>, LabError> {
        Ok(Some(self.iter().map(|cell| cell.name.clone()).collect()))
    }

    fn stored_plan(&self, _: &Store) -> Result<StoredPlan, LabError> {
        let planned = |cell: &MatchConfig| Ok(cell.unchecked()?.planned().clone());
        let matches = self.iter().map(planned).collect::<Result<_, LabError>>()?;
        Ok(StoredPlan { matches, ..StoredPlan::default() })
    }

    fn make(&self, session: &mut Session<'_>) -> Result<(), LabError> {
        let chosen = session.chosen.clone();
        for (number, &i) in chosen.iter().enumerate() {
            let cell = &self[i];
            let about = format!("{} against {}, {}", cell.a, cell.b, cell.game);
            let (place, games) = ((number + 1, chosen.len()), session.most(cell.games));
            reset_peak_memory();
            let played = session.complete(&cell.unchecked()?, &about, place, games);
            played.map_err(|error| named(&cell.name, error))?;
        }
        Ok(())
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        Results::matches(store)
    }

    fn faults(&self, store: &Store, _: &Path) -> Result<Vec<String>, LabError> {
        let matches = store.matches()?;
        let there = matches.iter().map(|planned| (planned.name.as_str(), planned.games));
        let is_same = there.eq(self.iter().map(|cell| (cell.name.as_str(), cell.games)));
        let differ = "the matches of the store are not those of its experiment file";
        Ok(if is_same { Vec::new() } else { vec![differ.to_owned()] })
    }
}

impl MatchConfig {
    /// The match, of which no agent is built: what it asks for is pure data.
    fn unchecked(&self) -> Result<Match, LabError> {
        Match::unchecked([AgentSpec::parse(&self.a)?, AgentSpec::parse(&self.b)?], &self.spec()?)
    }
}

/// Writes the [`Kind`] of a plan whose matches are in its `cells`.
macro_rules! kind_of_matches {
    ($plan:ty, $kind:literal, $results:expr) => {
        impl $crate::experiment::kind::Kind for $plan {
            fn kind(&self) -> &'static str {
                $kind
            }

            fn check(&self) -> Result<(), LabError> {
                $crate::experiment::kind::Kind::check(&self.cells)
            }

            fn names(&self) -> Result<Option<Vec<String>>, LabError> {
                $crate::experiment::kind::Kind::names(&self.cells)
            }

            fn stored_plan(&self, store: &Store) -> Result<$crate::store::StoredPlan, LabError> {
                $crate::experiment::kind::Kind::stored_plan(&self.cells, store)
            }

            fn make(&self, session: &mut $crate::experiment::session::Session<'_>) -> Result<(), LabError> {
                $crate::experiment::kind::Kind::make(&self.cells, session)
            }

            fn results(&self, store: &Store) -> Result<Results, LabError> {
                $results(self, store)
            }

            fn faults(&self, store: &Store, dir: &std::path::Path) -> Result<Vec<String>, LabError> {
                $crate::experiment::kind::Kind::faults(&self.cells, store, dir)
            }
        }
    };
}

pub(super) use kind_of_matches;
