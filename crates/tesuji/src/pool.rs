//! Many searches at once.

use crate::budget::Budget;
use crate::evaluate::{Evaluate, Evaluation};
use crate::game::{Game, Knowledge};
use crate::search::{AskTell, SearchError};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::{self, Debug};

/// Searches of one kind of game that go on side by side, so that one call of
/// [`Evaluate::evaluate_many`] answers the leaves of all.
///
/// A [step](Pool::step) leads the simulations in flight of each search to their leaves, evaluates
/// the leaves together, and backs their outcomes up. A search that has ended leaves the pool, and
/// another one may be added at any time. Searches do not depend on each other: each finds the same
/// result as [alone](crate::Search::run), whichever searches share its batches. A search that keeps
/// its tree keeps it here, too ([`Options::reuse`](crate::Options::reuse)).
///
/// The evaluator of the pool answers in place of those of the searches, which should be copies of
/// it. Searches that play playouts need no evaluator. Of a search with several threads the pool
/// uses the first thread's simulations.
///
/// If the evaluator panics, the panic reaches the caller of [`Pool::step`]. The pool can go on:
/// leaves without an answer are evaluated by the evaluators of their searches.
///
/// ```
/// use tesuji::doc_game::Nim;
/// use tesuji::{AskTell, Budget, Ended, Game, Mean, Options, Pool, Puct, Search, Uniform};
///
/// // Games of several lengths, each from a seed of its own.
/// let options = Options { reuse: true, ..Options::default() };
/// let mut games: Vec<Nim> = (10..18).map(Nim::new).collect();
/// let mut pool = Pool::new(None);
/// for (number, game) in games.iter().enumerate() {
///     let (seed, options) = (number as u64, options.clone());
///     let search = Search::new(game, Puct::default(), Mean {}, Uniform {}, options, seed).unwrap();
///     pool.add(number, Box::new(search), game, &Budget::simulations(500)).unwrap();
/// }
/// let mut moves = 0;
/// while !pool.is_empty() {
///     for Ended { name: number, mut search, .. } in pool.step() {
///         let best = search.decide().unwrap().best;
///         search.follow(best);
///         games[number].play(best);
///         moves += 1;
///         if games[number].result().is_none() {
///             pool.add(number, search, &games[number], &Budget::simulations(500)).unwrap();
///         }
///     }
/// }
/// assert!(moves > 30 && games.iter().all(|game| game.counters() == 0));
/// ```
pub struct Pool<G: Game, K = usize, T: ?Sized = dyn AskTell<G> + Send> {
    evaluator: Option<Box<dyn Evaluate<G>>>,
    searches: Vec<Ended<K, T>>,
}

/// A search that leaves a pool.
#[derive(Debug)]
pub struct Ended<K, T: ?Sized> {
    /// The name under which it was added.
    pub name: K,
    /// The search, which has [decided](AskTell::decide).
    pub search: Box<T>,
    /// Positions that were evaluated for it.
    pub evaluations: u64,
}

impl<G: Game, K: Debug, T: ?Sized> Debug for Pool<G, K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.searches.iter().map(|search| &search.name)).finish()
    }
}

impl<G: Knowledge, K, T: AskTell<G> + ?Sized> Pool<G, K, T> {
    /// An empty pool, whose evaluator is this one. Without an evaluator, the game's own priors
    /// answer ([`Knowledge::priors`]).
    pub fn new(evaluator: Option<Box<dyn Evaluate<G>>>) -> Pool<G, K, T> {
        Pool { evaluator, searches: Vec::new() }
    }

    /// Adds a search of `game`, to the end of its budget, under a name of the caller's choice.
    ///
    /// # Errors
    /// As [`Search::run`](crate::Search::run); the search is gone then.
    pub fn add(&mut self, name: K, mut search: Box<T>, game: &G, budget: &Budget) -> Result<(), SearchError> {
        search.begin(game, budget)?;
        self.searches.push(Ended { name, search, evaluations: 0 });
        Ok(())
    }

    /// The number of searches.
    pub fn len(&self) -> usize {
        self.searches.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.searches.is_empty()
    }

    /// Makes the simulations in flight of every search, and hands out the searches that have ended,
    /// in the order in which they were added.
    pub fn step(&mut self) -> Vec<Ended<K, T>> {
        let mut asked: Vec<Evaluation<'_, G>> = Vec::new();
        let mut ended = Vec::new();
        for (place, Ended { search, evaluations, .. }) in self.searches.iter_mut().enumerate() {
            let before = asked.len();
            if search.ask(&mut asked).is_some() {
                ended.push(place);
            }
            *evaluations += (asked.len() - before) as u64;
        }
        match &mut self.evaluator {
            _ if asked.is_empty() => {}
            Some(evaluator) => evaluator.evaluate_many(&mut asked),
            None => asked.iter_mut().for_each(|asked| asked.position.priors(asked.moves, asked.priors)),
        }
        drop(asked);
        self.searches.iter_mut().for_each(|waiting| waiting.search.tell());
        let mut place = 0;
        let is_ended = |_: &mut Ended<K, T>| {
            place += 1;
            ended.binary_search(&(place - 1)).is_ok()
        };
        self.searches.extract_if(.., is_ended).collect()
    }

    /// Steps until the last search has ended. As soon as a search has ended, it is handed to `end`
    /// together with the pool, to which `end` may add searches.
    pub fn run(&mut self, mut end: impl FnMut(&mut Pool<G, K, T>, Ended<K, T>)) {
        while !self.is_empty() {
            for ended in self.step() {
                end(self, ended);
            }
        }
    }
}

#[cfg(all(test, feature = "recipe"))]
mod tests;
