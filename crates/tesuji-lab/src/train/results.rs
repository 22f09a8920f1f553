//! What trainings gave.

use super::Training;
use super::course::Course;
use crate::LabError;
use crate::csv_table::{csv_table, rounded};
use crate::stats::{Encounter, ratings};
use crate::store::Store;
use serde::Serialize;

/// An iteration: a line of the table of results.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct IterationRow {
    /// Its number, from 0; it makes the checkpoint after it.
    pub iteration: u64,
    /// Games of self-play.
    pub games: u64,
    /// Positions of them to train on.
    pub positions: u64,
    /// Moves of a game, on average.
    pub moves: f64,
    /// The share of points that Black won.
    pub black: f64,
    /// The share of games that ended by resignation.
    pub resigned: f64,
    /// Evaluations, those found in memory included.
    pub evaluations: u64,
    /// The share of evaluations found in memory.
    pub hits: f64,
    /// Processor time of all games, in seconds.
    pub play_seconds: f64,
    /// Steps of the trainer so far.
    pub steps: u64,
    /// The learning rate in the end.
    pub rate: f32,
    /// Mean cross entropy of the policy in the steps.
    pub policy_loss: Option<f64>,
    /// Mean squared error of the value in the steps.
    pub value_loss: Option<f64>,
    /// Positions held out on which the new network was measured.
    pub held_out: u64,
    /// Its cross entropy of the policy on them.
    pub held_out_policy_loss: Option<f64>,
    /// Its squared error of the value on them.
    pub held_out_value_loss: Option<f64>,
    /// The share of them whose best move it has.
    pub top1: Option<f64>,
    /// The mean entropy of its policy.
    pub entropy: Option<f64>,
    /// The mean entropy of what it should say.
    pub target_entropy: Option<f64>,
    /// Processor time of the steps for each thread, in seconds.
    pub train_seconds: f64,
    /// Hours of processor time so far: of games and steps, not of matches.
    pub core_hours: f64,
}

impl IterationRow {
    /// The iteration without what depends on the clock, on the threads of its run or on where that was killed: `play_seconds`,
    /// `train_seconds`, `core_hours`, and `hits`, as a thread remembers the evaluations of the games that it played before.
    #[must_use]
    pub fn reproducible(self) -> IterationRow {
        IterationRow { play_seconds: 0.0, train_seconds: 0.0, core_hours: 0.0, hits: 0.0, ..self }
    }
}

/// A checkpoint that was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CheckpointRow {
    /// Its number.
    pub checkpoint: u64,
    /// Games of self-play before it.
    pub games: u64,
    /// The same before it.
    pub core_hours: f64,
    /// Its Elo by [`ratings`], relative to the first opponent; none if no games connect it with that one.
    pub elo: Option<f64>,
    /// Lower end of its interval, 95 %.
    pub elo_lo: Option<f64>,
    /// Its upper end.
    pub elo_hi: Option<f64>,
    /// Games of its matches.
    pub match_games: u64,
    /// Games and score against each opponent, in the order of the file, then against the checkpoint measured before.
    #[serde(skip)]
    pub scores: Vec<(u64, f64)>,
}

/// The results of a training.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TrainingResults {
    /// Every iteration.
    pub iterations: Vec<IterationRow>,
    /// The checkpoints that were measured.
    pub checkpoints: Vec<CheckpointRow>,
    /// The opponents with their Elo, the first one at 0; none if no games connect them.
    pub opponents: Vec<(String, Option<f64>)>,
}

impl TrainingResults {
    /// What a store says.
    ///
    /// # Errors
    /// If the store fails or is one of another plan.
    pub fn of(plan: &Training, store: &Store) -> Result<TrainingResults, LabError> {
        let course = Course::read(plan, store)?;
        let mut results = TrainingResults::default();
        let (mut core_seconds, mut iteration) = (0.0, 0);
        for figures in &course.iterations {
            let range = [iteration * plan.games, (iteration + 1) * plan.games];
            let totals = store.self_play_totals(&course.part.cell, range)?;
            core_seconds += totals.seconds + figures.seconds * figures.threads;
            let (games, known) = (totals.games.max(1) as f64, |x: f64| x.is_finite().then(|| rounded(x, 5)));
            results.iterations.push(IterationRow {
                iteration,
                games: totals.games,
                positions: totals.positions,
                moves: rounded(totals.moves as f64 / games, 2),
                black: rounded(totals.black / games, 4),
                resigned: rounded(totals.resigned as f64 / games, 4),
                evaluations: totals.evaluations,
                hits: rounded(totals.hits as f64 / totals.evaluations.max(1) as f64, 4),
                play_seconds: rounded(totals.seconds, 1),
                steps: figures.steps as u64,
                rate: figures.rate as f32,
                policy_loss: known(figures.policy),
                value_loss: known(figures.value),
                held_out: figures.held as u64,
                held_out_policy_loss: known(figures.held_policy),
                held_out_value_loss: known(figures.held_value),
                top1: known(figures.top1),
                entropy: known(figures.entropy),
                target_entropy: known(figures.target_entropy),
                train_seconds: rounded(figures.seconds, 1),
                core_hours: rounded(core_seconds / 3600.0, 4),
            });
            iteration += 1;
        }
        results.rate(plan, store)?;
        Ok(results)
    }

    /// Rates the checkpoints by their matches.
    fn rate(&mut self, plan: &Training, store: &Store) -> Result<(), LabError> {
        let opponents = plan.opponent.len();
        let mut checkpoints: Vec<u64> = Vec::new();
        let (mut encounters, mut scores) = (Vec::new(), Vec::new());
        for planned in store.matches()? {
            let Some((checkpoint, name)) = planned.name.split_once('-') else { continue };
            let Ok(checkpoint) = checkpoint.parse::<u64>() else { continue };
            let counts = store.tally(&planned.matchup, planned.games, planned.disputed)?.best_counts();
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
            let (b, column) = match plan.opponent.iter().position(|opponent| opponent.name == name) {
                Some(i) => (i, i),
                None if name == "before" => {
                    let Some(earlier) = checkpoint.checked_sub(plan.evaluation.every) else { continue };
                    (place(earlier), opponents)
                }
                None => continue,
            };
            encounters.push(Encounter::of(a, b, &counts));
            scores.push((checkpoint, column, counts));
        }
        let anchor = (opponents > 0).then_some(0);
        let rated = ratings(opponents + checkpoints.len(), &encounters, anchor, 1.0, 0.95);
        let elo = |x: f64| rounded(x, 1);
        let names = plan.opponent.iter().map(|opponent| opponent.name.clone());
        self.opponents = names.zip(&rated).map(|(name, rating)| (name, rating.map(|r| elo(r.elo)))).collect();
        for (checkpoint, rating) in checkpoints.iter().zip(&rated[opponents..]) {
            let of = |column: usize| {
                let own = scores.iter().find(|(k, at, _)| k == checkpoint && *at == column);
                own.map_or((0, f64::NAN), |(.., counts)| (counts.games(), counts.score()))
            };
            let scores: Vec<(u64, f64)> = (0..=opponents).map(of).collect();
            let before = &self.iterations[..self.iterations.len().min(*checkpoint as usize)];
            self.checkpoints.push(CheckpointRow {
                checkpoint: *checkpoint,
                games: before.iter().map(|row| row.games).sum(),
                core_hours: before.last().map_or(0.0, |row| row.core_hours),
                elo: rating.map(|r| elo(r.elo)),
                elo_lo: rating.map(|r| elo(r.elo - r.error)),
                elo_hi: rating.map(|r| elo(r.elo + r.error)),
                match_games: scores.iter().map(|(games, _)| games).sum(),
                scores,
            });
        }
        self.checkpoints.sort_by_key(|row| row.checkpoint);
        Ok(())
    }

    /// The iterations as CSV, under a header.
    pub(crate) fn csv(&self) -> Result<String, LabError> {
        csv_table(&self.iterations)
    }

    /// The tables beside that of the iterations: what is added to the name of the file, and the table.
    pub(crate) fn further(&self) -> Result<Vec<(&'static str, String)>, LabError> {
        if self.checkpoints.is_empty() { Ok(Vec::new()) } else { Ok(vec![("elo", self.elo_csv()?)]) }
    }

    /// The measured checkpoints with a pair of columns for each opponent.
    fn elo_csv(&self) -> Result<String, LabError> {
        let mut lines = csv_table(&self.checkpoints)?.lines().map(str::to_owned).collect::<Vec<_>>();
        let names = self.opponents.iter().map(|(name, _)| name.as_str()).chain(["before"]);
        for name in names {
            lines[0] += &format!(",games_{name},score_{name}");
        }
        for (line, row) in lines[1..].iter_mut().zip(&self.checkpoints) {
            for &(games, score) in &row.scores {
                let score = if games > 0 { rounded(score, 4).to_string() } else { String::new() };
                *line += &format!(",{games},{score}");
            }
        }
        Ok(lines.join("\n") + "\n")
    }
}
