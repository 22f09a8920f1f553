//! What `tesuji report` says of the workers of a cluster.

use super::print;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use tesuji_lab::store::Store;
use tesuji_lab::{CLUSTER_STATUS, LabError};

/// Who did the trials of a record, where that were workers: as JSON; none if nobody else did any.
pub(super) fn workers_json(dir: &Path) -> Result<Option<Value>, LabError> {
    let origins = Store::read(dir)?.origins()?;
    let status = std::fs::read_to_string(dir.join(CLUSTER_STATUS)).ok();
    let status: Option<Value> = status.and_then(|text| serde_json::from_str(&text).ok());
    if origins.is_empty() && status.is_none() {
        return Ok(None);
    }
    let versions: BTreeSet<&str> = origins.keys().map(|origin| origin.version.as_str()).collect();
    let worker = |(origin, trials): (&tesuji_lab::store::Origin, &u64)| {
        let tesuji_lab::store::Origin { worker, version, kernel } = origin;
        json!({ "worker": worker, "version": version, "kernel": kernel, "trials": trials })
    };
    let workers: Vec<Value> = origins.iter().map(worker).collect();
    Ok(Some(json!({ "workers": workers, "versions": versions, "status": status })))
}

/// The same as lines.
pub(super) fn print_workers(dir: &Path) -> Result<(), LabError> {
    let Some(cluster) = workers_json(dir)? else { return Ok(()) };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (workers, versions) = (list(&cluster["workers"]), list(&cluster["versions"]));
    let trials: u64 = workers.iter().filter_map(|worker| worker["trials"].as_u64()).sum();
    let texts: Vec<&str> = versions.iter().filter_map(Value::as_str).collect();
    let mixed = if texts.len() > 1 { "versions are mixed: " } else { "version " };
    print(format_args!("{} workers did {trials} trials; {mixed}{}\n", workers.len(), texts.join(", ")))?;
    let status = &cluster["status"];
    if let Some(rate) = status["trials_per_hour"].as_f64() {
        let there = list(&status["workers"]).len();
        let (faults, aside) = (&status["faults"], &status["set_aside"]);
        print(format_args!(
            "the last coordinator had {there} workers, {rate:.0} trials per hour, {faults} faults, {aside} trials set aside\n"
        ))?;
    }
    for (worker, why) in status["banned"].as_object().into_iter().flatten() {
        print(format_args!("worker {worker} gets no more jobs: {}\n", why.as_str().unwrap_or_default()))?;
    }
    Ok(())
}
