//! Figures: curves of results with their intervals.

use super::Source;
use super::chart::{Axis, Chart, ChartCurve, ChartLine, CurveStyle, LinePlace, Point};
use crate::error::LabError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A figure of curves, from results.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The SVG file, relative to the page.
    pub file: PathBuf,
    /// A description for readers who cannot see the figure.
    pub alt: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Straight lines through the whole figure.
    #[serde(default)]
    pub lines: Vec<Line>,
}

/// A curve: a point for each row of its results.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// Its name in the legend.
    pub label: String,
    /// A CSV file with a header, relative to the page.
    source: PathBuf,
    /// As in [`Source`].
    #[serde(default, rename = "where")]
    condition: BTreeMap<String, String>,
    /// The column of the horizontal place.
    #[serde(default = "x_column")]
    x: String,
    /// By which that place is divided.
    #[serde(default = "unit")]
    per: f64,
    /// The column of the vertical place.
    #[serde(default = "y_column")]
    y: String,
    /// The columns of the ends of its interval, where the results have one.
    #[serde(default = "interval_columns")]
    interval: [String; 2],
    /// Whether the results are somebody else's: hollow points and a dashed line.
    #[serde(default)]
    foreign: bool,
}

/// A horizontal or vertical line, or the two ends of a recorded interval.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Its place on the horizontal axis, if it is vertical.
    pub x: Option<f64>,
    /// Its place on the vertical axis, if it is horizontal.
    pub y: Option<f64>,
    /// Its name in the legend.
    #[serde(default)]
    pub label: String,
    /// A CSV file whose columns `ci95_lo` and `ci95_hi` give horizontal lines.
    source: Option<PathBuf>,
    /// As in [`Source`].
    #[serde(default, rename = "where")]
    condition: BTreeMap<String, String>,
}

fn x_column() -> String {
    "x".to_owned()
}

fn y_column() -> String {
    "score".to_owned()
}

fn interval_columns() -> [String; 2] {
    ["ci95_lo".to_owned(), "ci95_hi".to_owned()]
}

fn unit() -> f64 {
    1.0
}

impl Curve {
    /// Its points from left to right; none if there are no results yet.
    fn points(&self, dir: &Path) -> Result<Vec<Point>, LabError> {
        let source = Source { source: self.source.clone(), condition: self.condition.clone() };
        let Some(data) = source.read(dir)? else { return Ok(Vec::new()) };
        let column = |name| data.column(name).map_err(|error| error.within(self.source.display()));
        let (x, y) = (column(&self.x)?, column(&self.y)?);
        let [lo, hi] = self.interval.each_ref().map(|name| data.column(name).ok());
        let mut points: Vec<Point> = Vec::new();
        for row in data.rows() {
            let number = |column: usize| row[column].number();
            let end = |column: Option<usize>| column.and_then(number);
            if let (Some(x), Some(y)) = (number(x), number(y)) {
                let interval = end(lo).zip(end(hi)).map(|(lo, hi)| [lo, hi]);
                points.push(Point { x: x / self.per, y, interval });
            }
        }
        points.sort_by(|p, q| p.x.total_cmp(&q.x));
        Ok(points)
    }
}

impl Line {
    /// Its places; none if there are no results yet.
    fn places(&self, dir: &Path) -> Result<Vec<LinePlace>, LabError> {
        let mut places: Vec<LinePlace> =
            self.x.map(LinePlace::X).into_iter().chain(self.y.map(LinePlace::Y)).collect();
        if let Some(source) = &self.source {
            let source = Source { source: source.clone(), condition: self.condition.clone() };
            let Some(data) = source.read(dir)? else { return Ok(places) };
            for name in interval_columns() {
                let named = |error: LabError| error.within(source.source.display());
                let column = data.column(&name).map_err(named)?;
                places.extend(data.rows().iter().filter_map(|row| row[column].number()).map(LinePlace::Y));
            }
        }
        Ok(places)
    }
}

impl Figure {
    /// The figure as SVG, a curve without points left out; none if no curve has a point.
    ///
    /// # Errors
    /// If the results cannot be read, or a place on a logarithmic axis is not positive.
    pub fn svg(&self, dir: &Path) -> Result<Option<String>, LabError> {
        let empty = Chart::new(self.x.clone(), self.y.clone(), Vec::new());
        let mut chart = Chart { size: (760, 460), ..empty };
        for curve in &self.curves {
            let style = if curve.foreign { CurveStyle::Foreign } else { CurveStyle::Points };
            chart.curves.push(ChartCurve::new(&curve.label, style, curve.points(dir)?));
        }
        for line in &self.lines {
            chart.lines.push(ChartLine { label: line.label.clone(), places: line.places(dir)? });
        }
        chart.svg()
    }
}
