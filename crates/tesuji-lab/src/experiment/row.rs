//! One line of a table of results.

use super::Seeds;
use crate::csv_table::{rounded, significant};
use crate::stats::{Verdict, holm};
use crate::store::{Disputed, PlannedMatch, Store};
use crate::{LabError, MatchSummary};
use serde::{Deserialize, Serialize};

/// The result of one match of an experiment, from the side of `a`: a line of its CSV file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The name of the match.
    pub name: String,
    /// The claim that it bears on.
    pub claim: String,
    /// The curve of a figure to which it belongs.
    pub series: String,
    /// Its place on the horizontal axis of that figure.
    pub x: Option<f64>,
    /// The agent.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// The game.
    pub game: String,
    /// Simulations a move of `a`.
    pub playouts_a: Option<u64>,
    /// Simulations a move of `b`.
    pub playouts_b: Option<u64>,
    /// The seed of its games, or the seeds.
    pub seed: Seeds,
    /// Games asked for by the file.
    pub planned: u64,
    /// Games played.
    pub games: u64,
    /// Games that `a` won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that `a` lost.
    pub losses: u64,
    /// Wins plus half of the draws, over games.
    pub score: f64,
    /// Lower end of the Agresti–Coull interval, 95 %.
    pub ci95_lo: f64,
    /// Its upper end.
    pub ci95_hi: f64,
    /// The Elo difference; none where it is infinite.
    pub elo: Option<f64>,
    /// Lower end of its interval.
    pub elo_lo: Option<f64>,
    /// Its upper end.
    pub elo_hi: Option<f64>,
    /// The two-sided p-value of "both are equally strong", see [`Counts::p_value`](crate::stats::Counts::p_value).
    pub p: f64,
    /// The same, corrected for the number of matches of the experiment by the method of Holm; matches without
    /// games count.
    pub p_holm: f64,
    /// The most nodes that `a` held.
    pub nodes_peak_a: u64,
    /// The most nodes that `b` held.
    pub nodes_peak_b: u64,
    /// The most bytes that `a` held.
    pub bytes_peak_a: u64,
    /// The most bytes that `b` held.
    pub bytes_peak_b: u64,
    /// Simulations of `a` in all games.
    pub simulations_a: u64,
    /// Simulations of `b` in all games.
    pub simulations_b: u64,
    /// Wall-clock time of the searches of `a`; agents with the same network look at each position once, whoever comes first.
    pub seconds_a: f64,
    /// Wall-clock time of the searches of `b`.
    pub seconds_b: f64,
    /// The most memory of the process while it played, see [`peak_memory`](crate::peak_memory).
    pub process_bytes_peak: Option<u64>,
    /// Games that ended because both players took them for decided.
    pub adjudicated: u64,
    /// Games that either side forfeited.
    pub forfeits: u64,
    /// Games that repeat an earlier one move for move.
    pub duplicates: u64,
    /// The log-likelihood ratio of the match's sequential test, if it has one.
    pub llr: Option<f64>,
    /// What that test says.
    pub verdict: Option<Verdict>,
    /// Games whose result an engine disputes. This column and the next two are in tables with such games alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disputes: Option<u64>,
    /// What they count in this row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disputed: Option<Disputed>,
    /// The score with the results that the board shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_board: Option<f64>,
}

impl Row {
    /// The rows of all matches of a store that have games.
    ///
    /// # Errors
    /// If the store fails.
    pub fn all(store: &Store) -> Result<Vec<Row>, LabError> {
        Row::of(store, |_| true)
    }

    /// The rows of the matches with such names; p-values are corrected for the number of these.
    pub(crate) fn of(store: &Store, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<Row>, LabError> {
        let mut rows = Vec::new();
        for planned in store.matches()?.into_iter().filter(|planned| is_wanted(&planned.name)) {
            let summary = planned.summary(store)?;
            rows.push((summary.played() > 0).then(|| Row::new(&planned, &summary)));
        }
        Row::correct(&mut rows);
        let mut rows: Vec<Row> = rows.into_iter().flatten().collect();
        Row::tell_disputes(&mut rows);
        Ok(rows)
    }

    /// Leaves the columns on disputes out of a table without any, and fills them in elsewhere.
    pub(super) fn tell_disputes(rows: &mut [Row]) {
        let has_disputes = rows.iter().any(|row| row.disputes.unwrap_or(0) > 0);
        for row in rows {
            (row.disputes, row.disputed, row.score_board) = match has_disputes {
                true => {
                    (row.disputes.or(Some(0)), row.disputed.or(Some(Disputed::default())), row.score_board)
                }
                false => (None, None, None),
            };
        }
    }

    fn new(planned: &PlannedMatch, s: &MatchSummary) -> Row {
        let elo = |elo: Option<f64>| elo.map(|elo| rounded(elo, 1));
        Row {
            name: planned.name.clone(),
            claim: planned.labels.claim.clone(),
            series: planned.labels.series.clone(),
            x: planned.labels.x,
            a: s.a.clone(),
            b: s.b.clone(),
            game: s.game.clone(),
            playouts_a: s.playouts_a,
            playouts_b: s.playouts_b,
            seed: s.seed.into(),
            planned: planned.games,
            games: s.games,
            wins: s.wins,
            draws: s.draws,
            losses: s.losses,
            score: rounded(s.score, 6),
            ci95_lo: rounded(s.ci95.lo, 6),
            ci95_hi: rounded(s.ci95.hi, 6),
            elo: elo(s.elo),
            elo_lo: elo(s.elo_ci95[0]),
            elo_hi: elo(s.elo_ci95[1]),
            p: significant(s.p),
            p_holm: 1.0,
            nodes_peak_a: s.a_stats.nodes_peak,
            nodes_peak_b: s.b_stats.nodes_peak,
            bytes_peak_a: s.a_stats.bytes_peak,
            bytes_peak_b: s.b_stats.bytes_peak,
            simulations_a: s.a_stats.simulations,
            simulations_b: s.b_stats.simulations,
            seconds_a: rounded(s.a_stats.seconds, 1),
            seconds_b: rounded(s.b_stats.seconds, 1),
            process_bytes_peak: s.process_bytes_peak,
            adjudicated: s.adjudicated,
            forfeits: s.forfeits_a + s.forfeits_b,
            duplicates: s.duplicates,
            llr: s.sprt.map(|sprt| rounded(sprt.llr, 4)),
            verdict: s.sprt.map(|sprt| sprt.verdict),
            disputes: Some(s.disputes),
            disputed: Some(planned.disputed),
            score_board: Some(rounded(s.scores.map_or(s.score, |scores| scores.board), 6)),
        }
    }

    /// Corrects the p-values for the number of matches.
    pub(super) fn correct(rows: &mut [Option<Row>]) {
        let p: Vec<f64> = rows.iter().map(|row| row.as_ref().map_or(1.0, |row| row.p)).collect();
        for (row, p) in rows.iter_mut().zip(holm(&p)) {
            if let Some(row) = row {
                row.p_holm = significant(p);
            }
        }
    }
}
