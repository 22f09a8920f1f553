//! Matches for points on sums of heaps.

use crate::error::{LabError, check_positive};
use crate::experiment::kind::Kind;
use crate::experiment::number::count;
use crate::experiment::results::Results;
use crate::incentives::learning::{Learning, Rates, SumsError, check_policy, twenty};
use crate::incentives::search_preset::{PlayoutPolicy, SearchPreset};
use crate::stats::{self, Interval, McNemar, holm};
use crate::store::{Store, TrialGroup};
use crate::table::{Field, Row, Shown, Table, rounded, significant};
use crate::trials::{Trial, Worker, check_count, found};
use serde::{Deserialize, Serialize};
use tesuji::{Bot, Budget, Game, Player, Reply, Rng, Stop, StopReason};
use tesuji_sums::{
    Analysis, FirstPlay, Heap, Solution, StateOptions, StateSearch, Strategy, StrategyBot, Sum, SumMove,
};

/// A match for points between two agents on random sums of heaps.
///
/// Each sum is played twice, with exchanged players, Left to move first in both games; the player
/// with more points from both together wins the pair. Every move has a regret: the points that it
/// loses against best play. In sums of more than [`Solution::LARGEST`] states best play is not
/// known.
///
/// Agents are:
///
/// - `maxi`, `rand` and `to-come`: a [`StateSearch`] with this default policy. MAXI learns
///   incentives.
/// - the same with `+order` or `+difference`: it learns incentives and uses them for its first play
///   in a state, [`FirstPlay::ByOrder`] or [`FirstPlay::ByDifference`].
/// - `perfect`, which plays a random one of the optimal moves, where these are known.
/// - the name of a [`Strategy`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointMatch {
    /// Its name: letters, digits, `.`, `-` and `_`.
    pub name: String,
    /// The curve of a figure to which it belongs.
    #[serde(default)]
    pub series: String,
    /// The agent whose side the result takes.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The number of heaps.
    pub heaps: usize,
    /// Counters of each.
    pub counters: usize,
    /// The number of pairs, at most 10 million.
    pub pairs: u64,
    /// Simulations a move. Default 0, for agents that do not search.
    #[serde(default)]
    pub simulations: u64,
    /// The preset of the searches. Default `tree`.
    #[serde(default = "tree")]
    pub reading: SearchPreset,
    /// Whether searches keep D and L\* from move to move of a game. Default no.
    #[serde(default)]
    pub keeps: bool,
    /// The probability with which MAXI and `to-come` play uniformly, 0 to 1. Default 0.
    #[serde(default)]
    pub epsilon: f32,
    /// The exploration constant in points. Default 20.
    #[serde(default = "twenty")]
    pub exploration: f32,
    /// The seed of all random numbers. The same seed gives the same heaps to all matches of the
    /// same size.
    #[serde(default = "count::<1>")]
    pub seed: u64,
    /// The most bytes of the table of a search. Default: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
}

fn tree() -> SearchPreset {
    SearchPreset::Tree
}

/// Who plays.
#[derive(Clone, Copy, Debug)]
enum Agent {
    Search(PlayoutPolicy, FirstPlay),
    Strategy(Strategy),
    Perfect,
}

impl Agent {
    fn parse(text: &str) -> Result<Agent, LabError> {
        let (policy, first_play) = match text.split_once('+') {
            Some((policy, "order")) => (policy, FirstPlay::ByOrder),
            Some((policy, "difference")) => (policy, FirstPlay::ByDifference),
            _ => (text, FirstPlay::Random),
        };
        match policy {
            "maxi" => Ok(Agent::Search(PlayoutPolicy::Maxi, first_play)),
            "rand" => Ok(Agent::Search(PlayoutPolicy::Rand, first_play)),
            "to-come" => Ok(Agent::Search(PlayoutPolicy::ToCome, first_play)),
            _ if text == "perfect" => Ok(Agent::Perfect),
            _ => text.parse().map(Agent::Strategy).map_err(|_| {
                let strategies = Strategy::ALL.map(Strategy::name).join(", ");
                SumsError::Agent { agent: text.to_owned(), strategies }.into()
            }),
        }
    }
}

/// A player of one game.
enum PointPlayer<'a> {
    Bot(Box<dyn Bot<Sum<Heap>>>),
    Perfect(Judge<'a>, Rng),
}

/// What best play comes to.
#[derive(Clone, Copy)]
struct Judge<'a> {
    analysis: &'a Analysis,
    solution: &'a Solution,
}

impl Judge<'_> {
    /// The final score of best play, as `player` sees it.
    fn worth(&self, sum: &Sum<Heap>, player: Player) -> f64 {
        let score = self.analysis.optimal_score(self.solution, sum).to_f64();
        if player == Player::FIRST { score } else { -score }
    }

    /// One of the best moves, each with the same probability.
    fn best(&self, sum: &Sum<Heap>, rng: &mut Rng) -> SumMove<u8> {
        let (mut moves, player) = (Vec::new(), sum.to_move());
        sum.moves(&mut moves);
        let best = self.worth(sum, player);
        moves.retain(|&m| {
            let mut after = sum.clone();
            after.play(m);
            self.worth(&after, player) == best
        });
        moves[rng.below(moves.len() as u32) as usize]
    }
}

/// What two games on the same heaps came to.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Pair {
    /// The points of A less those of B.
    pub(super) points: f64,
    /// Of A and of B: the points lost against best play.
    pub(super) regret: [f64; 2],
    pub(super) moves: [f64; 2],
    /// Of A and of B: games without regret.
    pub(super) flawless: [f64; 2],
}

impl Pair {
    /// What the numbers are called that are recorded.
    pub(super) const COLUMNS: [&str; 7] =
        ["points", "regret_a", "moves_a", "flawless_a", "regret_b", "moves_b", "flawless_b"];

    /// The numbers that are recorded.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let [a, b] = [0, 1].map(|side| [self.regret[side], self.moves[side], self.flawless[side]]);
        [&[self.points][..], &a, &b].concat()
    }

    pub(super) fn of(numbers: &[f64]) -> Pair {
        let both = |i: usize| [numbers[i], numbers[i + 3]];
        Pair { points: numbers[0], regret: both(1), moves: both(2), flawless: both(3) }
    }
}

impl PointMatch {
    /// # Errors
    /// If there is no such agent, or a number is out of its range.
    pub fn check(&self) -> Result<(), LabError> {
        for agent in [&self.a, &self.b] {
            if matches!(Agent::parse(agent)?, Agent::Search(..)) && self.simulations == 0 {
                check_positive([("simulations", 0)])?;
            }
        }
        check_count("pairs", self.pairs)?;
        let (heaps, counters) = (self.heaps, self.counters);
        let [most, all] = [Heap::HIGHEST, Learning::MOST];
        let is_possible = (1..=most).contains(&heaps) && (1..=most).contains(&counters);
        if !is_possible || heaps * counters > all {
            return Err(SumsError::Heaps { heaps, counters, least: 1, most, all }.into());
        }
        if [&self.a, &self.b].iter().any(|agent| *agent == "perfect") && !self.is_solved() {
            return Err(self.states_error().into());
        }
        Ok(check_policy(self.exploration, self.epsilon)?)
    }

    /// Whether best play is known.
    fn is_solved(&self) -> bool {
        let states = (self.counters as u64 + 1).checked_pow(self.heaps as u32);
        states.is_some_and(|n| n <= Solution::LARGEST as u64)
    }

    fn states_error(&self) -> SumsError {
        SumsError::States { heaps: self.heaps, counters: self.counters, most: Solution::LARGEST }
    }

    /// A player of the game that begins at `start`.
    fn player<'a>(
        &self,
        agent: Agent,
        start: &Sum<Heap>,
        judge: Option<Judge<'a>>,
        seed: u64,
    ) -> Result<PointPlayer<'a>, LabError> {
        let mut bot: Box<dyn Bot<Sum<Heap>>> = match agent {
            Agent::Perfect => {
                let judge = judge.ok_or_else(|| LabError::from(self.states_error()))?;
                return Ok(PointPlayer::Perfect(judge, Rng::new(seed)));
            }
            Agent::Strategy(strategy) => Box::new(StrategyBot::new(strategy)),
            Agent::Search(policy, first_play) => {
                let options = StateOptions {
                    exploration: self.exploration,
                    first_play,
                    playout: policy.playout(self.epsilon),
                    learns: policy == PlayoutPolicy::Maxi || first_play != FirstPlay::Random,
                    gathers_values: policy == PlayoutPolicy::ToCome,
                    keeps_incentives: self.keeps,
                    bytes: self.bytes.unwrap_or(usize::MAX),
                    ..self.reading.options()
                };
                Box::new(StateSearch::new(start, options, seed))
            }
        };
        bot.new_game(start, seed).map_err(LabError::failed)?;
        Ok(PointPlayer::Bot(bot))
    }

    /// Plays a pair; none if it was stopped.
    pub(super) fn play(&self, number: u64, stop: &Stop) -> Result<Option<Pair>, LabError> {
        let seed = Rng::derive(self.seed, number);
        let mut rng = Rng::new(seed);
        let heaps = (0..self.heaps).map(|_| Heap::random(self.counters, &mut rng));
        let start = Sum::new(heaps.collect()).with_shared_keys();
        let analysis = Analysis::new(&start);
        let solution = self.is_solved().then(|| analysis.solve()).transpose().map_err(LabError::failed)?;
        let judge = solution.as_ref().map(|solution| Judge { analysis: &analysis, solution });
        let agents = [Agent::parse(&self.a)?, Agent::parse(&self.b)?];
        let mut pair = Pair::default();
        // The side that is Left.
        for left in 0..2 {
            let mut players = Vec::new();
            for (side, agent) in agents.into_iter().enumerate() {
                let seed = Rng::derive(seed, 2 * left as u64 + side as u64);
                players.push(self.player(agent, &start, judge, seed)?);
            }
            // The points lost by each side; not a number where best play is not known.
            let (mut sum, mut regret) = (start.clone(), [0.0; 2]);
            let worth = |sum: &Sum<Heap>, player| judge.map_or(f64::NAN, |judge| judge.worth(sum, player));
            while sum.result().is_none() {
                let player = sum.to_move();
                let side = player.index() ^ left;
                let best = worth(&sum, player);
                let Some(m) = self.choose(&mut players[side], &sum, stop)? else { return Ok(None) };
                sum.play(m);
                regret[side] += best - worth(&sum, player);
                pair.moves[side] += 1.0;
                for player in &mut players {
                    if let PointPlayer::Bot(bot) = player {
                        bot.played(m, &sum).map_err(LabError::failed)?;
                    }
                }
            }
            let score = sum.score().to_f64();
            pair.points += if left == 0 { score } else { -score };
            for (side, regret) in regret.into_iter().enumerate() {
                pair.regret[side] += regret;
                let flawless = f64::from(u8::from(regret == 0.0));
                pair.flawless[side] += if regret.is_nan() { regret } else { flawless };
            }
        }
        Ok(Some(pair))
    }

    fn choose(
        &self,
        player: &mut PointPlayer<'_>,
        sum: &Sum<Heap>,
        stop: &Stop,
    ) -> Result<Option<SumMove<u8>>, LabError> {
        let bot = match player {
            PointPlayer::Perfect(judge, rng) => return Ok(Some(judge.best(sum, rng))),
            PointPlayer::Bot(bot) => bot,
        };
        let budget = Budget { simulations: Some(self.simulations), stop: stop.clone(), ..Budget::default() };
        match bot.genmove(sum, &budget, &mut ()).map_err(LabError::failed)? {
            Reply::Play(report) if report.reason == StopReason::Stopped => Ok(None),
            Reply::Play(report) => Ok(Some(report.best)),
            Reply::Resign => Err(LabError::Failed(format!("{}: an agent resigned", self.name))),
        }
    }
}

/// A mean and the ends of its interval.
fn interval(Rates { mean, se }: Rates) -> [f64; 3] {
    [0.0, -1.0, 1.0].map(|side| rounded(mean + side * stats::z(0.95) * se, 4))
}

/// The mean of these numbers, one for each pair.
fn mean(numbers: impl Iterator<Item = f64>) -> [f64; 3] {
    interval(Rates::of(&numbers.collect::<Vec<_>>()))
}

/// The mean of signs, one for each pair. Where all are equal there is no variance, and the interval
/// is Agresti and Coull's of the share of points.
fn difference(signs: &[f64]) -> [f64; 3] {
    let rates = Rates::of(signs);
    if rates.se > 0.0 {
        return interval(rates);
    }
    let n = signs.len() as f64;
    let Interval { lo, hi } = stats::agresti_coull(n * (1.0 + rates.mean) / 2.0, n, 0.95);
    [rates.mean, 2.0 * lo - 1.0, 2.0 * hi - 1.0].map(|x| rounded(x, 4))
}

/// The ratio of two sums over pairs, with the linearized variance (Cochran 1977, section 6.4).
fn ratio(above: &[f64], below: &[f64]) -> [f64; 3] {
    let ratio = above.iter().sum::<f64>() / below.iter().sum::<f64>();
    let residuals: Vec<f64> = above.iter().zip(below).map(|(a, b)| a - ratio * b).collect();
    let size = below.iter().sum::<f64>() / below.len() as f64;
    interval(Rates { mean: ratio, se: Rates::of(&residuals).se / size })
}

impl Trial for PointMatch {
    fn name(&self) -> &str {
        &self.name
    }

    fn planned(&self) -> u64 {
        self.pairs
    }

    fn group(&self) -> TrialGroup {
        let mut spec = toml::Table::try_from(self).unwrap_or_default();
        for key in ["name", "series", "pairs"] {
            spec.remove(key);
        }
        TrialGroup { spec: spec.to_string(), columns: Pair::COLUMNS.map(str::to_owned).to_vec() }
    }

    fn worker(&self) -> Worker<'_> {
        Box::new(|number, stop| Ok(self.play(number, stop)?.map(|pair| pair.numbers())))
    }
}

impl Kind for Vec<PointMatch> {
    fn kind(&self) -> &'static str {
        "points"
    }

    fn trials(&self) -> Result<Vec<Box<dyn Trial + '_>>, LabError> {
        Ok(self.iter().map(|own| Box::new(own.clone()) as Box<dyn Trial>).collect())
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        point_results(self, store)
    }
}

/// What a store says of these matches, from the side of A. Intervals are 95 %, from the variance
/// over pairs.
fn point_results(cells: &[PointMatch], store: &Store) -> Result<Results, LabError> {
    let mut lines = Vec::new();
    let mut found_pairs = Vec::new();
    for played in cells {
        let pairs: Vec<Pair> = found(played, store)?.values().map(|numbers| Pair::of(numbers)).collect();
        found_pairs.push(pairs);
    }
    let p: Vec<f64> = found_pairs.iter().map(|pairs| significant(Counts::of(pairs).p())).collect();
    let played = cells.iter().zip(&found_pairs).zip(p.iter().zip(holm(&p)));
    let played = played.filter(|((_, pairs), _)| !pairs.is_empty());
    let rows = played.map(|((cell, pairs), (&p, p_holm))| cell.row(pairs, [p, p_holm])).collect::<Vec<_>>();
    let table = Table::new("rows", rows).shown(Shown::Before("Results"));
    for row in 0..table.len() {
        let at = |column| table.at(row, column);
        let number = |column| at(column).number().unwrap_or(f64::NAN);
        let regret = match (at("regret_a").number(), at("regret_b").number()) {
            (Some(a), Some(b)) => format!("  points lost a move {a:.4} and {b:.4}"),
            _ => String::new(),
        };
        lines.push(format!(
            "{:<24} {:>5}/{} pairs  won {:.3} tied {:.3} lost {:.3}  won - lost in [{:+.3}, {:+.3}]{regret}",
            at("name"),
            at("pairs"),
            at("planned"),
            number("win_share"),
            number("tie_share"),
            number("loss_share"),
            number("difference_lo"),
            number("difference_hi")
        ));
    }
    Ok(Results::rows(table, "pairs", lines))
}

/// Pairs that A won, tied and lost.
struct Counts {
    wins: u64,
    ties: u64,
    losses: u64,
}

impl Counts {
    fn of(pairs: &[Pair]) -> Counts {
        let count = |has: fn(f64) -> bool| pairs.iter().filter(|pair| has(pair.points)).count() as u64;
        let (wins, losses) = (count(|points| points > 0.0), count(|points| points < 0.0));
        Counts { wins, ties: pairs.len() as u64 - wins - losses, losses }
    }

    /// The sign test.
    fn p(&self) -> f64 {
        McNemar { worse: self.losses, better: self.wins }.p()
    }
}

impl PointMatch {
    fn row(&self, pairs: &[Pair], [p, p_holm]: [f64; 2]) -> Row {
        let n = pairs.len() as f64;
        let Counts { wins, ties, losses } = Counts::of(pairs);
        let share = |count: u64| rounded(count as f64 / n, 5);
        let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        let column = |number: &dyn Fn(&Pair) -> f64| pairs.iter().map(number).collect::<Vec<_>>();
        let regret = |side: usize| {
            ratio(&column(&|pair: &Pair| pair.regret[side]), &column(&|pair: &Pair| pair.moves[side]))
        };
        let loss = |side: usize| mean(pairs.iter().map(|pair| pair.regret[side] / 2.0));
        let per_game =
            |number: &dyn Fn(&Pair) -> f64| known(rounded(column(number).iter().sum::<f64>() / n / 2.0, 4));
        let row = Row::new()
            .with("name", &self.name)
            .with("series", &self.series)
            .with("a", &self.a)
            .with("b", &self.b)
            .with("heaps", self.heaps)
            .with("counters", self.counters)
            .with("simulations", self.simulations)
            .with("reading", Field::word(&self.reading))
            .with("keeps", self.keeps)
            .with("epsilon", self.epsilon)
            .with("exploration", self.exploration)
            .unit("points")
            .with("seed", self.seed)
            .with("planned", self.pairs)
            .with("pairs", pairs.len())
            .with("wins", wins)
            .with("ties", ties)
            .with("losses", losses)
            .with("win_share", share(wins))
            .with("tie_share", share(ties))
            .with("loss_share", share(losses));
        let row = with_interval(row, "difference", difference(&column(&|pair| sign(pair.points))))
            .with("p", p)
            .with("p_holm", significant(p_holm));
        let row = with_interval(row, "points", mean(pairs.iter().map(|pair| pair.points)));
        // Points that a move loses against best play, then points lost in a game.
        let row = with_interval(with_interval(row, "regret_a", regret(0)), "regret_b", regret(1));
        with_interval(with_interval(row, "loss_a", loss(0)), "loss_b", loss(1))
            // The share of games without a lost point.
            .with("flawless_a", per_game(&|pair: &Pair| pair.flawless[0]))
            .with("flawless_b", per_game(&|pair: &Pair| pair.flawless[1]))
            .with("moves_a", per_game(&|pair: &Pair| pair.moves[0]))
    }
}

fn with_interval(row: Row, name: &str, interval: [f64; 3]) -> Row {
    let [value, lo, hi] = interval.map(known);
    row.with(name.to_owned(), value).with(format!("{name}_lo"), lo).with(format!("{name}_hi"), hi)
}

/// None where best play is not known.
fn known(x: f64) -> Option<f64> {
    (!x.is_nan()).then_some(x)
}
