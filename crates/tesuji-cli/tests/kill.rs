//! An experiment that is killed again and again loses no finished game and ends with the games of
//! an undisturbed run.
//!
//! `TESUJI_KILLS` says how often it is killed (default 5), `TESUJI_KILLS_TABLE` where a table of
//! the kills is written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tesuji::Rng;
use tesuji_lab::store::{GameRow, Store};

/// Two matches that come to their end between kills, and one that does not.
fn file(kills: u64) -> String {
    format!(
        r#"
kind = "matches"
name = "killed"
game = "connect-four"
games = {}
playouts = 20
b = "flat-mc"

[[match]]
name = "uct"
a = "uct"

[[match]]
name = "mast"
a = "mast"

[[match]]
name = "long"
a = "uct,select.c=0.5"
games = 1000000
"#,
        20 * kills
    )
}

fn run(dir: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.current_dir(dir).args(["run", "file.toml", "--threads", "2"]).args(more);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The identities of the games that are committed, as any other process sees them.
fn ids(dir: &Path) -> BTreeSet<String> {
    let ids = Store::read(&dir.join("out/killed")).and_then(|store| store.ids());
    ids.unwrap_or_default().into_iter().collect()
}

/// All games by their identities, without what differs from run to run.
fn games(dir: &Path) -> BTreeMap<String, GameRow> {
    let store = Store::read(&dir.join("out/killed")).unwrap();
    store.games().unwrap().into_iter().map(|(_, game)| (game.id.clone(), game.reproducible())).collect()
}

#[test]
fn kills_lose_nothing_and_change_nothing() {
    let kills = std::env::var("TESUJI_KILLS").map_or(5, |n| n.parse().expect("a number of kills"));
    let (killed, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (killed, whole) = (killed.path(), whole.path());
    for dir in [killed, whole] {
        std::fs::write(dir.join("file.toml"), file(kills)).unwrap();
    }
    let mut rng = Rng::new(1);
    let mut table =
        "kill,milliseconds_after_the_first_game,games_seen_before,games_found_after,games_lost,integrity\n"
            .to_owned();
    let mut found = BTreeSet::new();
    for kill in 1..=kills {
        let mut process = run(killed, &[]).spawn().unwrap();
        let patience = Instant::now();
        while ids(killed).len() == found.len() {
            assert!(process.try_wait().unwrap().is_none(), "the run ended by itself");
            assert!(patience.elapsed() < Duration::from_secs(120), "no game is played");
        }
        let delay = u64::from(rng.below(200));
        std::thread::sleep(Duration::from_millis(delay));
        let seen = ids(killed);
        process.kill().unwrap();
        process.wait().unwrap();
        let integrity = Store::read(&killed.join("out/killed")).unwrap().integrity().unwrap();
        assert_eq!(integrity, Vec::<String>::new());
        let now = ids(killed);
        let lost = found.union(&seen).filter(|&id| !now.contains(id)).count();
        writeln!(table, "{kill},{delay},{},{},{lost},ok", seen.len(), now.len()).unwrap();
        assert_eq!(lost, 0, "of {} games", seen.len());
        found = now;
    }
    if let Ok(path) = std::env::var("TESUJI_KILLS_TABLE") {
        std::fs::write(path, table).unwrap();
    }

    // No match has more games than there are now in all.
    let limit = (found.len() + 1).to_string();
    for dir in [killed, whole] {
        assert!(run(dir, &["--limit", &limit]).status().unwrap().success());
    }
    let (killed, whole) = (games(killed), games(whole));
    assert!(found.iter().all(|id| whole.contains_key(id)) && whole.len() > found.len());
    assert!(killed == whole, "{} games are not those {} of the undisturbed run", killed.len(), whole.len());
}

/// A race of random patterns, with the example's name: short enough to be killed early and late.
const RACE: &str = include_str!("../../../experiments/examples/patterns.toml");

#[test]
fn a_race_that_is_killed_ends_like_one_that_is_not() {
    let (killed, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (killed, whole) = (killed.path(), whole.path());
    for dir in [killed, whole] {
        std::fs::write(dir.join("file.toml"), RACE).unwrap();
    }
    let mut rng = Rng::new(2);
    for _ in 0..3 {
        let mut process = run(killed, &[]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(100 + u64::from(rng.below(900))));
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let table = |dir: &Path, name: &str| {
        std::fs::read_to_string(dir.join(format!("results/examples/{name}.csv"))).unwrap()
    };
    for dir in [killed, whole] {
        assert!(run(dir, &[]).status().unwrap().success());
    }
    for name in ["patterns", "patterns-bounds"] {
        assert_eq!(table(killed, name), table(whole, name), "{name}");
    }
}

/// A training that is long enough to be killed in games, in steps and between.
const TRAINING: &str = r#"
kind = "train"
name = "trained"
game = "go:5"
komi = 0.5
iterations = 12
games = 12
keep = 1

[network]
planes = 5
filters = 8
blocks = 1

[self_play]
simulations = 8
cache = 1

[learning]
batch = 16
samples = 4.0
window = 2000

[evaluation]
every = 6
playouts = 4

[[opponent]]
name = "random"
agent = "random"
games = 2
"#;

#[test]
fn a_training_that_is_killed_has_the_networks_of_one_that_is_not() {
    let (killed, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (killed, whole) = (killed.path(), whole.path());
    for dir in [killed, whole] {
        std::fs::write(dir.join("file.toml"), TRAINING).unwrap();
    }
    let mut rng = Rng::new(3);
    for _ in 0..5 {
        let mut process = run(killed, &[]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(50 + u64::from(rng.below(500))));
        process.kill().unwrap();
        process.wait().unwrap();
    }
    for dir in [killed, whole] {
        assert!(run(dir, &[]).status().unwrap().success());
    }
    for checkpoint in 0..=12 {
        let file = |dir: &Path| {
            let name = format!("out/trained/networks/{checkpoint:05}.safetensors");
            tesuji_net::Safetensors::from_bytes(&std::fs::read(dir.join(name)).unwrap()).unwrap()
        };
        assert_eq!(file(killed), file(whole), "checkpoint {checkpoint}");
    }
    let scores = |dir: &Path| {
        let table = std::fs::read_to_string(dir.join("results/trained-elo.csv")).unwrap();
        let rows: Vec<csv::StringRecord> =
            csv::Reader::from_reader(table.as_bytes()).records().map(Result::unwrap).collect();
        rows.iter().map(|row| [&row[0], &row[3], &row[8]].join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(scores(killed), scores(whole));
}
