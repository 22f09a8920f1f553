//! Whole agents, as matches and engines hold them.

use crate::budget::Budget;
use crate::game::Game;
use crate::report::Report;
use crate::saved::{SavedTreeError, TreeLabel};
use alloc::{format, string::String, vec::Vec};
use core::{fmt, time::Duration};

/// An agent that chooses moves of `G`.
///
/// During a game, the caller announces every move by [`Bot::played`], including the agent's own
/// moves. A call of [`Bot::genmove`] with any other position is allowed; at most, the agent loses
/// the tree of earlier searches.
pub trait Bot<G: Game> {
    /// A short name for records.
    fn name(&self) -> String;

    /// Begins a game at `start`. The agent forgets everything that it learned in other games, and
    /// its random numbers restart from `seed`.
    ///
    /// # Errors
    /// If the agent cannot go on, or does not play this game.
    fn new_game(&mut self, start: &G, seed: u64) -> Result<(), BotError>;

    /// Announces that `m` was played and led to `after`.
    ///
    /// # Errors
    /// If the agent cannot continue, or considers the move illegal.
    fn played(&mut self, m: G::Move, after: &G) -> Result<(), BotError>;

    /// Chooses a move in `game`, which is not over.
    ///
    /// # Errors
    /// If the agent cannot go on, the game is over, or the agent cannot keep the budget.
    fn genmove(
        &mut self,
        game: &G,
        budget: &Budget,
        observer: &mut dyn Observer<G::Move>,
    ) -> Result<Reply<G::Move>, BotError>;

    /// The saved tree of the latest search, as [`Search::save_tree`](crate::Search::save_tree)
    /// returns it. Default: an error, because the agent has no tree.
    ///
    /// # Errors
    /// If it cannot.
    fn save_tree(&mut self, label: &TreeLabel) -> Result<Vec<u8>, SavedTreeError> {
        let _ = label;
        Err(no_tree(&self.name()))
    }

    /// Opens a saved tree of `game`, as [`Search::open_tree`](crate::Search::open_tree) does. The
    /// next search of `game` continues from it. Default: an error, because the agent has no tree.
    ///
    /// # Errors
    /// If it cannot, or there is no such tree in these bytes.
    fn open_tree(&mut self, game: &G, label: &TreeLabel, bytes: &[u8]) -> Result<(), SavedTreeError> {
        let _ = (game, label, bytes);
        Err(no_tree(&self.name()))
    }

    /// The agent's own opinion of the result of the finished `game`, if it has one. Default: none.
    ///
    /// # Errors
    /// If the agent cannot go on.
    fn final_score(&mut self, game: &G) -> Result<Option<FinalScore>, BotError> {
        let _ = game;
        Ok(None)
    }

    /// The processor time that the agent's own process has used so far. Default: none, because the
    /// agent searches in the caller's thread.
    fn processor_time(&mut self) -> Option<Duration> {
        None
    }

    /// Whether somebody else ended the agent's process, for example by SIGKILL. Then its last error
    /// is not its own fault. Default: no.
    fn was_killed(&mut self) -> bool {
        false
    }
}

fn no_tree(name: &str) -> SavedTreeError {
    SavedTreeError::Unable(format!(
        "`{name}` has no tree that can be saved; accepted: a recipe whose `parallel` is `serial` or `tree`"
    ))
}

/// The opinion of an agent about the result of a finished game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FinalScore {
    /// The result as SGF writes results: `B+3.5`, `W+`, `0`; B is the first player. None if the
    /// agent only names dead stones.
    pub result: Option<String>,
    /// The points of the stones that it calls dead, as text.
    pub dead: Vec<String>,
}

/// An agent's answer.
#[derive(Clone, Debug)]
pub enum Reply<M> {
    /// It plays the report's best move.
    Play(Report<M>),
    /// It gives up the game.
    Resign,
}

/// Watches a search. Every method does nothing by default.
pub trait Observer<M> {
    /// The number of simulations between calls of [`Observer::progress`]; of several threads in
    /// one tree, those of the first. Default: no calls.
    fn every(&self) -> u64 {
        u64::MAX
    }

    /// Whether the observer wants a report now; [`Observer::progress`] is called only then. A
    /// report lists every move with its variation, so an observer with a clock should read the
    /// clock here. Default: always.
    fn is_due(&self) -> bool {
        true
    }

    /// Receives the answer that the search would give now. The search continues.
    fn progress(&mut self, report: &Report<M>) {
        let _ = report;
    }
}

/// Watches nothing.
impl<M> Observer<M> for () {}

/// An agent could not go on, for example because a third-party program died or broke the protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotError(pub String);

impl fmt::Display for BotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for BotError {}
