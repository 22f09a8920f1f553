//! The table of matches, a line for each.

use crate::counted::counted;
use crate::error::LabError;
use crate::match_summary::MatchSummary;
use crate::report::MatchResult;
use crate::stats::{holm_of_some, p_text};
use crate::store::{PlannedMatch, Store};
use crate::table::{Field, Row, Table, rounded, significant};

/// The matches with such names that have games, from the side of `a`. P-values are corrected by the
/// method of Holm for the number of these matches that have one; those without games count.
pub(crate) fn match_table(
    name: &'static str,
    store: &Store,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Table, LabError> {
    let wanted = store.matches()?.into_iter().filter(|planned| is_wanted(&planned.name));
    let matches = wanted.map(|planned| planned.summary(store).map(|summary| (planned, summary)));
    let matches: Vec<(PlannedMatch, MatchSummary)> = matches.collect::<Result<_, _>>()?;
    let corrected = holm_of_some(&matches.iter().map(|(_, s)| s.p.map(significant)).collect::<Vec<_>>());
    let shown = || matches.iter().zip(&corrected).filter(|((_, s), _)| s.played() > 0);
    let has_disputes = shown().any(|((_, s), _)| s.disputes > 0);
    let has_points = shown().any(|((_, s), _)| s.points.is_some());
    let has_engines = shown().any(|((_, s), _)| s.a_stats.processor_seconds.is_some());
    let rows = shown().map(|((planned, s), p_holm)| {
        let row = row(planned, s, *p_holm, has_disputes, has_engines);
        if has_points { with_points(row, s) } else { row }
    });
    let mut table = Table::new(name, rows);
    let match_results = matches.iter().map(|(planned, s)| (planned.name.as_str(), planned.games, s));
    table.lines = lines(&MatchResult::all(match_results));
    Ok(table)
}

fn row(
    planned: &PlannedMatch,
    s: &MatchSummary,
    p_holm: Option<f64>,
    has_disputes: bool,
    has_engines: bool,
) -> Row {
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
        // Empty where a sequential test decides.
        .with("p", s.p.map(significant))
        .with("p_holm", p_holm.map(significant))
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
    let row = match (s.a_stats.processor_seconds, s.b_stats.processor_seconds) {
        _ if !has_engines => row,
        (a, b) => row
            .with("processor_seconds_a", a.map(|seconds| rounded(seconds, 1)))
            .unit("s")
            .with("processor_seconds_b", b.map(|seconds| rounded(seconds, 1)))
            .unit("s"),
    };
    if !has_disputes {
        return row;
    }
    row.with("disputes", s.disputes)
        .with("disputed", Field::word(&planned.disputed))
        .with("score_board", rounded(s.scores.map_or(s.score, |scores| scores.board), 6))
}

/// Points a game, less those of the opponent, with the interval over pairs.
fn with_points(row: Row, s: &MatchSummary) -> Row {
    let end = |i: usize| s.points.and_then(|points| points.ci95).map(|ends| rounded(ends[i], 4));
    row.with("points", s.points.map(|points| rounded(points.mean, 4)))
        .with("points_lo", end(0))
        .with("points_hi", end(1))
}

/// The table for people: a head, then a line for each match that has games, and below it what is
/// odd about them. At most 100 columns wide.
fn lines(match_results: &[MatchResult]) -> Vec<String> {
    let played = || match_results.iter().filter(|s| s.summary.played() > 0);
    let head = ["match", "games", "score", "95 % interval", "Elo", "95 % interval", "p", "p (Holm)"];
    let mut lines: Vec<String> =
        played().next().map(|_| columns(head.map(str::to_owned))).into_iter().collect();
    for result in played() {
        let s = &result.summary;
        let mut name = result.name.clone();
        // A long name has a line of its own.
        if name.chars().count() > NAME {
            lines.push(std::mem::take(&mut name));
        }
        lines.push(columns([
            name,
            format!("{}/{}", s.games, result.planned),
            format!("{:.3}", s.score),
            format!("[{:.3}, {:.3}]", s.ci95.lo, s.ci95.hi),
            s.elo_text(),
            s.elo_ci95_text(),
            p_text(s.p),
            p_text(result.p_holm),
        ]));
        lines.extend(s.sprt.map(|sprt| format!("  {}", sprt.text())));
        lines.extend(s.points.map(|points| format!("  {}", points.text())));
        for (count, what) in [
            (s.duplicates, "equal to an earlier one"),
            (s.forfeits_a + s.forfeits_b, "forfeited"),
            (s.disputes, "disputed by an engine"),
        ] {
            let by_board = s.scores.filter(|_| what.contains("disputed"));
            let by_board =
                by_board.map_or(String::new(), |scores| format!(", score {:.3} by the board", scores.board));
            if count > 0 {
                lines.push(format!("  {} {what}{by_board}", counted(count, "game")));
            }
        }
    }
    lines
}

/// The width of a name in the table.
const NAME: usize = 26;

fn columns([name, games, score, interval, elo, elo_interval, p, p_holm]: [String; 8]) -> String {
    format!(
        "{name:<NAME$} {games:>13} {score:>5} {interval:^14} {elo:>5} {elo_interval:^14} {p:>7} {p_holm:>8}"
    )
    .trim_end()
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::match_result::tests::match_result;

    #[test]
    fn the_table_fits_a_terminal() {
        let long = "a name that is much too long for its column";
        let lines = lines(&[
            match_result("short", 40_000, 100_000, 1e-20),
            match_result(long, 9, 9, 0.5),
            match_result("", 0, 0, 1.0),
        ]);
        assert!(lines.iter().all(|line| line.chars().count() <= 100), "{lines:#?}");
        let widths = [0, 1, 4].map(|i| lines[i].chars().count());
        assert!(widths.iter().all(|&width| width == widths[0]), "{lines:#?}");
        assert!(
            lines[1].starts_with("short                      100000/100000 0.400 [0.397, 0.403]"),
            "{lines:#?}"
        );
        assert_eq!((lines[2].as_str(), lines[3].as_str()), ("  3 games equal to an earlier one", long));
        assert!(lines[4].contains(" +inf  [+900, +inf] "), "{lines:#?}");
        assert_eq!(lines.len(), 6, "a match without games has no line");
    }
}
