//! The results are those of one machine, game for game.

use crate::support::{Process, Server, connect, content, matches, run, tesuji_hash, wait_for};
use futures_util::StreamExt;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tesuji::Stop;
use tesuji_cluster::{Address, WorkerOptions, work};

const RACE: &str = include_str!("../../../tesuji-lab/tests/data/small-race.toml");
const TRAIN: &str = include_str!("../../../tesuji-lab/tests/data/small-training.toml");
const TUNE: &str = include_str!("../../../tesuji-lab/tests/data/small-tuning.toml");

/// What a run leaves that must be the same.
fn result(dir: &Path) -> Vec<String> {
    let mut lines = content(dir);
    if let Ok(network) = std::fs::read(dir.join("out/t/networks/latest.safetensors")) {
        lines.push(tesuji_hash(&network));
    }
    lines
}

#[test]
fn one_two_and_eight_workers_give_the_results_of_one_machine() {
    let Some(server) = Server::start() else { return };
    let files = [matches(12), RACE.to_owned(), TRAIN.to_owned(), TUNE.to_owned()];
    let alone: Vec<Vec<String>> = files
        .iter()
        .map(|file| {
            let dir = tempfile::tempdir().unwrap();
            run(dir.path(), file, None).unwrap();
            result(dir.path())
        })
        .collect();
    assert_eq!(alone[0].len(), 12);
    assert!(
        alone[2].len() > 24 && alone[3].iter().filter(|line| line.starts_with("completion")).count() == 7
    );
    let mut workers = Vec::new();
    for number in [1, 2, 8] {
        workers.resize_with(number, || Process::worker(&server.url()));
        let cluster = connect(&server.url(), 0.0);
        // Else the first might do everything.
        wait_for("the workers", || cluster.width() == 2 * number + 2);
        for (file, alone) in files.iter().zip(&alone) {
            let dir = tempfile::tempdir().unwrap();
            run(dir.path(), file, Some(cluster.clone())).unwrap();
            assert_eq!(&result(dir.path()), alone, "{number} workers, {file}");
        }
    }
}

#[test]
fn the_threads_of_a_worker_download_a_network_once() {
    let Some(server) = Server::start() else { return };
    let (url, stop) = (server.url(), Stop::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let requests = runtime.block_on(async {
        let client = async_nats::connect(&url).await.unwrap();
        let requests = client.subscribe("$JS.API.DIRECT.GET.TESUJI_FILES.>").await.unwrap();
        client.flush().await.unwrap();
        requests
    });
    let options = WorkerOptions {
        address: Address { url: url.clone(), credentials: None, ca: None },
        threads: 4,
        engines: Vec::new(),
        version: "test".to_owned(),
        files: None,
        note: Arc::new(|_| ()),
    };
    let stopped = stop.clone();
    let worker = std::thread::spawn(move || work(options, &stopped).unwrap());
    let cluster = connect(&url, 0.0);
    wait_for("the worker", || cluster.width() == 10);
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), TRAIN, Some(cluster)).unwrap();
    stop.stop();
    assert!(worker.join().unwrap() > 24);
    let asked: Vec<String> = runtime.block_on(async {
        let soon = std::time::Duration::from_millis(200);
        let next = requests.take_until(tokio::time::sleep(soon));
        next.map(|message| message.subject.to_string()).collect().await
    });
    let mut sizes = BTreeMap::new();
    for subject in asked.iter().filter(|subject| subject.ends_with(".size")) {
        *sizes.entry(subject).or_insert(0) += 1;
    }
    assert!(sizes.len() >= 2 && sizes.values().all(|&count| count == 1), "{sizes:?}");
}
