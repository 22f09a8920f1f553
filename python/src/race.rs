//! Races.

use crate::error::input;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji_race::{Settings, Winner};

/// The most arms: a process without memory for more would end, with all that Python has.
const MOST: usize = 1_000_000;

/// A race between modifications: `next` says what to play, `tell` learns what came of it.
#[pyclass(module = "tesuji._tesuji", name = "Race")]
#[derive(Debug)]
pub(crate) struct Race(tesuji_race::Race);

#[pymethods]
impl Race {
    #[new]
    fn new(arms: usize, settings: &str) -> PyResult<Race> {
        let settings: Settings = serde_json::from_str(settings).map_err(input)?;
        settings.check().map_err(input)?;
        if !(1..=MOST).contains(&arms) {
            return Err(input(format!("there are {arms} arms; accepted: 1 to {MOST}")));
        }
        Ok(Race(tesuji_race::Race::new(arms, settings)))
    }

    /// The arm to play next and how many rewards to draw from it; none if the race has ended.
    fn next(&self) -> Option<(usize, u64)> {
        self.0.next().map(|batch| (batch.arm, batch.rewards))
    }

    fn tell(&mut self, arm: usize, rewards: Vec<f64>) -> PyResult<()> {
        if arm >= self.0.arms().len() {
            return Err(PyIndexError::new_err(format!(
                "there is no arm {arm}; there are {}",
                self.0.arms().len()
            )));
        }
        if let Some(reward) = rewards.iter().find(|reward| !(0.0..=1.0).contains(*reward)) {
            return Err(input(format!("a reward is {reward}; accepted: 0 to 1")));
        }
        self.0.tell(arm, rewards.into_iter().collect());
        Ok(())
    }

    /// The arm that was accepted; none if there is none.
    #[getter]
    fn winner(&self) -> Option<usize> {
        match self.0.winner() {
            Some(Winner::Arm(arm)) => Some(arm),
            _ => None,
        }
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.0.winner().is_some()
    }

    #[getter]
    fn arms<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let arm = |(number, arm): (usize, &tesuji_race::Arm)| {
            let row = PyDict::new(py);
            row.set_item("arm", number)?;
            row.set_item("rewards", arm.rewards.count())?;
            row.set_item("mean", arm.rewards.mean())?;
            row.set_item("lower", arm.lower)?;
            row.set_item("upper", arm.upper)?;
            row.set_item("verdict", arm.verdict.to_string())?;
            Ok(row)
        };
        self.0.arms().iter().enumerate().map(arm).collect()
    }
}
