//! The figures of a training.

use crate::report::{Axis, Chart, ChartCurve, ChartLine, CurveStyle, LinePlace, Point};
use crate::table::Table;

const SIZE: (u32, u32) = (560, 320);

/// Elo over hours of processor time, losses, accuracy and entropy, and what the games were like;
/// each with its caption.
pub(super) fn charts(
    iterations: &Table,
    checkpoints: &Table,
    opponents: &[(String, Option<f64>)],
) -> Vec<(String, Chart)> {
    let mut charts = Vec::new();
    if checkpoints.len() > 1 {
        charts.push(elo(checkpoints, opponents));
    }
    if iterations.len() < 2 {
        return charts;
    }
    let mut add = |caption: &str, y: &str, columns: &[(&str, &str)]| {
        let curves = columns.iter().map(|(label, column)| curve(iterations, label, column)).collect();
        charts.push((caption.to_owned(), chart("iteration", y, curves)));
    };
    add(
        "Cross entropy of the policy after each iteration: in the steps, and on held-out games. The targets themselves have \
         the entropy below.",
        "nats",
        &[
            ("trained on", "policy_loss"),
            ("held out", "held_out_policy_loss"),
            ("entropy of the targets", "target_entropy"),
            ("entropy of the network", "entropy"),
        ],
    );
    add(
        "Squared error of the value, in [-1, 1]; an answer that is always 0 has 1.",
        "squared error",
        &[("trained on", "value_loss"), ("held out", "held_out_value_loss")],
    );
    add("The share of held-out positions whose best move is the network's first.", "share", &[("", "top1")]);
    if iterations.numbers("games").iter().any(|&games| games > 0.0) {
        add("Moves of a game of self-play, on average.", "moves", &[("", "moves")]);
        add("The share of points that Black won in self-play.", "share", &[("", "black")]);
    }
    charts
}

fn elo(checkpoints: &Table, opponents: &[(String, Option<f64>)]) -> (String, Chart) {
    let point = |row: usize| {
        let at = |column: &str| checkpoints.at(row, column).number();
        Some(Point { x: at("core_hours")?, y: at("elo")?, interval: Some([at("elo_lo")?, at("elo_hi")?]) })
    };
    let curve = ChartCurve::new("the network", CurveStyle::Points, (0..checkpoints.len()).filter_map(point));
    let mut chart = chart("hours of processor time", "Elo", vec![curve]);
    let line = |(name, elo): &(String, Option<f64>)| {
        Some(ChartLine { label: name.clone(), places: vec![LinePlace::Y((*elo)?)] })
    };
    chart.lines = opponents.iter().filter_map(line).collect();
    chart.size = (SIZE.0, 420);
    let caption = "Elo of the measured checkpoints and of their opponents, the first of which has 0; 95 %.";
    (caption.to_owned(), chart)
}

fn curve(iterations: &Table, label: &str, column: &str) -> ChartCurve {
    let places = iterations.numbers("iteration").into_iter().zip(iterations.numbers(column));
    let points = places.filter(|(_, y)| !y.is_nan()).map(|(x, y)| Point { x, y, interval: None });
    ChartCurve::new(label, CurveStyle::Line, points)
}

fn chart(x: &str, y: &str, curves: Vec<ChartCurve>) -> Chart {
    Chart { size: SIZE, ..Chart::new(Axis::new(x), Axis::new(y), curves) }
}
