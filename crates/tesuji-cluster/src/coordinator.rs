//! Hands trials out and takes their results.

use crate::address::{Address, Connection, instance};
use crate::error::ClusterError;
use crate::names::{COORDINATOR, JOB, RESULTS, TELL_ALL, WHO, tell, worker_of_beat, worker_of_result};
use crate::pending::Delivery;
use crate::server::{HEADERS, Pull, Refusal, acknowledge, put};
use crate::state::{Dispute, LEASE, State, Unsent, Verdict};
use crate::status::Status;
use crate::streams::{self, Progress};
use crate::wire::{Beat, SentJob, Word, pack, read_result};
use crate::{files, server};
use async_nats::{Client, Message, Request, Subscriber};
use futures_util::{StreamExt, future};
use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tesuji::Stop;
use tesuji_lab::{Ask, Cluster, Executor, Job, JobResult, JobWorker, LabError, Told, TrialSource};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

/// How trials are handed out.
pub struct CoordinatorOptions {
    /// The server, and the credentials for it.
    pub address: Address,
    /// A worker that makes no simulation and no move for this time loses its job; at least 1 s.
    /// Default: 60 s.
    pub lease: Duration,
    /// The most time that a job may take. Default: 1 h.
    pub longest: Duration,
    /// The share of jobs that two workers do, to compare, in [0, 1]. Default: 0.02.
    pub audit: f64,
    /// Workers and owners whose results do not count, each with the reason, such as
    /// [`wrong_workers`](tesuji_lab::store::Store::wrong_workers) of the record. Default: none.
    pub wrong: Vec<(String, String)>,
    /// The file to which the state is written repeatedly, as JSON.
    pub status: Option<PathBuf>,
    /// Called with each message for people: faults, workers that leave.
    pub note: Arc<dyn Fn(&str) + Send + Sync>,
}

impl fmt::Debug for CoordinatorOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoordinatorOptions").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The most bytes of results that were taken from the server and are not stored yet: 2000 small
/// results.
const BACKLOG: usize = 32 << 20;

/// Results that are stored at a time, at most.
const BATCH: usize = 256;

/// How often whoever waits for results looks at everything else.
const LOOK: Duration = Duration::from_millis(100);

/// How long a coordinator that works already may take to say so.
const ANSWER: Duration = Duration::from_secs(2);

/// How long others that start at the same time may take.
const START: Duration = Duration::from_millis(500);

/// A coordinator: [`Cluster`] on a NATS server.
pub struct Coordinator {
    shared: Arc<Coordination>,
    runtime: Option<Runtime>,
    stop: Stop,
}

struct Coordination {
    options: CoordinatorOptions,
    connection: Connection,
    client: Client,
    state: Mutex<State>,
    /// Jobs are to be sent.
    wake: Notify,
    /// The files that the server has.
    uploaded: Mutex<HashSet<String>>,
    /// Disputes that are being decided.
    judging: AtomicUsize,
    /// Sends, for identities of messages.
    sends: AtomicU64,
    session: String,
    begun: Instant,
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coordinator").field("address", &self.shared.options.address).finish_non_exhaustive()
    }
}

impl Coordinator {
    /// Connects, makes streams and consumers, discards the jobs of an earlier coordinator, and
    /// takes the results that are not stored yet.
    ///
    /// # Errors
    /// If the server cannot be reached or has no JetStream, or another coordinator works with it.
    pub fn connect(options: CoordinatorOptions, stop: &Stop) -> Result<Coordinator, ClusterError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("cluster")
            .enable_all()
            .build()
            .map_err(|error| ClusterError::Runtime(error.to_string()))?;
        let shared = runtime.block_on(Coordination::open(options))?;
        for task in [Task::Send, Task::Results, Task::Beats, Task::Ticks] {
            let shared = shared.clone();
            runtime.spawn(async move {
                match task {
                    Task::Send => shared.send().await,
                    Task::Results => shared.take_results().await,
                    Task::Beats => shared.listen().await,
                    Task::Ticks => shared.tick().await,
                }
            });
        }
        runtime.block_on(shared.settle());
        Ok(Coordinator { shared, runtime: Some(runtime), stop: stop.clone() })
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            runtime.spawn(task);
        }
    }

    fn acknowledge(&self, replies: Vec<String>) {
        let client = self.shared.client.clone();
        self.spawn(async move {
            for reply in replies {
                acknowledge(&client, &reply).await;
            }
        });
    }
}

enum Task {
    Send,
    Results,
    Beats,
    Ticks,
}

impl Executor<Job, JobResult> for Coordinator {
    fn execute(&self, source: &mut dyn TrialSource<Job, JobResult>) -> Result<(), LabError> {
        let (mut under_way, mut audits) = (BTreeSet::new(), Vec::new());
        let (to, results) = channel();
        let done = self.do_all(source, (&to, &results), &mut under_way, &mut audits);
        let mut state = self.shared.state();
        state.forget(under_way.iter().chain(&audits));
        // Those that nobody has looked at come again when they are asked for.
        state.backlog -= results.try_iter().map(|delivery| delivery.bytes).sum::<usize>();
        done
    }

    fn width(&self) -> usize {
        self.shared.state().workers.width()
    }
}

impl Coordinator {
    fn do_all(
        &self,
        source: &mut dyn TrialSource<Job, JobResult>,
        (to, results): (&Sender<Delivery>, &Receiver<Delivery>),
        under_way: &mut BTreeSet<String>,
        audits: &mut Vec<String>,
    ) -> Result<(), LabError> {
        let shared = &self.shared;
        while !self.stop.is_stopped() {
            while under_way.len() < self.width() {
                let Ask::Run(job) = source.ask(under_way.len())? else { break };
                under_way.insert(job.id.clone());
                shared.state().submit(job, to.clone());
            }
            shared.wake.notify_one();
            if under_way.is_empty() {
                audits.retain(|id| shared.state().is_under_way(id));
                // Disputes become judgements under the lock.
                let state = shared.state();
                let judging = shared.judging.load(Ordering::Relaxed) + state.disputes.len();
                drop(state);
                if audits.is_empty() && judging == 0 {
                    return Ok(());
                }
                std::thread::sleep(LOOK);
                continue;
            }
            let first = match results.recv_timeout(LOOK) {
                Ok(first) => first,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            let (mut replies, mut ended) = (Vec::new(), Vec::new());
            let batch = [first].into_iter().chain(results.try_iter().take(BATCH - 1));
            for Delivery { result, bytes, reply } in batch {
                shared.state().backlog -= bytes;
                match source.tell(result.clone())? {
                    Told::Refused(why) => {
                        shared.state().refuse(&result.origin.worker, &result.id, &why);
                    }
                    Told::Ended | Told::GoesOn => ended.push(result),
                }
                replies.push(reply);
            }
            source.commit()?;
            for result in ended {
                under_way.remove(&result.id);
                if shared.state().ended(&result.id, &result) {
                    audits.push(result.id);
                }
            }
            // Only now is nothing lost with this process.
            self.acknowledge(replies);
        }
        Ok(())
    }
}

impl Cluster for Coordinator {
    fn convicted(&self) -> Vec<(String, String)> {
        self.shared.state().workers.convicted()
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        let shared = self.shared.clone();
        runtime.block_on(async {
            let end = async {
                // Workers need not do what nobody waits for; a server that is gone has nothing to
                // drop.
                let _ =
                    server::ask(&shared.client, "STREAM.PURGE.TESUJI_JOBS", serde_json::Value::Null).await;
                let early = shared.state().take_early();
                for reply in early {
                    acknowledge(&shared.client, &reply).await;
                }
                let _ = shared.client.publish(TELL_ALL, pack(&Word::Halt).into()).await;
                let _ = shared.client.flush().await;
            };
            let _ = tokio::time::timeout(Duration::from_secs(5), end).await;
        });
        // What was noted since the last tick.
        let notes = shared.state().notes.take();
        notes.iter().for_each(|note| (shared.options.note)(note));
        shared.write_status(true);
        runtime.shutdown_timeout(Duration::from_secs(1));
    }
}

impl Coordination {
    async fn open(options: CoordinatorOptions) -> Result<Arc<Coordination>, ClusterError> {
        let session = instance();
        let connection = options.address.connect(&session).await?;
        let client = connection.client.clone();
        let Some(questions) = be_the_only_one(&client, &session).await else {
            return Err(ClusterError::Busy { url: options.address.shown() });
        };
        tokio::spawn(answer(client.clone(), session.clone(), questions));
        streams::renew(&client).await.map_err(|refusal| ClusterError::Server {
            what: "streams for jobs and results",
            fault: if refusal.code == 0 { refusal.text + " (is JetStream on?)" } else { refusal.text },
        })?;
        let (lease, longest) = (options.lease.as_secs_f64(), options.longest.as_secs_f64());
        let mut state = State::new(lease, longest, options.audit);
        options.wrong.iter().for_each(|(who, why)| state.ban(who, why, false));
        Ok(Arc::new(Coordination {
            options,
            connection,
            client,
            state: Mutex::new(state),
            wake: Notify::new(),
            uploaded: Mutex::default(),
            judging: AtomicUsize::new(0),
            sends: AtomicU64::new(0),
            session,
            begun: Instant::now(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until workers have had the time to say that they are there, and results of earlier
    /// trials have been taken up.
    async fn settle(&self) {
        let _ = self.client.publish(TELL_ALL, pack(&Word::Beat).into()).await;
        for _ in 0..100 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            if streams::waiting_results(&self.client).await == Ok(0) {
                break;
            }
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }

    /// Sends jobs, as long as the program runs.
    async fn send(self: Arc<Self>) {
        loop {
            let _ = tokio::time::timeout(Duration::from_secs(1), self.wake.notified()).await;
            loop {
                let jobs = self.state().take_unsent();
                if jobs.is_empty() {
                    break;
                }
                for jobs in jobs.chunks(BATCH) {
                    future::join_all(jobs.iter().map(|(copy, job)| self.send_job(*copy, job))).await;
                }
                if self.state().has_unsent() {
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
            }
        }
    }

    async fn send_job(&self, copy: u32, sent: &SentJob) {
        let sequence = self.try_send(copy, sent).await;
        self.state().sent(&sent.job.id, sequence);
    }

    async fn try_send(&self, copy: u32, sent: &SentJob) -> Result<u64, Unsent> {
        self.upload(&sent.job).await?;
        let (packed, most) = (pack(sent), self.client.server_info().max_payload);
        if packed.len() + HEADERS > most {
            return Err(Unsent::Local(format!("it has {} bytes; the server takes {most}", packed.len())));
        }
        let number = self.sends.fetch_add(1, Ordering::Relaxed);
        let message = format!("{}-{copy}-{number}-{}", sent.job.id, self.session);
        let sequence = put(&self.client, JOB.to_owned(), &message, packed).await;
        sequence.map_err(|refusal| Unsent::Server(refusal.text))
    }

    async fn upload(&self, job: &Job) -> Result<(), Unsent> {
        for (hash, path) in &job.files {
            let is_there = || self.uploaded.lock().unwrap_or_else(PoisonError::into_inner);
            if !is_there().contains(hash) {
                files::upload(&self.client, hash, path).await?;
                is_there().insert(hash.clone());
            }
        }
        Ok(())
    }

    /// Takes results from the server, as long as the program runs.
    async fn take_results(self: Arc<Self>) {
        loop {
            let mut pull = match Pull::new(&self.connection, RESULTS, COORDINATOR).await {
                Ok(pull) => pull,
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(500)).await;
                    continue;
                }
            };
            loop {
                while self.state().backlog > BACKLOG {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                let Some(message) = pull.next(BATCH).await else { continue };
                let reply = message.reply.as_ref().map(ToString::to_string).unwrap_or_default();
                let verdict = match worker_of_result(&message.subject) {
                    None => Verdict::Useless,
                    Some((worker, id)) => {
                        let result = read_result(&message.payload);
                        self.state().result(worker, id, result, reply.clone())
                    }
                };
                if matches!(verdict, Verdict::Useless) {
                    acknowledge(&self.client, &reply).await;
                }
            }
        }
    }

    /// Listens to workers, as long as the program runs.
    async fn listen(self: Arc<Self>) {
        loop {
            let Ok(mut beats) = self.client.subscribe("tesuji.beat.*.*").await else {
                tokio::time::sleep(Duration::from_millis(500)).await;
                continue;
            };
            while let Some(message) = beats.next().await {
                let Some(worker) = worker_of_beat(&message.subject) else { continue };
                let Ok(beat) = serde_json::from_slice::<Beat>(&message.payload) else { continue };
                let (dropped, is_banned) = {
                    let mut state = self.state();
                    (state.beat(worker, beat), state.workers.is_banned(worker))
                };
                let word = match dropped {
                    _ if is_banned => Word::Halt,
                    dropped if dropped.is_empty() => continue,
                    dropped => Word::Drop(dropped),
                };
                let _ = self.client.publish(tell(worker), pack(&word).into()).await;
            }
        }
    }

    /// Counts ticks, as long as the program runs.
    async fn tick(self: Arc<Self>) {
        let tick = (self.options.lease / LEASE).max(Duration::from_millis(100));
        let mut written = Instant::now();
        loop {
            tokio::time::sleep(tick).await;
            let progress = streams::progress(&self.client).await;
            if let Err(refusal) = &progress
                && refusal.is_missing()
                && streams::make(&self.client).await.is_ok()
            {
                self.uploaded.lock().unwrap_or_else(PoisonError::into_inner).clear();
                self.state().resend();
            }
            let (delivered, last) = match progress {
                Ok(Progress { delivered, last }) => (delivered, Some(last)),
                Err(Refusal { .. }) => (0, None),
            };
            let (lost, disputes, notes) = {
                let mut state = self.state();
                let lost = state.tick(delivered, last);
                let disputes = std::mem::take(&mut state.disputes);
                self.judging.fetch_add(disputes.len(), Ordering::Relaxed);
                (lost, disputes, state.notes.take())
            };
            for number in lost {
                streams::remove_job(&self.client, number).await;
            }
            for dispute in disputes {
                let shared = self.clone();
                std::thread::spawn(move || shared.judge(&dispute));
            }
            notes.iter().for_each(|note| (self.options.note)(note));
            if written.elapsed() > Duration::from_secs(2) {
                written = Instant::now();
                self.write_status(false);
            }
            self.wake.notify_one();
        }
    }

    /// Does a job here, to see who of two workers is wrong.
    fn judge(&self, Dispute { job, claims }: &Dispute) {
        let paths = job.files.clone();
        let file_of = move |hash: &str| {
            let found = paths.iter().find(|(own, _)| own == hash);
            found.map(|(_, path)| path.clone()).ok_or_else(|| format!("there is no file {hash}"))
        };
        let done = JobWorker::new(Box::new(file_of)).work(job, &Stop::default(), &Arc::default());
        let digest = done.and_then(|done| done.digest());
        let mut state = self.state();
        match digest {
            Some(digest) => {
                for (worker, _) in claims.iter().filter(|(_, claimed)| *claimed != digest) {
                    let why = format!("its result of job {} is not the coordinator's", job.id);
                    state.ban(worker, &why, false);
                }
            }
            None => {
                let [(one, _), (other, _)] = claims;
                state.notes.add(&format!("workers {one} and {other} disagree about job {}", job.id));
            }
        }
        drop(state);
        self.judging.fetch_sub(1, Ordering::Relaxed);
    }

    fn write_status(&self, is_over: bool) {
        if let Some(path) = &self.options.status {
            let status = Status::of(&self.state(), self.begun.elapsed(), is_over);
            // It is written again soon.
            let _ = status.write(path);
        }
    }
}

/// Makes sure that no other coordinator works with the server, and gives the questions of later
/// ones. Of several that start at the same time, the one with the least session goes on: each
/// listens before it asks, so of two at least one hears the other.
async fn be_the_only_one(client: &Client, session: &str) -> Option<Subscriber> {
    let question = Request::new().payload(session.to_owned().into()).timeout(Some(ANSWER));
    if client.send_request(WHO, question).await.is_ok() {
        return None;
    }
    let inbox = client.new_inbox();
    let mut questions = client.subscribe(WHO).await.ok()?;
    let mut answers = client.subscribe(inbox.clone()).await.ok()?;
    client.publish_with_reply(WHO, inbox, session.to_owned().into()).await.ok()?;
    let end = tokio::time::Instant::now() + START;
    loop {
        tokio::select! {
            () = tokio::time::sleep_until(end) => return Some(questions),
            _ = answers.next() => return None,
            question = questions.next() => {
                let question = question?;
                match question.payload.as_ref().cmp(session.as_bytes()) {
                    Less => return None,
                    // Its own.
                    Equal => {}
                    Greater => say(client, session, question).await,
                }
            }
        }
    }
}

/// Says that a coordinator is there, as long as the program runs.
async fn answer(client: Client, session: String, mut questions: Subscriber) {
    while let Some(question) = questions.next().await {
        if question.payload != session.as_bytes() {
            say(&client, &session, question).await;
        }
    }
}

async fn say(client: &Client, session: &str, question: Message) {
    if let Some(reply) = question.reply {
        let _ = client.publish(reply, session.to_owned().into()).await;
    }
}
