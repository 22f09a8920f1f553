//! How well the order of incentives is learned.

use crate::error::{LabError, faults};
use crate::event::{Event, Why};
use crate::executor::{SOON, execute_list};
use crate::experiment::kind::Kind;
use crate::experiment::number::count;
use crate::experiment::results::Results;
use crate::incentives::search_preset::{ListOrder, PlayoutPolicy, SearchPreset};
use crate::stats;
use crate::store::{Store, TrialGroup};
use crate::table::{Field, Row, Shown, Table, rounded};
use crate::trials::{Trial, Worker, check_count, figures, found};
use serde::{Deserialize, Serialize};
use std::time::Instant;
use tesuji::{Budget, Rng, Stop, StopReason};
use tesuji_sums::{Heap, MoveValues, StateOptions, StateSearch, Sum, Temperatures};

/// Incentives learned in searches of random sums of heaps, each from the beginning of a game, and
/// compared with temperatures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// Its name: letters, digits, `.`, `-` and `_`.
    #[serde(default)]
    pub name: String,
    /// The curve of a figure to which it belongs.
    #[serde(default)]
    pub series: String,
    /// The match rate that a paper prints for it, in percent.
    pub paper: Option<f64>,
    /// The number of heaps.
    pub heaps: usize,
    /// Counters of each.
    pub counters: usize,
    /// Simulations in each sum.
    pub simulations: u64,
    /// The number of sums, at most 10 million.
    #[serde(default = "count::<100>")]
    pub games: u64,
    /// The default policy. Default `maxi`.
    #[serde(default)]
    pub policy: PlayoutPolicy,
    /// The probability with which MAXI and `to-come` play uniformly, 0 to 1. Default 0.
    #[serde(default)]
    pub epsilon: f32,
    /// The preset of the search. Default `p`.
    #[serde(default)]
    pub reading: SearchPreset,
    /// L\* at the beginning. Default: the list of the preset.
    pub list: Option<ListOrder>,
    /// The exploration constant in points. Default 20.
    #[serde(default = "twenty")]
    pub exploration: f32,
    /// The seed of all random numbers. The same seed gives the same heaps to all searches of the
    /// same size.
    #[serde(default = "count::<1>")]
    pub seed: u64,
    /// The most bytes of the table of a search. Default: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
}

pub(super) fn twenty() -> f32 {
    20.0
}

/// Makes sure that the settings of a search are in their ranges.
pub(super) fn check_policy(exploration: f32, epsilon: f32) -> Result<(), SumsError> {
    if !(exploration >= 0.0 && exploration.is_finite()) {
        return Err(SumsError::Exploration { exploration });
    }
    if !(0.0..=1.0).contains(&epsilon) {
        return Err(SumsError::Epsilon { epsilon });
    }
    Ok(())
}

impl Learning {
    /// The most counters in all heaps together.
    pub const MOST: usize = 400;

    /// L\* at the beginning.
    pub fn list_order(&self) -> ListOrder {
        self.list.unwrap_or(self.reading.list())
    }

    /// The settings of the search.
    pub fn options(&self) -> StateOptions {
        let options = self.reading.options();
        StateOptions {
            exploration: self.exploration,
            playout: self.policy.playout(self.epsilon),
            list: self.list_order().list(),
            gathers_values: true,
            bytes: self.bytes.unwrap_or(usize::MAX),
            ..options
        }
    }

    /// # Errors
    /// If a number is out of its range.
    pub fn check(&self) -> Result<(), LabError> {
        let (m, n) = (self.heaps, self.counters);
        if !(2..=Heap::HIGHEST).contains(&m) || !(1..=Heap::HIGHEST).contains(&n) || m * n > Learning::MOST {
            let (most, all) = (Heap::HIGHEST, Learning::MOST);
            return Err(SumsError::Heaps { heaps: m, counters: n, least: 2, most, all }.into());
        }
        check_count("games", self.games)?;
        Ok(check_policy(self.exploration, self.epsilon)?)
    }

    /// The heaps of a game.
    pub(super) fn heaps(&self, game: u64) -> Sum<Heap> {
        let mut rng = Rng::new(Rng::derive(self.seed, 2 * game));
        let heaps = (0..self.heaps).map(|_| Heap::random(self.counters, &mut rng));
        Sum::new(heaps.collect()).with_shared_keys()
    }

    /// Learns in one game; none if it was stopped.
    pub(super) fn learn(&self, game: u64, stop: &Stop) -> Option<Learnt> {
        let sum = self.heaps(game);
        let temperatures = Temperatures::new(&sum);
        let mut search = StateSearch::new(&sum, self.options(), Rng::derive(self.seed, 2 * game + 1));
        let budget = Budget { simulations: Some(self.simulations), stop: stop.clone(), ..Budget::default() };
        let clock = Instant::now();
        let report = search.run(&sum, &budget, &mut ())?;
        let seconds = clock.elapsed().as_secs_f64();
        if report.reason == StopReason::Stopped {
            return None;
        }
        let list = search.incentives();
        let learnt = temperatures.match_rate(|a, b| list.place(b).cmp(&list.place(a)));
        let values = search.move_values()?;
        let by = |value: fn(&MoveValues, usize) -> Option<f64>| {
            // An action that was never played is not told apart from any other.
            temperatures
                .match_rate(|a, b| {
                    let (a, b) = (value(values, a), value(values, b));
                    a.zip(b).map_or(std::cmp::Ordering::Equal, |(a, b)| a.total_cmp(&b))
                })
                .percent()
        };
        let known = |rate: Option<f64>| rate.unwrap_or(f64::NAN);
        Some(Learnt {
            ride: known(learnt.percent()),
            ride_with_ties: known(learnt.percent_with_ties()),
            rave: known(by(MoveValues::outcome)),
            rave_left: known(by(MoveValues::outcome_left)),
            to_come: known(by(MoveValues::to_come)),
            untied_pairs: learnt.pairs.into(),
            tied_pairs: learnt.tied.into(),
            seconds,
        })
    }
}

figures! {
    /// What was learned in one game. Rates are percent; no number if every pair is tied.
    Learnt:
    ride,
    /// Ties counted half.
    ride_with_ties,
    /// Then three of [`MoveValues`].
    rave,
    rave_left,
    to_come,
    untied_pairs,
    tied_pairs,
    seconds,
}

/// A match rate in percent: the mean over games and its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rates {
    /// The mean.
    pub mean: f64,
    /// The standard error over games.
    pub se: f64,
}

/// The result of a [`Learning`]. Rates are means over games, in percent; none where every pair of
/// every game is tied. Pairs of the same
/// temperature are left out unless stated otherwise.
#[derive(Clone, PartialEq, Debug)]
pub struct LearningResult {
    /// Games that were learned in.
    pub games: u64,
    /// The order of L\*.
    pub ride: Option<Rates>,
    /// The same with pairs of the same temperature counted half.
    pub ride_with_ties: Option<Rates>,
    /// The order of [`MoveValues::outcome`].
    pub rave: Option<Rates>,
    /// The order of [`MoveValues::outcome_left`].
    pub rave_left: Option<Rates>,
    /// The order of [`MoveValues::to_come`].
    pub to_come: Option<Rates>,
    /// Pairs of actions of different heaps in all games.
    pub pairs: u64,
    /// Those of the same temperature.
    pub tied_pairs: u64,
    /// The time of all searches.
    pub seconds: f64,
    /// Simulations a second.
    pub simulations_per_second: f64,
}

impl LearningResult {
    /// From what was recorded of each game.
    pub(super) fn of(learning: &Learning, games: &[Learnt]) -> LearningResult {
        let rates = |rate: fn(&Learnt) -> f64| {
            let rates: Vec<f64> = games.iter().map(rate).filter(|rate| rate.is_finite()).collect();
            (!rates.is_empty()).then(|| Rates::of(&rates))
        };
        let sum = |number: fn(&Learnt) -> f64| games.iter().map(number).sum::<f64>();
        let seconds = sum(|game| game.seconds);
        LearningResult {
            games: games.len() as u64,
            ride: rates(|game| game.ride),
            ride_with_ties: rates(|game| game.ride_with_ties),
            rave: rates(|game| game.rave),
            rave_left: rates(|game| game.rave_left),
            to_come: rates(|game| game.to_come),
            pairs: (sum(|game| game.untied_pairs) + sum(|game| game.tied_pairs)) as u64,
            tied_pairs: sum(|game| game.tied_pairs) as u64,
            seconds,
            simulations_per_second: (learning.simulations * games.len() as u64) as f64 / seconds.max(1e-9),
        }
    }
}

impl Rates {
    /// The mean of these numbers, of which there is at least one.
    pub(super) fn of(numbers: &[f64]) -> Rates {
        let (mean, se) = stats::mean_and_error(numbers);
        Rates { mean, se }
    }
}

/// Learns in every game, on several threads with the same numbers; none if it was stopped before
/// the end.
///
/// # Errors
/// If a number is out of its range.
pub fn learn_incentives(
    learning: &Learning,
    threads: usize,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Option<LearningResult>, LabError> {
    learning.check()?;
    let games: Vec<u64> = (0..learning.games).collect();
    let mut learnt = std::collections::BTreeMap::new();
    let work = |_: &mut Option<()>, &game: &u64| Ok(learning.learn(game, stop).map(|learnt| (game, learnt)));
    let (name, total) = (&learning.name, learning.games);
    watch(Event::Started { name, about: "", number: 1, of: 1, total });
    execute_list(&games, threads, SOON, work, &mut |batch: &[(u64, Learnt)]| {
        learnt.extend(batch.iter().copied());
        watch(Event::Done(learnt.len() as u64));
        Ok(())
    })?;
    watch(Event::Stopped(Why::of(stop.is_stopped(), false)));
    let numbers: Vec<Learnt> = learnt.into_values().collect();
    Ok((numbers.len() as u64 == learning.games).then(|| LearningResult::of(learning, &numbers)))
}

impl Trial for Learning {
    fn name(&self) -> &str {
        &self.name
    }

    fn planned(&self) -> u64 {
        self.games
    }

    fn group(&self) -> TrialGroup {
        let mut spec = toml::Table::try_from(self).unwrap_or_default();
        for key in ["name", "series", "paper", "games"] {
            spec.remove(key);
        }
        let list = toml::Value::try_from(self.list_order());
        spec.extend(list.map(|list| ("list".to_owned(), list)));
        TrialGroup {
            spec: spec.to_string(),
            columns: Learnt::COLUMNS.iter().map(ToString::to_string).collect(),
        }
    }

    fn worker(&self) -> Worker<'_> {
        Box::new(|number, stop| Ok(self.learn(number, stop).map(Learnt::to_list)))
    }
}

impl Kind for Vec<Learning> {
    fn kind(&self) -> &'static str {
        "incentives"
    }

    fn trials(&self) -> Result<Vec<Box<dyn Trial + '_>>, LabError> {
        Ok(self.iter().map(|own| Box::new(own.clone()) as Box<dyn Trial>).collect())
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        learning_results(self, store)
    }
}

/// What a store says of these cells. Rates are percent, with 95 % intervals over games; pairs of
/// the same temperature are left out unless something else is said.
fn learning_results(cells: &[Learning], store: &Store) -> Result<Results, LabError> {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for learning in cells {
        let trials = found(learning, store)?;
        let games: Vec<Learnt> = trials.values().filter_map(|list| Learnt::of_list(list)).collect();
        if games.is_empty() {
            continue;
        }
        let result = LearningResult::of(learning, &games);
        lines.push(learning.line(&result));
        rows.push(learning.row(&result));
    }
    Ok(Results::rows(Table::new("rows", rows).shown(Shown::Before("Results")), "games", lines))
}

fn percent(x: f64) -> f64 {
    rounded(x, 3)
}

/// Adds the mean, its standard error and, if wanted, the ends of its interval.
fn add(rates: Option<Rates>, row: Row, name: &str, has_interval: bool) -> Row {
    let of = |number: fn(Rates) -> f64| rates.map(|rates| percent(number(rates)));
    let mean = row.with(name.to_owned(), of(|rates| rates.mean)).unit("%");
    let row = mean.with(format!("{name}_se"), of(|rates| rates.se)).unit("%");
    if !has_interval {
        return row;
    }
    let row = row.with(format!("{name}_lo"), of(|rates| rates.mean - stats::z(0.95) * rates.se)).unit("%");
    row.with(format!("{name}_hi"), of(|rates| rates.mean + stats::z(0.95) * rates.se)).unit("%")
}

impl Learning {
    fn row(&self, result: &LearningResult) -> Row {
        let row = Row::new()
            .with("name", &self.name)
            .with("series", &self.series)
            .with("heaps", self.heaps)
            .with("counters", self.counters)
            .with("simulations", self.simulations)
            .with("policy", Field::word(&self.policy))
            .with("epsilon", self.epsilon)
            .with("reading", Field::word(&self.reading))
            .with("list", Field::word(&self.list_order()))
            .with("exploration", self.exploration)
            .unit("points")
            .with("seed", self.seed)
            .with("planned", self.games)
            .with("games", result.games);
        // The match rate of L*, beside the one that a paper prints.
        let row = add(result.ride, row, "ride", true).with("paper", self.paper).unit("%");
        let above = result.ride.zip(self.paper).map(|(ride, paper)| percent(ride.mean - paper));
        let row = row.with("above_paper", above).unit("%");
        // Then with pairs of the same temperature counted half, and of AMAF values.
        let row = add(result.ride_with_ties, row, "ride_with_ties", false);
        let row = add(result.rave, row, "rave", true);
        let row = add(result.rave_left, row, "rave_left", true);
        add(result.to_come, row, "to_come", true)
            .with("pairs", result.pairs)
            .with("tied_pairs", result.tied_pairs)
            .with("seconds", rounded(result.seconds, 2))
            .unit("s")
            .with("simulations_per_second", result.simulations_per_second.round())
            .unit("1/s")
    }

    fn line(&self, result: &LearningResult) -> String {
        let of = |rates: Option<Rates>, number: fn(Rates) -> f64| {
            rates.map_or("-".to_owned(), |rates| format!("{:.2}", percent(number(rates))))
        };
        format!(
            "{:<24} {:>6} simulations {:>4}/{} games  RIDE {:>5} +- {}  RAVE {:>5}  to come {:>5}  {:>7} simulations/s",
            self.name,
            self.simulations,
            result.games,
            self.games,
            of(result.ride, |rates| rates.mean),
            of(result.ride, |rates| rates.se),
            of(result.rave, |rates| rates.mean),
            of(result.to_come, |rates| rates.mean),
            result.simulations_per_second.round()
        )
    }
}

faults! {
    /// Why an experiment on sums of heaps is not possible, apart from numbers out of their
    /// [range](crate::RangeError).
    SumsError {
        Heaps { heaps: usize, counters: usize, least: usize, most: usize, all: usize } =>
            "heaps is {heaps}, counters {counters}; accepted: {least} to {most} heaps of 1 to {most}, at most {all} counters in all",
        Exploration { exploration: f32 } => "exploration is {exploration}; accepted: at least 0",
        Epsilon { epsilon: f32 } => "epsilon is {epsilon}; accepted: 0 to 1",
        Agent { agent: String, strategies: String } => "agent {agent:?}; accepted: maxi, rand, to-come, each also with +order or +difference, perfect, {strategies}",
        States { heaps: usize, counters: usize, most: usize } =>
            "heaps is {heaps}, counters {counters}; accepted for perfect: at most {most} states",
    }
}
