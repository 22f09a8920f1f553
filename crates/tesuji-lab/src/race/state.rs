//! The state of races, from the games that were played.

use super::plan::Racing;
use super::sample::{PatternSample, REOPENED, ReopenedRace, SampledPattern, draws};
use super::terms;
use super::variant::Variant;
use crate::error::LabError;
use crate::experiment::kind::Kind;
use crate::matches::Match;
use crate::store::Store;
use tesuji::recipe::PatternEffect;
use tesuji_race::{Batch, Race, Rewards, Verdict, Winner};

/// The races of a plan as far as their games are played.
///
/// Every step follows from the plan, the patterns drawn so far and the values of the games, so that
/// whoever reads the record anew comes to the same place.
#[derive(Clone, Debug)]
pub(super) struct RaceState {
    pub(super) plan: Racing,
    pub(super) rounds: Vec<Round>,
    /// What was accepted, in order.
    pub(super) accepted: Vec<Accepted>,
    draws: Vec<PatternSample>,
    /// Earlier values of `most`.
    limits: Vec<u64>,
}

/// One race.
#[derive(Clone, Debug)]
pub(super) struct Round {
    /// From 1.
    pub(super) number: u64,
    pub(super) arms: Vec<RaceAgent>,
    pub(super) race: Race,
}

/// A modification in a race.
#[derive(Clone, Debug)]
pub(super) struct RaceAgent {
    pub(super) name: String,
    /// What it changes.
    pub(super) change: String,
    /// Of a pattern: what its moves are.
    pub(super) value: Option<PatternEffect>,
    /// Of a drawn pattern: its rates.
    pub(super) drawn: Option<SampledPattern>,
    pub(super) variant: Variant,
    pub(super) base_match: Match,
    /// Games and bounds after each batch.
    pub(super) history: Vec<(Rewards, f64, f64)>,
}

/// A modification that won its race.
#[derive(Clone, Debug)]
pub(super) struct Accepted {
    pub(super) race: u64,
    pub(super) arm: usize,
    /// The base of the races after.
    pub(super) variant: Variant,
}

/// What to do next.
#[derive(Clone, Debug)]
pub(super) enum Next {
    /// Draw the patterns of this race.
    Draw(u64),
    /// Play an arm of the last race up to `games` games, earlier ones included.
    Play { arm: usize, games: u64 },
    /// The races are over.
    End,
}

/// The part of an arm's random numbers: no other match has the same.
fn part_of_arm(race: u64, arm: usize) -> u64 {
    (race << 32) | arm as u64
}

const CORPUS: u64 = 1 << 62;
const FRESH: u64 = 1 << 61;

impl RaceState {
    pub(super) fn read(plan: &Racing, store: &Store) -> Result<RaceState, LabError> {
        let draws = draws(plan.rounds(), store)?;
        let (rounds, accepted, limits) = (Vec::new(), Vec::new(), terms::limits(store)?);
        let mut races = RaceState { plan: plan.clone(), rounds, accepted, draws, limits };
        races.advance(store)?;
        Ok(races)
    }

    /// The agent with everything that was accepted.
    pub(super) fn best(&self) -> Variant {
        self.accepted
            .last()
            .map_or_else(|| Variant::new(&self.plan.base), |accepted| accepted.variant.clone())
    }

    /// All drawn patterns so far.
    pub(super) fn drawn(&self) -> impl Iterator<Item = &SampledPattern> {
        self.draws.iter().flat_map(|draw| &draw.drawn)
    }

    /// Records patterns for a race.
    pub(super) fn draw(
        &mut self,
        store: &Store,
        race: u64,
        drawn: Vec<SampledPattern>,
    ) -> Result<(), LabError> {
        let draw = PatternSample { race, drawn };
        store.event("patterns", &serde_json::to_value(&draw).map_err(LabError::failed)?)?;
        self.draws.push(draw);
        Ok(())
    }

    /// The first race that lacks games it was told, 0 if the corpus lacks some that patterns were
    /// drawn from; none if all are there.
    fn first_open(&self, store: &Store) -> Result<Option<u64>, LabError> {
        let lacks = |m: &Match| store.missing(m.planned(), m.planned().games).map(|missing| missing > 0);
        if let Some(corpus) = self.corpus()?.filter(|_| !self.draws.is_empty())
            && lacks(&corpus)?
        {
            return Ok(Some(0));
        }
        for round in &self.rounds {
            for (arm, state) in round.arms.iter().zip(round.race.arms()) {
                if lacks(&arm.base_match.clone().with_games(state.rewards.count()))? {
                    return Ok(Some(round.number));
                }
            }
        }
        Ok(None)
    }

    /// Goes back to where the games are void, if some are: a race follows from its games, and
    /// whatever follows from another end of it is gone.
    pub(super) fn reopen(&mut self, store: &mut Store) -> Result<(), LabError> {
        let Some(race) = self.first_open(store)? else { return Ok(()) };
        let reopened = serde_json::to_value(ReopenedRace { race }).map_err(LabError::failed)?;
        store.event(REOPENED, &reopened)?;
        *self = RaceState::read(&self.plan.clone(), store)?;
        store.replan(&self.plan.stored_plan(store)?)
    }

    /// The games from which positions for drawing patterns come.
    pub(super) fn corpus(&self) -> Result<Option<Match>, LabError> {
        let Some(patterns) = &self.plan.patterns else { return Ok(None) };
        let base = Variant::new(&self.plan.base);
        let name = &self.plan.base;
        let corpus = self.plan.variant_match("corpus", (&base, name), (&base, name), CORPUS, false)?;
        Ok(Some(corpus.with_games(patterns.games)))
    }

    /// Goes as far as the games in the store lead.
    pub(super) fn advance(&mut self, store: &Store) -> Result<Next, LabError> {
        loop {
            while let Some(round) = self.rounds.last_mut()
                && let Some(batch) = round.race.next()
            {
                if let Some(next) = round.take(batch, store)? {
                    return Ok(next);
                }
                if let Some(Winner::Arm(arm)) = round.race.winner() {
                    let (race, variant) = (round.number, round.arms[arm].variant.clone());
                    self.accepted.push(Accepted { race, arm, variant });
                }
            }
            let number = self.rounds.len() as u64 + 1;
            let arms = if number > self.plan.rounds() { Some(Vec::new()) } else { self.arms_of(number)? };
            match arms {
                None => return Ok(Next::Draw(number)),
                Some(arms) if arms.is_empty() => return Ok(Next::End),
                Some(arms) => {
                    let race = Race::new(arms.len(), self.plan.settings(number));
                    let race = race.resumed(self.limits.iter().copied());
                    self.rounds.push(Round { number, arms, race });
                }
            }
        }
    }

    /// The arms of the next race; none if its patterns are not drawn yet.
    fn arms_of(&self, number: u64) -> Result<Option<Vec<RaceAgent>>, LabError> {
        let base = self.best();
        let Some(patterns) = &self.plan.patterns else { return self.listed(number, &base).map(Some) };
        let value = patterns.races[number as usize - 1];
        let Some(draw) = self.draws.iter().find(|draw| draw.race == number) else { return Ok(None) };
        let agent = |(i, drawn): (usize, &SampledPattern)| {
            let variant = base.with_pattern(&drawn.pattern, value);
            let agent = self.agent((number, i), &format!("p{}", i + 1), &drawn.pattern, variant)?;
            Ok(RaceAgent { value: Some(value), drawn: Some(drawn.clone()), ..agent })
        };
        draw.drawn.iter().enumerate().map(agent).collect::<Result<_, LabError>>().map(Some)
    }

    /// The listed arms that no race has decided.
    fn listed(&self, number: u64, base: &Variant) -> Result<Vec<RaceAgent>, LabError> {
        let is_decided = |name: &str| {
            let in_round = |round: &Round| {
                let arms = round.arms.iter().zip(round.race.arms());
                arms.filter(|(arm, _)| arm.name == name).any(|(_, arm)| arm.verdict != Verdict::Open)
            };
            self.rounds.iter().any(in_round)
        };
        // What cannot change the agent that was accepted is no arm any more.
        let fits = |arm: &&super::ArmPlan| arm.of(base).is_ok();
        let open = self.plan.arms.iter().filter(|arm| !is_decided(&arm.name)).filter(fits);
        let agent = |(i, arm): (usize, &super::ArmPlan)| {
            let variant = arm.of(base).map_err(LabError::input)?;
            let agent = self.agent((number, i), &arm.name, arm.change(), variant)?;
            Ok(RaceAgent { value: arm.pattern.is_some().then_some(arm.value), ..agent })
        };
        open.enumerate().map(agent).collect()
    }

    /// An arm of a race, by its place.
    fn agent(
        &self,
        (number, i): (u64, usize),
        name: &str,
        change: &str,
        variant: Variant,
    ) -> Result<RaceAgent, LabError> {
        let base = self.best();
        let base_name = match self.accepted.len() {
            0 => self.plan.base.clone(),
            n => format!("{} + {n}", self.plan.base),
        };
        let match_name = format!("r{number}-{name}");
        let (own, other, part) = ((&variant, name), (&base, base_name.as_str()), part_of_arm(number, i));
        let base_match = self.plan.variant_match(&match_name, own, other, part, true)?;
        let (name, change) = (name.to_owned(), change.to_owned());
        Ok(RaceAgent { name, change, value: None, drawn: None, variant, base_match, history: Vec::new() })
    }

    /// Matches on fresh openings: of each accepted modification against the agent without it, and
    /// of all up to it against the base.
    pub(super) fn validations(&self) -> Result<Vec<Match>, LabError> {
        let (mut matches, base) = (Vec::new(), Variant::new(&self.plan.base));
        let mut before = (base.clone(), self.plan.base.clone());
        for (i, accepted) in self.accepted.iter().enumerate() {
            let name = format!("{} + {}", self.plan.base, i + 1);
            let now = (accepted.variant.clone(), name);
            let part = FRESH | (2 * i as u64);
            let mut fresh = |of: &str, (opponent, opponent_name): (&Variant, &str), part: u64| {
                let base_match =
                    self.plan.variant_match(of, (&now.0, &now.1), (opponent, opponent_name), part, false)?;
                matches.push(base_match.with_games(self.plan.validation));
                Ok::<(), LabError>(())
            };
            fresh(&format!("fresh-{}", i + 1), (&before.0, &before.1), part)?;
            if i > 0 {
                fresh(&format!("fresh-{}-all", i + 1), (&base, &self.plan.base), part | 1)?;
            }
            before = now;
        }
        Ok(matches)
    }

    /// How many games of a race were played.
    pub(super) fn games_of_race(&self) -> u64 {
        let arms = self.rounds.last().map(|round| round.race.arms());
        arms.into_iter().flatten().map(|arm| arm.rewards.count()).sum()
    }
}

impl Round {
    /// Tells the race a batch if its games are played; else what to play.
    fn take(&mut self, batch: Batch, store: &Store) -> Result<Option<Next>, LabError> {
        let Batch { arm, rewards } = batch;
        let agent = &mut self.arms[arm];
        let before = self.race.arms()[arm].rewards.count();
        let games = before + rewards;
        agent.base_match = agent.base_match.clone().with_games(games);
        let values = store.values(agent.base_match.planned(), before..games)?;
        if (values.len() as u64) < rewards {
            return Ok(Some(Next::Play { arm, games }));
        }
        self.race.tell(arm, values.into_iter().collect());
        let state = &self.race.arms()[arm];
        agent.history.push((state.rewards, state.lower, state.upper));
        Ok(None)
    }
}
