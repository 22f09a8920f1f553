//! The play of an experiment that decides as it goes on what comes next.

use super::run::play_one;
use super::{ExperimentOptions, ExperimentProgress};
use crate::LabError;
use crate::matches::{Match, Pass};
use crate::store::{PlannedMatch, Store};
use tesuji::Stop;

/// A run of a tuning, a race or a training: what its parts share.
pub(crate) struct Session<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) options: &'a ExperimentOptions,
    pub(crate) stop: &'a Stop,
    pub(crate) watch: &'a mut dyn FnMut(ExperimentProgress<'_>),
    /// Told after each step.
    pub(crate) ended: &'a mut dyn FnMut(&Store) -> Result<(), LabError>,
    /// How many games failed.
    pub(crate) failed: u64,
}

impl Session<'_> {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Tells how it stands.
    pub(crate) fn tell(&mut self, progress: ExperimentProgress<'_>) {
        (self.watch)(progress);
    }

    /// Tells that a step has ended.
    pub(crate) fn end_step(&mut self) -> Result<(), LabError> {
        (self.ended)(self.store)
    }

    /// Whether a match is to be played on, up to so many games.
    pub(crate) fn is_due(&self, planned: &PlannedMatch, games: u64) -> Result<bool, LabError> {
        Ok(!self.is_stopped() && self.store.played(&planned.matchup, games)? < games)
    }

    /// Plays what is missing of a match, the `place.0`-th of `place.1`, up to so many games.
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
        let pass = self.options.pass(games, self.options.threads);
        self.failed += play_one(m, about, place, self.store, &pass, self.stop, self.watch)?.failed;
        self.end_step()
    }

    /// [`Session::complete`] for a match of two agents that says itself what it is, up to the games that the options allow.
    pub(crate) fn validate(&mut self, m: &Match, place: (usize, usize)) -> Result<(), LabError> {
        let planned = m.planned();
        let games = self.options.games.map_or(planned.games, |most| most.min(planned.games));
        self.complete(m, &format!("{} against {}", planned.a, planned.b), place, games)
    }
}

impl ExperimentOptions {
    /// A pass of so many games, without files.
    pub(crate) fn pass(&self, games: u64, threads: usize) -> Pass {
        Pass { games, threads, files: None, version: self.version.clone() }
    }
}
