//! The table of matches, a line for each.

use crate::error::LabError;
use crate::match_summary::MatchSummary;
use crate::stats::holm;
use crate::store::{PlannedMatch, Store};
use crate::table::{Field, Row, Table, rounded, significant};

/// The matches with such names that have games, from the side of `a`. P-values are corrected by the method of Holm for the
/// number of these matches; those without games count.
pub(crate) fn match_table(
    name: &'static str,
    store: &Store,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Table, LabError> {
    let wanted = store.matches()?.into_iter().filter(|planned| is_wanted(&planned.name));
    let matches = wanted.map(|planned| planned.summary(store).map(|summary| (planned, summary)));
    let matches: Vec<(PlannedMatch, MatchSummary)> = matches.collect::<Result<_, _>>()?;
    let p = |s: &MatchSummary| if s.played() > 0 { significant(s.p) } else { 1.0 };
    let corrected = holm(&matches.iter().map(|(_, s)| p(s)).collect::<Vec<_>>());
    let shown = || matches.iter().zip(&corrected).filter(|((_, s), _)| s.played() > 0);
    let has_disputes = shown().any(|((_, s), _)| s.disputes > 0);
    Ok(Table::new(name, shown().map(|((planned, s), p_holm)| row(planned, s, *p_holm, has_disputes))))
}

fn row(planned: &PlannedMatch, s: &MatchSummary, p_holm: f64, has_disputes: bool) -> Row {
    let elo = |elo: Option<f64>| elo.map(|elo| rounded(elo, 1));
    let row = Row::new()
        .with("name", &planned.name)
        .with("claim", &planned.labels.claim)
        .with("series", &planned.labels.series)
        .with("x", planned.labels.x)
        .with("a", &s.a)
        .with("b", &s.b)
        .with("game", &s.game)
        // Simulations a move.
        .with("playouts_a", s.playouts_a)
        .with("playouts_b", s.playouts_b)
        .with("seed", s.seed)
        .with("planned", planned.games)
        .with("games", s.games)
        .with("wins", s.wins)
        .with("draws", s.draws)
        .with("losses", s.losses)
        // Wins plus half of the draws, over games; the interval of Agresti and Coull.
        .with("score", rounded(s.score, 6))
        .with("ci95_lo", rounded(s.ci95.lo, 6))
        .with("ci95_hi", rounded(s.ci95.hi, 6))
        // Empty where it is infinite.
        .with("elo", elo(s.elo))
        .unit("Elo")
        .with("elo_lo", elo(s.elo_ci95[0]))
        .unit("Elo")
        .with("elo_hi", elo(s.elo_ci95[1]))
        .unit("Elo")
        .with("p", significant(s.p))
        .with("p_holm", significant(p_holm))
        .with("nodes_peak_a", s.a_stats.nodes_peak)
        .with("nodes_peak_b", s.b_stats.nodes_peak)
        .with("bytes_peak_a", s.a_stats.bytes_peak)
        .unit("bytes")
        .with("bytes_peak_b", s.b_stats.bytes_peak)
        .unit("bytes")
        .with("simulations_a", s.a_stats.simulations)
        .with("simulations_b", s.b_stats.simulations)
        // Agents with the same network look at each position once, whoever comes first.
        .with("seconds_a", rounded(s.a_stats.seconds, 1))
        .unit("s")
        .with("seconds_b", rounded(s.b_stats.seconds, 1))
        .unit("s")
        .with("process_bytes_peak", s.process_bytes_peak)
        .unit("bytes")
        .with("adjudicated", s.adjudicated)
        .with("forfeits", s.forfeits_a + s.forfeits_b)
        .with("duplicates", s.duplicates)
        .with("llr", s.sprt.map(|sprt| rounded(sprt.llr, 4)))
        .with("verdict", s.sprt.map(|sprt| Field::word(&sprt.verdict)));
    if !has_disputes {
        return row;
    }
    row.with("disputes", s.disputes)
        .with("disputed", Field::word(&planned.disputed))
        .with("score_board", rounded(s.scores.map_or(s.score, |scores| scores.board), 6))
}

/// A row for people.
pub(crate) fn matches_line(table: &Table, row: usize) -> String {
    let at = |column| table.at(row, column);
    let number = |column| at(column).number().unwrap_or(f64::NAN);
    let mut line = format!(
        "{:<24} {:>5}/{} games  score {:.3}  95 % in [{:.3}, {:.3}]  at most {} nodes and {} bytes against {} and {}",
        at("name"),
        at("games"),
        at("planned"),
        number("score"),
        number("ci95_lo"),
        number("ci95_hi"),
        at("nodes_peak_a"),
        at("bytes_peak_a"),
        at("nodes_peak_b"),
        at("bytes_peak_b"),
    );
    for (column, what) in [
        ("duplicates", "games equal to an earlier one"),
        ("forfeits", "games forfeited"),
        ("disputes", "games disputed by an engine"),
    ] {
        if let Some(count) = at(column).count().filter(|&count| count > 0) {
            line += &format!("  {count} {what}");
            if let Some(score) = at("score_board").number().filter(|_| column == "disputes") {
                line += &format!(", score {score:.3} by the board");
            }
        }
    }
    line
}
