//! What a tuning gave.

use super::series::{self, BandRow, MarginalRow, ProfileRow};
use super::{Course, Tuning};
use crate::LabError;
use crate::csv_table::{csv_table, rounded, significant};
use crate::experiment::Row;
use crate::store::Store;
use serde::Serialize;
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

/// One evaluation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EvaluationRow {
    /// Its number, from 0; the first has the defaults.
    pub number: u64,
    /// Its place in the order of completion, from 1; none if it is under way.
    pub completed: Option<u64>,
    /// The values, in the order of the parameters.
    pub values: Vec<Value>,
    /// What was under way when it was suggested.
    pub pending: Vec<u64>,
    /// Games played.
    pub games: u64,
    /// What was observed, with half a win and half a loss added to games.
    pub value: Option<f64>,
    /// The standard deviation of its noise.
    pub sd: Option<f64>,
}

/// The results of a tuning.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TuningResults {
    /// The names of the parameters.
    pub names: Vec<String>,
    /// Every suggestion, in order.
    pub evaluations: Vec<EvaluationRow>,
    /// What is recommended, once all evaluations are completed.
    pub recommended: Option<Recommendation>,
    /// Its matches on fresh openings.
    pub validation: Vec<Row>,
    /// The recommendation after each evaluation.
    #[serde(skip)]
    pub band: Vec<BandRow>,
    /// The posterior along each parameter.
    #[serde(skip)]
    pub marginals: Vec<MarginalRow>,
    /// The functions that knots stand for.
    #[serde(skip)]
    pub profiles: Vec<ProfileRow>,
}

impl TuningResults {
    /// What a store says.
    ///
    /// # Errors
    /// If the store fails or is one of another tuning.
    pub fn of(tuning: &Tuning, store: &Store) -> Result<TuningResults, LabError> {
        let mut course = Course::new(tuning, store)?;
        let evaluations = course.suggestions().to_vec();
        let evaluations: Vec<EvaluationRow> = evaluations
            .into_iter()
            .map(|suggestion| {
                let number = suggestion.number;
                let place = course.completions().iter().position(|done| done.number == number);
                let observed = place.map(|place| course.observed[place]);
                let games = match &tuning.game {
                    Some(_) => {
                        let planned = tuning.evaluation_record(number, &suggestion.values)?;
                        store.played(&planned.matchup, planned.games)?
                    }
                    None => 0,
                };
                Ok(EvaluationRow {
                    number,
                    completed: place.map(|place| place as u64 + 1),
                    values: suggestion.values,
                    pending: suggestion.pending,
                    games,
                    value: observed.map(|at| rounded(at.mean, 6)),
                    sd: observed.map(|at| rounded(at.deviation(), 6)),
                })
            })
            .collect::<Result<_, LabError>>()?;
        let names = course.space().parameters().iter().map(|parameter| parameter.name.clone()).collect();
        let mut results = TuningResults { names, evaluations, ..TuningResults::default() };
        if let Some(recommended) = course.record.recommended.last().cloned()
            && recommended.evaluations == course.completions().len() as u64
        {
            let best = course.recommendation(recommended.values)?;
            results.band = series::band(tuning, &course)?;
            results.marginals = series::marginals(&mut course, &best.values)?;
            results.profiles = series::profiles(&mut course, &best.values)?;
            results.recommended = Some(best);
            results.validation = Row::of(store, |name| !Tuning::is_evaluation(name))?;
        }
        Ok(results)
    }

    /// The evaluations as CSV, under a header; a column for each parameter.
    pub(crate) fn csv(&self) -> Result<String, LabError> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let ends = [["number", "completed"].as_slice(), &["pending", "games", "value", "sd"]];
        let names = self.names.iter().map(String::as_str);
        let header = ends[0].iter().copied().chain(names).chain(ends[1].iter().copied());
        writer.write_record(header).map_err(LabError::failed)?;
        let text = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
        for row in &self.evaluations {
            let mut fields = vec![row.number.to_string()];
            fields.push(row.completed.map_or(String::new(), |place| place.to_string()));
            fields.extend(row.values.iter().map(Value::to_string));
            let pending: Vec<String> = row.pending.iter().map(u64::to_string).collect();
            fields.extend([pending.join(" "), row.games.to_string(), text(row.value), text(row.sd)]);
            writer.write_record(&fields).map_err(LabError::failed)?;
        }
        String::from_utf8(writer.into_inner().map_err(LabError::failed)?).map_err(LabError::failed)
    }

    /// The tables beside that of the evaluations: what is added to the name of the file, and the table.
    pub(crate) fn further(&self) -> Result<Vec<(&'static str, String)>, LabError> {
        let mut tables = Vec::new();
        if let Some(best) = &self.recommended {
            tables.push(("recommended", csv_table(best.rows())?));
        }
        if !self.validation.is_empty() {
            tables.push(("validation", csv_table(&self.validation)?));
        }
        if !self.band.is_empty() {
            tables.push(("incumbent", csv_table(&self.band)?));
        }
        if !self.marginals.is_empty() {
            tables.push(("marginals", csv_table(&self.marginals)?));
        }
        if !self.profiles.is_empty() {
            tables.push(("profiles", csv_table(&self.profiles)?));
        }
        Ok(tables)
    }
}

/// A line of the table of what is recommended.
#[derive(Serialize)]
struct RecommendedRow {
    parameter: String,
    value: String,
    mean: f64,
    sd: f64,
    default_mean: f64,
    default_sd: f64,
    evaluations: u64,
}

impl Recommendation {
    fn rows(&self) -> Vec<RecommendedRow> {
        let row = |(name, value): (&String, &Value)| RecommendedRow {
            parameter: name.clone(),
            value: value.to_string(),
            mean: rounded(self.mean, 6),
            sd: significant(self.sd),
            default_mean: rounded(self.default_mean, 6),
            default_sd: significant(self.default_sd),
            evaluations: self.evaluations,
        };
        self.names.iter().zip(&self.values).map(row).collect()
    }
}
