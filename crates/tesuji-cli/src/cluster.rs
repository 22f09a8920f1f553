//! `--cluster`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tesuji::Stop;
use tesuji_lab::{Cluster, LabError};

/// Who plays, in place of this machine.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ClusterArgs {
    /// Have workers play that are connected to this NATS server, such as nats://HOST:4222, in place
    /// of threads of this machine. The games are the same. Needs a program with the feature
    /// `cluster`.
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,
    /// Connect to the server with the key or the JWT in this file.
    #[arg(long, value_name = "FILE", requires = "cluster")]
    credentials: Option<PathBuf>,
    /// Trust the certificate of the server if this one signs it.
    #[arg(long, value_name = "FILE", requires = "cluster")]
    ca: Option<PathBuf>,
    /// Give a job to another worker if its worker makes no simulation and no move for this time.
    #[arg(long, value_name = "TIME", default_value = "60s", requires = "cluster", value_parser = lease)]
    lease: Duration,
    /// Stop a job that takes longer.
    #[arg(long, value_name = "TIME", default_value = "3600s", requires = "cluster", value_parser = crate::time::time_a_move)]
    longest_trial: Duration,
    /// Have two workers do this share of the trials, and compare them bit by bit.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, requires = "cluster", value_parser = share)]
    audit: f64,
}

fn lease(text: &str) -> Result<Duration, String> {
    let time = crate::time::time_a_move(text)?;
    if time < Duration::from_secs(1) { Err("accepted: at least 1s".to_owned()) } else { Ok(time) }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "accepted: a number from 0 to 1".to_owned())
}

impl ClusterArgs {
    /// Connects; the state of the cluster is written below `record`.
    pub(crate) fn connect(
        self,
        stop: &Stop,
        record: Option<&Path>,
    ) -> Result<Option<Arc<dyn Cluster>>, LabError> {
        let Some(url) = self.cluster.clone() else { return Ok(None) };
        self.coordinator(url, stop, record).map(Some)
    }

    #[cfg(not(feature = "cluster"))]
    fn coordinator(self, _: String, _: &Stop, _: Option<&Path>) -> Result<Arc<dyn Cluster>, LabError> {
        Err(not_built("--cluster"))
    }

    #[cfg(feature = "cluster")]
    fn coordinator(
        self,
        url: String,
        stop: &Stop,
        record: Option<&Path>,
    ) -> Result<Arc<dyn Cluster>, LabError> {
        use tesuji_cluster::{Address, Coordinator, CoordinatorOptions};

        if let Some(dir) = record {
            let fault = |error| LabError::failed(error).within(dir.display());
            std::fs::create_dir_all(dir).map_err(fault)?;
        }
        let options = CoordinatorOptions {
            address: Address { url, credentials: self.credentials, ca: self.ca },
            lease: self.lease,
            longest: self.longest_trial,
            audit: self.audit,
            wrong: record.map_or_else(Vec::new, wrong_workers),
            status: record.map(|dir| dir.join(tesuji_lab::CLUSTER_STATUS)),
            note: Arc::new(|note| crate::progress::tell(format_args!("{note}"))),
        };
        Ok(Arc::new(Coordinator::connect(options, stop)?))
    }
}

/// The workers that a record says are wrong. A record that cannot be read is refused when it is
/// opened.
#[cfg(feature = "cluster")]
fn wrong_workers(record: &Path) -> Vec<(String, String)> {
    let store = tesuji_lab::store::Store::read(record);
    store.and_then(|store| store.wrong_workers()).unwrap_or_default()
}

/// What a program says that was built without the feature.
#[cfg(not(feature = "cluster"))]
pub(crate) fn not_built(what: &str) -> LabError {
    LabError::input(format!(
        "{what}: this program was built without clusters; accepted: one built with `--features cluster`, as docs/cluster.md says"
    ))
}

#[cfg(all(test, feature = "cluster"))]
mod tests {
    use super::*;
    use tesuji_lab::store::Store;

    #[test]
    fn a_coordinator_learns_from_the_record_who_is_wrong() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(wrong_workers(dir.path()), []);
        let store = Store::open(dir.path()).unwrap();
        store.event("wrong worker", &serde_json::json!({ "worker": "UABC", "why": "it lies" })).unwrap();
        drop(store);
        assert_eq!(wrong_workers(dir.path()), [("UABC".to_owned(), "it lies".to_owned())]);
    }
}
