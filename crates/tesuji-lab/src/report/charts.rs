//! The figures of a report.

use crate::error::LabError;
use crate::report::chart::{Axis, Chart, ChartCurve, ChartLine, CurveStyle, Drawing, LinePlace, Point};
use crate::report::match_record::MatchRecord;
use crate::report::match_result::MatchResult;
use crate::report::record::Record;
use crate::stats::agresti_coull;

/// Curves in one figure, as many as there are colours.
const CURVES: usize = 6;

impl Record {
    /// The figures: scores over `x` of the matches, if they have one; scores over games; lengths of
    /// games.
    ///
    /// # Errors
    /// If a figure cannot be drawn.
    pub fn drawings(&self) -> Result<Vec<Drawing>, LabError> {
        let judged = self.judged();
        let played: Vec<&MatchRecord> = judged.iter().copied().filter(|m| m.summary.games > 0).collect();
        let mut charts = self.results.charts.clone();
        charts.extend(
            by_place(&judged, &self.match_results())
                .map(|chart| ("Scores with their 95 % intervals (Agresti–Coull).".to_owned(), chart)),
        );
        for some in played.chunks(CURVES) {
            let band = if some.len() == 1 { ", with the 95 % interval" } else { "" };
            let caption = format!("Scores as games were counted, in the order of their openings{band}.");
            charts.push((caption, over_games(some)));
        }
        for some in played.chunks(CURVES) {
            charts.push(("Lengths of games, with the moves of the opening.".to_owned(), lengths(some)));
        }
        let mut drawings = Vec::new();
        for (caption, chart) in charts {
            drawings.extend(chart.svg_with_values()?.map(|svg| Drawing { caption, svg }));
        }
        Ok(drawings)
    }
}

fn even() -> ChartLine {
    ChartLine { label: String::new(), places: vec![LinePlace::Y(0.5)] }
}

/// A match that is alone needs no name.
fn label<'a>(m: &'a MatchRecord, matches: &[&MatchRecord]) -> &'a str {
    if matches.len() > 1 { &m.planned.name } else { "" }
}

/// The scores of each series over `x`, if two matches of one have different places.
fn by_place(matches: &[&MatchRecord], match_results: &[MatchResult]) -> Option<Chart> {
    let mut curves: Vec<ChartCurve> = Vec::new();
    for (m, s) in matches.iter().zip(match_results) {
        let Some(x) = m.planned.labels.x.filter(|_| s.summary.games > 0) else { continue };
        let point = Point { x, y: s.summary.score, interval: Some([s.summary.ci95.lo, s.summary.ci95.hi]) };
        match curves.iter_mut().find(|curve| curve.label == m.planned.labels.series) {
            Some(curve) => curve.points.push(point),
            None => curves.push(ChartCurve::new(&m.planned.labels.series, CurveStyle::Points, [point])),
        }
    }
    for curve in &mut curves {
        curve.points.sort_by(|p, q| p.x.total_cmp(&q.x));
    }
    let places = || curves.iter().flat_map(|curve| curve.points.iter().map(|p| p.x));
    let (lo, hi) = (places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max));
    let x = Axis { log: lo > 0.0 && hi > 20.0 * lo, ..Axis::new("x") };
    (lo < hi).then(|| Chart { lines: vec![even()], ..Chart::new(x, Axis::new("score"), curves) })
}

/// How the scores came about, game by game; the interval of a single match as a band.
fn over_games(matches: &[&MatchRecord]) -> Chart {
    let curve = |m: &&MatchRecord| {
        let (mut points, mut sum) = (Vec::new(), 0.0);
        let games = m.summary.games as usize;
        let step = games.div_ceil(120);
        for (i, (_, value)) in m.counted_games().enumerate() {
            let n = i + 1;
            sum += value;
            if n % step == 0 || n == games {
                let interval = agresti_coull(sum, n as f64, 0.95);
                let interval = (matches.len() == 1).then_some([interval.lo, interval.hi]);
                points.push(Point { x: n as f64, y: sum / n as f64, interval });
            }
        }
        ChartCurve::new(label(m, matches), CurveStyle::Line, points)
    };
    let y = Axis { range: Some([0.0, 1.0]), ..Axis::new("score") };
    let curves = matches.iter().map(curve).collect();
    Chart { lines: vec![even()], ..Chart::new(Axis::new("games"), y, curves) }
}

/// The shares of games by their lengths, in bins of equal width.
fn lengths(matches: &[&MatchRecord]) -> Chart {
    let all = || matches.iter().flat_map(|m| m.counted_games().map(|(game, _)| game.moves.len()));
    let (shortest, longest) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let width = (longest - shortest + 1).div_ceil(30).max(1);
    let curve = |m: &&MatchRecord| {
        let mut counts = vec![0_u64; (longest - shortest) / width + 1];
        for (game, _) in m.counted_games() {
            counts[(game.moves.len() - shortest) / width] += 1;
        }
        let point = |(i, count): (usize, u64)| Point {
            x: (shortest + i * width) as f64 + (width - 1) as f64 / 2.0,
            y: 100.0 * count as f64 / m.summary.games as f64,
            interval: None,
        };
        ChartCurve::new(label(m, matches), CurveStyle::Steps, counts.into_iter().enumerate().map(point))
    };
    let bins = if width == 1 { String::new() } else { format!(" in bins of {width}") };
    let curves: Vec<ChartCurve> = matches.iter().map(curve).collect();
    let most = curves.iter().flat_map(|curve| &curve.points).map(|p| p.y).fold(0.0, f64::max);
    let half = width as f64 / 2.0;
    let ends = curves.iter().flat_map(|curve| [curve.points.first(), curve.points.last()]).flatten();
    let (lo, hi) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), p| (p.x.min(lo), p.x.max(hi)));
    let x = Axis { range: Some([lo - half, hi + half]), ..Axis::new(format!("moves{bins}")) };
    let y = Axis { range: Some([0.0, (1.05 * most).max(1.0)]), ..Axis::new("% of games") };
    Chart::new(x, y, curves)
}
