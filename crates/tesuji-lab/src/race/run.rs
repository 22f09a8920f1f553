//! Plays races.

use crate::error::LabError;
use crate::event::{Estimate, Event};
use crate::experiment::kind::Kind;
use crate::experiment::results::Results;
use crate::experiment::session::Session;
use crate::matches::Match;
use crate::race::faults::faults;
use crate::race::plan::Racing;
use crate::race::sample::SampledPattern;
use crate::race::sampler::PatternSampler;
use crate::race::state::{Next, RaceState};
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

    /// Plays what is missing of the races and, after each that accepted something, of its fresh
    /// games.
    fn make(&self, session: &mut Session<'_>) -> Result<(), LabError> {
        let races = RaceState::read(self, session.store)?;
        if session.options.games == Some(0) {
            return Ok(());
        }
        RaceRun { races, session, begun: 0 }.play()
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        self.tables(store)
    }

    fn is_evaluation(&self, name: &str) -> bool {
        Racing::is_arm(name)
    }

    fn faults(&self, store: &Store, _: &Path) -> Result<Vec<String>, LabError> {
        faults(self, store)
    }
}

struct RaceRun<'a, 'b> {
    races: RaceState,
    session: &'a mut Session<'b>,
    /// The last race that was told to have begun.
    begun: u64,
}

impl RaceRun<'_, '_> {
    fn play(mut self) -> Result<(), LabError> {
        loop {
            if self.session.take_voided() {
                self.races.reopen(self.session.store)?;
                self.begun = self.begun.min(self.races.rounds.len() as u64);
            }
            let next = self.races.advance(self.session.store)?;
            self.validate()?;
            match next {
                _ if self.session.voided > 0 => {}
                _ if self.is_over() => break,
                Next::Draw(race) => self.draw(race)?,
                Next::Play { arm, games } => self.batch(arm, games)?,
                Next::End => break,
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.session.is_stopped() || self.session.failed > 0
    }

    fn validate(&mut self) -> Result<(), LabError> {
        let fresh = self.races.validations()?;
        let validate = |(i, m)| self.session.validate(m, (i + 1, fresh.len()));
        fresh.iter().enumerate().try_for_each(validate)
    }

    /// Draws the patterns of a race, from positions of the corpus.
    fn draw(&mut self, race: u64) -> Result<(), LabError> {
        let Some(corpus) = self.races.corpus()? else { return Ok(()) };
        let about = "positions in which patterns are tried";
        self.session.complete(&corpus, about, (1, 1), corpus.planned().games)?;
        if self.is_over() || self.session.voided > 0 {
            return Ok(());
        }
        match draw(&self.races, race, &corpus, self.session.store, self.session.stop)? {
            Some(drawn) => self.races.draw(self.session.store, race, drawn),
            None => Ok(()),
        }
    }

    /// Plays an arm of the last race up to `games` games.
    fn batch(&mut self, arm: usize, games: u64) -> Result<(), LabError> {
        let Some(round) = self.races.rounds.last() else { return Ok(()) };
        let (number, agent) = (round.number, &round.arms[arm]);
        if self.begun < number {
            self.begun = number;
            let plan = &self.races.plan;
            let total = plan.race.most.map_or(0, |most| most * round.arms.len() as u64);
            let about = format!("{} arms against {}", round.arms.len(), agent.base_match.planned().b);
            let (number, of) = (number as usize, plan.rounds() as usize);
            self.session.tell(Event::Started { name: "race", about: &about, number, of, total });
        }
        let Session { store, options, stop, watch, .. } = &mut *self.session;
        store.append_match(agent.base_match.planned())?;
        let limits = options.limits(games, options.threads);
        let of_others = self.races.games_of_race() - round.race.arms()[arm].rewards.count;
        let report = agent.base_match.play(store, &limits, stop, &mut |event| match event {
            Event::Note(note) => watch(Event::Note(&format!("{}: {note}", agent.name))),
            Event::Done(played) => watch(Event::Done(of_others + played)),
            Event::Game { .. } | Event::Failed { .. } => watch(event),
            _ => {}
        })?;
        self.session.failed += report.failed;
        self.session.voided += report.voided;
        if self.is_over() || report.voided > 0 {
            return Ok(());
        }
        if report.played == 0 {
            // Else it would be played for ever.
            let name = &agent.base_match.planned().name;
            return Err(damaged(format_args!(
                "match {name}: some of its games are stored as those of another match"
            )));
        }
        let agent_name = agent.name.clone();
        let what = format!("race {number}, {agent_name} ({})", agent.change);
        self.races.advance(self.session.store)?;
        let race = &self.races.rounds[number as usize - 1].race;
        let state = &race.arms()[arm];
        let (value, interval) = (state.rewards.mean(), [state.lower, state.upper]);
        self.session.tell(Event::Moved(Estimate { name: &agent_name, value, interval, counts: None }));
        self.session.tell(Event::Note(&format!(
            "{what}: {:.4} of {} games, within [{:.4}, {:.4}]: {}",
            state.rewards.mean(),
            state.rewards.count,
            state.lower,
            state.upper,
            state.verdict,
        )));
        if race.winner().is_some() {
            self.session.tell_end(false);
        }
        self.session.end_step()
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
