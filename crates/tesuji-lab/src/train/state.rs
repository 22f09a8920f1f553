//! The progress of a training, from its record.

use super::Training;
use super::networks::CheckpointError;
use crate::error::LabError;
use crate::store::{PlannedTrials, Store, damaged};
use crate::trials::figures;
use tesuji_net::Schedule;

figures! {
    /// What is recorded of an iteration.
    Figures:
    /// Steps of the trainer in all.
    steps,
    /// Positions learned from so far, each counted once.
    positions,
    /// The learning rate of the last step.
    rate,
    /// Mean cross entropy of the policy in the steps.
    policy,
    /// Mean squared error of the value in the steps.
    value,
    /// Positions that were held out, on which the new network is measured.
    held,
    /// Its cross entropy of the policy there.
    held_policy,
    /// Its squared error of the value there.
    held_value,
    /// The share of them whose best move it has.
    top1,
    /// The mean entropy of its policy.
    entropy,
    /// The mean entropy of what it should say.
    target_entropy,
    /// Processor time of the steps, for each thread.
    seconds,
    /// Threads of the steps.
    threads,
}

/// The most steps of a training: at a millisecond each they take twelve days of nothing else.
const MOST_STEPS: f64 = 1e9;

/// A training as far as it is recorded.
#[derive(Clone, Debug)]
pub(super) struct TrainingState {
    /// The iterations as trials.
    pub(super) part: PlannedTrials,
    /// Those that are complete, in order.
    pub(super) iterations: Vec<Figures>,
}

impl TrainingState {
    pub(super) fn read(plan: &Training, store: &Store) -> Result<TrainingState, LabError> {
        let part = plan.part(Figures::COLUMNS)?;
        let trials = store.trials(&part.group)?;
        let mut iterations = Vec::new();
        for (number, list) in trials {
            let figures = Figures::of_list(&list).filter(|figures| {
                let are_steps = figures.steps.fract() == 0.0 && (0.0..=MOST_STEPS).contains(&figures.steps);
                number == iterations.len() as u64 && are_steps
            });
            iterations.push(figures.ok_or_else(|| {
                damaged(format_args!(
                    "iteration {number} of the training: its figures are not those of this program"
                ))
            })?);
        }
        Ok(TrainingState { part, iterations })
    }

    /// Checks that the steps taken had the rates of the plan, as far as the figures and the
    /// schedule of the last run tell.
    ///
    /// # Errors
    /// If one had another.
    pub(super) fn check_rates(&self, plan: &Training, recorded: &Schedule) -> Result<(), LabError> {
        let taken = self.iterations.last().map_or(0, |figures| figures.steps as u64);
        let ends = self.iterations.iter().filter(|figures| figures.steps > 0.0);
        let ends = ends.map(|figures| (figures.steps as u64 - 1, figures.rate as f32));
        let all = (0..taken).map(|step| (step, recorded.rate(step)));
        let mut differing = ends.chain(all).filter(|&(step, rate)| plan.learning.rate.rate(step) != rate);
        let Some((step, there)) = differing.next() else { return Ok(()) };
        let here = plan.learning.rate.rate(step);
        Err(CheckpointError::OtherRate { step, there, here }.into())
    }

    /// How many iterations are complete: the number of the latest checkpoint.
    pub(super) fn done(&self) -> u64 {
        self.iterations.len() as u64
    }
}
