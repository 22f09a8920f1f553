//! The agents of a match.

use crate::conditions::Limit;
use crate::store::Config;
use std::time::Instant;
use tesuji::{Bot, BotError, Budget, Game, Observer, Playouts, Reply, Report, Rng};

/// Makes the players of one agent: one for each thread.
pub trait Factory<G: Game>: Sync {
    /// A new player for games that begin at `start`.
    ///
    /// # Errors
    /// If the agent cannot be made, as where its engine does not start.
    fn bot(&self, start: &G) -> Result<Box<dyn Bot<G>>, BotError>;
}

impl<G: Game, F: Fn(&G) -> Result<Box<dyn Bot<G>>, BotError> + Sync> Factory<G> for F {
    fn bot(&self, start: &G) -> Result<Box<dyn Bot<G>>, BotError> {
        self(start)
    }
}

/// An agent in an experiment.
pub struct MatchAgent<'a, G> {
    /// Its description in the record.
    pub config: &'a Config,
    /// Its players.
    pub factory: &'a dyn Factory<G>,
    /// The limit of its searches, if not that of the conditions; then the description must contain
    /// it.
    pub limit: Option<Limit>,
}

impl<G> Clone for MatchAgent<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for MatchAgent<'_, G> {}

impl<G> std::fmt::Debug for MatchAgent<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MatchAgent").field("config", &self.config).finish_non_exhaustive()
    }
}

/// Plays uniformly random moves among those that a search tree would contain.
#[derive(Clone, Debug)]
pub struct RandomBot {
    rng: Rng,
    seed: u64,
}

impl RandomBot {
    /// A player that draws from this seed until a game begins.
    pub fn new(seed: u64) -> RandomBot {
        RandomBot { rng: Rng::new(seed), seed }
    }
}

impl<G: Playouts> Bot<G> for RandomBot {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn new_game(&mut self, _: &G, seed: u64) -> Result<(), BotError> {
        *self = RandomBot::new(seed);
        Ok(())
    }

    fn played(&mut self, _: G::Move, _: &G) -> Result<(), BotError> {
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &G,
        _: &Budget,
        _: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError> {
        let start = Instant::now();
        let mut moves = Vec::new();
        game.search_moves(&mut moves);
        let best = moves[self.rng.below(moves.len() as u32) as usize];
        Ok(Reply::Play(Report {
            elapsed: start.elapsed(),
            ..Report::unsearched(best, "random".to_owned(), self.seed)
        }))
    }
}
