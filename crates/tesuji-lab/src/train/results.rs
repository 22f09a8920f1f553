//! What trainings gave.

use crate::error::LabError;
use crate::experiment::results::Results;
use crate::stats::{Counts, Encounter, Rating, ratings};
use crate::store::Store;
use crate::table::{Row, Shown, Table, rounded};
use crate::train::charts;
use crate::train::plan::Training;
use crate::train::state::TrainingState;
use serde_json::json;

/// The columns of the table of iterations that depend on the clock, on the number of threads or on
/// interruptions of the run, because a thread remembers evaluations of its earlier games.
pub const UNREPRODUCIBLE: [&str; 4] = ["hits", "play_seconds", "train_seconds", "core_hours"];

impl Training {
    /// What a store says.
    ///
    /// # Errors
    /// If the store fails or is one of another plan.
    pub(super) fn tables(&self, store: &Store) -> Result<Results, LabError> {
        let iterations = self.iterations_table(store)?;
        let Ratings { checkpoints, opponents, scores } = self.rate(&iterations, store)?;
        let mut summary = Vec::new();
        let known = |x: Option<f64>, text: fn(f64) -> String| x.map_or("?".to_owned(), text);
        if let Some(last) = iterations.len().checked_sub(1) {
            let at = |column: &str| iterations.at(last, column);
            let loss = |column: &str| known(at(column).number(), |x| format!("{x:.3}"));
            summary.push(format!(
                "{} iterations, {} steps, {:.2} core hours; held out: policy {}, value {}, top-1 {}",
                iterations.len(),
                at("steps"),
                at("core_hours").number().unwrap_or(0.0),
                loss("held_out_policy_loss"),
                loss("held_out_value_loss"),
                loss("top1"),
            ));
        }
        for row in 0..checkpoints.len() {
            let at = |column: &str| checkpoints.at(row, column);
            let [elo, lo, hi] =
                ["elo", "elo_lo", "elo_hi"].map(|column| known(at(column).number(), |x| format!("{x:+.0}")));
            summary.push(format!(
                "checkpoint {:>5}  {:>8} games  Elo {elo}  95 % in [{lo}, {hi}]  {} games",
                at("checkpoint"),
                at("games"),
                at("match_games")
            ));
        }
        let json = json!({
            "iterations": iterations.json(),
            "checkpoints": checkpoints.json(),
            "opponents": opponents,
        });
        let charts = charts::charts(&iterations, &checkpoints, &opponents);
        let names: Vec<&str> = opponents.iter().map(|(name, _)| name.as_str()).chain(["before"]).collect();
        // A pair of columns for each opponent, and for the checkpoint measured before.
        let elo = (0..checkpoints.len()).map(|row| {
            let columns = checkpoints.columns().iter().map(|column| column.name.clone());
            let fields = columns.zip(checkpoints.rows()[row].iter().cloned());
            let line = fields.fold(Row::new(), |line, (name, field)| line.with(name, field));
            names.iter().zip(&scores[row]).fold(line, |line, (name, (games, score))| {
                let score = (*games > 0).then(|| rounded(*score, 4).to_string());
                line.with(format!("games_{name}"), *games).with(format!("score_{name}"), score)
            })
        });
        let elo = Table::new("elo", elo).shown(Shown::Before("Checkpoints"));
        let tables = vec![iterations.shown(Shown::After("Iterations")), elo];
        Ok(Results { tables, charts, summary, json, unit: "iterations", ..Results::default() })
    }

    fn iterations_table(&self, store: &Store) -> Result<Table, LabError> {
        let state = TrainingState::read(self, store)?;
        let (mut core_seconds, mut rows) = (0.0, Vec::new());
        for (iteration, figures) in (0_u64..).zip(&state.iterations) {
            let range = [iteration * self.games, (iteration + 1) * self.games];
            let totals = store.self_play_totals(&state.part.group, range)?;
            core_seconds += totals.seconds + figures.seconds * figures.threads;
            let (games, known) = (totals.games.max(1) as f64, |x: f64| x.is_finite().then(|| rounded(x, 5)));
            rows.push(
                Row::new()
                    .with("iteration", iteration)
                    // Of self-play: games, positions to train on, moves of a game, the share of
                    // points that Black won.
                    .with("games", totals.games)
                    .with("positions", totals.positions)
                    .with("moves", rounded(totals.moves as f64 / games, 2))
                    .with("black", rounded(totals.black / games, 4))
                    .with("resigned", rounded(totals.resigned as f64 / games, 4))
                    // Those found in memory included, and their share.
                    .with("evaluations", totals.evaluations)
                    .with("hits", rounded(totals.hits as f64 / totals.evaluations.max(1) as f64, 4))
                    .with("play_seconds", rounded(totals.seconds, 1))
                    .unit("s")
                    .with("steps", figures.steps as u64)
                    .with("rate", figures.rate as f32)
                    // Mean cross entropy of the policy and squared error of the value in the steps.
                    .with("policy_loss", known(figures.policy))
                    .unit("nats")
                    .with("value_loss", known(figures.value))
                    // The new network on positions that were held out; top1 is the share of them
                    // whose best move it has.
                    .with("held_out", figures.held as u64)
                    .with("held_out_policy_loss", known(figures.held_policy))
                    .unit("nats")
                    .with("held_out_value_loss", known(figures.held_value))
                    .with("top1", known(figures.top1))
                    .with("entropy", known(figures.entropy))
                    .unit("nats")
                    .with("target_entropy", known(figures.target_entropy))
                    .unit("nats")
                    // Processor time of the steps for each thread, and of games and steps so far;
                    // none of matches.
                    .with("train_seconds", rounded(figures.seconds, 1))
                    .unit("s")
                    .with("core_hours", rounded(core_seconds / 3600.0, 4))
                    .unit("h"),
            );
        }
        Ok(Table::new("iterations", rows))
    }

    /// Rates the checkpoints that were measured by their matches: Elo by [`ratings`], relative to
    /// the first opponent; empty if no games connect a checkpoint with that one.
    fn rate(&self, iterations: &Table, store: &Store) -> Result<Ratings, LabError> {
        let opponents = self.opponent.len();
        let mut checkpoints: Vec<u64> = Vec::new();
        let (mut encounters, mut scores): (_, Vec<(u64, usize, Counts)>) = (Vec::new(), Vec::new());
        for planned in store.matches()? {
            let Some((checkpoint, name)) = planned.name.split_once('-') else { continue };
            let Ok(checkpoint) = checkpoint.parse::<u64>() else { continue };
            let counts = store.tally(&planned.matchup, planned.games, planned.disputed)?.independent_counts();
            if counts.games() == 0 {
                continue;
            }
            let mut place = |k: u64| {
                opponents
                    + checkpoints.iter().position(|&known| known == k).unwrap_or_else(|| {
                        checkpoints.push(k);
                        checkpoints.len() - 1
                    })
            };
            let a = place(checkpoint);
            let (b, column) = match self.opponent.iter().position(|opponent| opponent.name == name) {
                Some(i) => (i, i),
                None if name == "before" => {
                    let Some(earlier) = checkpoint.checked_sub(self.evaluation.every) else { continue };
                    (place(earlier), opponents)
                }
                None => continue,
            };
            encounters.push(Encounter::of(a, b, &counts));
            scores.push((checkpoint, column, counts));
        }
        let anchor = (opponents > 0).then_some(0);
        let rated = ratings(opponents + checkpoints.len(), &encounters, anchor, 1.0, 0.95);
        let elo = |rating: Option<Rating>, of: fn(Rating) -> f64| rating.map(|rating| rounded(of(rating), 1));
        let mut measured: Vec<(u64, Option<Rating>)> =
            checkpoints.into_iter().zip(rated[opponents..].iter().copied()).collect();
        measured.sort_by_key(|(checkpoint, _)| *checkpoint);
        let of = |checkpoint: u64, column: usize| {
            let own = scores.iter().find(|(k, at, _)| *k == checkpoint && *at == column);
            own.map_or((0, f64::NAN), |(.., counts)| (counts.games(), counts.score()))
        };
        let scores: Vec<Vec<(u64, f64)>> =
            measured.iter().map(|(k, _)| (0..=opponents).map(|column| of(*k, column)).collect()).collect();
        let row = |(checkpoint, rating): (u64, Option<Rating>), scores: &[(u64, f64)]| {
            // Games of self-play and processor time before it.
            let before = iterations.len().min(checkpoint as usize);
            let games = (0..before).filter_map(|row| iterations.at(row, "games").count()).sum::<u64>();
            let hours = before.checked_sub(1).and_then(|row| iterations.at(row, "core_hours").number());
            Row::new()
                .with("checkpoint", checkpoint)
                .with("games", games)
                .with("core_hours", hours.unwrap_or(0.0))
                .unit("h")
                .with("elo", elo(rating, |r| r.elo))
                .unit("Elo")
                .with("elo_lo", elo(rating, |r| r.elo - r.error))
                .unit("Elo")
                .with("elo_hi", elo(rating, |r| r.elo + r.error))
                .unit("Elo")
                .with("match_games", scores.iter().map(|(games, _)| games).sum::<u64>())
        };
        let checkpoints =
            Table::new("checkpoints", measured.iter().zip(&scores).map(|(&of, scores)| row(of, scores)));
        let names = self.opponent.iter().map(|opponent| opponent.name.clone());
        let opponents = names.zip(&rated).map(|(name, rating)| (name, elo(*rating, |r| r.elo))).collect();
        Ok(Ratings { checkpoints, opponents, scores })
    }
}

/// Checkpoints and opponents by their matches.
struct Ratings {
    /// The checkpoints that were measured.
    checkpoints: Table,
    /// The opponents with their Elo, the first one at 0; none if no games connect them.
    opponents: Vec<(String, Option<f64>)>,
    /// Of each checkpoint: games and score against each opponent, in the order of the file, then
    /// against the checkpoint measured before.
    scores: Vec<Vec<(u64, f64)>>,
}
