//! Trials that a cluster does.

use crate::error::LabError;
use crate::event::Event;
use crate::executor::{Ask, Executor, Told, TrialSource};
use crate::job::{Cluster, Job, JobResult};
use crate::store::Store;
use std::collections::{BTreeSet, HashMap};

/// Does trials by handing them to a cluster as jobs.
pub(crate) struct Elsewhere<'a, T, R> {
    pub(crate) cluster: &'a dyn Cluster,
    /// The trial as data.
    pub(crate) job: &'a dyn Fn(&T) -> Job,
    /// The outcome that a result is, or why it is none of this trial.
    pub(crate) outcome: &'a dyn Fn(&T, JobResult) -> Result<R, String>,
}

/// Declares void what workers have done that are wrong; gives its amount, which is told as well.
pub(crate) fn void_convicted(
    cluster: &dyn Cluster,
    store: &mut Store,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<u64, LabError> {
    let mut all = 0;
    for (convicted, why) in cluster.convicted() {
        // An owner has workers, in earlier runs as well.
        let owned = convicted.clone() + ".";
        let done = store.origins()?.into_keys().map(|origin| origin.worker);
        let mut workers: BTreeSet<String> = done.filter(|worker| worker.starts_with(&owned)).collect();
        workers.insert(convicted);
        for worker in workers {
            let voided = store.void_worker(&worker, &why)?;
            tell_voided(&worker, voided, watch);
            all += voided;
        }
    }
    Ok(all)
}

/// Tells that trials of a worker are void.
pub(crate) fn tell_voided(worker: &str, voided: u64, watch: &mut dyn FnMut(Event<'_>)) {
    if voided > 0 {
        watch(Event::Note(&format!("{voided} trials of worker {worker} are void and are done again")));
    }
}

impl<T, R> std::fmt::Debug for Elsewhere<'_, T, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elsewhere").field("cluster", &self.cluster).finish_non_exhaustive()
    }
}

impl<T, R> Executor<T, R> for Elsewhere<'_, T, R> {
    fn execute(&self, source: &mut dyn TrialSource<T, R>) -> Result<(), LabError> {
        self.cluster.execute(&mut RemoteJobs { of: self, source, under_way: HashMap::new() })
    }

    fn width(&self) -> usize {
        self.cluster.width()
    }
}

/// A source of trials as one of jobs.
struct RemoteJobs<'a, T, R> {
    of: &'a Elsewhere<'a, T, R>,
    source: &'a mut dyn TrialSource<T, R>,
    under_way: HashMap<String, T>,
}

impl<T, R> TrialSource<Job, JobResult> for RemoteJobs<'_, T, R> {
    fn ask(&mut self, under_way: usize) -> Result<Ask<Job>, LabError> {
        Ok(match self.source.ask(under_way)? {
            Ask::Run(trial) => {
                let job = (self.of.job)(&trial);
                self.under_way.insert(job.id.clone(), trial);
                Ask::Run(job)
            }
            Ask::Wait => Ask::Wait,
            Ask::Done => Ask::Done,
        })
    }

    fn tell(&mut self, result: JobResult) -> Result<Told, LabError> {
        let id = result.id.clone();
        let Some(trial) = self.under_way.get(&id) else {
            return Ok(Told::Refused(format!("no trial {id} is under way")));
        };
        let outcome = match (self.of.outcome)(trial, result) {
            Ok(outcome) => outcome,
            Err(why) => return Ok(Told::Refused(why)),
        };
        let told = self.source.tell(outcome)?;
        if told == Told::Ended {
            self.under_way.remove(&id);
        }
        Ok(told)
    }

    fn commit(&mut self) -> Result<(), LabError> {
        self.source.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Origin, TrialGroup};

    /// A cluster in which an owner of workers is wrong.
    #[derive(Debug)]
    struct WrongOwner;

    impl Executor<Job, JobResult> for WrongOwner {
        fn execute(&self, _: &mut dyn TrialSource<Job, JobResult>) -> Result<(), LabError> {
            Ok(())
        }

        fn width(&self) -> usize {
            1
        }
    }

    impl Cluster for WrongOwner {
        fn convicted(&self) -> Vec<(String, String)> {
            vec![("a".to_owned(), "it lies".to_owned())]
        }
    }

    #[test]
    fn the_trials_of_all_workers_of_an_owner_are_void() {
        let mut store = Store::in_memory().unwrap();
        let group = TrialGroup { spec: "g".to_owned(), columns: vec!["x".to_owned()] };
        for (number, worker) in (0..).zip(["a.1", "b.1", "a.2", "aa.1"]) {
            let [worker, version, platform] = [worker, "", ""].map(str::to_owned);
            let origin = Origin { worker, version, platform };
            store.insert_trials_of(&group, &[(number, vec![0.5])], Some(&origin)).unwrap();
        }
        let mut notes = Vec::new();
        let voided = void_convicted(&WrongOwner, &mut store, &mut |event| {
            if let Event::Note(note) = event {
                notes.push(note.to_owned());
            }
        });
        assert_eq!((voided, notes.len()), (Ok(2), 2));
        assert_eq!(store.trials(&group).unwrap().into_keys().collect::<Vec<_>>(), [1, 3]);
        let wrong = store.wrong_workers().unwrap().into_iter().map(|(worker, _)| worker);
        assert_eq!(wrong.collect::<Vec<_>>(), ["a", "a.1", "a.2"]);
    }
}
