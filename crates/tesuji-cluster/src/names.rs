//! Names of streams, consumers and subjects.

/// Jobs that wait for a worker.
pub(crate) const JOBS: &str = "TESUJI_JOBS";
/// The one consumer of jobs, which all workers share.
pub(crate) const WORKERS: &str = "workers";
/// The subject of jobs.
pub(crate) const JOB: &str = "tesuji.job";
/// Results that wait for the coordinator.
pub(crate) const RESULTS: &str = "TESUJI_RESULTS";
/// The one consumer of results.
pub(crate) const COORDINATOR: &str = "coordinator";
/// Files by the hashes of their contents, in pieces.
pub(crate) const FILES: &str = "TESUJI_FILES";
/// A message to all workers.
pub(crate) const TELL_ALL: &str = "tesuji.tell.all";
/// The question whether a coordinator is there.
pub(crate) const WHO: &str = "tesuji.who";

/// The number of characters of a public key that name its owner, also in subjects.
pub(crate) const KEY: usize = 16;

/// Where the worker with this name hands in results; also the beginning of the subject of one.
pub(crate) fn result(worker: &str, id: &str) -> String {
    format!("tesuji.result.{worker}.{id}")
}

/// The worker and the job of a result.
pub(crate) fn worker_of_result(subject: &str) -> Option<(&str, &str)> {
    let (worker, id) = subject.strip_prefix("tesuji.result.")?.rsplit_once('.')?;
    is_worker(worker).then_some((worker, id))
}

/// Where a worker says what it does.
pub(crate) fn beat(worker: &str) -> String {
    format!("tesuji.beat.{worker}")
}

/// The worker that says what it does.
pub(crate) fn worker_of_beat(subject: &str) -> Option<&str> {
    subject.strip_prefix("tesuji.beat.").filter(|worker| is_worker(worker))
}

/// Where a worker listens.
pub(crate) fn tell(worker: &str) -> String {
    format!("tesuji.tell.{worker}")
}

/// A piece of a file.
pub(crate) fn file(hash: &str, piece: &str) -> String {
    format!("tesuji.file.{hash}.{piece}")
}

/// The owner of all workers for whom nobody vouches.
pub(crate) const ANYONE: &str = "anyone";

/// Who answers for a worker: the owner of its key, as a worker chooses the rest of its name; or the
/// worker itself if it has no key.
pub(crate) fn party(worker: &str) -> &str {
    match worker.split_once('.') {
        Some((owner, _)) if owner != ANYONE => owner,
        _ => worker,
    }
}

/// Whether a worker is this one, or one of this owner.
pub(crate) fn is_of(worker: &str, party: &str) -> bool {
    worker.strip_prefix(party).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A name of a worker has two parts: whose credential it has, and which process it is.
fn is_worker(name: &str) -> bool {
    name.len() <= 128 && name.split('.').count() == 2 && name.split('.').all(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_answers_for_its_workers() {
        assert_eq!(["UABC.host-1", "anyone.host-1"].map(party), ["UABC", "anyone.host-1"]);
        assert!(is_of("UABC.host-1", "UABC") && is_of("UABC.host-1", "UABC.host-1"));
        assert!(!is_of("UABCD.host-1", "UABC") && !is_of("UABC.host-12", "UABC.host-1"));
    }

    #[test]
    fn a_subject_says_whose_result_it_is() {
        assert_eq!(worker_of_result(&result("UABC.host-1", "0f")), Some(("UABC.host-1", "0f")));
        assert_eq!(worker_of_beat(&beat("UABC.host-1")), Some("UABC.host-1"));
        for subject in
            ["tesuji.result.a.b", "tesuji.result.a.b.c.d", "tesuji.result..b.c", "tesuji.beat.a.b", "x"]
        {
            assert_eq!(worker_of_result(subject), None, "{subject}");
        }
        assert_eq!(worker_of_beat("tesuji.beat.a"), None);
    }
}
