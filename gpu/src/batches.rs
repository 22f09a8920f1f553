//! Batches made ahead of the device.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;
use tesuji_net::{Batch, Shape};
use tesuji_train::{Goal, TrainableGame, Window, WindowError};

/// Batches each thread has ready at most.
const AHEAD: usize = 2;

/// The batches of steps from one on, made by some threads while the device works.
///
/// The batch of a step depends on the seed, the number of the step and the window, as
/// [`tesuji_train::Learner`] has it.
#[derive(Debug)]
pub struct Batches {
    /// One for each thread; they take turns.
    made: Vec<Receiver<Result<Batch, WindowError>>>,
    next: usize,
}

/// What batches are made of.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// The game.
    pub game: &'a dyn TrainableGame,
    /// Where positions come from.
    pub window: &'a Window,
    /// What is learned.
    pub goal: Goal,
    /// The networks that the batches are for.
    pub shape: Shape,
    /// Positions of a batch.
    pub count: usize,
    /// The seed of the batches.
    pub seed: u64,
}

impl Draw<'_> {
    /// The batch of a step.
    ///
    /// # Errors
    /// If the window is empty, or a game in it is corrupt.
    pub fn batch(&self, step: u64) -> Result<Batch, WindowError> {
        self.window.batch(self.game, self.shape, &self.goal, self.count, self.seed, step)
    }
}

impl Batches {
    /// Lets `threads` threads (1 or more) make the batches from a step on. They end when this is
    /// dropped.
    pub fn make<'scope>(
        scope: &'scope Scope<'scope, '_>,
        draw: Draw<'scope>,
        first: u64,
        threads: usize,
    ) -> Batches {
        let threads = threads.max(1);
        let made = (0..threads).map(|thread| {
            let (sender, receiver) = sync_channel(AHEAD);
            scope.spawn(move || {
                for step in (first + thread as u64..).step_by(threads) {
                    if sender.send(draw.batch(step)).is_err() {
                        return;
                    }
                }
            });
            receiver
        });
        Batches { made: made.collect(), next: 0 }
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, WindowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.made[self.next].recv().ok();
        self.next = (self.next + 1) % self.made.len();
        batch
    }
}
