//! Executors: trials in, outcomes out.

use crate::error::LabError;
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

/// The answer of a source that is asked for a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask<T> {
    /// Do this trial.
    Run(T),
    /// Ask again after the next outcome. If no trial is under way, there are no more.
    Wait,
    /// There are no more.
    Done,
}

/// The answer of a source that is told an outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    /// The trial goes on: it has several outcomes.
    GoesOn,
    /// The trial has ended.
    Ended,
    /// The outcome does not belong to the trial, for this reason. The trial goes on as if nothing
    /// had been told.
    Refused(String),
}

/// The source of trials, which also takes their outcomes. All of its methods run on the thread that
/// called the executor.
pub trait TrialSource<T, R> {
    /// The next trial, while N trials are under way.
    ///
    /// # Errors
    /// If there can be no more, as after a failure of the store.
    fn ask(&mut self, under_way: usize) -> Result<Ask<T>, LabError>;

    /// Takes an outcome. It is stored at the next [`TrialSource::commit`] at the latest.
    ///
    /// # Errors
    /// If the store fails.
    fn tell(&mut self, outcome: R) -> Result<Told, LabError>;

    /// Stores the outcomes that were told. An executor calls it before it asks again.
    ///
    /// # Errors
    /// If the store fails.
    fn commit(&mut self) -> Result<(), LabError> {
        Ok(())
    }
}

/// Does the trials of a source.
pub trait Executor<T, R>: Debug {
    /// Does every trial that the source gives, several at a time, in no particular order.
    ///
    /// # Errors
    /// The first error of the source, after which no trial is begun; or if nobody works.
    fn execute(&self, source: &mut dyn TrialSource<T, R>) -> Result<(), LabError>;

    /// How many trials it does at a time, at least 1.
    fn width(&self) -> usize;
}

/// The life of a worker: it takes trials and hands outcomes on, until there are no more trials or
/// an outcome is refused. A worker that ends early, as after a stop, leaves trials without outcome.
pub(crate) type Work<'a, T, R> = dyn Fn(&mut dyn Iterator<Item = T>, &dyn Fn(R) -> bool) + Sync + 'a;

/// N threads of this process, at least one, or as many of them as the system grants.
#[derive(Clone, Copy)]
pub(crate) struct Threads<'a, T, R> {
    pub(crate) threads: usize,
    pub(crate) work: &'a Work<'a, T, R>,
}

impl<T, R> Debug for Threads<'_, T, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Threads").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl<T: Send, R: Send> Executor<T, R> for Threads<'_, T, R> {
    fn execute(&self, source: &mut dyn TrialSource<T, R>) -> Result<(), LabError> {
        let (to_workers, trials) = mpsc::channel::<T>();
        let (to_main, outcomes) = mpsc::channel::<R>();
        let trials = Mutex::new(trials);
        let work = self.work;
        std::thread::scope(|scope| {
            let trials = &trials;
            start(scope, self.width(), move || {
                let mut next = std::iter::from_fn(|| trials.lock().ok()?.recv().ok());
                work(&mut next, &|outcome| to_main.send(outcome).is_ok());
            })?;
            // What ends this block ends the threads.
            let (mut to_workers, outcomes, mut under_way) = (Some(to_workers), outcomes, 0);
            loop {
                while let Some(workers) = &to_workers {
                    match source.ask(under_way)? {
                        Ask::Run(trial) => under_way += usize::from(workers.send(trial).is_ok()),
                        Ask::Wait => break,
                        Ask::Done => to_workers = None,
                    }
                }
                if under_way == 0 {
                    return Ok(());
                }
                let Ok(outcome) = outcomes.recv() else { return Ok(()) };
                match source.tell(outcome)? {
                    Told::Ended => under_way -= 1,
                    Told::GoesOn => {}
                    Told::Refused(why) => return Err(LabError::Failed(why)),
                }
                source.commit()?;
            }
        })
    }

    fn width(&self) -> usize {
        self.threads.max(1)
    }
}

/// Starts `work` on N threads, or on as many of them as the system grants.
///
/// # Errors
/// If it grants none.
fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    work: impl FnOnce() + Clone + Send + 'scope,
) -> Result<(), LabError> {
    for started in 0..threads {
        if let Err(error) = Builder::new().spawn_scoped(scope, work.clone()) {
            let none = LabError::Failed(format!("no thread could be started: {error}"));
            return if started == 0 { Err(none) } else { Ok(()) };
        }
    }
    Ok(())
}

/// Results that are handed on at a time, at most.
const BATCH: usize = 256;

/// A time after which fewer are handed on too, for trials that take little.
pub(crate) const SOON: Duration = Duration::from_secs(1);

/// Trials of a list that a worker may hold at a time.
const MOST_HELD: usize = 1024;

/// Trials of a list, whose results are handed on in batches.
struct List<'a, 'k, T, R> {
    trials: std::slice::Iter<'a, T>,
    /// Trials under way, at most: enough that no worker with room waits for one.
    ahead: usize,
    soon: Duration,
    batch: Vec<R>,
    kept: Instant,
    keep: &'k mut dyn FnMut(&[R]) -> Result<(), LabError>,
    fault: Option<LabError>,
}

impl<'a, T, R> TrialSource<&'a T, Result<R, LabError>> for List<'a, '_, T, R> {
    fn ask(&mut self, under_way: usize) -> Result<Ask<&'a T>, LabError> {
        if under_way >= self.ahead {
            return Ok(Ask::Wait);
        }
        Ok(self.trials.next().map_or(Ask::Done, Ask::Run))
    }

    fn tell(&mut self, outcome: Result<R, LabError>) -> Result<Told, LabError> {
        match outcome {
            Ok(result) => self.batch.push(result),
            Err(error) => {
                self.trials = [].iter();
                self.fault = Some(error);
            }
        }
        if self.batch.len() == BATCH || self.kept.elapsed() >= self.soon {
            self.hand_on()?;
        }
        Ok(Told::Ended)
    }
}

impl<T, R> List<'_, '_, T, R> {
    fn hand_on(&mut self) -> Result<(), LabError> {
        self.kept = Instant::now();
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() { Ok(()) } else { (self.keep)(&batch) }
    }
}

/// Does every trial of a list, each worker with a state of its own, and hands the results on in
/// batches, at least every `soon`, in no certain order. A trial that gives nothing, or fails, ends
/// its worker. After a failure each worker ends at its next trial, the results are handed on, and
/// the failure comes back.
pub(crate) fn execute_list<T: Sync, S, R: Send>(
    trials: &[T],
    threads: usize,
    soon: Duration,
    work: impl Fn(&mut Option<S>, &T) -> Result<Option<R>, LabError> + Sync,
    keep: &mut dyn FnMut(&[R]) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let one = |state: &mut Option<S>, trials: &mut dyn Iterator<Item = &T>| match trials.next() {
        Some(trial) => work(state, trial),
        None => Ok(None),
    };
    execute_side_by_side(trials, threads, soon, one, keep)
}

/// [`execute_list`] where a worker has several trials at once: it takes as many as it likes, at
/// most 1024, and gives the result of one of them.
pub(crate) fn execute_side_by_side<T: Sync, S, R: Send>(
    trials: &[T],
    threads: usize,
    soon: Duration,
    work: impl Fn(&mut Option<S>, &mut dyn Iterator<Item = &T>) -> Result<Option<R>, LabError> + Sync,
    keep: &mut dyn FnMut(&[R]) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let threads = threads.clamp(1, trials.len().max(1));
    let (trials, ahead) = (trials.iter(), threads * MOST_HELD);
    let mut list = List { trials, ahead, soon, batch: Vec::new(), kept: Instant::now(), keep, fault: None };
    let has_failed = AtomicBool::new(false);
    let work = |trials: &mut dyn Iterator<Item = &_>, hand_on: &dyn Fn(Result<R, LabError>) -> bool| {
        let mut trials = trials.take_while(|_| !has_failed.load(Ordering::Relaxed));
        let mut state = None;
        while let Some(outcome) = work(&mut state, &mut trials).transpose() {
            let is_last = outcome.is_err();
            has_failed.fetch_or(is_last, Ordering::Relaxed);
            if !hand_on(outcome) || is_last {
                return;
            }
        }
    };
    Threads { threads, work: &work }.execute(&mut list)?;
    list.hand_on()?;
    list.fault.map_or(Ok(()), Err)
}

/// Does every trial of a list by an executor, and hands each result on as soon as it is told. After
/// a failure no trial is begun, the results are handed on, and the failure comes back.
pub(crate) fn execute_by<'a, T, R>(
    executor: &dyn Executor<&'a T, Result<R, LabError>>,
    trials: &'a [T],
    keep: &mut dyn FnMut(&[R]) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let (trials, ahead, soon) = (trials.iter(), usize::MAX, Duration::ZERO);
    let mut list = List { trials, ahead, soon, batch: Vec::new(), kept: Instant::now(), keep, fault: None };
    executor.execute(&mut list)?;
    list.hand_on()?;
    list.fault.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Barrier;

    #[test]
    fn as_many_threads_are_started_as_are_asked_for() {
        // Nobody gets through alone.
        let (barrier, mut made) = (Barrier::new(3), Vec::new());
        let work = |_: &mut Option<()>, &trial: &u32| {
            barrier.wait();
            Ok(Some(trial))
        };
        execute_list(&[1, 2, 3], 3, SOON, work, &mut |batch| {
            made.extend_from_slice(batch);
            Ok(())
        })
        .unwrap();
        assert_eq!(BTreeSet::from_iter(made), BTreeSet::from([1, 2, 3]));
    }

    #[test]
    fn a_failure_comes_back_after_what_was_done() {
        let (trials, mut made) = ((0..1000).collect::<Vec<u32>>(), Vec::new());
        let work = |_: &mut Option<()>, &trial: &u32| match trial {
            10 => Err(LabError::Failed("ten".to_owned())),
            _ => Ok(Some(trial)),
        };
        let executed = execute_list(&trials, 1, SOON, work, &mut |batch| {
            made.extend_from_slice(batch);
            Ok(())
        });
        assert_eq!((executed, made), (Err(LabError::Failed("ten".to_owned())), (0..10).collect()));
    }
}
