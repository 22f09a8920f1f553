//! Faults in the record of a training.

use super::Training;
use super::networks::Networks;
use super::state::TrainingState;
use crate::error::LabError;
use crate::store::Store;
use std::path::Path;

/// What is wrong, a sentence each.
pub(super) fn faults(plan: &Training, store: &Store, dir: &Path) -> Result<Vec<String>, LabError> {
    let state = TrainingState::read(plan, store)?;
    state.check_rates(plan, &plan.learning.rate)?;
    let mut faults = Vec::new();
    let mut played = store.self_play_positions(&state.part.group, state.done() * plan.games)?;
    played.reverse();
    let mut played = played.into_iter().peekable();
    let (mut positions, mut steps) = (0_u64, 0);
    for (iteration, figures) in (0..).zip(&state.iterations) {
        let mut fault = |what: String| faults.push(format!("iteration {iteration} of the training: {what}"));
        if let Some(sgf) = &plan.sgf {
            steps = sgf.steps * (iteration + 1);
        } else {
            let mut games = 0;
            while let Some((number, more)) = played.next_if(|(number, _)| number / plan.games == iteration) {
                games += 1;
                positions =
                    positions.saturating_add(if plan.learning.is_held_out(number) { 0 } else { more });
            }
            if games != plan.games {
                fault(format!("it has {games} of {} games", plan.games));
            }
            if figures.positions != positions as f64 {
                fault(format!(
                    "it learned from {} positions, but its games have {positions}",
                    figures.positions
                ));
            }
            steps = steps.max(plan.learning.steps(positions));
        }
        if figures.steps != steps as f64 {
            fault(format!("it ends with step {}, but its positions give {steps}", figures.steps));
        }
        if figures.seconds.is_nan()
            || figures.seconds < 0.0
            || figures.threads != plan.learning.threads as f64
        {
            let (seconds, threads) = (figures.seconds, figures.threads);
            fault(format!(
                "its steps took {seconds} s on {threads} threads, but {} work",
                plan.learning.threads
            ));
        }
    }
    let networks = Networks::new(dir, &state.part.group, plan)?;
    faults.extend(networks.faults(state.done(), plan.learning.sgd()));
    Ok(faults)
}
