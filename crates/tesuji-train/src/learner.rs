//! Learning from a window of games.

use crate::replay::Goal;
use crate::settings::Learning;
use crate::trainable::TrainableGame;
use crate::window::{Window, WindowError};
use std::fmt;
use tesuji::Stop;
use tesuji_net::{Losses, Trainer};

/// Trains a network on batches from a window, step by step.
///
/// The batch of a step depends on the seed, the number of the step and the window; so a trainer
/// that is loaded again goes on as if it had not been stopped.
#[derive(Debug)]
pub struct Learner<'a> {
    /// The game.
    pub game: &'a dyn TrainableGame,
    /// The network.
    pub trainer: Trainer,
    /// The window from which batches are drawn.
    pub window: &'a Window,
    /// The training goal.
    pub goal: Goal,
    /// Positions of a step.
    pub batch: usize,
    /// The seed of the batches.
    pub seed: u64,
}

impl<'a> Learner<'a> {
    /// A learner by these settings.
    pub fn new(
        game: &'a dyn TrainableGame,
        trainer: Trainer,
        window: &'a Window,
        goal: Goal,
        learning: &Learning,
        seed: u64,
    ) -> Self {
        let trainer = trainer
            .with_threads(learning.threads)
            .with_value_weight(learning.value_weight)
            .with_average(learning.average as f32);
        Learner { game, trainer, window, goal, batch: learning.batch, seed }
    }

    /// Trains until the trainer has taken `steps` steps, and returns the mean losses of the new
    /// ones. Calls `progress` after each step. Returns none if it was stopped, or if there is no
    /// step to take.
    ///
    /// # Errors
    /// If the window is empty or a game in it is corrupt; if a loss or a parameter is no longer
    /// finite.
    pub fn train(
        &mut self,
        steps: u64,
        stop: &Stop,
        progress: &mut dyn FnMut(u64, Losses),
    ) -> Result<Option<Losses>, LearnError> {
        let shape = *self.trainer.parameters().shape();
        let (first, mut sum) = (self.trainer.steps(), Losses::default());
        while self.trainer.steps() < steps {
            if stop.is_stopped() {
                return Ok(None);
            }
            let (goal, step) = (&self.goal, self.trainer.steps());
            let batch = self.window.batch(self.game, shape, goal, self.batch, self.seed, step);
            let losses = self.trainer.step(&batch.map_err(LearnError::Window)?);
            if !losses.list().iter().all(|loss| loss.is_finite()) {
                return Err(LearnError::Diverged(self.trainer.steps()));
            }
            sum += losses;
            progress(self.trainer.steps() - first, losses);
        }
        if !self.trainer.is_finite() {
            return Err(LearnError::Diverged(self.trainer.steps()));
        }
        let n = (self.trainer.steps() - first) as f64;
        Ok((n > 0.0).then(|| sum.of(|loss| loss / n)))
    }
}

/// A network cannot learn on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LearnError {
    /// There is no batch.
    Window(WindowError),
    /// After N steps, a loss or a parameter is infinite or not a number.
    Diverged(u64),
}

impl fmt::Display for LearnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LearnError::Window(error) => error.fmt(f),
            LearnError::Diverged(steps) => {
                write!(f, "the training has diverged by step {steps}: a lower learning rate may help")
            }
        }
    }
}

impl std::error::Error for LearnError {}
