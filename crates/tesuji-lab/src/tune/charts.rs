//! The figures of a tuning.

use crate::report::{Axis, Chart, ChartCurve, CurveStyle, Point};
use crate::table::Table;

const SIZE: (u32, u32) = (560, 360);

/// The recommendation's expected value over the evaluations, the posterior along each parameter that is a number, and the
/// functions that knots stand for; each with its caption.
pub(super) fn charts(
    names: &[String],
    band: &Table,
    marginals: &Table,
    profiles: &Table,
) -> Vec<(String, Chart)> {
    let mut charts = Vec::new();
    if !band.is_empty() {
        charts.push(incumbent(band));
    }
    for name in names {
        charts.extend(marginal(marginals, name));
        charts.extend(profile(profiles, name));
    }
    charts
}

/// A point of these columns: its place, its height and the ends of its interval.
fn point(table: &Table, row: usize, [x, y, lo, hi]: [&str; 4]) -> Point {
    let at = |column: &str| table.at(row, column).number().unwrap_or(f64::NAN);
    Point { x: at(x), y: at(y), interval: Some([at(lo), at(hi)]) }
}

fn incumbent(band: &Table) -> (String, Chart) {
    let places = band.numbers("evaluations").into_iter().zip(band.numbers("value"));
    let values = places.map(|(x, y)| Point { x, y, interval: None });
    // Before that hardly anything is known.
    let means = (3..band.len()).map(|row| point(band, row, ["evaluations", "mean", "lo", "hi"]));
    let curves = vec![
        curve("recommended: mean with its 95 % band", means.collect(), CurveStyle::Line),
        curve("evaluated", values.collect(), CurveStyle::Foreign),
    ];
    let caption = "What would have been recommended after each evaluation, and what the evaluations gave.";
    (caption.to_owned(), chart("evaluations", false, "value", curves))
}

fn marginal(marginals: &Table, name: &str) -> Option<(String, Chart)> {
    let mut curves: Vec<ChartCurve> = Vec::new();
    for row in 0..marginals.len() {
        let parameter = marginals.at(row, "parameter").text();
        let rest = parameter.strip_prefix(name);
        let is_meant = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['));
        if !is_meant || marginals.at(row, "value").number().is_none() {
            continue;
        }
        let point = point(marginals, row, ["value", "mean", "lo", "hi"]);
        match curves.last_mut() {
            Some(last) if last.label == parameter => last.points.push(point),
            _ => curves.push(curve(parameter, vec![point], CurveStyle::Line)),
        }
    }
    if curves.is_empty() {
        return None;
    }
    // Many bands hide each other.
    if curves.len() > 2 {
        curves.iter_mut().flat_map(|curve| &mut curve.points).for_each(|point| point.interval = None);
    }
    let caption =
        format!("The posterior along {name}, all else as recommended, with 95 % bands where they are few.");
    Some((caption, chart(name, false, "value", curves)))
}

fn profile(profiles: &Table, name: &str) -> Vec<(String, Chart)> {
    let rows: Vec<usize> =
        (0..profiles.len()).filter(|&row| profiles.at(row, "parameter").text() == name).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let points = |columns: [&str; 4]| rows.iter().map(|&row| point(profiles, row, columns)).collect();
    let knots = curve("g", points(["u", "knots", "knots_lo", "knots_hi"]), CurveStyle::Line);
    let fitted = curve("f", points(["u", "curve", "curve_lo", "curve_hi"]), CurveStyle::Line);
    let band = "the band holds the middle 80 % of draws of where the optimum is";
    vec![
        (format!("{name}: the knots g over u; {band}."), chart("u", false, "g(u)", vec![knots])),
        (format!("{name}: the fitted function f over u; {band}."), chart("u", true, "f(u)", vec![fitted])),
    ]
}

fn curve(label: &str, points: Vec<Point>, style: CurveStyle) -> ChartCurve {
    ChartCurve { label: label.to_owned(), points, style }
}

fn chart(x: &str, log: bool, y: &str, curves: Vec<ChartCurve>) -> Chart {
    Chart {
        x: Axis { label: x.to_owned(), log, ..Axis::default() },
        y: Axis { label: y.to_owned(), ..Axis::default() },
        curves,
        lines: Vec::new(),
        size: SIZE,
    }
}
