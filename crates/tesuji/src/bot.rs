//! Whole agents, as matches and engines hold them.

use crate::{Budget, Game, Report, SavedTreeError, TreeLabel};
use alloc::{format, string::String, vec::Vec};
use core::fmt;

/// An agent that chooses moves of `G`.
///
/// In the course of a game the caller tells of every move, the agent's own included, by
/// [`Bot::played`]; a call of [`Bot::genmove`] with any other position is allowed and costs at most what was
/// kept from earlier searches.
pub trait Bot<G: Game> {
    /// A short name for records.
    fn name(&self) -> String;

    /// A game begins at `start`: what was learnt in another game is forgotten, and random numbers
    /// start anew from `seed`.
    ///
    /// # Errors
    /// If the agent cannot go on, or does not play this game.
    fn new_game(&mut self, start: &G, seed: u64) -> Result<(), BotError>;

    /// `m` was played and led to `after`.
    ///
    /// # Errors
    /// If the agent cannot go on, or takes the move for illegal.
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

    /// What [`Search::save_tree`](crate::Search::save_tree) makes of the latest search. Default: the agent cannot.
    ///
    /// # Errors
    /// If it cannot.
    fn save_tree(&mut self, label: &TreeLabel) -> Result<Vec<u8>, SavedTreeError> {
        let _ = label;
        Err(no_tree(&self.name()))
    }

    /// Opens a saved tree of `game`, with which the next search of it goes on, as
    /// [`Search::open_tree`](crate::Search::open_tree) does. Default: the agent cannot.
    ///
    /// # Errors
    /// If it cannot, or there is no such tree in these bytes.
    fn open_tree(&mut self, game: &G, label: &TreeLabel, bytes: &[u8]) -> Result<(), SavedTreeError> {
        let _ = (game, label, bytes);
        Err(no_tree(&self.name()))
    }

    /// The agent's own opinion on the result of the finished `game`, if it has one. Default: it leaves that to the game.
    ///
    /// # Errors
    /// If the agent cannot go on.
    fn final_score(&mut self, game: &G) -> Result<Option<FinalScore>, BotError> {
        let _ = game;
        Ok(None)
    }

    /// Whether somebody else ended the agent's process, as by SIGKILL: then its last error is no fault of its own. Default: no.
    fn was_killed(&mut self) -> bool {
        false
    }
}

fn no_tree(name: &str) -> SavedTreeError {
    SavedTreeError::Unable(format!(
        "`{name}` has no tree that can be saved; accepted: a recipe whose `parallel` is `serial` or `tree`"
    ))
}

/// What an agent says of the result of a finished game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FinalScore {
    /// The result as SGF writes results: `B+3.5`, `W+`, `0`; B is the first player. None if the agent only names dead stones.
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
    /// [`Observer::progress`] is called every so many simulations. Default: never.
    fn every(&self) -> u64 {
        u64::MAX
    }

    /// Whether a report is wanted now: [`Observer::progress`] is called only then. A report lists every move with its
    /// variation, so an observer that looks at a watch does so here. Default: always.
    fn is_due(&self) -> bool {
        true
    }

    /// The search goes on; this is what it would answer now.
    fn progress(&mut self, report: &Report<M>) {
        let _ = report;
    }
}

/// Watches nothing.
impl<M> Observer<M> for () {}

/// An agent could not go on: a program of someone else's died or broke the protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotError(pub String);

impl fmt::Display for BotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for BotError {}
