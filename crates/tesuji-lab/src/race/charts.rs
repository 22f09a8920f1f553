//! The figures of races, and the pictures of their patterns.

use super::RaceResults;
use crate::report::{
    Axis, Chart, ChartCurve, ChartLine, CurveStyle, Drawing, Legend, Place, Point, picture, sheet,
};
use tesuji_go::pattern::Pattern;

/// Two of them stand side by side.
const SIZE: (u32, u32) = (560, 300);

impl RaceResults {
    /// The bounds of each arm that has more than one batch over its games, with the thresholds; each with its caption.
    pub fn charts(&self) -> Vec<(String, Chart)> {
        let mut charts = Vec::new();
        for row in &self.arms {
            let own = self.bounds.iter().filter(|at| at.race == row.race && at.arm == row.arm);
            let points: Vec<Point> = own
                .map(|at| Point { x: at.games as f64, y: at.score, interval: Some([at.lower, at.upper]) })
                .collect();
            // One batch makes no curve; the table has it.
            if points.len() < 2 {
                continue;
            }
            let caption = format!(
                "Race {}, {}: score and bounds over games, with the thresholds; {}.",
                row.race, row.arm, row.verdict
            );
            charts.push((caption, chart(points, self.thresholds)));
        }
        charts
    }

    /// The patterns of all races, each with its caption.
    pub fn pictures(&self) -> Vec<Drawing> {
        let of = |row: &super::ArmRow| {
            let pattern: Pattern = row.change.parse().ok().filter(|_| row.value.is_some())?;
            let value = row.value.map_or(String::new(), |value| format!("{value}, "));
            let caption = format!(
                "Race {}, {}: {value}{}, {:.3} of {} games",
                row.race, row.arm, row.verdict, row.score, row.games
            );
            Some(Drawing { caption, svg: picture(&pattern) })
        };
        self.arms.iter().filter_map(of).collect()
    }

    /// The accepted patterns side by side as SVG; none if there are none.
    pub fn sheet(&self) -> Option<String> {
        let of = |row: &super::AcceptedRow| {
            let pattern: Pattern = row.change.parse().ok().filter(|_| row.value.is_some())?;
            Some((pattern, format!("{}: {}", row.k, row.value?)))
        };
        let patterns: Vec<(Pattern, String)> = self.accepted.iter().filter_map(of).collect();
        let shown: Vec<_> = patterns.iter().map(|(pattern, caption)| (pattern, caption.clone())).collect();
        (!shown.is_empty()).then(|| sheet(&shown))
    }
}

fn chart(points: Vec<Point>, thresholds: [f64; 2]) -> Chart {
    Chart {
        x: Axis { label: "games".to_owned(), log: true, ..Axis::default() },
        y: Axis { label: "score".to_owned(), range: Some([0.3, 0.7]), ..Axis::default() },
        curves: vec![ChartCurve { label: String::new(), points, style: CurveStyle::Line }],
        lines: vec![ChartLine { label: String::new(), places: thresholds.map(Place::Y).to_vec() }],
        legend: Legend::LowerRight,
        size: SIZE,
    }
}
