//! A match between two agents, given by name.

use crate::adjudication::Adjudication;
use crate::agent_spec::AgentSpec;
use crate::conditions::{Conditions, Limit, Openings};
use crate::engine_limits::EngineLimits;
use crate::error::{LabError, check_positive};
use crate::event::{Event, Why};
use crate::game_spec::GameSpec;
use crate::job::Cluster;
use crate::match_games::{MatchGames, Play, RunLimits};
use crate::match_summary::MatchSummary;
use crate::opening::MoveError;
use crate::runner::RunReport;
use crate::stats::Sprt;
use crate::store::{Config, Description, Disputed, Labels, Matchup, PlannedMatch, Store, StoredPlan};
use crate::write_atomic::write_atomic;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tesuji::Stop;

/// The description of a match.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    /// Its name, unique in an experiment.
    pub name: String,
    /// The claim and the series that the match belongs to.
    pub labels: Labels,
    /// The agent whose side the result takes.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The game.
    pub game: GameSpec,
    /// The number of games; the last one of an odd number has no partner.
    pub games: u64,
    /// The limit of each search, except of agents with one of their own (`uct,playouts=1200`).
    pub limit: Limit,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The openings; none: the game's usual number of random moves.
    pub openings: Option<Openings>,
    /// Whether each game has an opening of its own, see [`Conditions`].
    pub unpaired: bool,
    /// A game of N moves is a draw.
    pub longest: u32,
    /// When a decided game ends.
    pub adjudicate: Adjudication,
    /// Ends the match as soon as this test is decided.
    pub sprt: Option<Sprt>,
    /// The value of a game whose result an engine disputes.
    pub disputed: Disputed,
    /// The time limits of third-party engines.
    pub engine: EngineLimits,
}

/// The options of a single match, none of which decides its games.
#[derive(Clone, Debug)]
pub struct MatchOptions {
    /// The number of games played at a time.
    pub threads: usize,
    /// The workers that play them, in place of threads of this program.
    pub cluster: Option<Arc<dyn Cluster>>,
    /// The directory of the record; without one nothing is kept.
    pub out: Option<PathBuf>,
    /// Go on in a record with other settings. Games that are the same count.
    pub changed: bool,
    /// The program's version and commit, for the record.
    pub version: String,
}

/// A match that can be played.
#[derive(Clone, Debug)]
pub struct Match {
    game: GameSpec,
    games: MatchGames,
    planned: PlannedMatch,
}

/// Plays a match by itself, or its missing games.
///
/// # Errors
/// If the match is not possible, or the directory holds another experiment, or the store fails.
pub fn run_match(
    spec: &MatchSpec,
    options: &MatchOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<MatchSummary, LabError> {
    let begun = Instant::now();
    let played = Match::new(spec)?;
    let planned = played.planned();
    let mut store = match &options.out {
        Some(dir) => Store::open(dir)?,
        None => Store::in_memory()?,
    };
    let description = Description {
        kind: "match".to_owned(),
        name: planned.name.clone(),
        about: String::new(),
        file: planned.matchup.spec(),
        version: options.version.clone(),
    };
    let stored_plan = StoredPlan { matches: vec![planned.clone()], ..StoredPlan::default() };
    store.begin(&description, &stored_plan, options.changed)?;
    let limits = RunLimits {
        games: spec.games,
        threads: options.threads,
        cluster: options.cluster.clone(),
        version: options.version.clone(),
    };
    let report = played.play_step("", (1, 1), &mut store, &limits, stop, watch)?;
    let mut summary = planned.summary(&store)?;
    summary.seconds = begun.elapsed().as_secs_f64();
    summary.failed = report.failed;
    summary.interrupted = report.stopped;
    if let Some(dir) = store.dir() {
        // Else the summary of what is lost would be written to a new directory.
        store.check_file()?;
        let text = serde_json::to_string_pretty(&summary).map_err(LabError::failed)?;
        write_atomic(&dir.join("summary.json"), &(text + "\n"))?;
    }
    Ok(summary)
}

impl Match {
    /// Checks that the match is possible.
    ///
    /// # Errors
    /// If there is no such agent, or one that cannot play the game, or an opening is not possible.
    pub fn new(spec: &MatchSpec) -> Result<Match, LabError> {
        Match::between([AgentSpec::parse(&spec.a)?, AgentSpec::parse(&spec.b)?], spec)
    }

    /// Checks that a match of these agents is possible; `a` and `b` of `spec` are what they are
    /// called.
    pub(crate) fn between(agents: [AgentSpec; 2], spec: &MatchSpec) -> Result<Match, LabError> {
        let played = Match::unchecked(agents, spec)?;
        played.check()?;
        Ok(played)
    }

    /// The same as far as that shows without executing a command: reading a file or a record starts
    /// no engine.
    pub(crate) fn without_engines(agents: [AgentSpec; 2], spec: &MatchSpec) -> Result<Match, LabError> {
        let stand_in = |agent: &AgentSpec| match agent {
            AgentSpec::Gtp(_) => AgentSpec::Random,
            agent => agent.clone(),
        };
        Match::between(agents.each_ref().map(stand_in), spec)?;
        Match::unchecked(agents, spec)
    }

    pub(crate) fn unchecked(agents: [AgentSpec; 2], spec: &MatchSpec) -> Result<Match, LabError> {
        check_positive([("longest", spec.longest.into())])?;
        spec.engine.check()?;
        let conditions = Match::conditions(spec);
        let planned = Match::plan(&agents, spec);
        let gtp_setup = spec.game.gtp_setup();
        let games = MatchGames { agents, conditions, engine: spec.engine, gtp_setup };
        Ok(Match { game: spec.game.clone(), games, planned })
    }

    /// [`Match::play`] as step `number` of `of`.
    pub(crate) fn play_step(
        &self,
        about: &str,
        (number, of): (usize, usize),
        store: &mut Store,
        limits: &RunLimits,
        stop: &Stop,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<RunReport, LabError> {
        let name = &self.planned().name;
        watch(Event::Started { name, about, number, of, total: limits.games });
        let report = self.play(store, limits, stop, watch)?;
        watch(Event::Stopped(Why::of(report.stopped, report.failed > 0)));
        Ok(report)
    }

    /// Makes sure that both agents can play. This starts engines.
    pub(crate) fn check(&self) -> Result<(), LabError> {
        let Conditions { openings, unpaired, .. } = &self.games.conditions;
        if *unpaired && matches!(openings, Openings::Lines(_)) {
            return Err(MoveError::Unpaired.into());
        }
        self.game.start().check_match(&self.games)
    }

    /// What the games have in common.
    fn conditions(spec: &MatchSpec) -> Conditions {
        let openings = spec.openings.clone();
        Conditions {
            game: spec.game.to_string(),
            komi: spec.game.komi(),
            seed: spec.seed,
            longest: spec.longest,
            adjudicate: spec.adjudicate,
            limit: spec.limit,
            openings: openings.unwrap_or(Openings::RandomPlies(spec.game.opening_plies())),
            unpaired: spec.unpaired,
        }
    }

    /// The match as a store keeps it, unchecked.
    pub(crate) fn plan(agents: &[AgentSpec; 2], spec: &MatchSpec) -> PlannedMatch {
        let [a, b] = agents.each_ref().map(|agent| agent.config(spec.limit));
        Match::plan_between(&a, &b, spec)
    }

    /// The same, of agents with these descriptions.
    pub(crate) fn plan_between(a: &Config, b: &Config, spec: &MatchSpec) -> PlannedMatch {
        PlannedMatch {
            name: spec.name.clone(),
            matchup: Matchup::new(&Match::conditions(spec), a, b),
            a: spec.a.clone(),
            b: spec.b.clone(),
            games: spec.games,
            sprt: spec.sprt,
            disputed: spec.disputed,
            labels: spec.labels.clone(),
        }
    }

    /// The same match as it is recorded: its agents may have other descriptions with the same
    /// meaning.
    pub(crate) fn recorded_as(mut self, planned: PlannedMatch) -> Match {
        self.planned = planned;
        self
    }

    /// The same match with `games` games.
    pub(crate) fn with_games(mut self, games: u64) -> Match {
        self.planned.games = games;
        self
    }

    /// The match as a store keeps it.
    pub fn planned(&self) -> &PlannedMatch {
        &self.planned
    }

    /// Plays the games that the store does not have yet, until the pass ends or the match's
    /// sequential test is decided.
    ///
    /// # Errors
    /// If the store fails. A game that fails is told to `watch`, and the others are played.
    pub fn play(
        &self,
        store: &mut Store,
        limits: &RunLimits,
        stop: &Stop,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<RunReport, LabError> {
        let referee = self.game.referee();
        let (games, planned) = (&self.games, &self.planned);
        let play = Play { games, planned, referee: &*referee, store, limits, stop, watch };
        self.game.start().play_match(play)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::MatchConfig;
    use tesuji::recipe::Recipe;
    use tesuji_net::{Notes, Parameters, Shape};

    /// The moves of all games between two agents with these networks' options.
    fn games(a: &str, b: &str, limit: Limit) -> Vec<Vec<String>> {
        let config =
            MatchConfig { seed: 5, longest: 40, ..MatchConfig::new("sharing", [a, b], "go:4", 4, 40) };
        let spec = MatchSpec { limit, ..config.spec().unwrap() };
        let (played, mut store) = (Match::new(&spec).unwrap(), Store::in_memory().unwrap());
        let limits = RunLimits { games: 4, threads: 2, cluster: None, version: String::new() };
        played.play(&mut store, &limits, &Stop::default(), &mut |_| ()).unwrap();
        store
            .games_of(&played.planned().matchup, 4)
            .unwrap()
            .into_iter()
            .map(|(_, game)| game.moves)
            .collect()
    }

    #[test]
    fn given_openings_are_played_in_pairs() {
        let openings = Some(vec!["a1".to_owned(), "b2".to_owned()]);
        let config = MatchConfig { openings, ..MatchConfig::new("m", ["random"; 2], "hex:3", 4, 9) };
        Match::new(&config.spec().unwrap()).unwrap();
        let error = Match::new(&MatchConfig { unpaired: true, ..config }.spec().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("openings and unpaired exclude each other"), "{error}");
    }

    #[test]
    fn agents_that_share_evaluations_play_as_they_do_alone() {
        let shape = Shape { board: 4, planes: 3, filters: 4, blocks: 1, value_hidden: 4, ..Shape::GO9 };
        let mut parameters = Parameters::random(shape, 3);
        parameters.tensor_mut("value.fc2.weight").unwrap().iter_mut().for_each(|w| *w *= 12.0);
        let file = std::env::temp_dir().join(format!("tesuji-sharing-{}.safetensors", std::process::id()));
        parameters.save(&file, &Notes::new()).unwrap();
        let agent = |rest| format!("puct-net,network.file={}{rest}", file.display());
        let [a, b] = [agent(",select.c=0.3"), agent(",backup=coulom")];
        let agents =
            |specs: [&str; 2]| specs.map(|spec| AgentSpec::Recipe(Box::new(Recipe::parse(spec).unwrap())));
        let other = agent(",backup=coulom,network.cache=50");
        let start = tesuji_go::Go9::new(4, tesuji_go::Rules::default());
        for (b, shares) in [(&b, true), (&other, false)] {
            let [one, two] = &agents([&a, b]);
            assert_eq!(AgentSpec::common_evaluator([one, two], &start).unwrap().is_some(), shares);
        }
        let limit = Limit::Playouts(40);
        assert_eq!(games(&a, &b, limit), games(&a, &other, limit));
        std::fs::remove_file(file).unwrap();
    }
}
