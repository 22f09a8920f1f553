//! A thousand simulated workers, by hand: `cargo test -p tesuji-cluster --test cluster load --
//! --ignored --test-threads 1 --nocapture`.

use crate::support::{Process, Server, games_of};
use futures_util::StreamExt;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tesuji_lab::store::Origin;
use tesuji_lab::{JOB_FORMAT, Job, JobResult, JobWorker};

/// Workers that connect each by itself, play tiny games at once, and hand each in after a while.
pub(crate) fn simulate(url: &str, workers: usize, hold: Duration) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let player = Rc::new(RefCell::new(JobWorker::new(Box::new(|_| Err("there are none".to_owned())))));
        for number in 0..workers {
            let (url, player) = (url.to_owned(), player.clone());
            tokio::task::spawn_local(async move { simulate_one(&url, number, hold, &player).await });
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        std::future::pending::<()>().await;
    });
}

async fn simulate_one(url: &str, number: usize, hold: Duration, player: &RefCell<JobWorker>) {
    let client = async_nats::connect(url).await.unwrap();
    let (name, inbox) = (format!("anyone.simulated-{number}"), client.new_inbox());
    let mut jobs = client.subscribe(inbox.clone()).await.unwrap();
    let beat = async |jobs: String| {
        let beat = format!(
            r#"{{"host":"h","version":"test","kernel":"","threads":1,"lacks":null,"jobs":[{jobs}],"returned":[]}}"#
        );
        let _ = client.publish(format!("tesuji.beat.{name}"), beat.into()).await;
    };
    loop {
        beat(String::new()).await;
        let next = "$JS.API.CONSUMER.MSG.NEXT.TESUJI_JOBS.workers";
        let _ = client
            .publish_with_reply(next, inbox.clone(), r#"{"batch":1,"expires":9000000000}"#.into())
            .await;
        let Ok(Some(message)) = tokio::time::timeout(Duration::from_secs(10), jobs.next()).await else {
            continue;
        };
        let (None, Some(reply)) = (message.status, message.reply) else {
            tokio::time::sleep(Duration::from_millis(500)).await;
            continue;
        };
        let _ = client.publish(reply, "+ACK".into()).await;
        let text = miniz_oxide::inflate::decompress_to_vec(&message.payload).unwrap();
        let sent: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let job: Job = serde_json::from_value(sent["job"].clone()).unwrap();
        let done = player.borrow_mut().work(&job, &Default::default(), &Default::default()).unwrap();
        let end = tokio::time::Instant::now() + hold;
        let mut simulations = 0;
        while tokio::time::Instant::now() < end {
            simulations += 1;
            beat(format!(r#"["{}",{simulations}]"#, job.id)).await;
            tokio::time::sleep_until(end.min(tokio::time::Instant::now() + Duration::from_secs(10))).await;
        }
        let origin = Origin { worker: name.clone(), version: "test".to_owned(), kernel: String::new() };
        let result = JobResult { format: JOB_FORMAT, id: job.id.clone(), origin, done };
        let packed = miniz_oxide::deflate::compress_to_vec(&serde_json::to_vec(&result).unwrap(), 6);
        let _ = client.publish(format!("tesuji.result.{name}.{}", job.id), packed.into()).await;
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

fn measure(name: &str, hold_milliseconds: u64, games: u64, seconds: u64) {
    let Some(server) = Server::start() else { return };
    let file = format!(
        "kind = \"matches\"\nname = \"t\"\ngame = \"tic-tac-toe\"\nplayouts = 1\n\
         [[match]]\nname = \"m\"\na = \"random\"\nb = \"random\"\ngames = {games}\n"
    );
    let dir = tempfile::tempdir().unwrap();
    let _simulated = Process::simulated(&server.url(), 1000, hold_milliseconds);
    let coordinator = Process::patient_coordinator(&server.url(), dir.path(), &file);
    let rate = |dir: &Path| games_of_quickly(dir);
    std::thread::sleep(Duration::from_secs(40));
    let (begun, cpu, before) = (Instant::now(), processor_seconds(coordinator.id()), rate(dir.path()));
    std::thread::sleep(Duration::from_secs(seconds));
    let time = begun.elapsed().as_secs_f64();
    let (cpu, stored) = (processor_seconds(coordinator.id()) - cpu, rate(dir.path()) - before);
    eprintln!(
        "{name},{:.1},{:.1},{:.0}",
        stored as f64 / time,
        100.0 * cpu / time,
        megabytes_peak(coordinator.id())
    );
    assert!(games_of(dir.path()) > 0);
}

/// Counts without reading every game.
fn games_of_quickly(dir: &Path) -> u64 {
    let store = tesuji_lab::store::Store::read(&dir.join("out/t")).unwrap();
    let planned = store.matches().unwrap().remove(0);
    store.played(&planned.matchup, planned.games).unwrap()
}

#[test]
#[ignore = "by hand"]
fn a_thousand_workers() {
    measure("1000 workers with trials of 20 s", 20_000, 20_000, 60);
}

#[test]
#[ignore = "by hand"]
fn a_burst() {
    measure("1000 workers with trials of 0.5 s", 500, 300_000, 30);
}
