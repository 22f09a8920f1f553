//! What a tuning gave.

use crate::error::LabError;
use crate::experiment::match_table::match_table;
use crate::experiment::results::Results;
use crate::store::Store;
use crate::table::{Field, Row, Shown, Table, rounded, significant};
use crate::tune::charts;
use crate::tune::course::Course;
use crate::tune::plan::Tuning;
use crate::tune::series;
use serde::Serialize;
use serde_json::json;
use tesuji_tune::Value;

/// What is recommended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Recommendation {
    /// Evaluations that it rests on.
    pub evaluations: u64,
    /// The agent with these values; empty without a game.
    pub agent: String,
    /// The names of the parameters.
    pub names: Vec<String>,
    /// Their values.
    pub values: Vec<Value>,
    /// The posterior mean there: in a game, the share of points won.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The posterior mean at the defaults.
    pub default_mean: f64,
    /// Its standard deviation.
    pub default_sd: f64,
}

impl Tuning {
    /// What a store says.
    ///
    /// # Errors
    /// If the store fails or is one of another tuning.
    pub(crate) fn results(&self, store: &Store) -> Result<Results, LabError> {
        let mut course = Course::new(self, store)?;
        let names: Vec<String> =
            course.space().parameters().iter().map(|parameter| parameter.name.clone()).collect();
        let (mut rows, mut evaluations) = (Vec::new(), Vec::new());
        for suggestion in course.suggestions() {
            let number = suggestion.number;
            let place = course.completions().iter().position(|done| done.number == number);
            let (completed, at) =
                (place.map(|place| place as u64 + 1), place.map(|place| course.observed[place]));
            // With half a win and half a loss added to games.
            let (value, sd) = (at.map(|at| rounded(at.mean, 6)), at.map(|at| rounded(at.deviation(), 6)));
            let games = match &self.game {
                Some(_) => {
                    let planned = self.evaluation_record(number, &suggestion.values)?;
                    store.played(&planned.matchup, planned.games)?
                }
                None => 0,
            };
            // What was under way when it was suggested.
            let pending: Vec<String> = suggestion.pending.iter().map(u64::to_string).collect();
            let row = Row::new().with("number", number).with("completed", completed);
            let values = names.iter().cloned().zip(&suggestion.values);
            let row = values.fold(row, |row, (name, value)| row.with(name, value.to_string()));
            let shown = |x: Option<f64>| x.map(|x| x.to_string());
            rows.push(
                row.with("pending", pending.join(" "))
                    .with("games", games)
                    .with("value", shown(value))
                    .with("sd", shown(sd)),
            );
            evaluations.push(json!({
                "number": number,
                "completed": completed,
                "values": suggestion.values,
                "pending": suggestion.pending,
                "games": games,
                "value": value,
                "sd": sd,
            }));
        }
        let mut results = Results {
            summary: vec![format!("{} evaluations completed", course.completions().len())],
            tables: vec![Table::new("evaluations", rows).shown(Shown::After("Evaluations"))],
            unit: "games",
            ..Results::default()
        };
        let last = course.record.recommended.last().cloned();
        let last = last.filter(|last| last.evaluations == course.completions().len() as u64);
        let best = last.map(|last| course.recommendation(last.values)).transpose()?;
        let mut validation = Table::default();
        if let Some(best) = &best {
            validation = match_table("validation", store, |name| !Tuning::is_evaluation(name))?;
            let (band, marginals) =
                (series::band(self, &course)?, series::marginals(&mut course, &best.values)?);
            let profiles = series::profiles(&mut course, &best.values)?;
            results.charts = charts::charts(&names, &band, &marginals, &profiles);
            results.summary.extend(best.lines());
            results.tables.extend([best.table(), validation.clone(), band, marginals, profiles]);
        }
        results.json = json!({
            "names": names,
            "evaluations": evaluations,
            "recommended": best,
            "validation": validation.json(),
        });
        Ok(results)
    }
}

impl Recommendation {
    fn table(&self) -> Table {
        let row = |(name, value): (&String, &Value)| {
            Row::new()
                .with("parameter", name)
                .with("value", value.to_string())
                .with("mean", rounded(self.mean, 6))
                .with("sd", significant(self.sd))
                .with("default_mean", rounded(self.default_mean, 6))
                .with("default_sd", significant(self.default_sd))
                .with("evaluations", self.evaluations)
        };
        let rows = self.names.iter().zip(&self.values).map(row);
        Table::new("recommended", rows).shown(Shown::Before("The recommended values"))
    }

    /// The recommendation for people.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("recommended after {} evaluations:", self.evaluations)];
        lines.extend(self.names.iter().zip(&self.values).map(|(name, value)| format!("  {name} = {value}")));
        lines.push(format!(
            "expected {:.4} +- {:.4}, the defaults {:.4} +- {:.4}",
            self.mean, self.sd, self.default_mean, self.default_sd
        ));
        lines
    }
}

/// A normal distribution as columns: its mean, its deviation and its 95 % interval.
pub(super) fn with_normal(row: Row, at: tesuji_tune::Normal) -> Row {
    row.with("mean", rounded(at.mean, 6))
        .with("sd", rounded(at.deviation(), 6))
        .with("lo", rounded(at.mean - 1.96 * at.deviation(), 6))
        .with("hi", rounded(at.mean + 1.96 * at.deviation(), 6))
}

/// The number of a field; NaN if it has none.
pub(super) fn number(field: &Field) -> f64 {
    field.number().unwrap_or(f64::NAN)
}
