//! What is drawn of a tuning.

use super::{Course, Tuning};
use crate::LabError;
use crate::csv_table::rounded;
use serde::Serialize;
use tesuji::Monotone;
use tesuji_tune::{Domain, Optimizer, Value};

/// What would have been recommended after so many evaluations.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BandRow {
    /// Completed evaluations.
    pub evaluations: u64,
    /// What the last of them gave.
    pub value: f64,
    /// The posterior mean of what is recommended.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The lower end of its 95 % interval.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

/// The posterior along one parameter, all others being as recommended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MarginalRow {
    /// The parameter; of knots, with the knot's number from 0 in brackets.
    pub parameter: String,
    /// Its value.
    pub value: String,
    /// The posterior mean.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The lower end of its 95 % interval.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

/// The function that knots stand for, with the middle 80 % of draws of where the optimum is.
///
/// Rising knots are values of the function, the curve. Other knots are values of g, and the curve is the integral f of e^g
/// from 0 to u, as the backups `monotone` (which adds 1) and `softmax` take them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProfileRow {
    /// The parameter.
    pub parameter: String,
    /// The place u, from 1/400 to 1.
    pub u: f64,
    /// The function through the knots.
    pub knots: f64,
    /// The lower end of its band.
    pub knots_lo: f64,
    /// The upper end.
    pub knots_hi: f64,
    /// The curve.
    pub curve: f64,
    /// The lower end of its band.
    pub curve_lo: f64,
    /// The upper end.
    pub curve_hi: f64,
}

pub(super) fn band(tuning: &Tuning, course: &Course) -> Result<Vec<BandRow>, LabError> {
    let space = course.space();
    let mut optimizer = Optimizer::within(space.region(), tuning.settings()?, tuning.seed);
    let mut rows = Vec::new();
    for (i, (done, at)) in course.completions().iter().zip(&course.observed).enumerate() {
        let values = &course.suggestions()[done.number as usize].values;
        optimizer.tell(space.point(values).map_err(LabError::input)?, at.mean, at.variance);
        if let Some((_, best)) = optimizer.recommend() {
            rows.push(BandRow {
                evaluations: i as u64 + 1,
                value: rounded(at.mean, 6),
                mean: rounded(best.mean, 6),
                sd: rounded(best.deviation(), 6),
                lo: rounded(best.mean - 1.96 * best.deviation(), 6),
                hi: rounded(best.mean + 1.96 * best.deviation(), 6),
            });
        }
    }
    Ok(rows)
}

/// Values of a number along its range.
const STEPS: usize = 40;

pub(super) fn marginals(course: &mut Course, best: &[Value]) -> Result<Vec<MarginalRow>, LabError> {
    let space = course.space().clone();
    let x = space.point(best).map_err(LabError::input)?;
    let (mut labels, mut points, mut at) = (Vec::new(), Vec::new(), 0);
    for (i, parameter) in space.parameters().iter().enumerate() {
        let width = parameter.domain.width();
        let mut add = |label: String, knot: Option<usize>, x: Vec<f64>| {
            let values = space.values(&x);
            let value = match (&values[i], knot) {
                (Value::Knots(knots), Some(knot)) => knots[knot].to_string(),
                (value, _) => value.to_string(),
            };
            labels.push((label, value));
            points.push(x);
        };
        for d in 0..width {
            let is_choice = matches!(parameter.domain, Domain::Choice { .. });
            let knot = matches!(parameter.domain, Domain::Knots { .. }).then_some(d);
            let label = knot.map_or(parameter.name.clone(), |knot| format!("{}[{knot}]", parameter.name));
            let mut last = None;
            for step in 0..=STEPS {
                if is_choice && step > 0 {
                    break;
                }
                let mut y = x.clone();
                if is_choice {
                    y[at..at + width].fill(0.0);
                    y[at + d] = 1.0;
                } else {
                    y[at + d] = step as f64 / STEPS as f64;
                    space.region().project(&mut y);
                    // Steps of whole numbers come once.
                    if last == Some(y[at + d]) {
                        continue;
                    }
                    last = Some(y[at + d]);
                }
                add(label.clone(), knot, y);
            }
        }
        at += width;
    }
    let found = course.optimizer().predict(&points).unwrap_or_default();
    let row = |((parameter, value), at): ((String, String), tesuji_tune::Normal)| MarginalRow {
        parameter,
        value,
        mean: rounded(at.mean, 6),
        sd: rounded(at.deviation(), 6),
        lo: rounded(at.mean - 1.96 * at.deviation(), 6),
        hi: rounded(at.mean + 1.96 * at.deviation(), 6),
    };
    Ok(labels.into_iter().zip(found).map(row).collect())
}

/// Draws of the optimum, and points among which it is looked for.
const DRAWS: usize = 200;
const CANDIDATES: usize = 300;

pub(super) fn profiles(course: &mut Course, best: &[Value]) -> Result<Vec<ProfileRow>, LabError> {
    let space = course.space().clone();
    let has_knots = space.parameters().iter().any(|p| matches!(p.domain, Domain::Knots { .. }));
    if !has_knots {
        return Ok(Vec::new());
    }
    let optima = course.optimizer().optima(DRAWS, CANDIDATES);
    let optima: Vec<Vec<Value>> = optima.iter().map(|x| space.values(x)).collect();
    let mut rows = Vec::new();
    for (i, parameter) in space.parameters().iter().enumerate() {
        let (Domain::Knots { rising, start, .. }, Value::Knots(best)) = (&parameter.domain, &best[i]) else {
            continue;
        };
        let drawn: Vec<&Vec<f64>> = optima
            .iter()
            .filter_map(|values| if let Value::Knots(knots) = &values[i] { Some(knots) } else { None })
            .collect();
        // From 1/400 on, evenly on a logarithmic scale, for curves over visits.
        let places = (0..=60).map(|step| 400_f64.powf(f64::from(step) / 60.0 - 1.0));
        for u in places {
            let curve = |knots: &[f64]| {
                if *rising { between(knots, u) } else { Monotone::new(start.unwrap_or(0.0), knots).value(u) }
            };
            let [knots_lo, knots_hi] = middle(drawn.iter().map(|knots| between(knots, u)).collect());
            let [curve_lo, curve_hi] = middle(drawn.iter().map(|knots| curve(knots)).collect());
            let digits = |x: f64| format!("{x:.5e}").parse().unwrap_or(x);
            rows.push(ProfileRow {
                parameter: parameter.name.clone(),
                u: digits(u),
                knots: digits(between(best, u)),
                knots_lo: digits(knots_lo),
                knots_hi: digits(knots_hi),
                curve: digits(curve(best)),
                curve_lo: digits(curve_lo),
                curve_hi: digits(curve_hi),
            });
        }
    }
    Ok(rows)
}

/// The piecewise linear function through evenly spaced knots.
fn between(knots: &[f64], u: f64) -> f64 {
    let at = u * (knots.len() - 1) as f64;
    let j = (at as usize).min(knots.len() - 2);
    knots[j] + (at - j as f64) * (knots[j + 1] - knots[j])
}

/// The first and the last of ten parts.
fn middle(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get((share * values.len() as f64) as usize).copied().unwrap_or(f64::NAN);
    [at(0.1), at(0.9)]
}
