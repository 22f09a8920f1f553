//! Figures: curves of results with their intervals.

use super::Source;
use super::table::grouped;
use crate::LabError;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A figure of curves, from results.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The SVG file, seen from the page.
    pub file: PathBuf,
    /// What it shows, for those who cannot see it.
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
    /// Where the legend is.
    #[serde(default)]
    pub legend: Legend,
}

/// The corner of a figure that holds the legend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Legend {
    /// For curves that rise.
    #[default]
    LowerRight,
    /// For curves that fall.
    UpperRight,
    /// For curves that rise late.
    UpperLeft,
}

/// An axis of a figure.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// What it says, with the unit.
    pub label: String,
    /// Its ends; none: a little more than what is shown.
    pub range: Option<[f64; 2]>,
    /// Whether equal distances are equal ratios; for the horizontal axis only.
    #[serde(default)]
    pub log: bool,
    /// Places with what is written there; none: round numbers.
    #[serde(default)]
    pub ticks: Vec<(f64, String)>,
}

/// A curve: a point for each row of its results.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// Its name in the legend.
    pub label: String,
    /// A CSV file with a header, seen from the page.
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
    /// Whether it is somebody else's: hollow points and a dashed line.
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

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Its place.
    pub x: f64,
    /// Its height.
    pub y: f64,
    /// The ends of its interval.
    pub interval: Option<[f64; 2]>,
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

/// Colours that the colour-blind tell apart (Okabe and Ito 2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];

const SIZE: (u32, u32) = (760, 460);

impl Curve {
    /// Its points from left to right; none if there are no results yet.
    fn points(&self, dir: &Path) -> Result<Vec<Point>, LabError> {
        let source = Source { source: self.source.clone(), condition: self.condition.clone() };
        let Some(data) = source.read(dir)? else { return Ok(Vec::new()) };
        let (x, y) = (data.column(&self.x)?, data.column(&self.y)?);
        let [lo, hi] = self.interval.each_ref().map(|name| data.column(name).ok());
        let mut points: Vec<Point> = Vec::new();
        for row in data.rows() {
            let number = |column: usize| row[column].parse::<f64>().ok();
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

/// Where a line is.
#[derive(Clone, Copy, Debug)]
enum Place {
    X(f64),
    Y(f64),
}

impl Line {
    /// Its places; none if there are no results yet.
    fn places(&self, dir: &Path) -> Result<Vec<Place>, LabError> {
        let mut places: Vec<Place> = self.x.map(Place::X).into_iter().chain(self.y.map(Place::Y)).collect();
        if let Some(source) = &self.source {
            let source = Source { source: source.clone(), condition: self.condition.clone() };
            let Some(data) = source.read(dir)? else { return Ok(places) };
            for name in interval_columns() {
                let column = data.column(&name)?;
                places.extend(data.rows().iter().filter_map(|row| row[column].parse().ok()).map(Place::Y));
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
        let mut curves = Vec::new();
        for curve in &self.curves {
            let points = curve.points(dir)?;
            if !points.is_empty() {
                curves.push((curve, points));
            }
        }
        if curves.is_empty() {
            return Ok(None);
        }
        let mut lines = Vec::new();
        for line in &self.lines {
            lines.push((line.label.as_str(), line.places(dir)?));
        }
        let places = || lines.iter().flat_map(|(_, places)| places);
        let points = || curves.iter().flat_map(|(_, points)| points);
        let ends = |interval: Option<[f64; 2]>| interval.into_iter().flatten();
        let across = points().map(|p| p.x).chain(places().filter_map(|place| match place {
            Place::X(x) => Some(*x),
            Place::Y(_) => None,
        }));
        let up = points().flat_map(|p| ends(p.interval).chain([p.y]));
        let across = self.x.span(across.collect())?;
        let up = up.chain(places().filter_map(|place| match place {
            Place::X(_) => None,
            Place::Y(y) => Some(*y),
        }));
        let up = self.y.span(up.collect())?;
        let mut svg = String::new();
        let drawn = if self.x.log {
            let range = (across[0]..across[1]).log_scale().with_key_points(self.x.key_points(across));
            self.draw(&mut svg, range, [across, up], &lines, &curves)
        } else {
            self.draw(&mut svg, across[0]..across[1], [across, up], &lines, &curves)
        };
        drawn.map_err(|e| LabError::Failed(format!("the figure {}: {e}", self.file.display())))?;
        Ok(Some(svg + "\n"))
    }

    fn draw<X>(
        &self,
        svg: &mut String,
        range: X,
        [across, up]: [[f64; 2]; 2],
        lines: &[(&str, Vec<Place>)],
        curves: &[(&Curve, Vec<Point>)],
    ) -> Result<(), Box<dyn std::error::Error>>
    where
        X: AsRangedCoord<Value = f64>,
        X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(14)
            .x_label_area_size(48)
            .y_label_area_size(58)
            .build_cartesian_2d(range, up[0]..up[1])?;
        let text = |size: i32| ("sans-serif", size);
        chart
            .configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .x_label_formatter(&|&x| self.x.text(x))
            .y_label_formatter(&|&y| self.y.text(y))
            .axis_desc_style(text(16))
            .label_style(text(14))
            .bold_line_style(BLACK.mix(0.12))
            .light_line_style(TRANSPARENT)
            .draw()?;
        let greys = [0.6, 0.3, 0.45];
        for (i, (label, places)) in lines.iter().enumerate() {
            let style = BLACK.mix(greys[i % greys.len()]).stroke_width(1);
            for (j, place) in places.iter().enumerate() {
                let ends = match *place {
                    Place::X(x) => [(x, up[0]), (x, up[1])],
                    Place::Y(y) => [(across[0], y), (across[1], y)],
                };
                let drawn = chart.draw_series(DashedLineSeries::new(ends, 5, 4, style))?;
                if j == 0 && !label.is_empty() {
                    drawn.label(*label).legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
                }
            }
        }
        for (i, (curve, points)) in curves.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let path = points.iter().map(|p| (p.x, p.y));
            if curve.foreign {
                chart.draw_series(DashedLineSeries::new(path, 4, 4, colour.stroke_width(1)))?;
            } else {
                chart.draw_series(LineSeries::new(path, colour.stroke_width(2)))?;
            }
            for point in points {
                if let Some([lo, hi]) = point.interval {
                    let bar = [(point.x, lo), (point.x, hi)];
                    chart.draw_series([PathElement::new(bar, colour.mix(0.6).stroke_width(1))])?;
                }
            }
            let fill = if curve.foreign { WHITE } else { colour };
            let mark = move |at: (i32, i32)| {
                EmptyElement::at(at)
                    + Circle::new((0, 0), 4, fill.filled())
                    + Circle::new((0, 0), 4, colour.stroke_width(2))
            };
            chart
                .draw_series(points.iter().map(|p| {
                    EmptyElement::at((p.x, p.y))
                        + Circle::new((0, 0), 4, fill.filled())
                        + Circle::new((0, 0), 4, colour.stroke_width(2))
                }))?
                .label(&curve.label)
                .legend(move |(x, y)| mark((x + 11, y)));
        }
        chart
            .configure_series_labels()
            .position(match self.legend {
                Legend::LowerRight => SeriesLabelPosition::LowerRight,
                Legend::UpperRight => SeriesLabelPosition::UpperRight,
                Legend::UpperLeft => SeriesLabelPosition::UpperLeft,
            })
            .label_font(text(14))
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
        Ok(())
    }
}

impl Axis {
    /// Where a logarithmic axis has marks: 1, 2 and 5 times the powers of ten, or those alone if they are many.
    fn key_points(&self, [lo, hi]: [f64; 2]) -> Vec<f64> {
        if !self.ticks.is_empty() {
            return self.ticks.iter().map(|&(place, _)| place).collect();
        }
        let decades = (lo.log10().floor() as i32..=hi.log10().ceil() as i32).map(|e| 10_f64.powi(e));
        let steps: &[f64] = if hi / lo < 3000.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let marks = decades.flat_map(|decade| steps.iter().map(move |step| step * decade));
        marks.filter(|mark| (lo..=hi).contains(mark)).collect()
    }

    /// What is written at a mark.
    fn text(&self, place: f64) -> String {
        let near = |&&(tick, _): &&(f64, String)| (tick - place).abs() <= 1e-9 * place.abs();
        if let Some((_, text)) = self.ticks.iter().find(near) {
            return text.clone();
        }
        // Places come from sums and products, whose last digits mean nothing.
        let rounded = (place * 1e9).round() / 1e9;
        if rounded.abs() >= 1.0 && rounded.fract() == 0.0 {
            grouped(&rounded.to_string())
        } else {
            rounded.to_string()
        }
    }

    /// The ends of the axis, so that all `places` are on it.
    fn span(&self, places: Vec<f64>) -> Result<[f64; 2], LabError> {
        let lo = places.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [lo, hi] = match (self.range, self.log) {
            (Some(range), _) => range,
            (None, true) => [lo / 1.3, hi * 1.3],
            (None, false) => {
                let margin = if hi > lo { 0.05 * (hi - lo) } else { 0.5 };
                [lo - margin, hi + margin]
            }
        };
        if !(lo < hi && lo.is_finite() && hi.is_finite()) || (self.log && lo <= 0.0) {
            let positive = if self.log { " and positive" } else { "" };
            return Err(LabError::Input(format!(
                "the axis {:?} would go from {lo} to {hi}; its ends must be in order, finite{positive}",
                self.label
            )));
        }
        Ok([lo, hi])
    }
}
