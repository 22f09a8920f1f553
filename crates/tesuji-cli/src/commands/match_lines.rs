//! Matches, for people: the same lines wherever a match is printed.

use tesuji_lab::report::MatchResult;
use tesuji_lab::stats::p_text;
use tesuji_lab::store::{Disputed, Usage};
use tesuji_lab::{DisputedScores, MatchSummary, counted};

/// A match that was just played. If its games are independent, they have no pairs.
pub(super) fn of_run(s: &MatchSummary, unpaired: bool) -> Vec<String> {
    let games = counted(s.played(), "game");
    let mut lines = vec![format!("{} against {}, {}, {games}, seed {}", s.a, s.b, s.game, s.seed)];
    lines.extend(outcome(s));
    lines.extend((s.games > 0).then(|| strength(s)));
    if !unpaired {
        let [ll, ld, even, dw, ww] = s.pairs;
        lines.push(format!("  pairs LL {ll}, LD {ld}, even {even}, DW {dw}, WW {ww}"));
    }
    lines.extend(s.sprt.map(|sprt| format!("  {}", sprt.text())));
    let sides = [(&s.a, s.a_stats), (&s.b, s.b_stats)];
    for (name, u) in sides {
        lines.push(format!(
            "  {name}: {} simulations in {:.1} s of search, at most {} nodes and {} bytes",
            u.simulations, u.seconds, u.nodes_peak, u.bytes_peak
        ));
        let processor_seconds = u.processor_seconds;
        lines.extend(processor_seconds.map(|used| format!("  {name}: {used:.1} s of processor time")));
    }
    for (name, Usage { overtime, overtime_most, .. }) in sides {
        if overtime_most > 0.0 {
            lines.push(format!(
                "  {name}: {overtime:.1} s beyond its time limit, at most {overtime_most:.1} s in a move"
            ));
        }
    }
    lines.extend(odd_games(s));
    lines.push(format!("  {:.1} s", s.seconds));
    lines
}

/// A match of an experiment.
pub(super) fn of_record(result: &MatchResult) -> Vec<String> {
    let MatchResult { name, planned, summary: s, .. } = result;
    let headline = format!("{name}: {} against {}, {}, {} of {planned} games", s.a, s.b, s.game, s.played());
    if s.played() == 0 {
        return vec![headline];
    }
    let peaks = format!(
        "  at most {} nodes and {} bytes against {} and {}",
        s.a_stats.nodes_peak, s.a_stats.bytes_peak, s.b_stats.nodes_peak, s.b_stats.bytes_peak
    );
    let corrected = result.p_holm.map_or(String::new(), |p| format!(", corrected {}", p_text(p)));
    let strength = strength(s) + &corrected;
    let test = s.sprt.map(|sprt| format!("  {}", sprt.text()));
    let test: Vec<String> = test.into_iter().collect();
    [vec![headline], outcome(s), vec![strength], test, vec![peaks], odd_games(s)].concat()
}

/// The Elo difference, and the p-value if there is one.
fn strength(s: &MatchSummary) -> String {
    let p = s.p.map_or(String::new(), |p| format!("; p {}", p_text(p)));
    format!("  Elo {}, 95 % in {}{p}", s.elo_text(), s.elo_ci95_text())
}

/// Wins, losses, draws and the score; if engines dispute games, the score with and without those.
fn outcome(s: &MatchSummary) -> Vec<String> {
    let mut lines = vec![
        format!("  won {}, lost {}, drawn {}", s.wins, s.losses, s.draws),
        format!("  score {:.3}, 95 % in [{:.3}, {:.3}]", s.score, s.ci95.lo, s.ci95.hi),
    ];
    lines.extend(s.points.map(|points| format!("  {}", points.text())));
    lines.extend(s.scores.map(|DisputedScores { disputed, void, board, opponent, .. }| {
        let how = match disputed {
            Disputed::Void => "they and their pairs count for nobody",
            Disputed::Board => "they count as on the board",
            Disputed::Opponent => "they count as the engine says",
        };
        format!(
            "  {} games disputed by an engine, {how}: score {void:.3} without their pairs, {board:.3} by the board, \
             {opponent:.3} by the engine",
            s.disputes
        )
    }));
    lines
}

/// How many games ended otherwise than by the rules, or repeat others.
fn odd_games(s: &MatchSummary) -> Vec<String> {
    let counts = [
        (s.forfeits_a, "forfeited by the first"),
        (s.forfeits_b, "forfeited by the second"),
        (s.adjudicated, "adjudicated"),
        (s.duplicates, "equal to an earlier one"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, what)| format!("  {} {what}", counted(count, "game"))).collect()
}
