//! The result of the games of a match.

use crate::conditions::{Conditions, Limit};
use crate::error::LabError;
use crate::game_spec::GameSpec;
use crate::stats::{self, Counts, Interval, Sprt, Verdict, agresti_coull};
use crate::store::{Disputed, PlannedMatch, Store, Usage};
use crate::table::rounded;
use serde::{Deserialize, Serialize};

/// The result of a match, from the side of `a`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchSummary {
    /// The agent.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The game.
    pub game: String,
    /// Points for the second player, where the game has a komi.
    pub komi: Option<f64>,
    /// Games that count: all games played, also before a resumption, without the void ones.
    pub games: u64,
    /// Games that `a` won.
    pub wins: u64,
    /// Games that `a` lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Wins plus half of the draws, over games.
    pub score: f64,
    /// The Agresti–Coull interval of the score.
    pub ci95: Interval,
    /// The Elo difference; none where it is infinite.
    pub elo: Option<f64>,
    /// Its interval; none where an end is infinite. This, the difference, LOS and p are those of
    /// complete pairs, and of single games where there is no pair.
    pub elo_ci95: [Option<f64>; 2],
    /// The points of `a` a game, less those of `b`; none where the game has none, see
    /// [`GameSpec::draws_positions`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<PointsSummary>,
    /// The likelihood of superiority.
    pub los: f64,
    /// The p-value of "both are equally strong", two-sided; none in a match with a sequential test,
    /// which looks at the games again and again: its decision counts.
    pub p: Option<f64>,
    /// Complete pairs: LL, LD, LW or DD, DW, WW; none if games are independent.
    pub pairs: [u64; 5],
    /// The seed.
    pub seed: u64,
    /// Simulations a move, if they were limited.
    pub playouts: Option<u64>,
    /// Milliseconds a move, if they were limited.
    pub milliseconds: Option<u64>,
    /// Simulations a move of `a`: its own limit or the common one.
    pub playouts_a: Option<u64>,
    /// Simulations a move of `b`.
    pub playouts_b: Option<u64>,
    /// Wall-clock time of this run.
    pub seconds: f64,
    /// Wall-clock time of all games, one after the other.
    pub game_seconds: f64,
    /// Games that `a` forfeited.
    pub forfeits_a: u64,
    /// Games that `b` forfeited.
    pub forfeits_b: u64,
    /// Games that ended because both players considered them decided.
    pub adjudicated: u64,
    /// Games whose end an engine scored differently from the referee.
    pub disputes: u64,
    /// The score for each way to count them; none without such games.
    #[serde(default, flatten, skip_serializing_if = "Option::is_none")]
    pub scores: Option<DisputedScores>,
    /// Games that repeat an earlier one move for move.
    pub duplicates: u64,
    /// Games of this run that failed by a fault of this program.
    pub failed: u64,
    /// Whether the match was stopped before its end.
    pub interrupted: bool,
    /// The peak memory of the processes that played games of this match, see
    /// [`peak_memory`](crate::peak_memory).
    pub process_bytes_peak: Option<u64>,
    /// The sequential test, if there was one.
    pub sprt: Option<SprtSummary>,
    /// The cost of the searches of `a`.
    pub a_stats: Usage,
    /// The cost of the searches of `b`.
    pub b_stats: Usage,
}

/// The result of a match for each way to count disputed games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct DisputedScores {
    /// Games played, including those that do not count.
    pub played: u64,
    /// The way in which the match counts them.
    pub disputed: Disputed,
    /// The score without disputed games and the other games of their pairs.
    #[serde(rename = "score_void")]
    pub void: f64,
    /// The score with the results that the board shows.
    #[serde(rename = "score_board")]
    pub board: f64,
    /// The score with the results that the engines see.
    #[serde(rename = "score_opponent")]
    pub opponent: f64,
}

/// Points a game, from the pairs of which both games ended by the rules.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PointsSummary {
    /// The mean.
    pub mean: f64,
    /// Its 95 % interval by Student's t, from the variance over pairs; none with a single pair.
    pub ci95: Option<[f64; 2]>,
    /// The number of these pairs.
    pub pairs: u64,
}

impl PointsSummary {
    /// Of the points a game in each pair; none without pairs.
    fn of(pairs: &[f64]) -> Option<PointsSummary> {
        let (mean, error) = stats::mean_and_error(pairs);
        let half = (pairs.len() > 1).then(|| stats::t(0.95, pairs.len() - 1) * error);
        let ci95 = half.map(|half| [mean - half, mean + half]);
        (!pairs.is_empty()).then_some(PointsSummary { mean, ci95, pairs: pairs.len() as u64 })
    }

    /// A line for people.
    pub fn text(&self) -> String {
        let interval = self.ci95.map_or(String::new(), |[lo, hi]| format!(", 95 % in [{lo:+.2}, {hi:+.2}]"));
        format!("points a game {:+.2}{interval}, over {} pairs", self.mean, self.pairs)
    }
}

/// A sequential test's result.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtSummary {
    /// The null hypothesis, in Elo.
    pub elo0: f64,
    /// The alternative.
    pub elo1: f64,
    /// The log-likelihood ratio of the pairs.
    pub llr: f64,
    /// Its lower bound.
    pub lower: f64,
    /// Its upper bound.
    pub upper: f64,
    /// The decision.
    pub verdict: Verdict,
}

impl SprtSummary {
    /// A line for people.
    pub fn text(&self) -> String {
        let SprtSummary { elo0, elo1, llr, lower, upper, verdict } = *self;
        let decision = match verdict {
            Verdict::Undecided => "not decided".to_owned(),
            Verdict::Elo0 => format!("decided for {elo0}"),
            Verdict::Elo1 => format!("decided for {elo1}"),
        };
        // 0 has no minus.
        let llr = rounded(llr, 3) + 0.0;
        format!(
            "sequential test of Elo {elo0} against {elo1}: {decision} (LLR {llr:.3}, bounds {lower:.3} and {upper:.3})"
        )
    }
}

impl MatchSummary {
    /// Games played, whether they count or not.
    pub fn played(&self) -> u64 {
        self.scores.map_or(self.games, |scores| scores.played)
    }

    /// The Elo difference as people write it: `+12`, `-inf`; nothing without a game.
    pub fn elo_text(&self) -> String {
        if self.games == 0 {
            return String::new();
        }
        let infinite = if self.score > 0.5 { "+inf" } else { "-inf" };
        self.elo.map_or(infinite.to_owned(), signed)
    }

    /// Its interval likewise: `[-inf, +3]`.
    pub fn elo_ci95_text(&self) -> String {
        if self.games == 0 {
            return String::new();
        }
        let end = |end: Option<f64>, infinite: &str| end.map_or(infinite.to_owned(), signed);
        format!("[{}, {}]", end(self.elo_ci95[0], "-inf"), end(self.elo_ci95[1], "+inf"))
    }
}

/// A whole number with its sign, and 0 without one.
fn signed(x: f64) -> String {
    let whole = x.round();
    if whole == 0.0 { "0".to_owned() } else { format!("{whole:+}") }
}

impl PlannedMatch {
    /// The summary of the stored games of this match. It plays nothing.
    ///
    /// # Errors
    /// If the store fails.
    pub fn summary(&self, store: &Store) -> Result<MatchSummary, LabError> {
        let (matchup, games) = (&self.matchup, store.counted_games(self)?);
        let conditions = Conditions::parse(&matchup.conditions)?;
        let tally = store.tally(matchup, games, self.disputed)?;
        let score = |disputed| Ok::<_, LabError>(store.tally(matchup, games, disputed)?.counts().score());
        let scores = (tally.disputes > 0).then(|| {
            let (void, board, opponent) =
                (score(Disputed::Void)?, score(Disputed::Board)?, score(Disputed::Opponent)?);
            let (played, disputed) = (tally.played, self.disputed);
            Ok::<_, LabError>(DisputedScores { played, disputed, void, board, opponent })
        });
        let scores = scores.transpose()?;
        let [losses, draws, wins] = tally.games;
        let (counts, independent) = (tally.counts(), tally.independent_counts());
        let elo = independent.elo();
        let finite = |x: f64| x.is_finite().then_some(x);
        let playouts = |limit| match limit {
            Limit::Playouts(n) => Some(n),
            Limit::Milliseconds(_) => None,
        };
        let milliseconds = match conditions.limit {
            Limit::Playouts(_) => None,
            Limit::Milliseconds(n) => Some(n),
        };
        let [playouts_a, playouts_b] =
            [&matchup.a, &matchup.b].map(|agent| playouts(agent.limit().unwrap_or(conditions.limit)));
        let has_points = GameSpec::parse(&conditions.game, conditions.komi.as_deref())
            .is_ok_and(|game| game.draws_positions());
        let pairs = if has_points { store.points(matchup, games)? } else { Vec::new() };
        let [processor_a, processor_b] = store.processor_seconds(&self.name)?;
        Ok(MatchSummary {
            a: self.a.clone(),
            b: self.b.clone(),
            game: conditions.game,
            komi: conditions.komi.and_then(|komi| komi.parse().ok()),
            games: losses + draws + wins,
            wins,
            losses,
            draws,
            score: counts.score(),
            ci95: agresti_coull(counts.points(), counts.games() as f64, 0.95),
            elo: finite(elo.elo),
            elo_ci95: [finite(elo.lo), finite(elo.hi)],
            points: PointsSummary::of(&pairs),
            los: independent.los(),
            p: self.sprt.is_none().then(|| independent.p_value()),
            pairs: tally.pairs,
            seed: conditions.seed,
            playouts: playouts(conditions.limit),
            milliseconds,
            playouts_a,
            playouts_b,
            seconds: 0.0,
            game_seconds: tally.seconds,
            forfeits_a: tally.forfeits_a,
            forfeits_b: tally.forfeits_b,
            adjudicated: tally.adjudicated,
            disputes: tally.disputes,
            scores,
            // The same moves on other heaps are another game.
            duplicates: if has_points { 0 } else { tally.duplicates },
            failed: 0,
            interrupted: false,
            process_bytes_peak: store.process_bytes_peak(&self.name)?,
            sprt: self.sprt.map(|sprt| SprtSummary::of(sprt, Counts::Pairs(tally.pairs))),
            a_stats: Usage { processor_seconds: processor_a, ..store.usage(matchup, games, true)? },
            b_stats: Usage { processor_seconds: processor_b, ..store.usage(matchup, games, false)? },
        })
    }
}

impl SprtSummary {
    fn of(sprt: Sprt, pairs: Counts) -> SprtSummary {
        let (lower, upper) = sprt.bounds();
        let llr = if pairs.games() == 0 { 0.0 } else { sprt.llr(&pairs) };
        SprtSummary { elo0: sprt.elo0, elo1: sprt.elo1, llr, lower, upper, verdict: sprt.verdict(&pairs) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequential_test_says_its_decision() {
        for (llr, verdict, text) in [
            (2.975, Verdict::Elo1, "decided for 30 (LLR 2.975"),
            (-3.1, Verdict::Elo0, "decided for 0 (LLR -3.100"),
            (-0.0001, Verdict::Undecided, "not decided (LLR 0.000"),
        ] {
            let summary = SprtSummary { elo0: 0.0, elo1: 30.0, llr, lower: -2.9444, upper: 2.9444, verdict };
            let expected = format!("sequential test of Elo 0 against 30: {text}, bounds -2.944 and 2.944)");
            assert_eq!(summary.text(), expected);
        }
    }
}
