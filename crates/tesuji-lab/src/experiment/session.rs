//! A run of an experiment.

use crate::elsewhere::{Elsewhere, void_convicted};
use crate::error::LabError;
use crate::event::{Event, Why};
use crate::executor::{SOON, execute_by, execute_side_by_side};
use crate::experiment::run::ExperimentOptions;
use crate::match_games::RunLimits;
use crate::store::{Origin, PlannedMatch, Store};
use crate::trial_jobs::{Jobs, TrialJobs, parts};
use crate::trials::Trial;
use std::time::Duration;
use tesuji::Stop;

/// A run of an experiment: its record, what is wanted of it, and who is told.
pub struct Session<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) options: &'a ExperimentOptions,
    /// The text of the experiment's file.
    pub(crate) file: &'a str,
    /// The indices of the names that shall be made.
    pub(crate) chosen: Vec<usize>,
    pub(crate) stop: &'a Stop,
    pub(crate) watch: &'a mut dyn FnMut(Event<'_>),
    /// Told after each step.
    pub(crate) ended: &'a mut dyn FnMut(&Store) -> Result<(), LabError>,
    /// How many games failed.
    pub(crate) failed: u64,
    /// How many trials became void that nobody has looked after yet: what was complete may lack
    /// some.
    pub(crate) voided: u64,
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
        Ok(!self.is_stopped() && self.store.missing(planned, games)? > 0)
    }

    /// Makes what is missing of a group of trials.
    pub(super) fn make_trials(
        &mut self,
        trial: &dyn Trial,
        (number, of): (usize, usize),
    ) -> Result<(), LabError> {
        let (group, stop) = (trial.group(), self.stop);
        let made = self.store.trials(&group)?;
        let missing = (0..self.most(trial.planned())).filter(|number| !made.contains_key(number));
        let missing: Vec<u64> = missing.collect();
        if missing.is_empty() || self.is_stopped() {
            return Ok(());
        }
        let (name, total) = (trial.name(), missing.len() as u64);
        self.tell(Event::Started { name, about: "", number, of, total });
        let work = |worker: &mut Option<_>, numbers: &mut dyn Iterator<Item = &u64>| {
            let Some(&number) = numbers.next().filter(|_| !stop.is_stopped()) else { return Ok(None) };
            let figures = worker.get_or_insert_with(|| trial.worker())(number, stop)?;
            Ok(figures.map(|figures| (number, figures)))
        };
        let (file, version) = (self.file, &self.options.version);
        let jobs = || Ok(TrialJobs { file, name, group: &group, version });
        let made = self.make(&missing, SOON, work, jobs, |store, trials, origin| {
            store.insert_trials_of(&group, trials, origin)
        });
        self.tell_end(made.is_err());
        made?;
        self.end_step()
    }

    /// Makes trials with these numbers, on threads or as jobs, and stores them as they come; gives
    /// the number of those that were made before the run was stopped. Local ones are stored at
    /// least every `soon`.
    pub(crate) fn make<S, R: Send, J: Jobs<R>>(
        &mut self,
        missing: &[u64],
        soon: Duration,
        work: impl Fn(&mut Option<S>, &mut dyn Iterator<Item = &u64>) -> Result<Option<R>, LabError> + Sync,
        jobs: impl FnOnce() -> Result<J, LabError>,
        store_trials: impl Fn(&mut Store, &[R], Option<&Origin>) -> Result<(), LabError>,
    ) -> Result<u64, LabError> {
        let Session { store, options, watch, .. } = &mut *self;
        let mut done = 0;
        let mut keep = |trials: &[R], origin: Option<&Origin>| {
            store_trials(store, trials, origin)?;
            done += trials.len() as u64;
            watch(Event::Done(done));
            Ok(())
        };
        let Some(cluster) = &options.cluster else {
            execute_side_by_side(missing, options.threads, soon, work, &mut |trials| keep(trials, None))?;
            return Ok(done);
        };
        let jobs = jobs()?;
        let parts = parts(missing, cluster.width(), jobs.most());
        let elsewhere = Elsewhere {
            cluster: &**cluster,
            job: &|numbers: &&Vec<u64>| jobs.job(numbers),
            outcome: &|numbers, result| jobs.outcome(numbers, result),
        };
        let made = execute_by(&elsewhere, &parts, &mut |results| {
            results.iter().try_for_each(|(trials, origin)| keep(trials, Some(origin)))
        });
        self.voided += void_convicted(&**cluster, self.store, self.watch)?;
        made.map(|()| done)
    }

    /// The number of games of a match to play now: `planned`, or fewer if the options say so.
    pub(crate) fn most(&self, planned: u64) -> u64 {
        self.options.games.map_or(planned, |most| most.min(planned))
    }
}

impl ExperimentOptions {
    /// A pass of N games by N threads.
    pub(crate) fn limits(&self, games: u64, threads: usize) -> RunLimits {
        RunLimits { games, threads, cluster: self.cluster.clone(), version: self.version.clone() }
    }
}
