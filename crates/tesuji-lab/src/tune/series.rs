//! What is drawn of a tuning.

use crate::error::LabError;
use crate::table::{Row, Table, rounded};
use crate::tune::incumbents::{IncumbentRow, incumbent_of};
use crate::tune::state::TuningState;
use tesuji::Monotone;
use tesuji_tune::{Domain, Normal, Value};

/// What would have been recommended after each evaluation, and what the last of them gave.
pub(super) fn band(state: &TuningState) -> Result<Table, LabError> {
    let row = |(i, (at, incumbent)): (usize, (&Normal, IncumbentRow))| {
        let row = Row::new().with("evaluations", i + 1).with("value", rounded(at.mean, 6));
        with_columns(row, incumbent)
    };
    let incumbents = state.incumbents()?.rows;
    Ok(Table::new("incumbent", state.observed.iter().zip(incumbents).enumerate().map(row)))
}

/// Values of a number along its range.
const STEPS: usize = 40;

/// The posterior along each parameter, all others being as recommended; of knots, with the knot's
/// number from 0 in brackets.
pub(super) fn marginals(state: &mut TuningState, best: &[Value]) -> Result<Table, LabError> {
    let space = state.space().clone();
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
    let found = state.optimizer().predict(&points).unwrap_or_default();
    let row = |((parameter, value), at): ((String, String), Normal)| {
        with_columns(Row::new().with("parameter", parameter).with("value", value), incumbent_of(at))
    };
    Ok(Table::new("marginals", labels.into_iter().zip(found).map(row)))
}

/// Draws of the optimum, and points among which it is looked for.
const DRAWS: usize = 200;
const CANDIDATES: usize = 300;

/// The functions that knots stand for, with the middle 80 % of draws of where the optimum is, at
/// places u from 1/400 to 1.
///
/// Rising knots are values of the function, the curve. Other knots are values of g, and the curve
/// is the integral f of e^g from 0 to u, as the backups `monotone` (which adds 1) and `softmax`
/// take them.
pub(super) fn profiles(state: &mut TuningState, best: &[Value]) -> Result<Table, LabError> {
    let space = state.space().clone();
    let has_knots = space.parameters().iter().any(|p| matches!(p.domain, Domain::Knots { .. }));
    if !has_knots {
        return Ok(Table::default());
    }
    let optima = state.optimizer().optima(DRAWS, CANDIDATES);
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
            let columns = [
                ("u", u),
                ("knots", between(best, u)),
                ("knots_lo", knots_lo),
                ("knots_hi", knots_hi),
                ("curve", curve(best)),
                ("curve_lo", curve_lo),
                ("curve_hi", curve_hi),
            ];
            let row = Row::new().with("parameter", &parameter.name);
            rows.push(columns.into_iter().fold(row, |row, (name, x)| row.with(name, digits(x))));
        }
    }
    Ok(Table::new("profiles", rows))
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

/// A normal distribution as columns.
fn with_columns(row: Row, columns: IncumbentRow) -> Row {
    ["mean", "sd", "lo", "hi"].into_iter().zip(columns).fold(row, |row, (name, x)| row.with(name, x))
}
