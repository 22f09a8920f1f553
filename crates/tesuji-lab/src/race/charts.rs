//! The figures of races, and the pictures of their patterns.

use crate::report::{
    Axis, Chart, ChartCurve, ChartLine, CurveStyle, Drawing, LinePlace, Point, picture, sheet,
};
use crate::table::{Field, Table};
use tesuji_go::pattern::Pattern;

/// Two of them stand side by side.
const SIZE: (u32, u32) = (560, 300);

/// The bounds of each arm that has more than one batch over its games, with the thresholds; each
/// with its caption.
pub(super) fn charts(arms: &Table, bounds: &Table, thresholds: [f64; 2]) -> Vec<(String, Chart)> {
    let mut charts = Vec::new();
    for arm in 0..arms.len() {
        let is_own =
            |&row: &usize| ["race", "arm"].iter().all(|key| bounds.at(row, key) == arms.at(arm, key));
        let point = |row: usize| Point::of(bounds, row, ["games", "score", "lower", "upper"]);
        let points: Vec<Point> = (0..bounds.len()).filter(is_own).map(point).collect();
        // One batch makes no curve; the table has it.
        if points.len() < 2 {
            continue;
        }
        let [race, name, verdict] = ["race", "arm", "verdict"].map(|key| arms.at(arm, key));
        let caption =
            format!("Race {race}, {name}: score and bounds over games, with the thresholds; {verdict}.");
        charts.push((caption, chart(points, thresholds)));
    }
    charts
}

/// The pattern of a row and what its moves are taken for; none if the row has none.
fn pattern_of(table: &Table, row: usize) -> Option<(Pattern, &Field)> {
    let value = Some(table.at(row, "value")).filter(|value| **value != Field::Empty)?;
    Some((table.at(row, "change").text().parse().ok()?, value))
}

/// The patterns of all races, each with its caption.
pub(super) fn pictures(arms: &Table) -> Vec<Drawing> {
    let of = |row: usize| {
        let (pattern, value) = pattern_of(arms, row)?;
        let [race, arm, verdict, games] = ["race", "arm", "verdict", "games"].map(|key| arms.at(row, key));
        let score = arms.at(row, "score").number().unwrap_or(f64::NAN);
        let caption = format!("Race {race}, {arm}: {value}, {verdict}, {score:.3} of {games} games");
        Some(Drawing { caption, svg: picture(&pattern) })
    };
    (0..arms.len()).filter_map(of).collect()
}

/// The accepted patterns side by side as SVG; none if there are none.
pub(super) fn sheet_of(accepted: &Table) -> Option<String> {
    let of = |row: usize| {
        let (pattern, value) = pattern_of(accepted, row)?;
        Some((pattern, format!("{}: {value}", accepted.at(row, "k"))))
    };
    let patterns: Vec<(Pattern, String)> = (0..accepted.len()).filter_map(of).collect();
    (!patterns.is_empty()).then(|| sheet(&patterns))
}

fn chart(points: Vec<Point>, thresholds: [f64; 2]) -> Chart {
    let x = Axis { log: true, ..Axis::new("games") };
    let y = Axis { range: Some([0.3, 0.7]), ..Axis::new("score") };
    let lines = vec![ChartLine { label: String::new(), places: thresholds.map(LinePlace::Y).to_vec() }];
    let curves = vec![ChartCurve::new("", CurveStyle::Line, points)];
    Chart { lines, size: SIZE, ..Chart::new(x, y, curves) }
}
