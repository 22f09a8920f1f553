//! The figures of a tuning.

use crate::report::{Axis, Chart, ChartCurve, CurveStyle, Point};
use crate::table::Table;

/// The recommendation's expected value over the evaluations, the posterior along each parameter
/// that is a number, and the functions that knots stand for; each with its caption.
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

fn incumbent(band: &Table) -> (String, Chart) {
    let places = band.numbers("evaluations").into_iter().zip(band.numbers("value"));
    let values = places.map(|(x, y)| Point { x, y, interval: None });
    // Before that hardly anything is known.
    let means = (3..band.len()).map(|row| Point::of(band, row, ["evaluations", "mean", "lo", "hi"]));
    let curves = vec![
        ChartCurve::new("recommended: mean with its 95 % band", CurveStyle::Line, means),
        ChartCurve::new("evaluated", CurveStyle::Foreign, values),
    ];
    let caption = "The recommendation after each evaluation, and the values of the evaluations.";
    (caption.to_owned(), Chart::new(Axis::new("evaluations"), Axis::new("value"), curves))
}

fn marginal(marginals: &Table, name: &str) -> Option<(String, Chart)> {
    let mut curves: Vec<ChartCurve> = Vec::new();
    for row in 0..marginals.len() {
        let parameter = marginals.at(row, "parameter").text();
        let rest = parameter.strip_prefix(name);
        let is_meant = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['));
        // A word may look like a number without end.
        if !is_meant || !marginals.at(row, "value").number().is_some_and(f64::is_finite) {
            continue;
        }
        let point = Point::of(marginals, row, ["value", "mean", "lo", "hi"]);
        match curves.last_mut() {
            Some(last) if last.label == parameter => last.points.push(point),
            _ => curves.push(ChartCurve::new(parameter, CurveStyle::Line, [point])),
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
        format!("The posterior along {name}, all else as recommended. One or two curves have 95 % bands.");
    Some((caption, Chart::new(Axis::new(name), Axis::new("value"), curves)))
}

fn profile(profiles: &Table, name: &str) -> Vec<(String, Chart)> {
    let rows: Vec<usize> =
        (0..profiles.len()).filter(|&row| profiles.at(row, "parameter").text() == name).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let curve = |label: &str, columns: [&str; 4]| {
        let points = rows.iter().map(|&row| Point::of(profiles, row, columns));
        let (u, axis) = (Axis::new("u"), Axis::new(format!("{label}(u)")));
        Chart::new(u, axis, vec![ChartCurve::new(label, CurveStyle::Line, points)])
    };
    let knots = curve("g", ["u", "knots", "knots_lo", "knots_hi"]);
    let mut fitted = curve("f", ["u", "curve", "curve_lo", "curve_hi"]);
    fitted.x.log = true;
    let band = "the band holds the middle 80 % of draws of where the optimum is";
    vec![
        (format!("{name}: the knots g over u; {band}."), knots),
        (format!("{name}: the fitted function f over u; {band}."), fitted),
    ]
}
