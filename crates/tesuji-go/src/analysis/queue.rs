//! Positions that wait for their analysis, and those that are being analysed.

use super::query::Query;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tesuji::Stop;

/// A position to analyse.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) query: Arc<Query>,
    pub(super) turn: usize,
    /// Ends the search.
    pub(super) stop: Stop,
    number: u64,
}

/// The higher priority first; of the same priority, the earlier.
type Place = (Reverse<i64>, u64);

#[derive(Debug, Default)]
struct Jobs {
    waiting: BTreeMap<Place, Job>,
    running: Vec<Job>,
    jobs: u64,
    closed: bool,
}

/// Who analyses what next.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<Jobs>,
    changed: Condvar,
}

impl Queue {
    fn open(&self) -> MutexGuard<'_, Jobs> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the positions of a query.
    pub(super) fn add(&self, query: Query) {
        let query = Arc::new(query);
        let mut state = self.open();
        for (&turn, &priority) in &query.turns {
            let number = state.jobs;
            state.jobs += 1;
            let job = Job { query: query.clone(), turn, stop: Stop::default(), number };
            state.waiting.insert((Reverse(priority), number), job);
        }
        self.changed.notify_all();
    }

    /// The next position, once there is one; none if no more will come.
    pub(super) fn next(&self) -> Option<Job> {
        let mut state = self.open();
        loop {
            if let Some((_, job)) = state.waiting.pop_first() {
                state.running.push(job.clone());
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A position has its answer.
    pub(super) fn done(&self, job: &Job) {
        self.open().running.retain(|running| running.number != job.number);
    }

    /// Stops the positions that `named` names; those that nobody has begun are returned.
    pub(super) fn terminate(&self, named: impl Fn(&Job) -> bool) -> Vec<Job> {
        let mut state = self.open();
        state.running.iter().filter(|job| named(job)).for_each(|job| job.stop.stop());
        let (ended, waiting) =
            std::mem::take(&mut state.waiting).into_iter().partition(|(_, job)| named(job));
        state.waiting = waiting;
        let ended: BTreeMap<Place, Job> = ended;
        ended.into_values().collect()
    }

    /// No more positions will come.
    pub(super) fn close(&self) {
        self.open().closed = true;
        self.changed.notify_all();
    }
}
