//! Statistics of counts.

use crate::error::{input, raise};
use pyo3::prelude::*;
use tesuji_lab::stats::{Counts, Sprt, summary_json};

/// What counts of results say, as the JSON of `tesuji stats`.
#[pyfunction]
#[pyo3(signature = (counts, elo0=None, elo1=None))]
pub(crate) fn stats(counts: Vec<u64>, elo0: Option<f64>, elo1: Option<f64>) -> PyResult<String> {
    let counts = Counts::from_list(&counts).map_err(input)?;
    let sprt = match (elo0, elo1) {
        (Some(elo0), Some(elo1)) => Some(Sprt::asked(elo0, elo1).map_err(raise)?),
        (None, None) => None,
        _ => return Err(input("a sequential test needs elo0 and elo1")),
    };
    Ok(summary_json(&counts, sprt).to_string())
}
