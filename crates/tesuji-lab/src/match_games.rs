//! The games of a match, played by the code that is compiled for their game.

use crate::agent::{Factory, MatchAgent};
use crate::agent_spec::{AgentFactory, AgentSpec};
use crate::conditions::{Conditions, Limit};
use crate::deal::Deal;
use crate::elsewhere::{Elsewhere, void_convicted};
use crate::engine_limits::EngineLimits;
use crate::error::LabError;
use crate::event::{Estimate, Event};
use crate::game_jobs::GameJobs;
use crate::job::Cluster;
use crate::opening;
use crate::process::peak_memory;
use crate::record::Referee;
use crate::runner::{Arena, RunReport, Task};
use crate::schedule::MatchSchedule;
use crate::stats::{Counts, agresti_coull};
use crate::store::{Matchup, PlannedMatch, Store};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;
use tesuji::Stop;
use tesuji_agents::Playable;

/// The limits of one run of a match.
#[derive(Clone, Debug)]
pub struct RunLimits {
    /// The largest number of games, including those in the store.
    pub games: u64,
    /// The number of games played at a time.
    pub threads: usize,
    /// The workers that play them, in place of threads of this program.
    pub cluster: Option<Arc<dyn Cluster>>,
    /// The program's version and commit, for the record.
    pub version: String,
}

/// What decides the games of a match, but for the game.
#[derive(Clone, Debug)]
pub(crate) struct MatchGames {
    pub(crate) agents: [AgentSpec; 2],
    pub(crate) conditions: Conditions,
    pub(crate) engine: EngineLimits,
    /// How an engine is told by GTP to prepare for the game.
    pub(crate) gtp_setup: Option<Vec<String>>,
}

impl MatchGames {
    /// Makes sure that both agents can play, and that given openings are legal.
    pub(crate) fn check_for<G: Playable>(&self, start: &G) -> Result<(), LabError> {
        opening::check(start, &self.conditions.openings)?;
        self.players(start).map(|_| ())
    }

    /// The players of both agents. With the same network they share evaluations, but not where
    /// searches end by the clock, which would then measure what the other has left to do.
    pub(crate) fn players<G>(&self, start: &G) -> Result<[AgentFactory<G>; 2], LabError>
    where
        G: Playable,
    {
        let agents = self.agents.each_ref();
        let is_timed = agents
            .iter()
            .any(|agent| !matches!(agent.limit().unwrap_or(self.conditions.limit), Limit::Playouts(_)));
        let evaluator = if is_timed { None } else { AgentSpec::common_evaluator(agents, start)? };
        let players = agents.map(|agent| {
            let factory = agent.factory(self.gtp_setup.clone(), self.engine);
            factory.with_evaluator(evaluator.clone())
        });
        for player in &players {
            player.bot(start).map_err(LabError::input)?;
        }
        Ok(players)
    }
}

/// What is still to be played of a match, and how.
pub(crate) struct Play<'a> {
    pub(crate) games: &'a MatchGames,
    pub(crate) planned: &'a PlannedMatch,
    pub(crate) referee: &'a dyn Referee,
    pub(crate) store: &'a mut Store,
    pub(crate) limits: &'a RunLimits,
    pub(crate) stop: &'a Stop,
    pub(crate) watch: &'a mut dyn FnMut(Event<'_>),
}

impl Play<'_> {
    pub(crate) fn run<G: Playable>(self, start: &G, deal: Option<Deal<G>>) -> Result<RunReport, LabError> {
        let Play { games: of, planned, referee, store, limits, stop, watch } = self;
        let MatchGames { agents, conditions, .. } = of;
        let begun = Instant::now();
        let games = limits.games.min(planned.games);
        let run = serde_json::json!({
            "match": planned.name,
            "version": limits.version,
            "games": games,
            "threads": limits.threads,
            "sprt": planned.sprt,
        });
        store.event("run", &run)?;
        let [player_a, player_b] = of.players(start)?;
        let Matchup { a, b, .. } = &planned.matchup;
        let match_agents = [
            MatchAgent { config: a, factory: &player_a as &dyn Factory<G>, limit: agents[0].limit() },
            MatchAgent { config: b, factory: &player_b, limit: agents[1].limit() },
        ];
        let arena = Arena {
            start,
            deal,
            conditions,
            agents: &match_agents,
            referee,
            disputed: planned.disputed,
            // A thread without a game would only cost; a cluster says itself how many it takes.
            threads: match limits.cluster {
                Some(_) => usize::MAX,
                None => limits.threads.min(usize::try_from(games).unwrap_or(usize::MAX)),
            },
            stop,
        };
        let schedule = || MatchSchedule::new(games, planned.sprt);
        let mut tally = RunningTally::default();
        let report = match &limits.cluster {
            None => arena.run(&mut schedule(), store, &mut tally.told_to(watch))?,
            Some(cluster) => {
                let jobs = GameJobs::new(agents, conditions, of.engine, &limits.version)?;
                let elsewhere = Elsewhere {
                    cluster: &**cluster,
                    job: &|task: &Task| jobs.job(task),
                    outcome: &|task, result| {
                        jobs.outcome(task, result, referee, &|replay| replay.run(start, deal))
                    },
                };
                let mut all = RunReport::default();
                loop {
                    tally = RunningTally {
                        processor_seconds: tally.processor_seconds,
                        ..RunningTally::default()
                    };
                    let report =
                        arena.run_by(&elsewhere, &mut schedule(), store, &mut tally.told_to(watch))?;
                    let voided = void_convicted(&**cluster, store, watch)?;
                    let (played, voided) = (all.played + report.played, all.voided + voided);
                    all = RunReport { played, voided, ..report };
                    // Without games that are void a test may be open again.
                    let goes_on = report.played > 0 && store.missing(planned, games)? > report.failed;
                    if report.stopped || !goes_on {
                        break all;
                    }
                }
            }
        };
        // Those that a cluster played took the memory of others.
        let memory = if report.played > 0 && limits.cluster.is_none() { peak_memory() } else { None };
        let end = serde_json::json!({
            "match": planned.name,
            "seconds": begun.elapsed().as_secs_f64(),
            "stopped": report.stopped,
            "process_bytes_peak": memory,
            "processor_seconds": tally.processor_seconds,
        });
        store.event("end", &end)?;
        Ok(report)
    }
}

/// How a match stands.
#[derive(Default)]
struct RunningTally {
    counts: [u64; 3],
    done: u64,
    /// The value of the first game of each pair that waits for the second; none if it counts for
    /// nobody.
    firsts: HashMap<u64, Option<f64>>,
    /// Of `a` and `b`, over the games of this run that measured them.
    processor_seconds: Option<[f64; 2]>,
}

impl RunningTally {
    /// Hands events on and, after each game, how the match stands.
    fn told_to(&mut self, watch: &mut dyn FnMut(Event<'_>)) -> impl FnMut(Event<'_>) {
        move |event| {
            watch(event);
            let Event::Game { pairing, value, game } = event else { return };
            self.done += 1;
            self.count(pairing.opening, value);
            if let Some(used) = game.and_then(|game| game.processor_seconds) {
                let sums = self.processor_seconds.get_or_insert_default();
                sums.iter_mut().zip(used).for_each(|(sum, used)| *sum += used);
            }
            if let Some(note) = game.and_then(|game| game.detail.as_ref().or(game.dispute.as_ref())) {
                watch(Event::Note(&format!("game {}: {note}", self.done)));
            }
            let counted = Counts::Games(self.counts);
            let interval = agresti_coull(counted.points(), counted.games() as f64, 0.95);
            let interval = [interval.lo, interval.hi];
            let (value, counts) = (counted.score(), Some(self.counts));
            watch(Event::Moved(Estimate { name: "score", value, interval, counts }));
            watch(Event::Done(self.done));
        }
    }

    fn count(&mut self, opening: u64, value: Option<f64>) {
        let place = |value: f64| (value * 2.0).round() as usize;
        let first = self.firsts.remove(&opening);
        if first.is_none() {
            self.firsts.insert(opening, value);
        }
        match (first, value) {
            (None | Some(Some(_)), Some(value)) => self.counts[place(value)] += 1,
            // The game takes the other one of its pair with it.
            (Some(Some(first)), None) => self.counts[place(first)] -= 1,
            _ => {}
        }
    }
}
