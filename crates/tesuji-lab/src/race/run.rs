//! Plays races.

use crate::error::LabError;
use crate::event::{Estimate, Event};
use crate::experiment::kind::Kind;
use crate::experiment::results::Results;
use crate::experiment::session::Session;
use crate::experiment::steps::{NextStep, Played, Steps};
use crate::matches::Match;
use crate::race::faults::faults;
use crate::race::plan::Racing;
use crate::race::sample::SampledPattern;
use crate::race::sampler::PatternSampler;
use crate::race::state::{Next, RaceAgent, RaceState, Round};
use crate::race::terms;
use crate::store::{Store, StoredPlan, damaged};
use std::path::Path;
use tesuji::{Budget, Rng, Stop};

impl Kind for Racing {
    fn kind(&self) -> &'static str {
        "race"
    }

    fn names(&self) -> Result<Option<Vec<String>>, LabError> {
        Ok(None)
    }

    /// The games of the corpus, of the arms, and of what was accepted.
    fn stored_plan(&self, store: &Store) -> Result<StoredPlan, LabError> {
        let races = RaceState::read(self, store)?;
        let (corpus, fresh) = (races.corpus()?, races.validations()?);
        let arms = races.rounds.iter().flat_map(|round| &round.arms).map(|arm| &arm.base_match);
        for m in corpus.iter().chain(arms.clone()).chain(&fresh) {
            m.check().map_err(|error| error.within(&m.planned().name))?;
        }
        let planned = |m: &Match| m.planned().clone();
        let asked = store.matches()?;
        let is_asked = |m: &&Match| asked.iter().any(|planned| planned.name == m.planned().name);
        let matches = corpus.iter().chain(arms).chain(&fresh).filter(is_asked).map(planned).collect();
        Ok(StoredPlan { matches, ..StoredPlan::default() })
    }

    fn open<'a>(&'a self, session: &mut Session<'_>) -> Result<Option<Box<dyn Steps + 'a>>, LabError> {
        terms::begin(self, session.store, session.options.changed)?;
        let races = RaceState::read(self, session.store)?;
        let steps = RaceSteps { races, has_corpus: false, begun: 0, validated: 0 };
        Ok((session.options.games != Some(0)).then(|| Box::new(steps) as Box<dyn Steps>))
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        self.tables(store)
    }

    fn has_more(&self, store: &Store) -> Result<bool, LabError> {
        let mut races = RaceState::read(self, store)?;
        let goes_on = !matches!(races.advance(store)?, Next::End);
        Ok(goes_on || store.lacks(races.validations()?.iter().map(|m| m.planned().name.as_str()))?)
    }

    fn is_evaluation(&self, name: &str) -> bool {
        Racing::is_arm(name)
    }

    fn faults(&self, store: &Store, _: &Path) -> Result<Vec<String>, LabError> {
        faults(self, store)
    }
}

/// Plays what is missing of the races and, after each that accepted something, of its fresh games.
struct RaceSteps {
    races: RaceState,
    /// Whether the games were asked for from which patterns are drawn.
    has_corpus: bool,
    /// The last race that was told to have begun.
    begun: u64,
    /// The number of matches of accepted changes that were asked for.
    validated: usize,
}

impl Steps for RaceSteps {
    fn ask(&mut self, session: &mut Session<'_>) -> Result<NextStep<'_>, LabError> {
        let next = self.races.advance(session.store)?;
        let validations = self.races.validations()?;
        if let Some(step) = NextStep::validations(validations, session).nth(self.validated) {
            self.validated += 1;
            return Ok(step);
        }
        match next {
            _ if is_over(session) => Ok(NextStep::Done),
            Next::End => Ok(NextStep::Done),
            Next::Draw(race) => self.draw(race, session),
            Next::Play { arm, games } => Ok(self.batch(arm, games, session)),
        }
    }

    fn done(&mut self, name: &str, games: u64) -> u64 {
        let before = self.arm_of(name).map_or(0, |(round, arm)| round.race.arms()[arm].rewards.count());
        // Its stored games are told again, one by one.
        self.races.games_of_race() - before + games.max(before)
    }

    /// Tells a race the games of one of its arms.
    fn tell(&mut self, session: &mut Session<'_>, name: &str, played: Played) -> Result<(), LabError> {
        let report = played?;
        let Some((Round { number, arms, .. }, arm)) = self.arm_of(name) else { return Ok(()) };
        if is_over(session) || report.voided > 0 {
            return Ok(());
        }
        if report.played == 0 {
            // Else it would be played for ever.
            return Err(damaged(format_args!(
                "match {name}: some of its games are stored as those of another match"
            )));
        }
        let (number, agent_name, change) = (*number, arms[arm].name.clone(), arms[arm].change.clone());
        self.races.advance(session.store)?;
        let race = &self.races.rounds[number as usize - 1].race;
        let state = &race.arms()[arm];
        let (value, interval) = (state.rewards.mean(), [state.lower, state.upper]);
        session.tell(Event::Moved(Estimate { name: &agent_name, value, interval, counts: None }));
        session.tell(Event::Note(&format!(
            "race {number}, {agent_name} ({change}): {value:.4} of {} games, within [{:.4}, {:.4}]: {}",
            state.rewards.count(),
            state.lower,
            state.upper,
            state.verdict,
        )));
        if race.winner().is_some() {
            session.tell_end(false);
        }
        Ok(())
    }

    fn reopen(&mut self, session: &mut Session<'_>) -> Result<(), LabError> {
        self.races.reopen(session.store)?;
        self.begun = self.begun.min(self.races.rounds.len() as u64);
        (self.has_corpus, self.validated) = (false, 0);
        Ok(())
    }
}

/// Whether no race goes on: a failed game may have decided it.
fn is_over(session: &Session<'_>) -> bool {
    session.is_stopped() || session.failed > 0
}

impl RaceSteps {
    /// The last race and its arm that plays the match of this name.
    fn arm_of(&self, name: &str) -> Option<(&Round, usize)> {
        let round = self.races.rounds.last()?;
        let arm = round.arms.iter().position(|arm| arm.base_match.planned().name == name)?;
        Some((round, arm))
    }

    /// Draws the patterns of a race, from positions of the corpus, which is played first.
    fn draw(&mut self, race: u64, session: &mut Session<'_>) -> Result<NextStep<'_>, LabError> {
        let Some(corpus) = self.races.corpus()? else { return Ok(NextStep::Done) };
        if !std::mem::replace(&mut self.has_corpus, true) {
            let (games, about) = (corpus.planned().games, "positions in which patterns are tried");
            return Ok(NextStep::Play { played: corpus, games, about: about.to_owned(), place: (1, 1) });
        }
        if let Some(drawn) = draw(&self.races, race, &corpus, session.store, session.stop)? {
            self.races.draw(session.store, race, drawn)?;
        }
        Ok(NextStep::Worked)
    }

    /// An arm of the last race, up to `games` games.
    fn batch(&mut self, arm: usize, games: u64, session: &mut Session<'_>) -> NextStep<'_> {
        let Some(round) = self.races.rounds.last() else { return NextStep::Done };
        let (plan, RaceAgent { name, base_match, .. }) = (&self.races.plan, &round.arms[arm]);
        if self.begun < round.number {
            self.begun = round.number;
            let total = plan.race.most.map_or(0, |most| most.saturating_mul(round.arms.len() as u64));
            let about = format!("{} arms against {}", round.arms.len(), base_match.planned().b);
            let (number, of) = (round.number as usize, plan.rounds() as usize);
            session.tell(Event::Started { name: "race", about: &about, number, of, total });
        }
        NextStep::Part { played: base_match.clone(), games, label: name.clone() }
    }
}

/// Tells the random numbers of draws from those of games.
const DRAWS: u64 = 0x9a77;

/// Draws the patterns of a race; none if it was stopped.
///
/// A pattern is kept if the share of the moves that it matches, over all positions of the corpus,
/// is within the plan's limits, and if a search with it chooses another move than one without it,
/// from the same random numbers, in at least the plan's share of some positions spread over the
/// corpus.
///
/// # Errors
/// If too few of many patterns are kept.
fn draw(
    races: &RaceState,
    race: u64,
    corpus: &Match,
    store: &Store,
    stop: &Stop,
) -> Result<Option<Vec<SampledPattern>>, LabError> {
    let Some(plan) = &races.plan.patterns else { return Ok(Some(Vec::new())) };
    let planned = corpus.planned();
    let games = store.games_of(&planned.matchup, planned.games)?;
    let games: Vec<Vec<String>> = games.into_iter().map(|(_, game)| game.moves).collect();
    let (game, playouts) = races.plan.game()?;
    let seed = Rng::derive(races.plan.seed() ^ DRAWS, race);
    let budget = Budget { stop: stop.clone(), ..Budget::simulations(playouts) };
    let value = plan.races[race as usize - 1];
    let sampler = PatternSampler {
        plan,
        base: races.best(),
        value,
        seen: races.drawn().map(|drawn| drawn.pattern.as_str()).collect(),
        games: &games,
        budget,
        seed,
        stop,
    };
    game.start().sample_patterns(sampler)
}
