//! What races gave.

use super::course::{Accepted, Contestant, Course};
use super::plan::Racing;
use crate::LabError;
use crate::csv_table::{csv_table, rounded, significant};
use crate::experiment::Row;
use crate::store::Store;
use serde::Serialize;
use tesuji::recipe::Worth;
use tesuji_race::Verdict;

/// An arm of a race: a line of the table of results.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ArmRow {
    /// The race, from 1.
    pub race: u64,
    /// The arm's name.
    pub arm: String,
    /// What it changes: overrides, an agent, a pattern.
    pub change: String,
    /// Of a pattern: what its moves are taken for.
    pub value: Option<Worth>,
    /// Of a random pattern: the share of moves that it matches.
    pub match_rate: Option<f64>,
    /// Of a random pattern: the share of searches whose move it changes.
    pub changed: Option<f64>,
    /// The agent without it.
    pub base: String,
    /// Games that count, each from an opening of its own.
    pub games: u64,
    /// The mean reward: wins plus half of the draws, over games.
    pub score: f64,
    /// Lower bound of its efficiency, as the race had it in the end.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
    /// Batches, after each of which it was tested.
    pub tests: u64,
    /// The probability that a bound of the race is wrong at any time.
    pub risk: f64,
    /// What was decided.
    pub verdict: Verdict,
}

/// The bounds of an arm after a batch.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoundsRow {
    /// The race.
    pub race: u64,
    /// The arm.
    pub arm: String,
    /// Games so far.
    pub games: u64,
    /// Their mean reward.
    pub score: f64,
    /// Lower bound of the efficiency.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

/// What was accepted, with its fresh games; the table of Hoock & Teytaud.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AcceptedRow {
    /// Its number k, from 1.
    pub k: u64,
    /// The race that it won.
    pub race: u64,
    /// The arm.
    pub arm: String,
    /// What it changes.
    pub change: String,
    /// Of a pattern: what its moves are taken for.
    pub value: Option<Worth>,
    /// Games of its race.
    pub race_games: u64,
    /// Their mean reward, which is too high on the whole: the race ended because it was high.
    pub race_score: f64,
    /// Fresh games with k modifications against k - 1.
    pub games: u64,
    /// Their score.
    pub score: Option<f64>,
    /// Lower end of its interval, 95 %.
    pub ci95_lo: Option<f64>,
    /// Upper end.
    pub ci95_hi: Option<f64>,
    /// Fresh games with k modifications against the base.
    pub base_games: u64,
    /// Their score.
    pub base_score: Option<f64>,
    /// Lower end of its interval.
    pub base_ci95_lo: Option<f64>,
    /// Upper end.
    pub base_ci95_hi: Option<f64>,
}

/// The results of races.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct RaceResults {
    /// Every arm, race by race.
    pub arms: Vec<ArmRow>,
    /// What was accepted, in order.
    pub accepted: Vec<AcceptedRow>,
    /// The matches of what was accepted, on fresh openings.
    pub fresh: Vec<Row>,
    /// The base with everything accepted, as a recipe in TOML.
    pub recipe: Option<String>,
    /// The bounds of the arms over their games.
    #[serde(skip)]
    pub bounds: Vec<BoundsRow>,
    /// The thresholds of acceptance and rejection.
    #[serde(skip)]
    pub(super) thresholds: [f64; 2],
}

impl RaceResults {
    /// What a store says.
    ///
    /// # Errors
    /// If the store fails or is one of another plan.
    pub fn of(plan: &Racing, store: &Store) -> Result<RaceResults, LabError> {
        let course = Course::read(plan, store)?;
        let mut results =
            RaceResults { thresholds: [plan.race.accept, plan.race.reject], ..RaceResults::default() };
        for round in &course.rounds {
            let risk = round.race.settings().risk;
            for (arm, state) in round.arms.iter().zip(round.race.arms()) {
                results.arms.push(ArmRow {
                    race: round.number,
                    arm: arm.name.clone(),
                    change: arm.change.clone(),
                    value: arm.value,
                    match_rate: arm.drawn.as_ref().map(|drawn| rounded(drawn.match_rate, 5)),
                    changed: arm.drawn.as_ref().map(|drawn| drawn.changed),
                    base: arm.duel.planned().b.clone(),
                    games: state.rewards.count,
                    score: rounded(state.rewards.mean(), 6),
                    lower: rounded(state.lower.max(0.0), 6),
                    upper: rounded(state.upper.min(1.0), 6),
                    tests: state.tests,
                    risk: significant(risk),
                    verdict: state.verdict,
                });
                results.bounds.extend(bounds(round.number, arm));
            }
        }
        let fresh = course.fresh()?;
        let rows = Row::of(store, |name| fresh.iter().any(|m| m.planned().name == name))?;
        let of = |name: String| rows.iter().find(|row| row.name == name);
        for (i, accepted) in course.accepted.iter().enumerate() {
            let k = i as u64 + 1;
            let alone = of(format!("fresh-{k}"));
            let together = if i == 0 { alone } else { of(format!("fresh-{k}-all")) };
            results.accepted.push(AcceptedRow::new(k, accepted, &course, alone, together));
        }
        results.fresh = rows;
        if !results.accepted.is_empty() {
            let mut best = course.best();
            for rule in &mut best.patterns {
                let row = results.accepted.iter().find(|row| row.change == rule.pattern);
                rule.evidence = row.map_or(String::new(), AcceptedRow::evidence);
            }
            results.recipe = best.recipe();
        }
        Ok(results)
    }

    /// The arms as CSV, under a header.
    pub(crate) fn csv(&self) -> Result<String, LabError> {
        csv_table(&self.arms)
    }

    /// The tables beside that of the arms: what is added to the name of the file, and the table.
    pub(crate) fn further(&self) -> Result<Vec<(&'static str, String)>, LabError> {
        let mut tables = Vec::new();
        if !self.accepted.is_empty() {
            tables.push(("accepted", csv_table(&self.accepted)?));
        }
        if !self.fresh.is_empty() {
            tables.push(("fresh", csv_table(&self.fresh)?));
        }
        if !self.bounds.is_empty() {
            tables.push(("bounds", csv_table(&self.bounds)?));
        }
        Ok(tables)
    }
}

impl AcceptedRow {
    fn new(
        k: u64,
        accepted: &Accepted,
        course: &Course,
        alone: Option<&Row>,
        together: Option<&Row>,
    ) -> AcceptedRow {
        let round = &course.rounds[accepted.race as usize - 1];
        let (arm, state) = (&round.arms[accepted.arm], &round.race.arms()[accepted.arm]);
        AcceptedRow {
            k,
            race: accepted.race,
            arm: arm.name.clone(),
            change: arm.change.clone(),
            value: arm.value,
            race_games: state.rewards.count,
            race_score: rounded(state.rewards.mean(), 6),
            games: alone.map_or(0, |row| row.games),
            score: alone.map(|row| row.score),
            ci95_lo: alone.map(|row| row.ci95_lo),
            ci95_hi: alone.map(|row| row.ci95_hi),
            base_games: together.map_or(0, |row| row.games),
            base_score: together.map(|row| row.score),
            base_ci95_lo: together.map(|row| row.ci95_lo),
            base_ci95_hi: together.map(|row| row.ci95_hi),
        }
    }

    /// In words.
    fn evidence(&self) -> String {
        let race = format!("won race {} with {:.3} of {} games", self.race, self.race_score, self.race_games);
        match (self.score, self.ci95_lo, self.ci95_hi) {
            (Some(score), Some(lo), Some(hi)) => {
                format!("{race}; {score:.3} [{lo:.3}, {hi:.3}] of {} fresh games", self.games)
            }
            _ => race,
        }
    }
}

fn bounds(race: u64, arm: &Contestant) -> impl Iterator<Item = BoundsRow> {
    arm.history.iter().map(move |&(rewards, lower, upper)| BoundsRow {
        race,
        arm: arm.name.clone(),
        games: rewards.count,
        score: rounded(rewards.mean(), 6),
        lower: rounded(lower.max(0.0), 6),
        upper: rounded(upper.min(1.0), 6),
    })
}
