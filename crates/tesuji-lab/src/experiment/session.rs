//! A run of an experiment.

use crate::elsewhere::{Elsewhere, void_convicted};
use crate::error::LabError;
use crate::event::{Event, Why};
use crate::executor::{SOON, execute_by, execute_list};
use crate::experiment::match_config::MatchConfig;
use crate::experiment::run::{ExperimentOptions, named};
use crate::match_games::RunLimits;
use crate::matches::Match;
use crate::process::reset_peak_memory;
use crate::store::{PlannedMatch, Store};
use crate::trial_jobs::TrialJobs;
use crate::trials::Trial;
use serde_json::json;
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
        let report = m.play_step(about, place, self.store, &limits, self.stop, self.watch)?;
        self.failed += report.failed;
        self.voided += report.voided;
        self.end_step()
    }

    /// Plays the chosen matches and makes the chosen trials, as far as they are missing.
    pub(crate) fn make(
        &mut self,
        matches: &[MatchConfig],
        trials: &[Box<dyn Trial + '_>],
    ) -> Result<(), LabError> {
        let run = json!({ "version": self.options.version, "threads": self.options.threads });
        if !trials.is_empty() {
            self.store.event("run", &run)?;
        }
        let chosen = std::mem::take(&mut self.chosen);
        loop {
            for (number, &i) in chosen.iter().enumerate() {
                let place = (number + 1, chosen.len());
                match matches.get(i) {
                    Some(config) => self.play(config, place)?,
                    None => self.make_trials(&*trials[i - matches.len()], place)?,
                }
            }
            if !self.take_voided() {
                break;
            }
        }
        match trials {
            [] => Ok(()),
            _ => self.store.event("end", &json!({ "stopped": self.is_stopped() })),
        }
    }

    /// Plays what is missing of a match.
    fn play(&mut self, config: &MatchConfig, place: (usize, usize)) -> Result<(), LabError> {
        let about = format!("{} against {}, {}", config.a, config.b, config.game);
        reset_peak_memory();
        let games = self.most(config.games);
        let played = config.unchecked().and_then(|m| self.complete(&m, &about, place, games));
        played.map_err(|error| named(&config.name, error))
    }

    /// Whether trials became void since the last call.
    pub(crate) fn take_voided(&mut self) -> bool {
        std::mem::take(&mut self.voided) > 0
    }

    /// Makes what is missing of a group of trials.
    fn make_trials(&mut self, trial: &dyn Trial, (number, of): (usize, usize)) -> Result<(), LabError> {
        let (group, stop, threads) = (trial.group(), self.stop, self.options.threads);
        let made = self.store.trials(&group)?;
        let missing = (0..self.most(trial.planned())).filter(|number| !made.contains_key(number));
        let missing: Vec<u64> = missing.collect();
        if missing.is_empty() || self.is_stopped() {
            return Ok(());
        }
        let (name, total) = (trial.name(), missing.len() as u64);
        self.tell(Event::Started { name, about: "", number, of, total });
        let make = |worker: &mut Option<_>, &number: &u64| {
            if stop.is_stopped() {
                return Ok(None);
            }
            let figures = worker.get_or_insert_with(|| trial.worker())(number, stop)?;
            Ok(figures.map(|figures| (number, figures)))
        };
        let mut done = 0;
        let outcome = match &self.options.cluster {
            None => execute_list(&missing, threads, SOON, make, &mut |batch| {
                self.store.insert_trials(&group, batch)?;
                done += batch.len() as u64;
                self.tell(Event::Done(done));
                Ok(())
            }),
            Some(cluster) => {
                let jobs = TrialJobs { file: self.file, name, group: &group, version: &self.options.version };
                let parts = jobs.parts(&missing, cluster.width());
                let elsewhere = Elsewhere {
                    cluster: &**cluster,
                    job: &|numbers: &&Vec<u64>| jobs.job(numbers),
                    outcome: &|numbers, result| jobs.outcome(numbers, result),
                };
                let made = execute_by(&elsewhere, &parts, &mut |results| {
                    for (trials, origin) in results {
                        self.store.insert_trials_of(&group, trials, Some(origin))?;
                        done += trials.len() as u64;
                    }
                    (self.watch)(Event::Done(done));
                    Ok(())
                });
                self.voided += void_convicted(&**cluster, self.store, self.watch)?;
                made
            }
        };
        self.tell_end(outcome.is_err());
        outcome?;
        self.end_step()
    }

    /// The number of games of a match to play now: `planned`, or fewer if the options say so.
    pub(crate) fn most(&self, planned: u64) -> u64 {
        self.options.games.map_or(planned, |most| most.min(planned))
    }

    /// [`Session::complete`] for a match of two agents that says itself what it is, up to the games
    /// that the options allow.
    pub(crate) fn validate(&mut self, m: &Match, place: (usize, usize)) -> Result<(), LabError> {
        let planned = m.planned();
        let games = self.most(planned.games);
        self.complete(m, &format!("{} against {}", planned.a, planned.b), place, games)
    }
}

impl ExperimentOptions {
    /// A pass of N games by N threads.
    pub(crate) fn limits(&self, games: u64, threads: usize) -> RunLimits {
        RunLimits { games, threads, cluster: self.cluster.clone(), version: self.version.clone() }
    }
}
