//! The state of the coordinator: jobs under way, workers, and the decisions about both. Nothing
//! here waits or sends.
//!
//! Time is counted in ticks. A process that was stopped, or a clock that jumps, makes no tick.

use crate::names::{is_of, party};
use crate::notes::{Notes, sentence, word};
use crate::pending::{Audit, Delivery, Pending, Place, share_of};
use crate::recent::Recent;
use crate::wire::{Beat, SentJob, pack, read_result};
use crate::workers::Workers;
use nkeys::KeyPair;
use std::collections::{HashMap, HashSet};
use std::sync::mpsc::Sender;
use tesuji_lab::{Job, JobDone, JobResult};

/// Ticks of a lease.
pub(crate) const LEASE: u32 = 10;

/// Seconds, besides two leases, after which a worker that says nothing is believed to be gone.
const SILENCE: f64 = 15.0;

/// How often a job is tried before it is set aside.
pub(crate) const TRIES: u32 = 5;

/// The most bytes of results that are kept for jobs that nobody has asked for yet.
const EARLY: usize = 64 << 20;

/// What such a result counts for besides its packed text.
const EACH: usize = 512;

/// Who is named where no worker is to blame.
const COORDINATOR: &str = "the coordinator";

/// Two workers, or owners who answer for them, that disagree about a job.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Dispute {
    pub(crate) job: Job,
    pub(crate) claims: [(String, [u8; 16]); 2],
}

/// Why a job was not sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unsent {
    /// The job or a file of it cannot be sent.
    Local(String),
    /// The server has not taken it.
    Server(String),
}

/// A result for a job that nobody has asked for yet.
struct Early {
    packed: Vec<u8>,
    reply: String,
}

/// What to do with a message of a result.
pub(crate) enum Verdict {
    /// It was handed on, or is kept; it is acknowledged later.
    Kept,
    /// It is of no use; it is acknowledged now.
    Useless,
}

pub(crate) struct State {
    lease: f64,
    longest: f64,
    longest_ticks: u32,
    silent_ticks: u32,
    audit: f64,
    /// It decides which jobs are done twice, so that nobody else can tell.
    pub(crate) secret: [u8; 32],
    pending: HashMap<String, Pending>,
    pub(crate) workers: Workers,
    done: Recent,
    early: HashMap<String, Early>,
    early_bytes: usize,
    pub(crate) disputes: Vec<Dispute>,
    pub(crate) notes: Notes,
    /// The reasons that were told for jobs that could not be sent.
    told: HashSet<String>,
    ticks: u32,
    pub(crate) trials: u64,
    pub(crate) faults: u64,
    pub(crate) set_aside: u64,
    /// The bytes of results that were handed on and that nobody has looked at yet.
    pub(crate) backlog: usize,
}

impl State {
    /// With a lease and a longest time in seconds; a share of the jobs is done twice.
    pub(crate) fn new(lease: f64, longest: f64, audit: f64) -> State {
        State {
            lease,
            longest,
            longest_ticks: (longest / lease * f64::from(LEASE)).ceil().min(1e9) as u32 + LEASE,
            silent_ticks: (SILENCE / lease * f64::from(LEASE)).ceil().min(1e9) as u32 + 2 * LEASE,
            audit,
            secret: secret(),
            pending: HashMap::new(),
            workers: Workers::default(),
            done: Recent::default(),
            early: HashMap::new(),
            early_bytes: 0,
            disputes: Vec::new(),
            notes: Notes::default(),
            told: HashSet::new(),
            ticks: 0,
            trials: 0,
            faults: 0,
            set_aside: 0,
            backlog: 0,
        }
    }

    /// Takes a job; a result that is there already is handed on.
    pub(crate) fn submit(&mut self, job: Job, to: Sender<Delivery>) {
        let id = job.id.clone();
        if let Some(pending) = self.pending.get_mut(&id)
            && pending.audit.is_none()
        {
            pending.to.push(to);
            return;
        }
        let early = self.early.remove(&id);
        let pending = Pending { to: vec![to], ..Pending::new(job) };
        self.pending.insert(id.clone(), pending);
        if let Some(Early { packed, reply }) = early {
            self.early_bytes -= packed.len() + EACH;
            if let Ok(result) = read_result(&packed) {
                self.deliver(&id, result, reply);
            }
        }
    }

    /// The jobs to be sent, each with the number of its copy.
    pub(crate) fn take_unsent(&mut self) -> Vec<(u32, SentJob)> {
        let mut jobs = Vec::new();
        for pending in self.pending.values_mut().filter(|pending| pending.place == Place::Here) {
            // Where nobody else is there, whoever failed tries again.
            if self.workers.names().all(|worker| !pending.is_for(worker)) && pending.audit.is_none() {
                pending.not_for.clear();
            }
            pending.copies += 1;
            // Until the server has said that it has the job.
            pending.place = Place::queued(u64::MAX);
            jobs.push((
                pending.copies,
                SentJob {
                    lease: self.lease,
                    longest: self.longest,
                    not_for: self.workers.banned().into_keys().chain(pending.not_for.clone()).collect(),
                    job: pending.job.clone(),
                },
            ));
        }
        jobs
    }

    /// A job is with the server, under this number; or it was not sent.
    pub(crate) fn sent(&mut self, id: &str, sequence: Result<u64, Unsent>) {
        let Some(pending) = self.pending.get_mut(id) else { return };
        if matches!(pending.place, Place::Queued { .. }) {
            pending.place = sequence.as_ref().map_or(Place::Here, |&sequence| Place::queued(sequence));
        }
        let (Unsent::Local(why) | Unsent::Server(why)) = match &sequence {
            Ok(_) => return,
            Err(unsent) => unsent,
        };
        if self.told.insert(why.clone()) {
            self.notes.add(&format!("job {id} is not sent: {why}; it is tried again"));
        }
        // The server may come back; what is wrong here stays wrong.
        if matches!(sequence, Err(Unsent::Local(_))) && pending.place == Place::Here {
            pending.tries += 1;
            if pending.tries >= TRIES {
                self.set_aside(id, COORDINATOR, why);
            }
        }
    }

    /// A worker says what it does. Gives the jobs that it shall drop.
    pub(crate) fn beat(&mut self, worker: &str, beat: Beat) -> Vec<String> {
        if self.workers.is_banned(worker) {
            let ids: Vec<String> = beat.jobs.into_iter().map(|job| job.0).collect();
            ids.iter().for_each(|id| self.take_back(worker, id));
            return ids;
        }
        let mut dropped = Vec::new();
        for (id, count) in &beat.jobs {
            let Some(pending) = self.pending.get_mut(id) else {
                dropped.push(id.clone());
                continue;
            };
            if !pending.is_for(worker) {
                // It lost the job; if it comes to an end all the same, that counts.
                continue;
            }
            match &mut pending.place {
                Place::Leased { worker: holder, simulations, still, .. } => {
                    if holder == worker && count > simulations {
                        (*simulations, *still) = (*count, 0);
                    }
                }
                Place::Delivered { .. } => {}
                Place::Here | Place::Queued { .. } => {
                    let worker = worker.to_owned();
                    pending.place = Place::Leased { worker, simulations: *count, still: 0, held: 0 };
                }
            }
        }
        for id in &beat.returned {
            if let Some(pending) = self.pending.get_mut(id)
                && matches!(&pending.place, Place::Leased { worker: holder, .. } if holder == worker)
            {
                pending.place = Place::Here;
            }
        }
        if let Some(lacks) = self.workers.heard(worker, beat) {
            self.notes.add(&format!("worker {worker} leaves jobs to others: it has no {lacks}"));
        }
        dropped
    }

    /// A result has come from a worker.
    pub(crate) fn result(
        &mut self,
        worker: &str,
        id: &str,
        result: Result<JobResult, String>,
        reply: String,
    ) -> Verdict {
        if self.workers.is_banned(worker) {
            self.take_back(worker, id);
            return Verdict::Useless;
        }
        let result = result.and_then(|mut result| {
            if result.id != id || result.format != tesuji_lab::JOB_FORMAT {
                return Err("it is the result of another job, or has another form".to_owned());
            }
            worker.clone_into(&mut result.origin.worker);
            for text in [&mut result.origin.version, &mut result.origin.platform] {
                *text = word(text);
            }
            Ok(result)
        });
        let known =
            self.pending.get(id).is_some_and(|pending| !matches!(pending.place, Place::Delivered { .. }));
        match result {
            Err(why) => {
                self.refuse(worker, id, &why);
                Verdict::Useless
            }
            // Whose result is compared cannot confirm it.
            Ok(_) if self.is_audited(worker, id) => Verdict::Useless,
            Ok(JobResult { done: JobDone::Failed(why), .. }) => {
                if known {
                    self.fail(worker, id, &why, true);
                }
                Verdict::Useless
            }
            Ok(result) if known => self.deliver(id, result, reply),
            // When the server sends it again, the first one is stored.
            Ok(_) if self.pending.contains_key(id) => Verdict::Kept,
            Ok(_) if self.done.contains(id) => Verdict::Useless,
            Ok(result) => self.keep_early(id, &result, reply),
        }
    }

    /// Keeps a result for who may ask, if there is room.
    fn keep_early(&mut self, id: &str, result: &JobResult, reply: String) -> Verdict {
        let packed = pack(result);
        let before = self.early.get(id).map_or(0, |early| early.packed.len() + EACH);
        let bytes = self.early_bytes - before + packed.len() + EACH;
        if bytes > EARLY {
            return Verdict::Useless;
        }
        self.early_bytes = bytes;
        self.early.insert(id.to_owned(), Early { packed, reply });
        Verdict::Kept
    }

    /// Whether a job is done once more to compare the result of this worker, or of another one of
    /// its owner.
    fn is_audited(&self, worker: &str, id: &str) -> bool {
        let audit = self.pending.get(id).and_then(|pending| pending.audit.as_ref());
        audit.is_some_and(|audit| is_of(worker, &audit.who))
    }

    /// A result that was handed on is none of the job, or no message at all.
    pub(crate) fn refuse(&mut self, worker: &str, id: &str, why: &str) {
        self.notes.add(&format!("worker {worker}: its result of job {id} is refused: {why}"));
        self.suspect(party(worker), "its results are refused");
        self.fail(worker, id, why, true);
    }

    fn deliver(&mut self, id: &str, result: JobResult, reply: String) -> Verdict {
        let Some(pending) = self.pending.get_mut(id) else { return Verdict::Useless };
        let worker = result.origin.worker.clone();
        if let Some(Audit { who, digest }) = &pending.audit {
            // Of two workers of one owner, one may be right.
            let other = if is_of(who, party(&worker)) { &worker } else { party(&worker) };
            if let Some(second) = result.done.digest().filter(|second| second != digest) {
                let claims = [(who.clone(), *digest), (other.to_owned(), second)];
                self.disputes.push(Dispute { job: pending.job.clone(), claims });
            }
            self.pending.remove(id);
            return Verdict::Useless;
        }
        pending.place = Place::Delivered { worker };
        self.backlog += pending.hand_on(&result, &reply);
        Verdict::Kept
    }

    /// A result is stored. True if the job is to be done once more to compare.
    pub(crate) fn ended(&mut self, id: &str, result: &JobResult) -> bool {
        let Some(pending) = self.pending.remove(id) else { return false };
        let worker = &result.origin.worker;
        self.done.insert(id);
        if matches!(result.done, JobDone::Failed(_)) {
            return false;
        }
        self.trials += result.done.trials();
        self.workers.count_done(worker, result.done.trials());
        let failed = pending.faults.iter().filter(|(who, is_failure)| *is_failure && who != worker);
        for (who, _) in failed.cloned().collect::<Vec<_>>() {
            self.suspect(&who, "it fails at jobs that others do");
        }
        let is_chosen = pending.job.is_reproducible && self.audit > share_of(&self.secret, id);
        // Whoever answers for the worker does not confirm it, if anybody else is there.
        let who = [party(worker), worker]
            .into_iter()
            .find(|who| self.workers.names().any(|other| !is_of(other, who)));
        match result.done.digest().zip(who).filter(|_| is_chosen) {
            None => false,
            Some((digest, who)) => {
                let audit = Some(Audit { who: who.to_owned(), digest });
                let not_for = vec![who.to_owned()];
                let audit = Pending { audit, not_for, copies: pending.copies, ..Pending::new(pending.job) };
                self.pending.insert(id.to_owned(), audit);
                true
            }
        }
    }

    /// Whether a job is under way.
    pub(crate) fn is_under_way(&self, id: &str) -> bool {
        self.pending.contains_key(id)
    }

    /// Nobody waits for these jobs any more.
    pub(crate) fn forget<'a>(&mut self, ids: impl Iterator<Item = &'a String>) {
        for id in ids {
            self.pending.remove(id);
        }
    }

    /// Results that nobody has asked for: what the server is told of them.
    pub(crate) fn take_early(&mut self) -> Vec<String> {
        self.early_bytes = 0;
        self.early.drain().map(|(_, early)| early.reply).collect()
    }

    /// A worker failed at a job, or lost it.
    fn fail(&mut self, worker: &str, id: &str, why: &str, is_failure: bool) {
        let why = &sentence(why);
        self.faults += 1;
        self.workers.count_fault(worker);
        let Some(pending) = self.pending.get_mut(id) else { return };
        pending.faults.push((worker.to_owned(), is_failure));
        let is_its_own = match &pending.place {
            Place::Leased { worker: holder, .. } | Place::Delivered { worker: holder } => holder == worker,
            // Its word that it has the job may not have come yet.
            Place::Here | Place::Queued { .. } => pending.is_for(worker),
        };
        if !is_its_own {
            self.notes.add(&format!("worker {worker}: job {id}: {why}; it had lost the job"));
            return;
        }
        pending.tries += 1;
        pending.place = Place::Here;
        if pending.is_for(worker) {
            pending.not_for.push(worker.to_owned());
        }
        if pending.tries < TRIES {
            self.notes.add(&format!("worker {worker}: job {id}: {why}; it is sent again"));
        } else {
            self.set_aside(id, worker, why);
        }
    }

    /// A job has failed too often, the last time for this reason.
    fn set_aside(&mut self, id: &str, worker: &str, why: &str) {
        let Some(pending) = self.pending.get_mut(id) else { return };
        if pending.audit.is_some() {
            self.pending.remove(id);
            return;
        }
        self.set_aside += 1;
        self.notes.add(&format!("job {id} is set aside after {TRIES} tries: {why}"));
        pending.place = Place::Delivered { worker: worker.to_owned() };
        let result = JobResult {
            format: tesuji_lab::JOB_FORMAT,
            id: id.to_owned(),
            origin: tesuji_lab::store::Origin {
                worker: worker.to_owned(),
                version: String::new(),
                platform: String::new(),
            },
            done: JobDone::Failed(format!("set aside after {TRIES} tries, the last by {worker}: {why}")),
        };
        self.backlog += pending.hand_on(&result, "");
    }

    /// A worker or an owner alone is to blame.
    fn suspect(&mut self, who: &str, why: &str) {
        if self.workers.suspect(who) {
            self.ban(who, why, true);
        }
    }

    /// The results of a worker, or of all workers of an owner, count no longer; where `counts` is
    /// false, neither does what they did before.
    pub(crate) fn ban(&mut self, who: &str, why: &str, counts: bool) {
        if !self.workers.ban(who, why, counts) {
            return;
        }
        self.notes.add(&format!("worker {who} gets no more jobs: {why}"));
        self.release(who);
    }

    /// Jobs of a worker, or of all workers of an owner, are sent again.
    fn release(&mut self, who: &str) {
        for pending in self.pending.values_mut() {
            if matches!(&pending.place, Place::Leased { worker, .. } if is_of(worker, who)) {
                pending.place = Place::Here;
            }
        }
    }

    /// A job that was sent before the ban of the worker who took it is sent again, once.
    fn take_back(&mut self, worker: &str, id: &str) {
        if let Some(pending) = self.pending.get_mut(id)
            && matches!(pending.place, Place::Queued { .. })
            && pending.is_for(worker)
        {
            pending.place = Place::Here;
            pending.not_for.push(worker.to_owned());
        }
    }

    /// Whether a job is still to be sent.
    pub(crate) fn has_unsent(&self) -> bool {
        self.pending.values().any(|pending| pending.place == Place::Here)
    }

    /// A tick: leases end. The server has handed out jobs up to the number `delivered` and holds
    /// some up to `last`; 0 if nobody knows. Gives the numbers of jobs that are lost with whoever
    /// took them.
    pub(crate) fn tick(&mut self, delivered: u64, last: Option<u64>) -> Vec<u64> {
        self.ticks = self.ticks.saturating_add(1);
        self.workers.tick(self.silent_ticks);
        let (mut lost, mut failed, mut idle) = (Vec::new(), Vec::new(), Vec::new());
        for (id, pending) in &mut self.pending {
            match &mut pending.place {
                Place::Queued { sequence, .. } if *sequence == u64::MAX => {}
                Place::Queued { sequence, taken, is_unknown } => {
                    let is_gone = last.is_some_and(|last| *sequence > last);
                    *taken += u32::from(*sequence <= delivered);
                    // It may have been sent after the server was asked.
                    if std::mem::replace(is_unknown, is_gone) && is_gone {
                        pending.place = Place::Here;
                    } else if *taken > 2 * LEASE {
                        lost.push(*sequence);
                        pending.place = Place::Here;
                        // Those that are left cannot do it, or have lost it.
                        match &pending.audit {
                            Some(_) => idle.push(id.clone()),
                            None => pending.not_for.clear(),
                        }
                    }
                }
                Place::Leased { worker, still, held, .. } => {
                    (*still, *held) = (*still + 1, *held + 1);
                    if *still > LEASE {
                        let why = format!("no simulation and no move in {} s", self.lease);
                        failed.push((worker.clone(), id.clone(), why));
                    } else if *held > self.longest_ticks {
                        failed.push((worker.clone(), id.clone(), format!("more than {} s", self.longest)));
                    }
                }
                _ => {}
            }
            // Nobody else is there to compare with.
            if pending.audit.is_some() && self.workers.names().all(|worker| !pending.is_for(worker)) {
                idle.push(id.clone());
            }
        }
        self.forget(idle.iter());
        for (worker, id, why) in failed {
            self.fail(&worker, &id, &why, false);
        }
        lost
    }

    /// All jobs are to be sent again, as the server has lost them.
    pub(crate) fn resend(&mut self) {
        for pending in self.pending.values_mut() {
            if matches!(pending.place, Place::Queued { .. }) {
                pending.place = Place::Here;
            }
        }
    }
}

/// A random number that nobody else knows.
fn secret() -> [u8; 32] {
    let seed = KeyPair::new_user().seed().expect("a new key has a seed");
    blake3::hash(seed.as_bytes()).into()
}

#[cfg(test)]
mod tests;
