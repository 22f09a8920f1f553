//! What races gave.

use crate::error::LabError;
use crate::experiment::match_table::match_table;
use crate::experiment::results::Results;
use crate::race::charts;
use crate::race::plan::Racing;
use crate::race::state::{Accepted, RaceAgent, RaceState};
use crate::store::Store;
use crate::table::{Field, Row, Shown, Table, rounded, significant};
use serde_json::json;

impl Racing {
    /// What a store says.
    ///
    /// # Errors
    /// If the store fails or is one of another plan.
    pub(super) fn tables(&self, store: &Store) -> Result<Results, LabError> {
        let races = RaceState::read(self, store)?;
        let (mut arms, mut bounds, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for round in &races.rounds {
            let risk = round.race.settings().risk;
            for (arm, state) in round.arms.iter().zip(round.race.arms()) {
                let row = Row::new()
                    .with("race", round.number)
                    .with("arm", &arm.name)
                    .with("change", &arm.change)
                    // Of a pattern: what its moves are taken for.
                    .with("value", arm.value.map(|value| Field::word(&value)))
                    // Of a random pattern: the shares of moves that it matches and of searches
                    // whose move it changes.
                    .with("match_rate", arm.drawn.as_ref().map(|drawn| rounded(drawn.match_rate, 5)))
                    .with("changed", arm.drawn.as_ref().map(|drawn| drawn.changed))
                    .with("base", &arm.base_match.planned().b)
                    .with("games", state.rewards.count());
                let row = with_bounds(row, state.rewards.mean(), state.lower, state.upper)
                    // Batches, after each of which it was tested.
                    .with("tests", state.tests)
                    // The probability that a bound of the race is wrong at any time.
                    .with("risk", significant(risk))
                    .with("verdict", Field::word(&state.verdict));
                arms.push(row);
                lines.push(format!(
                    "race {} {:<12} {:>6} games  score {:.3}  within [{:.3}, {:.3}]  {:<9}  {}",
                    round.number,
                    arm.name,
                    state.rewards.count(),
                    rounded(state.rewards.mean(), 6),
                    rounded(state.lower.max(0.0), 6),
                    rounded(state.upper.min(1.0), 6),
                    state.verdict,
                    arm.change
                ));
                bounds.extend(after_batches(round.number, arm));
            }
        }
        let matches = races.validations()?;
        let fresh = match_table("fresh", store, |name| matches.iter().any(|m| m.planned().name == name))?;
        let accepted = races.accepted.iter().enumerate();
        let accepted = Table::new("accepted", accepted.map(|(i, accepted)| row(i, accepted, &races, &fresh)));
        lines.extend((0..accepted.len()).map(|row| {
            let [arm, change, race] = ["arm", "change", "race"].map(|column| accepted.at(row, column));
            format!("accepted: {arm} ({change}) in race {race}")
        }));
        let mut recipe = None;
        if !accepted.is_empty() {
            let mut best = races.best();
            for rule in &mut best.patterns {
                rule.evidence = accepted
                    .find("change", &rule.pattern)
                    .map_or(String::new(), |row| evidence(&accepted, row));
            }
            recipe = best.recipe();
        }
        let (arms, bounds) = (Table::new("arms", arms), Table::new("bounds", bounds));
        let mut files: Vec<_> = recipe.iter().map(|recipe| ("recipe.toml", recipe.clone())).collect();
        files.extend(charts::sheet_of(&accepted).map(|sheet| ("svg", sheet)));
        Ok(Results {
            charts: charts::charts(&arms, &bounds, [self.race.accept, self.race.reject]),
            pictures: charts::pictures(&arms),
            summary: lines,
            files,
            json: json!({ "arms": arms.json(), "accepted": accepted.json(), "fresh": fresh.json(), "recipe": recipe }),
            unit: "games",
            tables: vec![
                arms.shown(Shown::Before("Arms")),
                accepted.shown(Shown::Before("Accepted")),
                fresh,
                bounds,
            ],
            ..Results::default()
        })
    }
}

/// A mean reward (wins plus half of the draws, over games) and the bounds of the efficiency.
fn with_bounds(row: Row, score: f64, lower: f64, upper: f64) -> Row {
    row.with("score", rounded(score, 6))
        .with("lower", rounded(lower.max(0.0), 6))
        .with("upper", rounded(upper.min(1.0), 6))
}

/// The bounds of an arm after each batch.
fn after_batches(race: u64, arm: &RaceAgent) -> impl Iterator<Item = Row> {
    arm.history.iter().map(move |&(rewards, lower, upper)| {
        let row = Row::new().with("race", race).with("arm", &arm.name).with("games", rewards.count());
        with_bounds(row, rewards.mean(), lower, upper)
    })
}

/// What was accepted, with its fresh games: k modifications against k - 1, and against the base.
/// The table of Hoock & Teytaud.
fn row(i: usize, accepted: &Accepted, races: &RaceState, fresh: &Table) -> Row {
    let k = i as u64 + 1;
    let round = &races.rounds[accepted.race as usize - 1];
    let (arm, state) = (&round.arms[accepted.arm], &round.race.arms()[accepted.arm]);
    let alone = fresh.find("name", &format!("fresh-{k}"));
    let together = if i == 0 { alone } else { fresh.find("name", &format!("fresh-{k}-all")) };
    let at = |row: Option<usize>, column: &str| row.map_or(Field::Empty, |row| fresh.at(row, column).clone());
    let games = |row: Option<usize>| at(row, "games").count().unwrap_or(0);
    Row::new()
        .with("k", k)
        .with("race", accepted.race)
        .with("arm", &arm.name)
        .with("change", &arm.change)
        .with("value", arm.value.map(|value| Field::word(&value)))
        // The score of its race is too high on the whole: the race ended because it was high.
        .with("race_games", state.rewards.count())
        .with("race_score", rounded(state.rewards.mean(), 6))
        .with("games", games(alone))
        .with("score", at(alone, "score"))
        .with("ci95_lo", at(alone, "ci95_lo"))
        .with("ci95_hi", at(alone, "ci95_hi"))
        .with("base_games", games(together))
        .with("base_score", at(together, "score"))
        .with("base_ci95_lo", at(together, "ci95_lo"))
        .with("base_ci95_hi", at(together, "ci95_hi"))
}

/// What was accepted, in words.
fn evidence(accepted: &Table, row: usize) -> String {
    let at = |column: &str| accepted.at(row, column);
    let number = |column: &str| at(column).number();
    let score = number("race_score").unwrap_or(0.0);
    let race = format!("won race {} with {score:.3} of {} games", at("race"), at("race_games"));
    match [number("score"), number("ci95_lo"), number("ci95_hi")] {
        [Some(score), Some(lo), Some(hi)] => {
            format!("{race}; {score:.3} [{lo:.3}, {hi:.3}] of {} fresh games", at("games"))
        }
        _ => race,
    }
}
