//! What a tuning recommends.

use crate::table::{Row, Shown, Table, rounded, significant};
use serde::Serialize;
use tesuji_tune::Value;

/// A recommendation.
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

impl Recommendation {
    /// A row for each parameter.
    pub(super) fn table(&self) -> Table {
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
