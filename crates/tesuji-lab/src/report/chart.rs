//! Drawing: curves with their intervals, as SVG.

use super::legend::{self, Entry, Sample};
use super::table::{PageError, grouped};
use super::values::{Value, short};
use crate::error::LabError;
use crate::table::Table;
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
    /// Width and height without the legend. Letters are 14 to 16 units high.
    pub size: (u32, u32),
}

/// A curve of a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartCurve {
    /// Its name in the legend; none if it is empty.
    pub label: String,
    /// From left to right.
    pub points: Vec<Point>,
    /// The style of the curve.
    pub style: CurveStyle,
}

/// The style of a curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CurveStyle {
    /// Disks on a line, intervals as bars.
    #[default]
    Points,
    /// Rings on a dashed line, intervals as bars: for results of others.
    Foreign,
    /// A line, intervals as a band around it.
    Line,
    /// Disks alone, intervals as bars.
    Marks,
    /// A histogram: a step as wide as the distance of two points around each of them, from 0 up.
    Steps,
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
    /// The places of the lines.
    pub places: Vec<LinePlace>,
}

/// The place of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LinePlace {
    /// It is vertical, here.
    X(f64),
    /// It is horizontal, here.
    Y(f64),
}

/// An axis of a figure.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The label of the axis, with the unit.
    pub label: String,
    /// Its ends. Default: a little more than the curves need.
    pub range: Option<[f64; 2]>,
    /// Whether equal distances are equal ratios; for the horizontal axis only.
    #[serde(default)]
    pub log: bool,
    /// Places and their labels. Default: round numbers.
    #[serde(default)]
    pub ticks: Vec<(f64, String)>,
}

/// A figure of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// The caption below the chart.
    pub caption: String,
    /// The figure.
    pub svg: String,
}

impl Axis {
    /// An axis that says this.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), ..Axis::default() }
    }
}

impl Point {
    /// The point of a row: its place and its height, which are NaN without a number, and its
    /// interval, from these columns.
    pub fn of(table: &Table, row: usize, columns: [&str; 4]) -> Point {
        let [x, y, lo, hi] = columns.map(|column| table.at(row, column).number().unwrap_or(f64::NAN));
        Point { x, y, interval: Some([lo, hi]).filter(|ends| ends.iter().all(|end| end.is_finite())) }
    }
}

impl ChartCurve {
    /// A curve through these points.
    pub fn new(label: &str, style: CurveStyle, points: impl IntoIterator<Item = Point>) -> ChartCurve {
        ChartCurve { label: label.to_owned(), style, points: points.into_iter().collect() }
    }
}

/// Two charts of this size stand side by side.
const SIZE: (u32, u32) = (560, 360);

/// The most points of a curve that show their numbers.
const VALUES: usize = 60;

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
    /// A chart of these curves, without straight lines, in a size for two charts side by side.
    pub fn new(x: Axis, y: Axis, curves: Vec<ChartCurve>) -> Chart {
        Chart { x, y, curves, lines: Vec::new(), size: SIZE }
    }

    /// The chart as SVG, the legend above it; none if no curve has a point.
    ///
    /// # Errors
    /// If an axis has no ends in order, or a place on a logarithmic axis is not positive.
    pub fn svg(&self) -> Result<Option<String>, LabError> {
        Ok(self.drawn()?.map(|(svg, _)| svg + "\n"))
    }

    /// [`Chart::svg`] that shows the numbers of a point when the pointer is there, where the SVG is
    /// part of a page.
    ///
    /// # Errors
    /// As [`Chart::svg`].
    pub fn svg_with_values(&self) -> Result<Option<String>, LabError> {
        Ok(self.drawn()?.map(|(svg, values)| {
            let end = svg.rfind("</svg>").unwrap_or(svg.len());
            format!("{}{}{}\n", &svg[..end], Value::svg(&values, self.size), &svg[end..])
        }))
    }

    /// The SVG, and the points with their numbers.
    fn drawn(&self) -> Result<Option<(String, Vec<Value>)>, LabError> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        if points().next().is_none() {
            return Ok(None);
        }
        let places = || self.lines.iter().flat_map(|line| &line.places);
        let ends = |interval: Option<[f64; 2]>| interval.into_iter().flatten();
        let across = points().map(|p| p.x).chain(places().filter_map(|place| match place {
            LinePlace::X(x) => Some(*x),
            LinePlace::Y(_) => None,
        }));
        let up = points().flat_map(|p| ends(p.interval).chain([p.y]));
        let across = self.x.span(across.collect())?;
        let up = up.chain(places().filter_map(|place| match place {
            LinePlace::X(_) => None,
            LinePlace::Y(y) => Some(*y),
        }));
        let up = self.y.span(up.collect())?;
        let mut svg = String::new();
        let drawn = if self.x.log {
            let range = (across[0]..across[1]).log_scale().with_key_points(self.x.key_points(across));
            self.draw(&mut svg, range, [across, up])
        } else {
            self.draw(&mut svg, across[0]..across[1], [across, up])
        };
        let values = drawn.map_err(|e| LabError::Failed(format!("the chart of {:?}: {e}", self.y.label)))?;
        Ok(Some((svg, values)))
    }

    fn draw<X>(
        &self,
        svg: &mut String,
        range: X,
        [across, up]: [[f64; 2]; 2],
    ) -> Result<Vec<Value>, Box<dyn std::error::Error>>
    where
        X: AsRangedCoord<Value = f64>,
        X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let entries = self.entries();
        let (width, height) = self.size;
        let legend = legend::height(&entries, width);
        let whole = SVGBackend::with_string(svg, (width, height + legend)).into_drawing_area();
        whole.fill(&WHITE)?;
        let (above, area) = whole.split_vertically(legend);
        legend::draw(&entries, &above)?;
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
        for (i, line) in self.lines.iter().enumerate() {
            for place in &line.places {
                let ends = match *place {
                    LinePlace::X(x) => [(x, up[0]), (x, up[1])],
                    LinePlace::Y(y) => [(across[0], y), (across[1], y)],
                };
                chart.draw_series(DashedLineSeries::new(ends, 5, 4, grey(i)))?;
            }
        }
        let mut values = Vec::new();
        for (curve, colour) in self.shown() {
            let points = &curve.points;
            let path = || points.iter().map(|p| (p.x, p.y));
            // Of a long curve some points are enough.
            for point in points.iter().step_by(points.len().div_ceil(VALUES)) {
                let at = chart.backend_coord(&(point.x, point.y));
                values.push(Value { at, label: curve.label.clone(), text: self.numbers(point) });
            }
            if curve.style == CurveStyle::Line {
                let end = |i: usize| points.iter().filter_map(move |p| p.interval.map(|ends| (p.x, ends[i])));
                let mut band: Vec<_> = end(0).collect();
                band.extend(end(1).collect::<Vec<_>>().into_iter().rev());
                chart.draw_series([Polygon::new(band, colour.mix(0.15))])?;
                chart.draw_series(LineSeries::new(path(), colour.stroke_width(2)))?;
                continue;
            }
            if curve.style == CurveStyle::Steps {
                let outline = curve.outline();
                chart.draw_series([Polygon::new(outline.clone(), colour.mix(0.25))])?;
                chart.draw_series(LineSeries::new(outline, colour.stroke_width(1)))?;
                continue;
            }
            match curve.style {
                CurveStyle::Foreign => {
                    chart.draw_series(DashedLineSeries::new(path(), 4, 4, colour.stroke_width(1)))?;
                }
                CurveStyle::Points => {
                    chart.draw_series(LineSeries::new(path(), colour.stroke_width(2)))?;
                }
                CurveStyle::Line | CurveStyle::Marks | CurveStyle::Steps => {}
            }
            for point in points {
                if let Some([lo, hi]) = point.interval {
                    let bar = [(point.x, lo), (point.x, hi)];
                    chart.draw_series([PathElement::new(bar, colour.mix(0.6).stroke_width(1))])?;
                }
            }
            let fill = curve.fill(colour);
            chart.draw_series(points.iter().map(|p| {
                EmptyElement::at((p.x, p.y))
                    + Circle::new((0, 0), 4, fill.filled())
                    + Circle::new((0, 0), 4, colour.stroke_width(2))
            }))?;
        }
        whole.present()?;
        Ok(values)
    }

    /// The numbers of a point, as a page shows them under the pointer.
    fn numbers(&self, point: &Point) -> String {
        let interval =
            point.interval.map_or(String::new(), |[lo, hi]| format!(" [{}, {}]", short(lo), short(hi)));
        let text = format!(
            "{} {}{interval}, {} {}",
            self.y.label,
            short(point.y),
            self.x.label,
            self.x.text(point.x)
        );
        text.trim_start().to_owned()
    }

    /// The curves that have points, each with its colour.
    fn shown(&self) -> impl Iterator<Item = (&ChartCurve, RGBColor)> {
        let shown = self.curves.iter().filter(|curve| !curve.points.is_empty());
        shown.zip(COLOURS.into_iter().cycle())
    }

    /// What the legend names.
    fn entries(&self) -> Vec<Entry<'_>> {
        let lines = self.lines.iter().enumerate().filter(|(_, line)| !line.places.is_empty());
        let lines = lines.map(|(i, line)| Entry { label: &line.label, sample: Sample::Line(grey(i)) });
        let curves = self.shown().map(|(curve, colour)| {
            let sample = match curve.style {
                CurveStyle::Line | CurveStyle::Steps => Sample::Line(colour.stroke_width(2)),
                _ => Sample::Mark { fill: curve.fill(colour), colour },
            };
            Entry { label: &curve.label, sample }
        });
        lines.chain(curves).filter(|entry| !entry.label.is_empty()).collect()
    }
}

impl ChartCurve {
    /// The outline of steps.
    fn outline(&self) -> Vec<(f64, f64)> {
        let half = match &self.points[..] {
            [first, second, ..] => (second.x - first.x) / 2.0,
            _ => 0.5,
        };
        let end = |point: Option<&Point>, side: f64| point.map(|p| (p.x + side, 0.0));
        let mut outline: Vec<_> = end(self.points.first(), -half).into_iter().collect();
        outline.extend(self.points.iter().flat_map(|p| [(p.x - half, p.y), (p.x + half, p.y)]));
        outline.extend(end(self.points.last(), half));
        outline
    }

    /// What fills its marks.
    fn fill(&self, colour: RGBColor) -> RGBColor {
        if self.style == CurveStyle::Foreign { WHITE } else { colour }
    }
}

/// How the straight lines of a kind are drawn.
fn grey(i: usize) -> ShapeStyle {
    BLACK.mix([0.6, 0.3, 0.45][i % 3]).stroke_width(1)
}

impl Axis {
    /// Where a logarithmic axis has marks: 1, 2 and 5 times the powers of ten, or those alone if
    /// they are many.
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
            return Err(PageError::Axis { label: self.label.clone(), lo, hi, positive }.into());
        }
        Ok([lo, hi])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_says_its_numbers() {
        let point = Point { x: 20_000.0, y: 0.535, interval: Some([0.466, 0.603]) };
        let curve = ChartCurve { label: "UCT".to_owned(), points: vec![point], style: CurveStyle::Line };
        let chart = |x: &str, y: &str| Chart::new(Axis::new(x), Axis::new(y), vec![curve.clone()]);
        assert_eq!(chart("games", "score").numbers(&point), "score 0.535 [0.466, 0.603], games 20 000");
        let [plain, with_values] =
            [Chart::svg, Chart::svg_with_values].map(|svg| svg(&chart("games", "score")).unwrap().unwrap());
        assert!(with_values.contains("score 0.535 [0.466, 0.603], games 20 000</tspan>"), "{with_values}");
        // The rest is the same, with the legend above a plot of the full height.
        assert!(
            !plain.contains("tspan") && with_values.starts_with(plain.trim_end().trim_end_matches("</svg>"))
        );
        assert!(plain.contains("height=\"388\""), "{}", &plain[..200]);
    }
}
