//! A thousand simulated workers, by hand: `cargo test -p tesuji-cluster --test cluster load --
//! --ignored --test-threads 1 --nocapture`.

use crate::support::{Process, Server, games_of};
use futures_util::StreamExt;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tesuji_lab::store::Origin;
use tesuji_lab::{JOB_FORMAT, Job, JobResult, JobWorker};

/// Workers with N threads each that connect each by itself, play tiny games at once, and hand each
/// in after a while.
pub(crate) fn simulate(url: &str, workers: usize, threads: usize, hold: Duration) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let player = Rc::new(RefCell::new(JobWorker::new(Box::new(|_| Err("there are none".to_owned())))));
        for number in 0..workers {
            let client = async_nats::connect(url).await.unwrap();
            let simulated = Simulated {
                client,
                name: format!("anyone.simulated-{number}"),
                hold,
                threads,
                free: Cell::new(threads),
                running: RefCell::default(),
                is_changed: Cell::new(true),
                player: player.clone(),
            };
            let simulated = Rc::new(simulated);
            tokio::task::spawn_local(simulated.clone().say());
            tokio::task::spawn_local(simulated.take());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        std::future::pending::<()>().await;
    });
}

struct Simulated {
    client: async_nats::Client,
    name: String,
    hold: Duration,
    threads: usize,
    free: Cell<usize>,
    /// The simulations of each job.
    running: RefCell<BTreeMap<String, u64>>,
    is_changed: Cell<bool>,
    player: Rc<RefCell<JobWorker>>,
}

impl Simulated {
    /// Says every 10 s what it does, and soon after that has changed.
    async fn say(self: Rc<Self>) {
        for tick in 0_u64.. {
            if self.is_changed.take() || tick.is_multiple_of(20) {
                self.running.borrow_mut().values_mut().for_each(|simulations| *simulations += 1);
                let jobs = serde_json::json!(Vec::from_iter(self.running.borrow().iter()));
                let beat = serde_json::json!({
                    "host": "h", "version": "test", "platform": "", "threads": self.threads, "lacks": null, "jobs": jobs,
                    "returned": [],
                });
                let _ =
                    self.client.publish(format!("tesuji.beat.{}", self.name), beat.to_string().into()).await;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// Takes jobs.
    async fn take(self: Rc<Self>) {
        let inbox = self.client.new_inbox();
        let mut jobs = self.client.subscribe(inbox.clone()).await.unwrap();
        let (mut asked, mut asked_at) = (0, Instant::now());
        loop {
            let free = self.free.get();
            // A new coordinator has made a new consumer, which knows of no request.
            if asked_at.elapsed() > Duration::from_secs(10) {
                asked = 0;
            }
            if 2 * asked <= free && asked < free {
                let body = format!(r#"{{"batch":{},"expires":9000000000}}"#, free - asked);
                let next = "$JS.API.CONSUMER.MSG.NEXT.TESUJI_JOBS.workers";
                let _ = self.client.publish_with_reply(next, inbox.clone(), body.into()).await;
                (asked, asked_at) = (free, Instant::now());
            }
            match tokio::time::timeout(Duration::from_millis(50), jobs.next()).await {
                Ok(Some(message)) if message.status.is_none() => {
                    asked = asked.saturating_sub(1);
                    self.free.set(self.free.get() - 1);
                    tokio::task::spawn_local(self.clone().work(message));
                }
                Ok(Some(_)) => {
                    asked = 0;
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
                _ => {}
            }
        }
    }

    async fn work(self: Rc<Self>, message: async_nats::Message) {
        let end = tokio::time::Instant::now() + self.hold;
        let _ = self.client.publish(message.reply.unwrap(), "+ACK".into()).await;
        let text = miniz_oxide::inflate::decompress_to_vec(&message.payload).unwrap();
        let sent: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let job: Job = serde_json::from_value(sent["job"].clone()).unwrap();
        self.running.borrow_mut().insert(job.id.clone(), 0);
        self.is_changed.set(true);
        let done = self.player.borrow_mut().work(&job, &Default::default(), &Default::default()).unwrap();
        tokio::time::sleep_until(end).await;
        let origin =
            Origin { worker: self.name.clone(), version: "test".to_owned(), platform: String::new() };
        let result = JobResult { format: JOB_FORMAT, id: job.id.clone(), origin, done };
        let packed = miniz_oxide::deflate::compress_to_vec(&serde_json::to_vec(&result).unwrap(), 1);
        let subject = format!("tesuji.result.{}.{}", self.name, job.id);
        let _ = self.client.publish(subject, packed.into()).await;
        self.running.borrow_mut().remove(&job.id);
        self.free.set(self.free.get() + 1);
    }
}

/// Seconds of a processor that a process has used.
fn processor_seconds(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

/// The most memory of a process, in MB.
fn megabytes_peak(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}

/// Runs a match of random games by simulated workers, and prints a line of the table: results per
/// second, and processor time of the coordinator, of the server and of all workers, from `after` to
/// `seconds` later; and the most memory of the coordinator. Every game must be stored, each at the
/// first try.
fn measure(
    name: &str,
    (workers, threads, hold_milliseconds): (usize, usize, u64),
    games: u64,
    (after, seconds): (u64, u64),
) {
    let Some(server) = Server::start() else { return };
    let file = format!(
        "kind = \"matches\"\nname = \"t\"\ngame = \"tic-tac-toe\"\nplayouts = 1\n\
         [[match]]\nname = \"m\"\na = \"random\"\nb = \"random\"\ngames = {games}\n"
    );
    let dir = tempfile::tempdir().unwrap();
    let status = dir.path().join("cluster.json");
    let simulated = Process::simulated(&server.url(), workers, threads, hold_milliseconds);
    std::thread::sleep(Duration::from_secs(5));
    let mut coordinator = Process::patient_coordinator(&server.url(), dir.path(), &file, &status);
    std::thread::sleep(Duration::from_secs(after));
    let processes = [coordinator.id(), server.id(), simulated.id()];
    let (begun, cpu, before) = (Instant::now(), processes.map(processor_seconds), stored(dir.path()));
    std::thread::sleep(Duration::from_secs(seconds));
    let time = begun.elapsed().as_secs_f64();
    let rate = (stored(dir.path()) - before) as f64 / time;
    let peak = megabytes_peak(coordinator.id());
    let used = processes
        .map(processor_seconds)
        .into_iter()
        .zip(cpu)
        .map(|(now, before)| 100.0 * (now - before) / time);
    let used = Vec::from_iter(used.map(|percent| format!("{percent:.1}"))).join(",");
    eprintln!("{name},{rate:.1},{used},{peak:.0}");
    assert!(coordinator.wait(), "it ends by itself");
    assert_eq!(games_of(dir.path()) as u64, games);
    let status: serde_json::Value = serde_json::from_slice(&std::fs::read(status).unwrap()).unwrap();
    assert_eq!((&status["trials"], &status["faults"]), (&games.into(), &0.into()), "{status}");
}

/// Counts without reading every game.
fn stored(dir: &Path) -> u64 {
    let store = tesuji_lab::store::Store::read(&dir.join("out/t")).unwrap();
    let planned = store.matches().unwrap().remove(0);
    store.played(&planned.matchup, planned.games).unwrap()
}

#[test]
#[ignore = "by hand"]
fn a_thousand_workers() {
    measure("1000 workers with trials of 20 s", (1000, 1, 20_000), 6000, (40, 60));
}

#[test]
#[ignore = "by hand"]
fn a_burst() {
    measure("60 workers with 50 threads and trials of 1 s", (60, 50, 1000), 150_000, (12, 30));
}
