//! What came out of an experiment, for people.

use super::{known, print, race, train, tune};
use tesuji_lab::{DecisionRow, LabError, LearningRow, PointRow, RatingRow, Results, Row};

/// Prints the results of an experiment; `matches` prints those of its matches.
pub(super) fn lines(
    results: &Results,
    matches: impl FnOnce() -> Result<(), LabError>,
) -> Result<(), LabError> {
    match results {
        Results::Matches(_) => matches(),
        Results::RoundRobin { ratings, .. } => {
            matches()?;
            ratings.iter().try_for_each(rating_line)
        }
        Results::Tuning(results) => {
            tune::lines(results)?;
            matches()
        }
        Results::Race(results) => {
            race::lines(results)?;
            matches()
        }
        Results::Train(results) => train::lines(results),
        Results::Decisions(rows) => rows.iter().try_for_each(decision_line),
        Results::Incentives(rows) => rows.iter().try_for_each(learning_line),
        Results::Points(rows) => rows.iter().try_for_each(point_line),
    }
}

/// Prints a line for each match that is no evaluation.
pub(super) fn match_lines(results: &Results) -> Result<(), LabError> {
    let rows: &[Row] = match results {
        Results::Matches(rows) | Results::RoundRobin { matches: rows, .. } => rows,
        Results::Tuning(results) => &results.validation,
        Results::Race(results) => &results.fresh,
        _ => &[],
    };
    rows.iter().try_for_each(match_line)
}

fn match_line(r: &Row) -> Result<(), LabError> {
    print(format_args!(
        "{:<24} {:>5}/{} games  score {:.3}  95 % in [{:.3}, {:.3}]  at most {} nodes and {} bytes against {} and {}{}\n",
        r.name,
        r.games,
        r.planned,
        r.score,
        r.ci95_lo,
        r.ci95_hi,
        r.nodes_peak_a,
        r.bytes_peak_a,
        r.nodes_peak_b,
        r.bytes_peak_b,
        odd(r),
    ))
}

/// What is not usual about the games of a row.
fn odd(r: &Row) -> String {
    let mut odd = String::new();
    if r.duplicates > 0 {
        odd += &format!("  {} games equal to an earlier one", r.duplicates);
    }
    if r.forfeits > 0 {
        odd += &format!("  {} games forfeited", r.forfeits);
    }
    if let Some(disputes) = r.disputes.filter(|&disputes| disputes > 0) {
        odd += &format!("  {disputes} games disputed by an engine");
        if let Some(score) = r.score_board {
            odd += &format!(", score {score:.3} by the board");
        }
    }
    odd
}

fn rating_line(r: &RatingRow) -> Result<(), LabError> {
    let [elo, lo, hi] = [r.elo, r.elo_lo, r.elo_hi].map(|x| known(x, |x| format!("{x:+.1}")));
    print(format_args!(
        "{:<32} Elo {elo}  95 % in [{lo}, {hi}]  {} games  score {:.3}\n",
        r.agent, r.games, r.score
    ))
}

fn decision_line(r: &DecisionRow) -> Result<(), LabError> {
    let z = |z: Option<f64>| z.map_or(String::new(), |z| format!("  z {z:+.1}"));
    print(format_args!(
        "{:<32} {:>6} simulations {:>5}/{} trees  most visited fails {:.4}{}  best value fails {:.4}{}\n",
        r.name,
        r.simulations,
        r.trees,
        r.planned,
        r.robust_rate,
        z(r.robust_z),
        r.max_rate,
        z(r.max_z),
    ))
}

fn learning_line(r: &LearningRow) -> Result<(), LabError> {
    print(format_args!(
        "{:<24} {:>6} simulations {:>4}/{} games  RIDE {:5.2} +- {:.2}  RAVE {:5.2}  to come {:5.2}  {:>7} simulations/s\n",
        r.name,
        r.simulations,
        r.games,
        r.planned,
        r.ride,
        r.ride_se,
        r.rave,
        r.to_come,
        r.simulations_per_second
    ))
}

fn point_line(r: &PointRow) -> Result<(), LabError> {
    print(format_args!(
        "{:<24} {:>5}/{} pairs  won {:.3} tied {:.3} lost {:.3}  won - lost in [{:+.3}, {:+.3}]  points lost a move {:.4} and {:.4}\n",
        r.name,
        r.pairs,
        r.planned,
        r.win_share,
        r.tie_share,
        r.loss_share,
        r.difference_lo,
        r.difference_hi,
        r.regret_a,
        r.regret_b
    ))
}
