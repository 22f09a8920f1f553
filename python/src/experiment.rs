//! Experiment files.

use crate::matches::{VERSION, cores};
use crate::run::watch;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use tesuji_lab::{Event, Experiment, ExperimentOptions, LabError};

/// Runs an experiment file: the JSON of `tesuji run`, with the tables of results.
#[pyfunction]
#[pyo3(signature = (file, out, results, limit, only, threads, changed, progress))]
#[expect(clippy::too_many_arguments, reason = "those of the function in Python")]
pub(crate) fn run_experiment(
    py: Python<'_>,
    file: PathBuf,
    out: PathBuf,
    results: PathBuf,
    limit: Option<u64>,
    only: Vec<String>,
    threads: Option<usize>,
    changed: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let threads = threads.unwrap_or_else(cores).max(1);
    let version = VERSION.to_owned();
    let options =
        ExperimentOptions { out, results, games: limit, only, threads, cluster: None, changed, version };
    watch(py, progress, |run, tell| {
        let experiment = Experiment::read(&file)?;
        let report = tesuji_lab::run_experiment(&experiment, &options, &run.stop, &mut |event| {
            if let Some(state) = progress_json(&event) {
                tell(state.to_string());
            }
        })?;
        let tables = report.results.tables.iter().map(|table| (table.name.to_owned(), table.json()));
        let tables: serde_json::Map<String, Value> = tables.collect();
        let mut object = json!({
            "name": experiment.name,
            "about": experiment.about,
            "table": report.table.display().to_string(),
            "kept": report.kept,
            "failed": report.failed,
            "interrupted": report.interrupted,
            "changes": report.changes,
            "tables": tables,
            "summary": report.results.summary,
            "lines": report.results.match_lines(),
            "record": options.out.join(&experiment.name).display().to_string(),
        });
        if let Some(object) = object.as_object_mut() {
            for (key, value) in report.results.object() {
                object.entry(key).or_insert(value);
            }
        }
        if report.failed > 0 && !report.interrupted {
            return Err(LabError::Failed(format!("{} games failed", report.failed)));
        }
        Ok(object.to_string())
    })
}

fn progress_json(event: &Event<'_>) -> Option<Value> {
    match event {
        Event::Started { name, number, of, total, .. } => {
            Some(json!({ "begun": name, "number": number, "of": of, "total": total }))
        }
        Event::Done(done) => Some(json!({ "played": done })),
        Event::Note(note) => Some(json!({ "note": note })),
        Event::Stopped(_) => Some(json!({ "ended": true })),
        _ => None,
    }
}
