//! Trainings as a kind of experiment.

use crate::error::LabError;
use crate::experiment::kind::Kind;
use crate::experiment::results::Results;
use crate::experiment::session::Session;
use crate::experiment::steps::Steps;
use crate::report::MatchRecord;
use crate::store::{Store, StoredPlan};
use crate::train::plan::Training;
use crate::train::samples::sample_games;
use crate::train::self_play_faults::SelfPlayGames;
use crate::train::state::TrainingState;
use crate::train::{faults, run};
use std::path::Path;

impl Kind for Training {
    fn kind(&self) -> &'static str {
        "train"
    }

    fn names(&self) -> Result<Option<Vec<String>>, LabError> {
        Ok(None)
    }

    fn stored_plan(&self, store: &Store) -> Result<StoredPlan, LabError> {
        run::stored_plan(self, store)
    }

    fn open<'a>(&'a self, session: &mut Session<'_>) -> Result<Option<Box<dyn Steps + 'a>>, LabError> {
        Ok(run::open(self, session)?.map(|steps| Box::new(steps) as Box<dyn Steps>))
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        self.tables(store)
    }

    fn has_more(&self, store: &Store) -> Result<bool, LabError> {
        Ok(TrainingState::read(self, store)?.done() < self.iterations)
    }

    fn is_evaluation(&self, _: &str) -> bool {
        true
    }

    fn samples(&self, store: &Store) -> Result<Option<MatchRecord>, LabError> {
        sample_games(self, store)
    }

    fn faults(&self, store: &Store, dir: &Path) -> Result<Vec<String>, LabError> {
        let mut found = faults::faults(self, store, dir)?;
        if self.sgf.is_none() {
            found.extend(SelfPlayGames::of(self)?.faults(store, &self.part(&[])?.group)?);
        }
        Ok(found)
    }
}
