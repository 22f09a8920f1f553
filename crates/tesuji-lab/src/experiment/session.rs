//! A run of an experiment.

use crate::error::LabError;
use crate::event::{Event, Why};
use crate::experiment::run::ExperimentOptions;
use crate::match_games::RunLimits;
use crate::matches::Match;
use crate::store::{PlannedMatch, Store};
use tesuji::Stop;

/// A run of an experiment: its record, what is wanted of it, and who is told.
pub struct Session<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) options: &'a ExperimentOptions,
    /// The indices of the names that shall be made.
    pub(crate) chosen: Vec<usize>,
    pub(crate) stop: &'a Stop,
    pub(crate) watch: &'a mut dyn FnMut(Event<'_>),
    /// Told after each step.
    pub(crate) ended: &'a mut dyn FnMut(&Store) -> Result<(), LabError>,
    /// How many games failed.
    pub(crate) failed: u64,
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("options", self.options).finish_non_exhaustive()
    }
}

impl Session<'_> {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Tells what happens.
    pub(crate) fn tell(&mut self, event: Event<'_>) {
        (self.watch)(event);
    }

    /// Tells that a step has stopped, after a failure or not.
    pub(crate) fn tell_end(&mut self, has_failed: bool) {
        self.tell(Event::Stopped(Why::of(self.is_stopped(), has_failed)));
    }

    /// Brings the tables up to date after a step.
    pub(crate) fn end_step(&mut self) -> Result<(), LabError> {
        (self.ended)(self.store)
    }

    /// Whether a match is to be played on, up to N games or until its sequential test is decided.
    pub(crate) fn is_due(&self, planned: &PlannedMatch, games: u64) -> Result<bool, LabError> {
        let due = games.min(self.store.counted_games(planned)?);
        Ok(!self.is_stopped() && self.store.played(&planned.matchup, games)? < due)
    }

    /// Plays the missing games of a match, the `place.0`-th of `place.1`, up to `games` games.
    pub(crate) fn complete(
        &mut self,
        m: &Match,
        about: &str,
        place: (usize, usize),
        games: u64,
    ) -> Result<(), LabError> {
        if !self.is_due(m.planned(), games)? {
            return Ok(());
        }
        self.store.append_match(m.planned())?;
        let limits = self.options.limits(games, self.options.threads);
        self.failed += m.play_step(about, place, self.store, &limits, self.stop, self.watch)?.failed;
        self.end_step()
    }

    /// The number of games of a match to play now: `planned`, or fewer if the options say so.
    pub(crate) fn most(&self, planned: u64) -> u64 {
        self.options.games.map_or(planned, |most| most.min(planned))
    }

    /// [`Session::complete`] for a match of two agents that says itself what it is, up to the games that the options allow.
    pub(crate) fn validate(&mut self, m: &Match, place: (usize, usize)) -> Result<(), LabError> {
        let planned = m.planned();
        let games = self.most(planned.games);
        self.complete(m, &format!("{} against {}", planned.a, planned.b), place, games)
    }
}

impl ExperimentOptions {
    /// A pass of N games by N threads.
    pub(crate) fn limits(&self, games: u64, threads: usize) -> RunLimits {
        RunLimits { games, threads, version: self.version.clone() }
    }
}
