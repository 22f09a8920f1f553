//! Experiments on how well incentives are learnt.

use super::learning::{Learning, LearningResult, Rates};
use super::{ListOrder, PlayoutPolicy, Reading};
use crate::csv_table::rounded;
use crate::experiment::ExperimentOptions;
use crate::trials::{Trial, TrialProgress, TrialReport, run_trials};
use crate::{LabError, stats};
use serde::Serialize;
use tesuji::Stop;

/// What one [`Learning`] came to: a line of a CSV file. Rates are percent, with 95 % intervals over games; pairs of the same
/// temperature are left out unless something else is said.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LearningRow {
    /// Its name.
    pub name: String,
    /// The curve of a figure to which it belongs.
    pub series: String,
    /// Heaps.
    pub heaps: usize,
    /// Counters of each.
    pub counters: usize,
    /// Simulations in each game.
    pub simulations: u64,
    /// The default policy.
    pub policy: PlayoutPolicy,
    /// How often MAXI plays uniformly.
    pub epsilon: f32,
    /// How the search goes about it.
    pub reading: Reading,
    /// L\* at the beginning.
    pub list: ListOrder,
    /// The exploration constant.
    pub exploration: f32,
    /// The seed.
    pub seed: u64,
    /// Games asked for by the file.
    pub planned: u64,
    /// Games.
    pub games: u64,
    /// The match rate of L\*.
    pub ride: f64,
    /// Its standard error.
    pub ride_se: f64,
    /// Lower end of its interval.
    pub ride_lo: f64,
    /// Upper end.
    pub ride_hi: f64,
    /// The one that the paper prints, as the file says.
    pub paper: Option<f64>,
    /// The match rate less that of the paper.
    pub above_paper: Option<f64>,
    /// With pairs of the same temperature counted half.
    pub ride_with_ties: f64,
    /// Its standard error.
    pub ride_with_ties_se: f64,
    /// AMAF values of the outcome.
    pub rave: f64,
    /// Its standard error.
    pub rave_se: f64,
    /// Lower end of its interval.
    pub rave_lo: f64,
    /// Upper end.
    pub rave_hi: f64,
    /// AMAF values of the outcome, Left's moves alone.
    pub rave_left: f64,
    /// Its standard error.
    pub rave_left_se: f64,
    /// Lower end of its interval.
    pub rave_left_lo: f64,
    /// Upper end.
    pub rave_left_hi: f64,
    /// AMAF values of the score to come.
    pub to_come: f64,
    /// Its standard error.
    pub to_come_se: f64,
    /// Lower end of its interval.
    pub to_come_lo: f64,
    /// Upper end.
    pub to_come_hi: f64,
    /// Pairs of actions of different heaps in all games.
    pub pairs: u64,
    /// Those of the same temperature.
    pub tied_pairs: u64,
    /// The time of all searches.
    pub seconds: f64,
    /// Simulations a second.
    pub simulations_per_second: f64,
}

/// Learns what the experiment `name` asks for, or what is missing of it; [`ExperimentOptions::games`] limits the games. The
/// table of results is written anew after each. The numbers do not depend on the threads.
///
/// # Errors
/// If the record fails or the table cannot be written.
pub fn run_learning(
    name: &str,
    cells: &[Learning],
    options: &ExperimentOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(TrialProgress<'_>),
) -> Result<TrialReport<LearningRow>, LabError> {
    run_trials(name, cells, options, stop, watch)
}

impl Trial for Learning {
    type Row = LearningRow;

    fn name(&self) -> &str {
        &self.name
    }

    fn planned(&self) -> u64 {
        self.games
    }

    fn spec(&self) -> String {
        format!(
            "learn {} x {}, {} simulations, {:?} epsilon {}, {:?} {:?} c {}, seed {}",
            self.heaps,
            self.counters,
            self.simulations,
            self.policy,
            self.epsilon,
            self.reading,
            self.list_order(),
            self.exploration,
            self.seed
        )
    }

    fn make(&self, number: u64, stop: &Stop) -> Result<Option<Vec<f64>>, LabError> {
        Ok(self.learn(number, stop).map(|learnt| learnt.numbers()))
    }

    fn row(&self, trials: &[&[f64]]) -> LearningRow {
        let result = LearningResult::of(self, trials);
        let percent = |x: f64| rounded(x, 3);
        let end = |rates: Rates, side: f64| percent(rates.mean + side * stats::z(0.95) * rates.se);
        LearningRow {
            name: self.name.clone(),
            series: self.series.clone(),
            heaps: self.heaps,
            counters: self.counters,
            simulations: self.simulations,
            policy: self.policy,
            epsilon: self.epsilon,
            reading: self.reading,
            list: self.list_order(),
            exploration: self.exploration,
            seed: self.seed,
            planned: self.games,
            games: result.games,
            ride: percent(result.ride.mean),
            ride_se: percent(result.ride.se),
            ride_lo: end(result.ride, -1.0),
            ride_hi: end(result.ride, 1.0),
            paper: self.paper,
            above_paper: self.paper.map(|paper| percent(result.ride.mean - paper)),
            ride_with_ties: percent(result.ride_with_ties.mean),
            ride_with_ties_se: percent(result.ride_with_ties.se),
            rave: percent(result.rave.mean),
            rave_se: percent(result.rave.se),
            rave_lo: end(result.rave, -1.0),
            rave_hi: end(result.rave, 1.0),
            rave_left: percent(result.rave_left.mean),
            rave_left_se: percent(result.rave_left.se),
            rave_left_lo: end(result.rave_left, -1.0),
            rave_left_hi: end(result.rave_left, 1.0),
            to_come: percent(result.to_come.mean),
            to_come_se: percent(result.to_come.se),
            to_come_lo: end(result.to_come, -1.0),
            to_come_hi: end(result.to_come, 1.0),
            pairs: result.pairs,
            tied_pairs: result.tied_pairs,
            seconds: rounded(result.seconds, 2),
            simulations_per_second: result.simulations_per_second.round(),
        }
    }
}
