//! Games of self-play on many threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use tesuji::{Rng, Stop};
use tesuji_net::ReadyNetwork;
use tesuji_train::{ReplayError, SelfPlay, SelfPlayError, Teacher, TrainableGame, TrainingGame};

/// Threads that ask a teacher, for each that plays: each waits for one position at a time.
const LABELLERS: usize = 16;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Play<'a> {
    /// The game.
    pub game: &'a dyn TrainableGame,
    /// The network that plays, ready for each board.
    pub networks: &'a [ReadyNetwork],
    /// Who labels the positions; none: the searches do.
    pub teacher: Option<&'a dyn Teacher>,
    /// The settings of the games.
    pub settings: &'a SelfPlay,
    /// The seed of all games.
    pub seed: u64,
    /// Threads that play, 1 or more.
    pub threads: usize,
}

/// A game cannot be played or labelled.
#[derive(Debug)]
pub enum PlayError {
    /// The network does not play.
    SelfPlay(SelfPlayError),
    /// The teacher cannot follow a game.
    Label(ReplayError),
}

impl std::fmt::Display for PlayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlayError::SelfPlay(error) => error.fmt(f),
            PlayError::Label(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

impl Play<'_> {
    /// Plays the games with these numbers. The network, the settings, the seed and its number
    /// determine a game, but for what batches change in the last bits of evaluations.
    ///
    /// # Errors
    /// If the network or the teacher is for another game, or a setting is out of its range.
    pub fn games(&self, numbers: std::ops::Range<u64>) -> Result<Vec<TrainingGame>, PlayError> {
        let players = (0..self.threads.max(1)).map(|_| self.game.self_player(self.networks, self.settings));
        let players = players.collect::<Result<Vec<_>, _>>().map_err(PlayError::SelfPlay)?;
        let (next, stop) = (AtomicU64::new(numbers.start), Stop::default());
        let (played, unlabelled) = channel();
        let (labelled, games) = channel();
        let unlabelled = Mutex::new(unlabelled);
        std::thread::scope(|scope| {
            for mut player in players {
                let (played, next, end) = (played.clone(), &next, numbers.end);
                let stop = &stop;
                scope.spawn(move || {
                    let mut numbers = std::iter::from_fn(|| {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        (number < end).then(|| (number, Rng::derive(self.seed, number)))
                    });
                    while let Some(game) = player.play(&mut numbers, stop) {
                        if played.send((game.number, game.game)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(played);
            for _ in 0..if self.teacher.is_some() { LABELLERS * self.threads.max(1) } else { 1 } {
                let (labelled, unlabelled, mut teacher) =
                    (labelled.clone(), &unlabelled, self.teacher.map(Teacher::boxed));
                scope.spawn(move || {
                    loop {
                        let game = unlabelled.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        let Ok((number, game)) = game else { return };
                        let game = match &mut teacher {
                            Some(teacher) => teacher.label(game),
                            None => Ok(game),
                        };
                        if labelled.send((number, game)).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        drop(labelled);
        let mut games: Vec<_> = games.into_iter().collect();
        games.sort_by_key(|&(number, _)| number);
        games.into_iter().map(|(_, game)| game.map_err(PlayError::Label)).collect()
    }
}
