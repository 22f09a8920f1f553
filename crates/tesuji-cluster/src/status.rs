//! The state of a cluster, for people and other programs.

use crate::state::State;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The state of a cluster at a moment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Status {
    /// Whether the coordinator has ended.
    pub is_over: bool,
    /// Seconds since the coordinator began.
    pub seconds: f64,
    /// Trials that are stored.
    pub trials: u64,
    /// Trials an hour.
    pub trials_per_hour: f64,
    /// The number of times that workers failed at a trial or lost it.
    pub faults: u64,
    /// Trials that were set aside.
    pub set_aside: u64,
    /// The number of threads for each version of the program.
    pub versions: BTreeMap<String, usize>,
    /// Workers and owners whose results no longer count, with the reason.
    pub banned: BTreeMap<String, String>,
    /// The workers that are there.
    pub workers: Vec<WorkerStatus>,
}

/// A worker that is there.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Its machine.
    pub host: String,
    /// The version of its program.
    pub version: String,
    /// The processor and the system with which it computes networks.
    pub platform: String,
    /// Its threads.
    pub threads: usize,
    /// Trials that it has done.
    pub trials: u64,
    /// The number of times that it failed at a trial or lost it.
    pub faults: u64,
}

impl Status {
    pub(crate) fn of(state: &State, time: Duration, is_over: bool) -> Status {
        let workers: Vec<WorkerStatus> = state
            .workers
            .iter()
            .map(|(name, known)| WorkerStatus {
                name: name.clone(),
                host: known.beat.host.clone(),
                version: known.beat.version.clone(),
                platform: known.beat.platform.clone(),
                threads: known.beat.threads,
                trials: known.done,
                faults: known.faults,
            })
            .collect();
        let mut versions = BTreeMap::new();
        for worker in &workers {
            *versions.entry(worker.version.clone()).or_default() += worker.threads;
        }
        let seconds = time.as_secs_f64();
        Status {
            is_over,
            seconds,
            trials: state.trials,
            trials_per_hour: 3600.0 * state.trials as f64 / seconds.max(1e-3),
            faults: state.faults,
            set_aside: state.set_aside,
            versions,
            banned: state.workers.banned(),
            workers,
        }
    }

    /// Writes the state, whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> std::io::Result<()> {
        let dir = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.persist(path).map(drop).map_err(|error| error.error)
    }
}
