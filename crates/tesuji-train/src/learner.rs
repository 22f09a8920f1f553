//! Learning from a window of games.

use crate::{Goal, Learning, Window, WindowError};
use tesuji::{Rng, Stop};
use tesuji_net::{Batch, Losses, Trainer};

/// Trains a network on batches from a window, step by step.
///
/// The batch of a step depends on the seed, the number of the step and the window; so a trainer that is loaded again goes on as it
/// would have.
#[derive(Debug)]
pub struct Learner<'a> {
    /// The network.
    pub trainer: Trainer,
    /// Where batches come from.
    pub window: &'a Window,
    /// What is learnt.
    pub goal: Goal,
    /// Positions of a step.
    pub batch: usize,
    /// The seed of the batches.
    pub seed: u64,
}

impl<'a> Learner<'a> {
    /// A learner by these settings.
    pub fn new(trainer: Trainer, window: &'a Window, goal: Goal, learning: &Learning, seed: u64) -> Self {
        let trainer = trainer.with_threads(learning.threads);
        Learner { trainer, window, goal, batch: learning.batch, seed }
    }

    /// Trains until the trainer has taken so many steps, and gives the mean losses of the new ones; tells `progress` of each. None
    /// if it was stopped, or there is no step to take.
    ///
    /// # Errors
    /// If the window is empty, or a game in it is corrupt.
    pub fn train(
        &mut self,
        steps: u64,
        stop: &Stop,
        progress: &mut dyn FnMut(u64, Losses),
    ) -> Result<Option<Losses>, WindowError> {
        let (first, mut sum) = (self.trainer.steps(), Losses::default());
        while self.trainer.steps() < steps {
            if stop.is_stopped() {
                return Ok(None);
            }
            let losses = self.trainer.step(&self.next_batch()?);
            sum.policy += losses.policy;
            sum.value += losses.value;
            progress(self.trainer.steps() - first, losses);
        }
        let n = (self.trainer.steps() - first) as f64;
        Ok((n > 0.0).then(|| Losses { policy: sum.policy / n, value: sum.value / n }))
    }

    /// The batch of the next step.
    fn next_batch(&self) -> Result<Batch, WindowError> {
        let mut rng = Rng::new(Rng::derive(self.seed, self.trainer.steps()));
        let shape = *self.trainer.parameters().shape();
        self.window.batch(shape, &self.goal, self.batch, &mut rng)
    }
}
