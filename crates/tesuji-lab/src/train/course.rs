//! How far a training is, from what is recorded.

use super::Training;
use crate::LabError;
use crate::store::{PlannedTrials, Store};

/// What is recorded of an iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Figures {
    /// Steps of the trainer in all.
    pub(super) steps: f64,
    /// Positions learnt from so far, each counted once.
    pub(super) positions: f64,
    /// The learning rate of the last step.
    pub(super) rate: f64,
    /// Mean losses of the steps: cross entropy of the policy, squared error of the value.
    pub(super) policy: f64,
    pub(super) value: f64,
    /// Positions that were held out, and the new network's figures on them.
    pub(super) held: f64,
    pub(super) held_policy: f64,
    pub(super) held_value: f64,
    pub(super) top1: f64,
    pub(super) entropy: f64,
    pub(super) target_entropy: f64,
    /// Wall-clock time of the steps.
    pub(super) seconds: f64,
    /// Threads of the steps.
    pub(super) threads: f64,
}

impl Figures {
    pub(super) const COLUMNS: [&'static str; 13] = [
        "steps",
        "positions",
        "rate",
        "policy",
        "value",
        "held",
        "held_policy",
        "held_value",
        "top1",
        "entropy",
        "target_entropy",
        "seconds",
        "threads",
    ];

    pub(super) fn to_list(self) -> Vec<f64> {
        let Figures { steps, positions, rate, policy, value, held, held_policy, held_value, .. } = self;
        let Figures { top1, entropy, target_entropy, seconds, threads, .. } = self;
        vec![
            steps,
            positions,
            rate,
            policy,
            value,
            held,
            held_policy,
            held_value,
            top1,
            entropy,
            target_entropy,
            seconds,
            threads,
        ]
    }

    fn of_list(list: &[f64]) -> Option<Figures> {
        let &[steps, positions, rate, policy, value, held, held_policy, held_value, ref rest @ ..] = list
        else {
            return None;
        };
        let &[top1, entropy, target_entropy, seconds, threads] = rest else { return None };
        Some(Figures {
            steps,
            positions,
            rate,
            policy,
            value,
            held,
            held_policy,
            held_value,
            top1,
            entropy,
            target_entropy,
            seconds,
            threads,
        })
    }
}

/// A training as far as it is recorded.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// The iterations as trials.
    pub(super) part: PlannedTrials,
    /// Those that are complete, in order.
    pub(super) iterations: Vec<Figures>,
}

impl Course {
    pub(super) fn read(plan: &Training, store: &Store) -> Result<Course, LabError> {
        let part = plan.part(&Figures::COLUMNS)?;
        let trials = store.trials(&part.cell)?;
        let mut iterations = Vec::new();
        for (number, list) in trials {
            let figures = Figures::of_list(&list).filter(|_| number == iterations.len() as u64);
            iterations.push(figures.ok_or_else(|| {
                LabError::Failed(format!("iteration {number} of the record is none of this program"))
            })?);
        }
        Ok(Course { part, iterations })
    }

    /// Checks that the steps taken had the rates of the plan.
    ///
    /// # Errors
    /// If one had another.
    pub(super) fn check_rates(&self, plan: &Training) -> Result<(), LabError> {
        for figures in self.iterations.iter().filter(|figures| figures.steps > 0.0) {
            let step = figures.steps as u64 - 1;
            let (there, here) = (figures.rate as f32, plan.learning.rate.rate(step));
            if there != here {
                return Err(LabError::Input(format!(
                    "learning.rate at step {step} was {there}, here it is {here}; accepted: other rates for steps to come alone"
                )));
            }
        }
        Ok(())
    }

    /// How many iterations are complete: the number of the latest checkpoint.
    pub(super) fn done(&self) -> u64 {
        self.iterations.len() as u64
    }
}
