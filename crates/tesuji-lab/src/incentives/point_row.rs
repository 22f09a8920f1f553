//! Experiments with matches for points.

use super::Reading;
use super::learning::Rates;
use super::point_match::{Pair, PointMatch};
use crate::LabError;
use crate::csv_table::{rounded, significant};
use crate::stats::{self, McNemar};
use crate::store::{TrialCell, Trials};
use crate::trials::Trial;
use serde::Serialize;
use tesuji::Stop;

/// What one [`PointMatch`] came to, from the side of A: a line of a CSV file. Intervals are 95 %, from the variance over
/// pairs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PointRow {
    /// Its name.
    pub name: String,
    /// The curve of a figure to which it belongs.
    pub series: String,
    /// The agent.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// Heaps.
    pub heaps: usize,
    /// Counters of each.
    pub counters: usize,
    /// Simulations a move.
    pub simulations: u64,
    /// How searches go about it.
    pub reading: Reading,
    /// Whether searches keep D and L\* from move to move.
    pub keeps: bool,
    /// How often MAXI plays uniformly.
    pub epsilon: f32,
    /// The exploration constant.
    pub exploration: f32,
    /// The seed.
    pub seed: u64,
    /// Pairs asked for by the file.
    pub planned: u64,
    /// Pairs played.
    pub pairs: u64,
    /// Pairs of which A got more points.
    pub wins: u64,
    /// Pairs of which both got as many.
    pub ties: u64,
    /// Pairs of which B got more.
    pub losses: u64,
    /// Wins over pairs.
    pub win_share: f64,
    /// Ties over pairs.
    pub tie_share: f64,
    /// Losses over pairs.
    pub loss_share: f64,
    /// Wins less losses, over pairs.
    pub difference: f64,
    /// Lower end of its interval.
    pub difference_lo: f64,
    /// Upper end.
    pub difference_hi: f64,
    /// The sign test: the two-sided exact p-value of "wins and losses are equally likely".
    pub p: f64,
    /// Points of A less those of B in a pair.
    pub points: f64,
    /// Lower end of its interval.
    pub points_lo: f64,
    /// Upper end.
    pub points_hi: f64,
    /// Points that a move of A loses against best play.
    pub regret_a: f64,
    /// Lower end of its interval.
    pub regret_a_lo: f64,
    /// Upper end.
    pub regret_a_hi: f64,
    /// Points that a move of B loses.
    pub regret_b: f64,
    /// Lower end of its interval.
    pub regret_b_lo: f64,
    /// Upper end.
    pub regret_b_hi: f64,
    /// Points that A loses in a game.
    pub loss_a: f64,
    /// Lower end of its interval.
    pub loss_a_lo: f64,
    /// Upper end.
    pub loss_a_hi: f64,
    /// Points that B loses in a game.
    pub loss_b: f64,
    /// Lower end of its interval.
    pub loss_b_lo: f64,
    /// Upper end.
    pub loss_b_hi: f64,
    /// The share of games in which A loses no point.
    pub flawless_a: f64,
    /// The share of games in which B loses none.
    pub flawless_b: f64,
    /// Moves of A in a game.
    pub moves_a: f64,
}

/// A mean and the ends of its interval.
fn interval(Rates { mean, se }: Rates) -> [f64; 3] {
    [0.0, -1.0, 1.0].map(|side| rounded(mean + side * stats::z(0.95) * se, 4))
}

/// The mean of these numbers, one for each pair.
fn mean(numbers: impl Iterator<Item = f64>) -> [f64; 3] {
    interval(Rates::of(&numbers.collect::<Vec<_>>()))
}

/// The ratio of two sums over pairs, with the linearized variance (Cochran 1977, section 6.4).
fn ratio(above: &[f64], below: &[f64]) -> [f64; 3] {
    let ratio = above.iter().sum::<f64>() / below.iter().sum::<f64>();
    let residuals: Vec<f64> = above.iter().zip(below).map(|(a, b)| a - ratio * b).collect();
    let size = below.iter().sum::<f64>() / below.len() as f64;
    interval(Rates { mean: ratio, se: Rates::of(&residuals).se / size })
}

impl Trial for PointMatch {
    type State = ();

    fn name(&self) -> &str {
        &self.name
    }

    fn planned(&self) -> u64 {
        self.pairs
    }

    fn cell(&self) -> TrialCell {
        let mut spec = toml::Table::try_from(self).unwrap_or_default();
        for key in ["name", "series", "pairs"] {
            spec.remove(key);
        }
        TrialCell { spec: spec.to_string(), columns: Pair::COLUMNS.map(str::to_owned).to_vec() }
    }

    fn make(&self, _: &mut Option<()>, number: u64, stop: &Stop) -> Result<Option<Vec<f64>>, LabError> {
        Ok(self.play(number, stop)?.map(|pair| pair.numbers()))
    }
}

impl PointRow {
    /// Of these trials; none without any.
    pub(crate) fn of(played: &PointMatch, trials: &Trials) -> Option<PointRow> {
        let pairs: Vec<Pair> = trials.values().map(|numbers| Pair::of(numbers)).collect();
        if pairs.is_empty() {
            return None;
        }
        let n = pairs.len() as f64;
        let count = |sign: f64| {
            let with = |pair: &&Pair| (pair.points > 0.0, pair.points < 0.0) == (sign > 0.0, sign < 0.0);
            pairs.iter().filter(with).count() as u64
        };
        let (wins, ties, losses) = (count(1.0), count(0.0), count(-1.0));
        let share = |count: u64| rounded(count as f64 / n, 5);
        let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        let [difference, difference_lo, difference_hi] = mean(pairs.iter().map(|pair| sign(pair.points)));
        let [points, points_lo, points_hi] = mean(pairs.iter().map(|pair| pair.points));
        let column = |number: &dyn Fn(&Pair) -> f64| pairs.iter().map(number).collect::<Vec<_>>();
        let regret = |side: usize| {
            ratio(&column(&|pair: &Pair| pair.regret[side]), &column(&|pair: &Pair| pair.moves[side]))
        };
        let loss = |side: usize| mean(pairs.iter().map(|pair| pair.regret[side] / 2.0));
        let per_game =
            |number: &dyn Fn(&Pair) -> f64| rounded(column(number).iter().sum::<f64>() / n / 2.0, 4);
        let ([regret_a, regret_a_lo, regret_a_hi], [regret_b, regret_b_lo, regret_b_hi]) =
            (regret(0), regret(1));
        let ([loss_a, loss_a_lo, loss_a_hi], [loss_b, loss_b_lo, loss_b_hi]) = (loss(0), loss(1));
        Some(PointRow {
            name: played.name.clone(),
            series: played.series.clone(),
            a: played.a.clone(),
            b: played.b.clone(),
            heaps: played.heaps,
            counters: played.counters,
            simulations: played.simulations,
            reading: played.reading,
            keeps: played.keeps,
            epsilon: played.epsilon,
            exploration: played.exploration,
            seed: played.seed,
            planned: played.pairs,
            pairs: pairs.len() as u64,
            wins,
            ties,
            losses,
            win_share: share(wins),
            tie_share: share(ties),
            loss_share: share(losses),
            difference,
            difference_lo,
            difference_hi,
            p: significant(McNemar { worse: losses, better: wins }.p()),
            points,
            points_lo,
            points_hi,
            regret_a,
            regret_a_lo,
            regret_a_hi,
            regret_b,
            regret_b_lo,
            regret_b_hi,
            loss_a,
            loss_a_lo,
            loss_a_hi,
            loss_b,
            loss_b_lo,
            loss_b_hi,
            flawless_a: per_game(&|pair: &Pair| pair.flawless[0]),
            flawless_b: per_game(&|pair: &Pair| pair.flawless[1]),
            moves_a: per_game(&|pair: &Pair| pair.moves[0]),
        })
    }
}
