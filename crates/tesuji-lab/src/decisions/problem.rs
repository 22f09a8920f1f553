//! Trees with known winning moves, once they are known.

use crate::error::LabError;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use tesuji::Stop;
use tesuji_games::PGame;

/// A tree that its first player wins, but by at most a quarter of the moves.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) seed: u64,
    pub(super) game: PGame,
    /// The winning moves.
    pub(super) solutions: Vec<u16>,
}

/// The problems of the settings of a plan by their numbers, searched for when the first of them is
/// needed. Plans with the same settings have the same ones.
#[derive(Default)]
pub(super) struct Problems(Mutex<BTreeMap<usize, Arc<Vec<Problem>>>>);

impl Problems {
    /// Those of this setting, or those that `list` gives; they are not kept if it was stopped.
    pub(super) fn of_setting(
        &self,
        setting: usize,
        stop: &Stop,
        list: impl FnOnce() -> Result<Vec<Problem>, LabError>,
    ) -> Result<Arc<Vec<Problem>>, LabError> {
        // Whoever else needs them waits for them.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(problems) = known.get(&setting) {
            return Ok(problems.clone());
        }
        let problems = Arc::new(list()?);
        if !stop.is_stopped() {
            known.insert(setting, problems.clone());
        }
        Ok(problems)
    }
}

impl Clone for Problems {
    fn clone(&self) -> Problems {
        Problems::default()
    }
}

impl PartialEq for Problems {
    fn eq(&self, _: &Problems) -> bool {
        true
    }
}

impl fmt::Debug for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Problems")
    }
}
