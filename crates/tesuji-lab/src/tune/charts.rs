//! The figures of a tuning.

use super::{MarginalRow, ProfileRow, TuningResults};
use crate::report::{Axis, Chart, ChartCurve, CurveStyle, Legend, Point};

const SIZE: (u32, u32) = (560, 360);

impl TuningResults {
    /// The recommendation's expected value over the evaluations, the posterior along each parameter that is a number, and
    /// the functions that knots stand for; each with its caption.
    pub fn charts(&self) -> Vec<(String, Chart)> {
        let mut charts = Vec::new();
        if !self.band.is_empty() {
            charts.push(self.incumbent());
        }
        for name in &self.names {
            charts.extend(self.marginal(name));
            charts.extend(self.profile(name));
        }
        charts
    }

    fn incumbent(&self) -> (String, Chart) {
        let at = |x: u64, y: f64, interval| Point { x: x as f64, y, interval };
        let values = self.band.iter().map(|row| at(row.evaluations, row.value, None));
        // Before that hardly anything is known.
        let means = self.band.iter().skip(3);
        let means = means.map(|row| at(row.evaluations, row.mean, Some([row.lo, row.hi])));
        let curves = vec![
            curve("recommended: mean with its 95 % band", means.collect(), CurveStyle::Line),
            curve("evaluated", values.collect(), CurveStyle::Foreign),
        ];
        let chart = chart("evaluations", false, "value", curves);
        (
            "What would have been recommended after each evaluation, and what the evaluations gave."
                .to_owned(),
            chart,
        )
    }

    fn marginal(&self, name: &str) -> Option<(String, Chart)> {
        let of = |row: &&MarginalRow| {
            row.parameter == name
                || row.parameter.strip_prefix(name).is_some_and(|rest| rest.starts_with('['))
        };
        let mut curves: Vec<ChartCurve> = Vec::new();
        for row in self.marginals.iter().filter(of) {
            let Ok(x) = row.value.parse() else { continue };
            let point = Point { x, y: row.mean, interval: Some([row.lo, row.hi]) };
            match curves.last_mut() {
                Some(last) if last.label == row.parameter => last.points.push(point),
                _ => curves.push(curve(&row.parameter, vec![point], CurveStyle::Line)),
            }
        }
        if curves.is_empty() {
            return None;
        }
        // Many bands hide each other.
        if curves.len() > 2 {
            curves.iter_mut().flat_map(|curve| &mut curve.points).for_each(|point| point.interval = None);
        }
        let caption = format!(
            "The posterior along {name}, all else as recommended, with 95 % bands where they are few."
        );
        Some((caption, chart(name, false, "value", curves)))
    }

    fn profile(&self, name: &str) -> Vec<(String, Chart)> {
        let rows: Vec<&ProfileRow> = self.profiles.iter().filter(|row| row.parameter == name).collect();
        if rows.is_empty() {
            return Vec::new();
        }
        let points = |y: fn(&ProfileRow) -> [f64; 3]| {
            let point = |row: &&ProfileRow| {
                let [y, lo, hi] = y(row);
                Point { x: row.u, y, interval: Some([lo, hi]) }
            };
            rows.iter().map(point).collect::<Vec<_>>()
        };
        let knots = curve("g", points(|row| [row.knots, row.knots_lo, row.knots_hi]), CurveStyle::Line);
        let fitted = curve("f", points(|row| [row.curve, row.curve_lo, row.curve_hi]), CurveStyle::Line);
        let band = "the band holds the middle 80 % of draws of where the optimum is";
        vec![
            (format!("{name}: the knots g over u; {band}."), chart("u", false, "g(u)", vec![knots])),
            (
                format!("{name}: the fitted function f over u; {band}."),
                chart("u", true, "f(u)", vec![fitted]),
            ),
        ]
    }
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
        legend: Legend::LowerRight,
        size: SIZE,
    }
}
