//! Drawing: curves with their intervals, as SVG.

use super::table::grouped;
use crate::error::LabError;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use serde::Deserialize;

/// Curves to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves; one without points is left out.
    pub curves: Vec<ChartCurve>,
    /// Straight lines through the whole chart.
    pub lines: Vec<ChartLine>,
    /// Where the legend is.
    pub legend: Legend,
    /// Width and height, in units of which letters are 14 to 16 high.
    pub size: (u32, u32),
}

/// A curve of a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartCurve {
    /// Its name in the legend; none if it is empty.
    pub label: String,
    /// From left to right.
    pub points: Vec<Point>,
    /// How it is drawn.
    pub style: CurveStyle,
}

/// How a curve is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CurveStyle {
    /// Disks on a line, intervals as bars.
    #[default]
    Points,
    /// Rings on a dashed line, intervals as bars: somebody else's.
    Foreign,
    /// A line, intervals as a band around it.
    Line,
    /// Disks alone, intervals as bars.
    Marks,
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

/// Lines of one kind, named once in the legend.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartLine {
    /// Their name in the legend; none if it is empty.
    pub label: String,
    /// Where they are.
    pub places: Vec<Place>,
}

/// Where a line is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// It is vertical, here.
    X(f64),
    /// It is horizontal, here.
    Y(f64),
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
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
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

/// A figure of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// What it shows.
    pub caption: String,
    /// The figure.
    pub svg: String,
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

impl Chart {
    /// The chart as SVG; none if no curve has a point.
    ///
    /// # Errors
    /// If an axis has no ends in order, or a place on a logarithmic axis is not positive.
    pub fn svg(&self) -> Result<Option<String>, LabError> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        if points().next().is_none() {
            return Ok(None);
        }
        let places = || self.lines.iter().flat_map(|line| &line.places);
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
            self.draw(&mut svg, range, [across, up])
        } else {
            self.draw(&mut svg, across[0]..across[1], [across, up])
        };
        drawn.map_err(|e| LabError::Failed(format!("the chart of {:?}: {e}", self.y.label)))?;
        Ok(Some(svg + "\n"))
    }

    fn draw<X>(
        &self,
        svg: &mut String,
        range: X,
        [across, up]: [[f64; 2]; 2],
    ) -> Result<(), Box<dyn std::error::Error>>
    where
        X: AsRangedCoord<Value = f64>,
        X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let area = SVGBackend::with_string(svg, self.size).into_drawing_area();
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
        for (i, line) in self.lines.iter().enumerate() {
            let style = BLACK.mix(greys[i % greys.len()]).stroke_width(1);
            for (j, place) in line.places.iter().enumerate() {
                let ends = match *place {
                    Place::X(x) => [(x, up[0]), (x, up[1])],
                    Place::Y(y) => [(across[0], y), (across[1], y)],
                };
                let drawn = chart.draw_series(DashedLineSeries::new(ends, 5, 4, style))?;
                if j == 0 && !line.label.is_empty() {
                    drawn
                        .label(&line.label)
                        .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
                }
            }
        }
        let shown = self.curves.iter().filter(|curve| !curve.points.is_empty());
        for (curve, colour) in shown.zip(COLOURS.into_iter().cycle()) {
            let points = &curve.points;
            let path = || points.iter().map(|p| (p.x, p.y));
            if curve.style == CurveStyle::Line {
                let end = |i: usize| points.iter().filter_map(move |p| p.interval.map(|ends| (p.x, ends[i])));
                let mut band: Vec<_> = end(0).collect();
                band.extend(end(1).collect::<Vec<_>>().into_iter().rev());
                chart.draw_series([Polygon::new(band, colour.mix(0.15))])?;
                let drawn = chart.draw_series(LineSeries::new(path(), colour.stroke_width(2)))?;
                if !curve.label.is_empty() {
                    let line = move |(x, y)| PathElement::new([(x, y), (x + 22, y)], colour.stroke_width(2));
                    drawn.label(&curve.label).legend(line);
                }
                continue;
            }
            let foreign = curve.style == CurveStyle::Foreign;
            match curve.style {
                CurveStyle::Foreign => {
                    chart.draw_series(DashedLineSeries::new(path(), 4, 4, colour.stroke_width(1)))?;
                }
                CurveStyle::Points => {
                    chart.draw_series(LineSeries::new(path(), colour.stroke_width(2)))?;
                }
                CurveStyle::Line | CurveStyle::Marks => {}
            }
            for point in points {
                if let Some([lo, hi]) = point.interval {
                    let bar = [(point.x, lo), (point.x, hi)];
                    chart.draw_series([PathElement::new(bar, colour.mix(0.6).stroke_width(1))])?;
                }
            }
            let fill = if foreign { WHITE } else { colour };
            let mark = move |at: (i32, i32)| {
                EmptyElement::at(at)
                    + Circle::new((0, 0), 4, fill.filled())
                    + Circle::new((0, 0), 4, colour.stroke_width(2))
            };
            let drawn = chart.draw_series(points.iter().map(|p| {
                EmptyElement::at((p.x, p.y))
                    + Circle::new((0, 0), 4, fill.filled())
                    + Circle::new((0, 0), 4, colour.stroke_width(2))
            }))?;
            if !curve.label.is_empty() {
                drawn.label(&curve.label).legend(move |(x, y)| mark((x + 11, y)));
            }
        }
        let labels = self.curves.iter().filter(|curve| !curve.points.is_empty()).map(|curve| &curve.label);
        if labels.chain(self.lines.iter().map(|line| &line.label)).all(|label| label.is_empty()) {
            area.present()?;
            return Ok(());
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
