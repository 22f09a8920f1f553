//! Tasks on several threads.

use crate::error::LabError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

/// Results that are handed on at a time, at most.
const BATCH: usize = 256;

/// A time after which fewer are handed on too, for tasks that take little.
pub(crate) const SOON: Duration = Duration::from_secs(1);

/// Starts `work` on so many threads, or on as many of them as the system grants; how many these are.
///
/// # Errors
/// If it grants none.
pub(crate) fn start_threads<'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    work: impl FnOnce() + Clone + Send + 'scope,
) -> Result<usize, LabError> {
    for started in 0..threads {
        if let Err(error) = Builder::new().spawn_scoped(scope, work.clone()) {
            let none = LabError::Failed(format!("no thread could be started: {error}"));
            return if started == 0 { Err(none) } else { Ok(started) };
        }
    }
    Ok(threads)
}

/// Does every task on one of several threads, each with a state of its own, and hands the results on in batches, at least
/// every `soon`, in no certain order. A task that gives nothing, or fails, ends its thread; a failure ends all of them at their next task, and
/// is what comes back after what was done is handed on.
pub(crate) fn do_tasks<T: Sync, S, R: Send>(
    tasks: &[T],
    threads: usize,
    soon: Duration,
    work: impl Fn(&mut Option<S>, &T) -> Result<Option<R>, LabError> + Sync,
    keep: &mut dyn FnMut(&[R]) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let one = |state: &mut Option<S>, tasks: &mut dyn Iterator<Item = &T>| match tasks.next() {
        Some(task) => work(state, task),
        None => Ok(None),
    };
    do_tasks_side_by_side(tasks, threads, soon, one, keep)
}

/// [`do_tasks`] where a thread has several tasks at once: it takes as many as it likes, and gives the result of one of them.
pub(crate) fn do_tasks_side_by_side<T: Sync, S, R: Send>(
    tasks: &[T],
    threads: usize,
    soon: Duration,
    work: impl Fn(&mut Option<S>, &mut dyn Iterator<Item = &T>) -> Result<Option<R>, LabError> + Sync,
    keep: &mut dyn FnMut(&[R]) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let next = AtomicUsize::new(0);
    let (to_main, results) = mpsc::channel();
    std::thread::scope(|scope| {
        let (next, work) = (&next, &work);
        start_threads(scope, threads.clamp(1, tasks.len().max(1)), move || {
            let mut state = None;
            let mut tasks = std::iter::from_fn(|| tasks.get(next.fetch_add(1, Ordering::Relaxed)));
            loop {
                let result = work(&mut state, &mut tasks);
                let ends = !matches!(result, Ok(Some(_)));
                if to_main.send(result).is_err() || ends {
                    return;
                }
            }
        })?;
        let mut batch = Vec::with_capacity(BATCH);
        let (mut fault, mut kept) = (None, Instant::now());
        for result in results {
            match result {
                Ok(Some(result)) => batch.push(result),
                Ok(None) => {}
                Err(error) => {
                    next.store(tasks.len(), Ordering::Relaxed);
                    fault = Some(error);
                }
            }
            if batch.len() == BATCH || !batch.is_empty() && kept.elapsed() >= soon {
                keep(&batch)?;
                batch.clear();
                kept = Instant::now();
            }
        }
        if !batch.is_empty() {
            keep(&batch)?;
        }
        fault.map_or(Ok(()), Err)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_threads_are_started_as_are_asked_for() {
        let done = AtomicUsize::new(0);
        let count = || {
            done.fetch_add(1, Ordering::Relaxed);
        };
        assert_eq!(std::thread::scope(|scope| start_threads(scope, 3, count)), Ok(3));
        assert_eq!(done.into_inner(), 3);
    }
}
