//! Does trials for a coordinator.

use crate::address::{Address, Connection, host, instance};
use crate::error::ClusterError;
use crate::files::download;
use crate::names::{JOBS, TELL_ALL, WORKERS, beat, is_of, result, tell};
use crate::server::{HEADERS, Pull, acknowledge, leave, put};
use crate::wire::{Beat, SentJob, Word, pack, unpack};
use async_nats::{Client, Message};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tesuji::Stop;
use tesuji_lab::store::Origin;
use tesuji_lab::{JOB_FORMAT, Job, JobDone, JobResult, JobWorker, platform};
use tokio::runtime::Handle;
use tokio::sync::{Notify, mpsc};

/// How a worker works.
pub struct WorkerOptions {
    /// The server, and the credentials for it.
    pub address: Address,
    /// The number of trials that it does at a time, at least 1.
    pub threads: usize,
    /// The commands of engines that it may start.
    pub engines: Vec<String>,
    /// The version of the program, for records.
    pub version: String,
    /// The directory for networks. Default: a temporary one.
    pub files: Option<PathBuf>,
    /// Told what is worth a line.
    pub note: Arc<dyn Fn(&str) + Send + Sync>,
}

impl fmt::Debug for WorkerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerOptions").field("address", &self.address).finish_non_exhaustive()
    }
}

/// How often a worker says at least that it is there.
const BEAT: Duration = Duration::from_secs(10);

/// How long a job is left to others.
const LEAVE: Duration = Duration::from_secs(1);

/// A trial that is being done.
struct Running {
    stop: Stop,
    progress: Arc<AtomicU64>,
    begun: Instant,
    longest: Duration,
    /// Whether it was stopped for the time that it took.
    is_late: Arc<AtomicBool>,
}

struct Shared {
    options: WorkerOptions,
    connection: Connection,
    client: Client,
    name: String,
    files: PathBuf,
    /// Held by the thread that downloads a file.
    downloads: Arc<tokio::sync::Mutex<()>>,
    running: Mutex<HashMap<String, Running>>,
    /// The shortest time in which somebody waits for a word, in milliseconds.
    beat: AtomicU64,
    /// Threads without a job.
    free: AtomicUsize,
    lacks: Mutex<Option<String>>,
    /// Something is to be said at once.
    news: Notify,
    /// Trials that were done.
    done: AtomicU64,
    /// Results that were handed in, for identities of messages.
    results: AtomicU64,
}

/// Does trials until it is stopped. Returns the number of trials done.
///
/// # Errors
/// If the server cannot be reached, or a file cannot be written.
pub fn work(options: WorkerOptions, stop: &Stop) -> Result<u64, ClusterError> {
    let failed = |error: std::io::Error| ClusterError::Runtime(error.to_string());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("cluster")
        .enable_all()
        .build()
        .map_err(failed)?;
    let own = tempfile::tempdir().map_err(failed)?;
    let files = options.files.clone().unwrap_or_else(|| own.path().to_owned());
    std::fs::create_dir_all(&files).map_err(failed)?;
    let connection = runtime.block_on(options.address.connect(&instance()))?;
    let Connection { client, name, .. } = connection.clone();
    let threads = options.threads.max(1);
    let shared = Arc::new(Shared {
        options,
        connection,
        client,
        name,
        files,
        downloads: Arc::default(),
        running: Mutex::default(),
        beat: AtomicU64::new(BEAT.as_millis() as u64),
        free: AtomicUsize::new(threads),
        lacks: Mutex::default(),
        news: Notify::new(),
        done: AtomicU64::new(0),
        results: AtomicU64::new(0),
    });
    (shared.options.note)(&format!("worker {} is ready, {threads} at a time", shared.name));
    let (to_threads, jobs) = std::sync::mpsc::channel::<Job>();
    let jobs = Arc::new(Mutex::new(jobs));
    let (to_server, done) = mpsc::unbounded_channel();
    for number in 0..threads {
        let (shared, jobs, to_server) = (shared.clone(), jobs.clone(), to_server.clone());
        let handle = runtime.handle().clone();
        let life = move || shared.do_jobs(&jobs, &to_server, &handle);
        std::thread::Builder::new().name(format!("worker {number}")).spawn(life).map_err(failed)?;
    }
    runtime.block_on(async {
        tokio::spawn(shared.clone().say());
        tokio::spawn(shared.clone().hear());
        tokio::spawn(shared.clone().hand_in(done));
        tokio::spawn(shared.clone().take(to_threads, threads));
        while !stop.is_stopped() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        shared.leave().await;
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(shared.done.load(Ordering::Relaxed))
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The life of a thread.
    fn do_jobs(
        &self,
        jobs: &Mutex<Receiver<Job>>,
        to_server: &mpsc::UnboundedSender<(String, Option<JobDone>)>,
        handle: &Handle,
    ) {
        let (client, files, handle) = (self.client.clone(), self.files.clone(), handle.clone());
        let downloads = self.downloads.clone();
        let file_of = move |hash: &str| {
            handle.block_on(async {
                // The next thread finds the file.
                let _one = downloads.lock().await;
                download(&client, hash, &files).await
            })
        };
        let mut worker = JobWorker::new(Box::new(file_of));
        loop {
            let Ok(job) = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv() else { return };
            let found = self.running().get(&job.id).map(|running| {
                (running.stop.clone(), running.progress.clone(), running.is_late.clone(), running.longest)
            });
            let Some((stop, progress, is_late, longest)) = found else {
                self.free.fetch_add(1, Ordering::Relaxed);
                continue;
            };
            let mut done = worker.work(&job, &stop, &progress);
            if is_late.load(Ordering::Relaxed) {
                done = Some(JobDone::Failed(format!("it took more than {} s", longest.as_secs_f64())));
            }
            if to_server.send((job.id, done)).is_err() {
                return;
            }
        }
    }

    /// Takes jobs, as long as the program runs.
    async fn take(self: Arc<Self>, to_threads: std::sync::mpsc::Sender<Job>, threads: usize) {
        loop {
            let mut pull = match Pull::new(&self.connection, JOBS, WORKERS).await {
                Ok(pull) => pull,
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(500)).await;
                    continue;
                }
            };
            loop {
                let free = self.free.load(Ordering::Relaxed);
                if free == 0 {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                    continue;
                }
                let Some(message) = pull.next(free.min(threads)).await else { continue };
                let Some(reply) = message.reply.as_ref().map(ToString::to_string) else { continue };
                if let Some(job) = self.accept(&message, &reply).await
                    && to_threads.send(job).is_err()
                {
                    return;
                }
            }
        }
    }

    /// Takes a job, or leaves it to others.
    async fn accept(&self, message: &Message, reply: &str) -> Option<Job> {
        let sent = match unpack::<SentJob>(&message.payload) {
            Ok(sent) => sent,
            Err(_) => {
                *self.lacks.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some("program that reads such jobs: it has another version".to_owned());
                leave(&self.client, reply, 10 * LEAVE).await;
                return None;
            }
        };
        let lacks = sent.job.lacks(&self.options.engines, &self.options.version);
        let is_for_others = sent.not_for.iter().any(|other| is_of(&self.name, other));
        if self.free.load(Ordering::Relaxed) == 0 || is_for_others || lacks.is_some() {
            if lacks.is_some() {
                *self.lacks.lock().unwrap_or_else(PoisonError::into_inner) = lacks;
                self.news.notify_one();
            }
            leave(&self.client, reply, LEAVE).await;
            return None;
        }
        let SentJob { lease, longest, job, .. } = sent;
        acknowledge(&self.client, reply).await;
        if !(lease > 0.0 && longest > 0.0) || self.running().contains_key(&job.id) {
            return None;
        }
        let running = Running {
            stop: Stop::default(),
            progress: Arc::default(),
            begun: Instant::now(),
            longest: Duration::try_from_secs_f64(longest).unwrap_or(Duration::MAX),
            is_late: Arc::default(),
        };
        self.free.fetch_sub(1, Ordering::Relaxed);
        self.running().insert(job.id.clone(), running);
        let beat = (1e3 * lease / 4.0).clamp(50.0, BEAT.as_millis() as f64) as u64;
        self.beat.store(beat, Ordering::Relaxed);
        self.news.notify_one();
        Some(job)
    }

    /// Says again and again what the worker does, as long as the program runs, and stops trials
    /// that take too long.
    async fn say(self: Arc<Self>) {
        loop {
            self.beat(Vec::new()).await;
            let wait = Duration::from_millis(self.beat.load(Ordering::Relaxed));
            let _ = tokio::time::timeout(wait, self.news.notified()).await;
            for running in self.running().values() {
                if running.begun.elapsed() > running.longest {
                    running.is_late.store(true, Ordering::Relaxed);
                    running.stop.stop();
                }
            }
        }
    }

    async fn beat(&self, returned: Vec<String>) {
        let count =
            |(id, running): (&String, &Running)| (id.clone(), running.progress.load(Ordering::Relaxed));
        let word = Beat {
            host: host(),
            version: self.options.version.clone(),
            platform: platform(),
            threads: self.options.threads.max(1),
            lacks: self.lacks.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            jobs: self.running().iter().map(count).collect(),
            returned,
        };
        if let Ok(text) = serde_json::to_vec(&word) {
            let _ = self.client.publish(beat(&self.name), text.into()).await;
        }
    }

    /// Listens to the coordinator, as long as the program runs.
    async fn hear(self: Arc<Self>) {
        let all = self.client.subscribe(TELL_ALL).await;
        let own = self.client.subscribe(tell(&self.name)).await;
        let (Ok(all), Ok(own)) = (all, own) else { return };
        let mut words = futures_util::stream::select(all, own);
        while let Some(message) = words.next().await {
            match unpack::<Word>(&message.payload) {
                Ok(Word::Beat) => {
                    // A new coordinator has made a new consumer, which knows of no pull.
                    self.connection.connected.fetch_add(1, Ordering::Relaxed);
                    self.news.notify_one();
                }
                Ok(Word::Drop(ids)) => {
                    ids.iter()
                        .filter_map(|id| self.running().get(id).map(|r| r.stop.clone()))
                        .for_each(|s| s.stop());
                }
                Ok(Word::Halt) => self.running().values().for_each(|running| running.stop.stop()),
                Err(_) => {}
            }
        }
    }

    /// Hands results in until the server has them, as long as the program runs.
    async fn hand_in(self: Arc<Self>, mut done: mpsc::UnboundedReceiver<(String, Option<JobDone>)>) {
        while let Some((id, done)) = done.recv().await {
            // The thread may take the next job meanwhile.
            self.free.fetch_add(1, Ordering::Relaxed);
            let Some(done) = done else {
                self.running().remove(&id);
                self.news.notify_one();
                continue;
            };
            let shared = self.clone();
            tokio::spawn(async move {
                shared.hand_in_one(&id, done).await;
                shared.running().remove(&id);
            });
        }
    }

    async fn hand_in_one(&self, id: &str, done: JobDone) {
        let origin =
            Origin { worker: self.name.clone(), version: self.options.version.clone(), platform: platform() };
        let mut result_of_job = JobResult { format: JOB_FORMAT, id: id.to_owned(), origin, done };
        let most = self.client.server_info().max_payload;
        let mut packed = pack(&result_of_job);
        if packed.len() + HEADERS > most {
            let why = format!("its result has {} bytes; the server takes {most}", packed.len());
            result_of_job.done = JobDone::Failed(why);
            packed = pack(&result_of_job);
        }
        self.done.fetch_add(result_of_job.done.trials(), Ordering::Relaxed);
        let identity = format!("{id}-{}-{}", self.name, self.results.fetch_add(1, Ordering::Relaxed));
        while let Err(refusal) = put(&self.client, result(&self.name, id), &identity, packed.clone()).await {
            if refusal.code != 0 {
                (self.options.note)(&format!(
                    "job {id}: the server does not take the result: {}",
                    refusal.text
                ));
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// Gives back what is not done.
    async fn leave(&self) {
        let returned: Vec<String> = {
            // No later word shall say that they are under way.
            let running = std::mem::take(&mut *self.running());
            running.values().for_each(|running| running.stop.stop());
            running.into_keys().collect()
        };
        let end = async {
            self.beat(returned).await;
            let _ = self.client.flush().await;
        };
        let _ = tokio::time::timeout(Duration::from_secs(3), end).await;
    }
}
