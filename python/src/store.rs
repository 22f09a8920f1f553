//! Records of experiments.

use crate::run::leave;
use pyo3::prelude::*;
use std::path::PathBuf;
use tesuji_lab::LabError;
use tesuji_lab::store::Store;

/// The results of all matches of a record, as JSON.
#[pyfunction]
pub(crate) fn store_matches(py: Python<'_>, dir: PathBuf) -> PyResult<String> {
    leave(py, move || {
        let store = Store::read(&dir)?;
        let summaries = store.matches()?.into_iter().map(|planned| {
            let mut row = serde_json::to_value(planned.summary(&store)?).map_err(LabError::failed)?;
            row["match"] = planned.name.clone().into();
            Ok(row)
        });
        let summaries = summaries.collect::<Result<Vec<_>, LabError>>()?;
        serde_json::to_string(&summaries).map_err(LabError::failed)
    })
}

/// Checks whether a record is sound: its faults, a sentence each.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, dir: PathBuf) -> PyResult<Vec<String>> {
    leave(py, move || Ok(tesuji_lab::verify(&dir)?.faults))
}
