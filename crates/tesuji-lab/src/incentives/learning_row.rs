//! Experiments on how well incentives are learnt.

use super::learning::{Learning, LearningResult, Learnt, Rates};
use super::{ListOrder, PlayoutPolicy, Reading};
use crate::csv_table::rounded;
use crate::store::{TrialCell, Trials};
use crate::trials::Trial;
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

impl Trial for Learning {
    type State = ();

    fn name(&self) -> &str {
        &self.name
    }

    fn planned(&self) -> u64 {
        self.games
    }

    fn cell(&self) -> TrialCell {
        let mut spec = toml::Table::try_from(self).unwrap_or_default();
        for key in ["name", "series", "paper", "games"] {
            spec.remove(key);
        }
        let list = toml::Value::try_from(self.list_order());
        spec.extend(list.map(|list| ("list".to_owned(), list)));
        TrialCell { spec: spec.to_string(), columns: Learnt::COLUMNS.map(str::to_owned).to_vec() }
    }

    fn make(&self, _: &mut Option<()>, number: u64, stop: &Stop) -> Result<Option<Vec<f64>>, LabError> {
        Ok(self.learn(number, stop).map(|learnt| learnt.numbers()))
    }
}

impl LearningRow {
    /// Of these trials; none without any.
    pub(crate) fn of(learning: &Learning, trials: &Trials) -> Option<LearningRow> {
        let games: Vec<&[f64]> = trials.values().map(Vec::as_slice).collect();
        if games.is_empty() {
            return None;
        }
        let result = LearningResult::of(learning, &games);
        let percent = |x: f64| rounded(x, 3);
        let end = |rates: Rates, side: f64| percent(rates.mean + side * stats::z(0.95) * rates.se);
        Some(LearningRow {
            name: learning.name.clone(),
            series: learning.series.clone(),
            heaps: learning.heaps,
            counters: learning.counters,
            simulations: learning.simulations,
            policy: learning.policy,
            epsilon: learning.epsilon,
            reading: learning.reading,
            list: learning.list_order(),
            exploration: learning.exploration,
            seed: learning.seed,
            planned: learning.games,
            games: result.games,
            ride: percent(result.ride.mean),
            ride_se: percent(result.ride.se),
            ride_lo: end(result.ride, -1.0),
            ride_hi: end(result.ride, 1.0),
            paper: learning.paper,
            above_paper: learning.paper.map(|paper| percent(result.ride.mean - paper)),
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
        })
    }
}
