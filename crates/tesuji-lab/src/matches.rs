//! A match between two agents, from its options to its summary.

use crate::agent::{Entrant, Factory};
use crate::agent_spec::{AgentFactory, AgentSpec};
use crate::conditions::{Conditions, Limit, Openings};
use crate::game_spec::{GameSpec, GameVisitor};
use crate::process::peak_memory;
use crate::record::Referee;
use crate::runner::{Arena, Event};
use crate::schedule::MatchSchedule;
use crate::stats::{Counts, Interval, Sprt, Verdict, agresti_coull};
use crate::store::{Config, Description, GameRow, Store, Usage};
use crate::{Adjudication, LabError, opening, write_whole::write_whole};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Instant;
use tesuji::{Notation, Stop, Value};

/// What to play.
#[derive(Clone, Debug)]
pub struct MatchOptions {
    /// The agent whose side the result takes.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The game.
    pub game: GameSpec,
    /// How many games; the last one of an odd number has no partner.
    pub games: u64,
    /// The limit of each search, except of agents with one of their own (`uct,playouts=1200`).
    pub limit: Limit,
    /// How many games are played at a time.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The directory of the record; without one nothing is kept.
    pub out: Option<PathBuf>,
    /// Where games begin; none: after the game's usual number of random moves.
    pub openings: Option<Openings>,
    /// A game of so many moves is a draw.
    pub longest: u32,
    /// When a decided game ends.
    pub adjudicate: Adjudication,
    /// Ends the match as soon as this test is decided.
    pub sprt: Option<Sprt>,
    /// The program's version and commit, for the record.
    pub version: String,
}

/// How a match stands while it goes on.
#[derive(Clone, Debug)]
pub struct MatchProgress {
    /// Games losses, draws and wins of `a` so far.
    pub counts: Counts,
    /// Games asked for.
    pub total: u64,
    /// Something that should be told: a forfeit, a dispute, a failure.
    pub note: Option<String>,
}

/// The result of a match, from the side of `a`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchSummary {
    /// The agent.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The game.
    pub game: String,
    /// Points for the second player, where the game has a komi.
    pub komi: Option<f64>,
    /// Games played, the ones before a resumption included.
    pub games: u64,
    /// Games that `a` won.
    pub wins: u64,
    /// Games that `a` lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Wins plus half of the draws, over games.
    pub score: f64,
    /// The Agresti–Coull interval of the score.
    pub ci95: Interval,
    /// The Elo difference; none where it is infinite.
    pub elo: Option<f64>,
    /// Its interval, from the variance of pairs if all games are paired; none where an end is infinite.
    pub elo_ci95: [Option<f64>; 2],
    /// The likelihood of superiority.
    pub los: f64,
    /// The p-value of "both are equally strong", two-sided.
    pub p: f64,
    /// Complete pairs: LL, LD, LW or DD, DW, WW.
    pub pairs: [u64; 5],
    /// The seed.
    pub seed: u64,
    /// Simulations a move, if they were limited.
    pub playouts: Option<u64>,
    /// Milliseconds a move, if they were limited.
    pub milliseconds: Option<u64>,
    /// Simulations a move of `a`: its own limit or the common one.
    pub playouts_a: Option<u64>,
    /// Simulations a move of `b`.
    pub playouts_b: Option<u64>,
    /// Wall-clock time of this run.
    pub seconds: f64,
    /// Wall-clock time of all games, one after the other.
    pub game_seconds: f64,
    /// Games that `a` forfeited.
    pub forfeits_a: u64,
    /// Games that `b` forfeited.
    pub forfeits_b: u64,
    /// Games that ended because both players took them for decided.
    pub adjudicated: u64,
    /// Games of which an engine scored the end otherwise than the referee.
    pub disputes: u64,
    /// Games that repeat an earlier one move for move.
    pub duplicates: u64,
    /// Games of this run that failed by a fault of this program.
    pub failed: u64,
    /// Whether the match was stopped before its end.
    pub interrupted: bool,
    /// The most memory that a process held which played games of this match, as [`peak_memory`] says.
    pub process_bytes_peak: Option<u64>,
    /// The sequential test, if there was one.
    pub sprt: Option<SprtSummary>,
    /// What the searches of `a` cost.
    pub a_stats: Usage,
    /// What the searches of `b` cost.
    pub b_stats: Usage,
}

/// A sequential test's result.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtSummary {
    /// The null hypothesis, in Elo.
    pub elo0: f64,
    /// The alternative.
    pub elo1: f64,
    /// The log-likelihood ratio of the pairs.
    pub llr: f64,
    /// Its lower bound.
    pub lower: f64,
    /// Its upper bound.
    pub upper: f64,
    /// The decision.
    pub verdict: Verdict,
}

/// Plays a match, or what is missing of it.
///
/// # Errors
/// If the options are not possible, or the directory holds another experiment, or the store fails.
pub fn run_match(
    options: &MatchOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(MatchProgress),
) -> Result<MatchSummary, LabError> {
    let a = AgentSpec::parse(&options.a)?;
    let b = AgentSpec::parse(&options.b)?;
    options.game.visit(Run { options, a, b, stop, watch })
}

/// What the record of a match says, nothing being played; none if there is no record yet.
///
/// # Errors
/// As [`run_match`]: the options are checked, whether there is a record or not.
pub fn summarize_match(options: &MatchOptions) -> Result<Option<MatchSummary>, LabError> {
    let a = AgentSpec::parse(&options.a)?;
    let b = AgentSpec::parse(&options.b)?;
    options.game.visit(Summarize { options, a, b })
}

struct Run<'a> {
    options: &'a MatchOptions,
    a: AgentSpec,
    b: AgentSpec,
    stop: &'a Stop,
    watch: &'a mut dyn FnMut(MatchProgress),
}

impl GameVisitor for Run<'_> {
    type Out = Result<MatchSummary, LabError>;

    fn visit<G>(self, start: G) -> Self::Out
    where
        G: Notation<Outcome = Value> + Send + Sync + 'static,
        G::Move: Send + Sync,
    {
        let Run { options, a, b, stop, watch } = self;
        let begun = Instant::now();
        let conditions = options.conditions();
        let [player_a, player_b] = options.players(&start, [&a, &b])?;
        let (config_a, config_b) = (a.config(), b.config());
        let mut store = match &options.out {
            Some(dir) => Store::open(dir)?,
            None => Store::in_memory()?,
        };
        store.begin(&description(&conditions, &config_a, &config_b), &options.version)?;
        store.event("run", &options.event())?;
        let entrants = [
            Entrant { config: &config_a, factory: &player_a as &dyn Factory<G>, limit: a.limit() },
            Entrant { config: &config_b, factory: &player_b, limit: b.limit() },
        ];
        let referee = options.game.referee();
        let files = Files::prepare(&store, &*referee)?;
        let arena = Arena {
            start: &start,
            conditions: &conditions,
            entrants: &entrants,
            referee: &*referee,
            threads: options.threads,
            stop,
        };
        let mut schedule = MatchSchedule::new(options.games, options.sprt);
        let mut counts = [0; 3];
        let report = arena.run(&mut schedule, &mut store, &mut |event| {
            if let Event::Played { pairing, game } = &event {
                files.write(&options.a, &options.b, pairing.opening, game);
            }
            let (value, note) = match event {
                Event::Found { a_value } => (Some(a_value), None),
                Event::Played { game, .. } => {
                    (Some(game.a_value), game.detail.clone().or(game.dispute.clone()))
                }
                Event::Failed { why, .. } => (None, Some(format!("a game failed: {why}"))),
            };
            if let Some(value) = value {
                counts[(value * 2.0).round() as usize] += 1;
            }
            watch(MatchProgress { counts: Counts::Games(counts), total: options.games, note });
        })?;
        let seconds = begun.elapsed().as_secs_f64();
        let memory = if report.played > 0 { peak_memory() } else { None };
        let end = serde_json::json!({ "seconds": seconds, "stopped": report.stopped, "process_bytes_peak": memory });
        store.event("end", &end)?;
        let mut summary = options.summary(&store, [&a, &b], schedule.openings())?;
        summary.seconds = seconds;
        summary.failed = report.failed;
        summary.interrupted = report.stopped;
        if let Some(dir) = store.dir() {
            let text = serde_json::to_string_pretty(&summary).map_err(LabError::failed)?;
            write_whole(&dir.join("summary.json"), &(text + "\n"))?;
        }
        Ok(summary)
    }
}

struct Summarize<'a> {
    options: &'a MatchOptions,
    a: AgentSpec,
    b: AgentSpec,
}

impl GameVisitor for Summarize<'_> {
    type Out = Result<Option<MatchSummary>, LabError>;

    fn visit<G>(self, start: G) -> Self::Out
    where
        G: Notation<Outcome = Value> + Send + Sync + 'static,
        G::Move: Send + Sync,
    {
        let Summarize { options, a, b } = self;
        options.players(&start, [&a, &b])?;
        let Some(dir) = options.out.as_ref().filter(|dir| dir.join(crate::store::FILE).exists()) else {
            return Ok(None);
        };
        let mut store = Store::open(dir)?;
        store.begin(&description(&options.conditions(), &a.config(), &b.config()), &options.version)?;
        options.summary(&store, [&a, &b], u64::MAX).map(Some)
    }
}

impl MatchOptions {
    fn conditions(&self) -> Conditions {
        let openings = self.openings.clone();
        Conditions {
            game: self.game.to_string(),
            komi: self.game.komi(),
            seed: self.seed,
            longest: self.longest,
            adjudicate: self.adjudicate,
            limit: self.limit,
            openings: openings.unwrap_or(Openings::RandomPlies(self.game.opening_plies())),
        }
    }

    /// The players of both agents, if the game can begin as it shall and both agents can play it.
    fn players<G>(&self, start: &G, agents: [&AgentSpec; 2]) -> Result<[AgentFactory; 2], LabError>
    where
        G: Notation<Outcome = Value> + Send + Sync + 'static,
        G::Move: Send + Sync,
    {
        opening::check(start, &self.conditions().openings)?;
        let players = agents.map(|agent| agent.factory(self.game.gtp_setup()));
        for player in &players {
            Factory::<G>::bot(player, start).map_err(LabError::input)?;
        }
        Ok(players)
    }

    /// What this run asks for beyond the experiment's identity.
    fn event(&self) -> serde_json::Value {
        serde_json::json!({
            "version": self.version,
            "games": self.games,
            "threads": self.threads,
            "sprt": self.sprt,
        })
    }

    /// What the games in the store say that belong to openings below `openings`.
    fn summary(
        &self,
        store: &Store,
        agents: [&AgentSpec; 2],
        openings: u64,
    ) -> Result<MatchSummary, LabError> {
        let openings = openings.min(self.games.div_ceil(2));
        let [a, b] = &agents.map(AgentSpec::config);
        let tally = store.tally(a, b, openings)?;
        let [losses, draws, wins] = tally.games;
        let counts = tally.best_counts();
        let elo = counts.elo();
        let finite = |x: f64| x.is_finite().then_some(x);
        let playouts = |limit| match limit {
            Limit::Playouts(n) => Some(n),
            Limit::Milliseconds(_) => None,
        };
        let milliseconds = match self.limit {
            Limit::Playouts(_) => None,
            Limit::Milliseconds(n) => Some(n),
        };
        let [playouts_a, playouts_b] = agents.map(|agent| playouts(agent.limit().unwrap_or(self.limit)));
        Ok(MatchSummary {
            a: self.a.clone(),
            b: self.b.clone(),
            game: self.game.to_string(),
            komi: self.game.komi().and_then(|komi| komi.parse().ok()),
            games: losses + draws + wins,
            wins,
            losses,
            draws,
            score: counts.score(),
            ci95: agresti_coull(counts.points(), counts.games() as f64, 0.95),
            elo: finite(elo.elo),
            elo_ci95: [finite(elo.lo), finite(elo.hi)],
            los: counts.los(),
            p: counts.p_value(),
            pairs: tally.pairs,
            seed: self.seed,
            playouts: playouts(self.limit),
            milliseconds,
            playouts_a,
            playouts_b,
            seconds: 0.0,
            game_seconds: tally.seconds,
            forfeits_a: tally.forfeits_a,
            forfeits_b: tally.forfeits_b,
            adjudicated: tally.adjudicated,
            disputes: tally.disputes,
            duplicates: tally.duplicates,
            failed: 0,
            interrupted: false,
            process_bytes_peak: store.process_bytes_peak()?,
            sprt: self.sprt.map(|sprt| SprtSummary::of(sprt, Counts::Pairs(tally.pairs))),
            a_stats: store.usage(a, b, openings, true)?,
            b_stats: store.usage(a, b, openings, false)?,
        })
    }
}

impl SprtSummary {
    fn of(sprt: Sprt, pairs: Counts) -> SprtSummary {
        let (lower, upper) = sprt.bounds();
        let llr = if pairs.games() == 0 { 0.0 } else { sprt.llr(&pairs) };
        SprtSummary { elo0: sprt.elo0, elo1: sprt.elo1, llr, lower, upper, verdict: sprt.verdict(&pairs) }
    }
}

/// The SGF files of a record, where the game has such files.
struct Files<'a> {
    referee: &'a dyn Referee,
    dir: Option<PathBuf>,
}

impl Files<'_> {
    /// Writes what an interrupted run left out.
    fn prepare<'a>(store: &Store, referee: &'a dyn Referee) -> Result<Files<'a>, LabError> {
        let files = Files { referee, dir: store.dir().map(|dir| dir.join("games")) };
        if let Some(dir) = &files.dir {
            for (place, game) in store.games()? {
                if !dir.join(Self::name(place.opening, &game)).exists() {
                    files.write(&place.a, &place.b, place.opening, &game);
                }
            }
        }
        Ok(files)
    }

    /// Game 1 of a pair is the one that `a` begins.
    fn name(opening: u64, game: &GameRow) -> String {
        format!("{:05}-{}.sgf", opening + 1, if game.a_first { 1 } else { 2 })
    }

    /// A file that cannot be written now is written by the next run: the game itself is in the store.
    fn write(&self, a: &str, b: &str, opening: u64, game: &GameRow) {
        if let Some(dir) = &self.dir
            && let Some(text) = self.referee.sgf(a, b, game)
        {
            let _ = std::fs::create_dir_all(dir)
                .and_then(|()| std::fs::write(dir.join(Self::name(opening, game)), text));
        }
    }
}

fn description(conditions: &Conditions, a: &Config, b: &Config) -> Description {
    let agent = |name: &str, config: &Config| {
        let table = config.spec.parse::<toml::Table>().unwrap_or_default();
        toml::Table::from_iter([(name.to_owned(), toml::Value::Table(table))]).to_string()
    };
    Description {
        kind: "match".to_owned(),
        spec: format!("{}\n{}\n{}", conditions.canonical(), agent("a", a), agent("b", b)),
    }
}
