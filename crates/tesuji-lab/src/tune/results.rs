//! What a tuning gave.

use crate::error::LabError;
use crate::experiment::match_table::match_table;
use crate::experiment::results::Results;
use crate::store::Store;
use crate::table::{Row, Shown, Table, rounded};
use crate::tune::charts;
use crate::tune::plan::Tuning;
use crate::tune::series;
use crate::tune::state::TuningState;
use serde_json::json;

impl Tuning {
    /// What a store says.
    ///
    /// # Errors
    /// If the store fails or is one of another tuning.
    pub(super) fn tables(&self, store: &Store) -> Result<Results, LabError> {
        let mut state = TuningState::new(self, store)?;
        let names: Vec<String> =
            state.space().parameters().iter().map(|parameter| parameter.name.clone()).collect();
        let (mut rows, mut evaluations) = (Vec::new(), Vec::new());
        for suggestion in state.suggestions() {
            let number = suggestion.number;
            let place = state.completions().iter().position(|done| done.number == number);
            let (completed, at) =
                (place.map(|place| place as u64 + 1), place.map(|place| state.observed[place]));
            // With half a win and half a loss added to games.
            let (value, sd) = (at.map(|at| rounded(at.mean, 6)), at.map(|at| rounded(at.deviation(), 6)));
            let games = match state.planned.get(number as usize) {
                Some(planned) => store.played(&planned.matchup, planned.games)?,
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
            summary: vec![format!("{} evaluations completed", state.completions().len())],
            tables: vec![Table::new("evaluations", rows).shown(Shown::After("Evaluations"))],
            unit: "games",
            ..Results::default()
        };
        let last = state.record.recommended.last().cloned();
        let last = last.filter(|last| last.evaluations == state.completions().len() as u64);
        let best = last.map(|last| state.recommendation(last.values)).transpose()?;
        let mut validation = Table::default();
        if let Some(best) = &best {
            validation = match_table("validation", store, |name| !Tuning::is_evaluation(name))?;
            let (band, marginals) = (series::band(&state)?, series::marginals(&mut state, &best.values)?);
            let profiles = series::profiles(&mut state, &best.values)?;
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
