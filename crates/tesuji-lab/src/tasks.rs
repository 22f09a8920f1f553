//! Tasks on several threads.

use crate::LabError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Results that are handed on at a time, at most.
const BATCH: usize = 256;

/// A time after which fewer are handed on too, for tasks that take little.
pub(crate) const SOON: Duration = Duration::from_secs(1);

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
    let next = AtomicUsize::new(0);
    let (to_main, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, tasks.len().max(1)) {
            let (to_main, next, work) = (to_main.clone(), &next, &work);
            scope.spawn(move || {
                let mut state = None;
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = work(&mut state, task);
                    let ends = !matches!(result, Ok(Some(_)));
                    if to_main.send(result).is_err() || ends {
                        return;
                    }
                }
            });
        }
        drop(to_main);
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
