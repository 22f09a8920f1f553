//! The results are those of one machine, game for game.

use crate::support::{Process, Server, connect, content, matches, run, tesuji_hash, wait_for};
use std::path::Path;

const RACE: &str = r#"
    kind = "race"
    name = "t"
    game = "hex:4"
    playouts = 8
    base = "uct"
    seed = 5
    rounds = 1
    fresh = 8
    race = { accept = 0.51, reject = 0.6, first = 16, most = 48 }
    [[arm]]
    name = "less"
    set = "playouts=1"
    [[arm]]
    name = "more"
    set = "playouts=60"
"#;

const TRAIN: &str = r#"
    kind = "train"
    name = "t"
    game = "go:4"
    komi = 0.5
    seed = 5
    iterations = 2
    games = 12
    [network]
    planes = 5
    filters = 4
    blocks = 1
    value_hidden = 8
    [self_play]
    simulations = 8
    root = { kind = "gumbel", considered = 4 }
    cache = 1
    [learning]
    batch = 16
    samples = 2.0
    window = 300
    held_out = 0.1
    threads = 1
    [evaluation]
    every = 2
    playouts = 8
    before = 2
    [[opponent]]
    name = "random"
    agent = "random"
    games = 4
"#;

const TUNE: &str = r#"
    kind = "tuning"
    name = "t"
    game = "hex:3"
    base = "uct"
    evaluations = 5
    games = 4
    playouts = 10
    seed = 3
    parallel = 1
    validation = []
    search = { initial = 3, samples = 3 }
    [[parameter]]
    name = "select.c"
    kind = "log"
    low = 0.05
    high = 2.0
"#;

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
        alone[2].len() > 24 && alone[3].iter().filter(|line| line.starts_with("completion")).count() == 5
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
