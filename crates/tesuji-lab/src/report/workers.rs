//! Who did the trials of a record, where that were workers of a cluster.

use crate::error::LabError;
use crate::job::CLUSTER_STATUS;
use crate::store::Store;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The age, in seconds, up to which the state of a cluster is one of now: a coordinator writes it
/// every two seconds.
const NOW: u64 = 20;

/// The workers of a record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Workers {
    /// How many trials each has done.
    pub workers: Vec<WorkerShare>,
    /// The versions of their programs.
    pub versions: BTreeSet<String>,
    /// Those that were found wrong, each with the reason: their trials are void.
    pub wrong: Vec<(String, String)>,
    /// The state that a coordinator wrote last, in the form of its file.
    pub status: Option<Value>,
    /// The age of that state in seconds.
    pub age: Option<u64>,
    /// Whether the coordinator still works.
    pub is_live: bool,
}

/// What a worker has done of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WorkerShare {
    /// Its name.
    pub worker: String,
    /// The version of its program.
    pub version: String,
    /// The processor and the system that it computes networks with.
    pub platform: String,
    /// Trials that it has done, void ones included.
    pub trials: u64,
}

impl Workers {
    /// The workers of the record in a directory; none if no cluster had to do with it.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn read(dir: &Path) -> Result<Option<Workers>, LabError> {
        let store = Store::read(dir)?;
        let origins = store.origins()?;
        let live = Workers::live(dir);
        if origins.is_empty() && live.is_none() {
            return Ok(None);
        }
        let versions = origins.keys().map(|origin| origin.version.clone()).collect();
        let share = |(origin, trials): (crate::store::Origin, u64)| WorkerShare {
            worker: origin.worker,
            version: origin.version,
            platform: origin.platform,
            trials,
        };
        let workers = origins.into_iter().map(share).collect();
        Ok(Some(Workers { workers, versions, wrong: store.wrong_workers()?, ..live.unwrap_or_default() }))
    }

    /// The same from the state of the cluster alone, without a look at the store.
    pub fn live(dir: &Path) -> Option<Workers> {
        let file = dir.join(CLUSTER_STATUS);
        let status: Value = serde_json::from_str(&std::fs::read_to_string(&file).ok()?).ok()?;
        let age = file.metadata().ok()?.modified().ok()?.elapsed().map_or(0, |age| age.as_secs());
        let is_live = age <= NOW && status["is_over"] != true;
        Some(Workers { status: Some(status), age: Some(age), is_live, ..Workers::default() })
    }

    /// What people are told, a line each.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.workers.is_empty() {
            let trials: u64 = self.workers.iter().map(|worker| worker.trials).sum();
            let versions = Vec::from_iter(self.versions.iter().map(String::as_str)).join(", ");
            let mixed = if self.versions.len() > 1 { "versions are mixed:" } else { "version" };
            lines.push(format!("{} workers did {trials} trials; {mixed} {versions}", self.workers.len()));
        }
        if let Some(status) = &self.status {
            let count = |key: &str| status[key].as_u64().unwrap_or_default();
            let there = status["workers"].as_array().map_or(0, Vec::len);
            let rate = status["trials_per_hour"].as_f64().unwrap_or_default();
            let when = match (self.is_live, self.age.filter(|_| status["is_over"] != true)) {
                (true, _) => "now: ".to_owned(),
                (false, None) => "the last coordinator had ".to_owned(),
                (false, Some(age)) => format!("the coordinator was last heard of {age} s ago: "),
            };
            lines.push(format!(
                "{when}{there} workers, {rate:.0} trials per hour, {} faults, {} trials set aside",
                count("faults"),
                count("set_aside")
            ));
            for (worker, why) in status["banned"].as_object().into_iter().flatten() {
                let why = why.as_str().unwrap_or_default();
                if self.wrong.iter().all(|(wrong, _)| wrong != worker) {
                    lines.push(format!("worker {worker} gets no more jobs: {why}"));
                }
            }
        }
        let wrong = self.wrong.iter();
        lines.extend(
            wrong.map(|(worker, why)| format!("worker {worker} is wrong, its trials are void: {why}")),
        );
        lines
    }
}

impl Default for Workers {
    /// Of nobody.
    fn default() -> Workers {
        let (workers, versions, wrong) = (Vec::new(), BTreeSet::new(), Vec::new());
        Workers { workers, versions, wrong, status: None, age: None, is_live: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_cluster_is_told_as_long_as_it_is_one_of_now() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Workers::live(dir.path()).is_none());
        let file = dir.path().join(CLUSTER_STATUS);
        let status = |is_over: bool| {
            let text = format!(
                r#"{{"is_over": {is_over}, "trials_per_hour": 7200.4, "faults": 3, "set_aside": 1, "workers": [{{}}, {{}}],
                    "banned": {{"a.b": "it lies"}}}}"#
            );
            std::fs::write(&file, text).unwrap();
            Workers::live(dir.path()).unwrap()
        };
        let live = status(false);
        assert!(live.is_live);
        let line = "2 workers, 7200 trials per hour, 3 faults, 1 trials set aside";
        assert_eq!(
            live.lines(),
            [format!("now: {line}"), "worker a.b gets no more jobs: it lies".to_owned()]
        );
        assert_eq!(status(true).lines()[0], format!("the last coordinator had {line}"));
        status(false);
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(100);
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
        let line_of_old = Workers::live(dir.path()).unwrap().lines().remove(0);
        assert!(
            line_of_old.starts_with("the coordinator was last heard of 10") && line_of_old.ends_with(line)
        );
    }
}
