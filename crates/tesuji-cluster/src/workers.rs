//! The workers that a coordinator knows.

use crate::names::{is_of, party};
use crate::notes::word;
use crate::wire::Beat;
use std::collections::BTreeMap;

/// Failures of a worker, at jobs that others have done, after which it gets no more.
pub(crate) const SUSPICIONS: u32 = 3;

/// The most workers and owners whose failures are counted.
const MOST_SUSPECTED: usize = 10_000;

/// What is known of a worker.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct WorkerState {
    pub(crate) beat: Beat,
    /// Ticks since its last word.
    pub(crate) silent: u32,
    /// Trials that it has done.
    pub(crate) done: u64,
    pub(crate) faults: u64,
}

/// The workers that are there, and those that get no more jobs.
#[derive(Debug, Default)]
pub(crate) struct Workers {
    known: BTreeMap<String, WorkerState>,
    /// How often a worker or an owner alone was to blame, whether it says that it is there or not.
    suspicions: BTreeMap<String, u32>,
    /// Workers and owners whose results count no longer, with the reason, and whether what they did
    /// before shall count.
    banned: BTreeMap<String, (String, bool)>,
}

impl Workers {
    /// The workers that are there, by their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &WorkerState)> {
        self.known.iter()
    }

    /// Their names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.known.keys()
    }

    /// A worker has said what it does. Gives what it lacks, if that is news.
    pub(crate) fn heard(&mut self, worker: &str, mut beat: Beat) -> Option<String> {
        for text in [&mut beat.host, &mut beat.version, &mut beat.platform].into_iter().chain(&mut beat.lacks)
        {
            *text = word(text);
        }
        let known = self.known.entry(worker.to_owned()).or_default();
        let news = beat.lacks.clone().filter(|_| beat.lacks != known.beat.lacks);
        (known.silent, known.beat) = (0, beat);
        news
    }

    /// A worker has done some trials.
    pub(crate) fn count_done(&mut self, worker: &str, trials: u64) {
        if let Some(known) = self.known.get_mut(worker) {
            known.done += trials;
        }
    }

    /// A worker has failed at a job, or lost it.
    pub(crate) fn count_fault(&mut self, worker: &str) {
        if let Some(known) = self.known.get_mut(worker) {
            known.faults += 1;
        }
    }

    /// A worker or an owner alone is to blame for something. True if that is once too often.
    pub(crate) fn suspect(&mut self, who: &str) -> bool {
        if self.suspicions.len() >= MOST_SUSPECTED && !self.suspicions.contains_key(who) {
            self.suspicions.pop_first();
        }
        let count = self.suspicions.entry(who.to_owned()).or_default();
        *count += 1;
        *count >= SUSPICIONS
    }

    /// The results of a worker, or of all workers of an owner, count no longer; where `counts` is
    /// false, neither does what they did before. False if that was known.
    pub(crate) fn ban(&mut self, who: &str, why: &str, counts: bool) -> bool {
        let known = [who, party(who)].into_iter().filter_map(|who| self.banned.get(who));
        if known.into_iter().any(|(_, counted)| !counted || counts) {
            return false;
        }
        self.banned.insert(who.to_owned(), (why.to_owned(), counts));
        self.known.retain(|worker, _| !is_of(worker, who));
        true
    }

    /// Whether a worker is told to go.
    pub(crate) fn is_banned(&self, worker: &str) -> bool {
        self.banned.contains_key(worker) || self.banned.contains_key(party(worker))
    }

    /// The workers and owners whose earlier results do not count, with the reason.
    pub(crate) fn convicted(&self) -> Vec<(String, String)> {
        let banned = self.banned.iter().filter(|(_, (_, counts))| !counts);
        banned.map(|(worker, (why, _))| (worker.clone(), why.clone())).collect()
    }

    /// All workers and owners whose results count no longer, with the reason.
    pub(crate) fn banned(&self) -> BTreeMap<String, String> {
        self.banned.iter().map(|(worker, (why, _))| (worker.clone(), why.clone())).collect()
    }

    /// How many jobs keep all of them busy.
    pub(crate) fn width(&self) -> usize {
        2 * self.known.values().map(|worker| worker.beat.threads.min(1024)).sum::<usize>() + 2
    }

    /// A tick: whoever has said nothing for this number of ticks is gone.
    pub(crate) fn tick(&mut self, most_silent: u32) {
        self.known.values_mut().for_each(|worker| worker.silent += 1);
        self.known.retain(|_, worker| worker.silent < most_silent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names_take_little_memory() {
        let mut workers = Workers::default();
        for number in 0..MOST_SUSPECTED + 100 {
            assert!(!workers.suspect(&format!("anyone.{number:06}")));
        }
        assert_eq!(workers.suspicions.len(), MOST_SUSPECTED);
    }
}
