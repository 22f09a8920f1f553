//! The laboratory.

use crate::client::{Running, read};
use serde_json::{Value, json};
use std::path::Path;

fn file(name: &str, games: u64) -> String {
    format!(
        "kind = \"matches\"\nname = \"{name}\"\nabout = \"a <b>test</b>\"\ngame = \"tic-tac-toe\"\ngames = {games}\nplayouts = 20\nb = \"random\"\n\n[[match]]\nname = \"m\"\na = \"uct\"\n"
    )
}

fn wait(server: &Running, id: &str, state: &str) -> Value {
    let mut run = Value::Null;
    server.events("/api/runs/events", |runs| {
        run = runs.as_array().unwrap().iter().find(|run| run["id"] == id).cloned().unwrap_or_default();
        assert!(run["state"] != "failed", "{run}");
        run["state"] == state
    });
    run
}

#[test]
fn an_experiment_is_started_stopped_and_resumed() {
    let server = Running::new();
    let ask = |path: &str, body: Value| server.post(path, &body);
    let new = |text: &str| json!({ "directory": 0, "file": text });
    assert_eq!(ask("/api/runs/check", new(&file("first", 40))).json()["kind"], "matches");
    assert_eq!(ask("/api/runs/check", new("kind = 3")).status, 400);
    assert_eq!(ask("/api/runs", new(&file("../first", 40))).status, 400);
    assert_eq!(ask("/api/runs", new(&file("first", 40).replace("\"uct\"", "\"gtp:touch x\""))).status, 403);
    let started = ask("/api/runs", new(&file("first", 4000)));
    assert_eq!(started.json()["id"], "0/first", "{}", started.body);
    ask("/api/runs/stop", json!({ "id": "0/first" }));
    wait(&server, "0/first", "stopped");
    let made =
        |server: &Running| server.get("/api/experiment/details?id=0/first").json()["made"].as_u64().unwrap();
    let before = made(&server);
    assert!(before < 4000, "it was stopped");
    let is_finished = || server.get("/api/experiments").json()["experiments"][0]["finished"].clone();
    assert_eq!(is_finished(), false);
    assert_eq!(ask("/api/runs", json!({ "id": "0/first" })).status, 200);
    let done = wait(&server, "0/first", "done");
    assert!(done["estimate"]["value"].as_f64().unwrap() > 0.5, "{done}");
    assert_eq!(made(&server), 4000);
    assert_eq!(is_finished(), true);
    assert!(read(&server.out().join("first/summary.json")).contains("\"first\""));

    let list = server.get("/api/experiments").json();
    let seen = &list["experiments"][0];
    assert_eq!(
        (&seen["id"], &seen["games"], &seen["running"]),
        (&json!("0/first"), &json!(4000), &json!(false))
    );
    assert!(seen["verdict"].as_str().unwrap().starts_with("uct is stronger than random: "), "{seen}");
    let details = server.get("/api/experiment/details?id=0/first").json();
    assert_eq!(details["games"].as_array().unwrap().len(), 100);
    let charts = server.get("/api/experiment/charts?id=0/first");
    assert!(charts.head.contains("application/xml"), "{}", charts.head);
    assert!(charts.body.matches("<figure><svg").count() >= 2, "{}", charts.body);
    assert_eq!(server.get("/api/experiment?id=0/").status, 404);
}

/// What is around the directories of a server is none of its business.
#[test]
fn the_tables_of_a_record_that_is_served_alone_go_into_it() {
    let first = Running::new();
    first.post("/api/runs", &json!({ "directory": 0, "file": file("first", 400) }));
    first.post("/api/runs/stop", &json!({ "id": "0/first" }));
    wait(&first, "0/first", "stopped");
    let record = first.out().join("first");
    let _ = std::fs::remove_dir_all(first.out().join("results"));
    let alone =
        Running::with(|options| tesuji_serve::Options { directories: vec![record.clone()], ..options });
    let resumed = alone.post("/api/runs", &json!({ "id": "0/" }));
    assert_eq!(resumed.status, 200, "{}", resumed.body);
    let id = resumed.json()["id"].as_str().unwrap().to_owned();
    wait(&alone, &id, "done");
    assert!(record.join("results").is_dir());
    assert!(!first.out().join("results").exists());
}

#[test]
fn the_workers_of_a_cluster_are_shown() {
    let server = Running::new();
    server.post("/api/runs", &json!({ "directory": 0, "file": file("played", 10) }));
    wait(&server, "0/played", "done");
    let dir = server.out().join("played");
    let workers = || server.get("/api/experiment/workers?id=0/played").json();
    assert_eq!(workers(), Value::Null);
    let worker = json!({
        "name": "UABC.host-1", "host": "host", "version": "0.1", "platform": "", "threads": 4, "trials": 30, "faults": 2,
    });
    let status = json!({
        "is_over": false, "trials_per_hour": 7200.0, "faults": 2, "set_aside": 0, "workers": [worker], "banned": {},
    });
    std::fs::write(dir.join(tesuji_lab::CLUSTER_STATUS), status.to_string()).unwrap();
    let said = workers();
    assert_eq!(said["is_live"], true);
    assert_eq!(said["lines"][0], "now: 1 workers, 7200 trials per hour, 2 faults, 0 trials set aside");
    assert_eq!(said["workers"][0], worker);
    assert_eq!(server.get("/api/experiment/workers?id=0/nothing").status, 404);
}

/// A directory of 1000 finished experiments is listed, though no store can be read: the list reads
/// summaries alone.
#[test]
fn a_thousand_experiments_are_listed_from_their_summaries() {
    let server = Running::new();
    let stores = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tesuji-cli/tests/stores");
    let summaries = ["match-go", "matches", "round-robin", "race"]
        .map(|name| read(&stores.join(name).join("summary.json")));
    for n in 0..1000 {
        let dir = server.out().join(format!("series-{}/e{n:04}", n / 100));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("summary.json"), &summaries[n % 4]).unwrap();
        std::fs::write(dir.join("games.sqlite"), "").unwrap();
    }
    let list = server.get("/api/experiments").json();
    assert_eq!(list["experiments"].as_array().unwrap().len(), 1000);
    let one = server.get("/api/experiment?id=0/series-0/e0000").json();
    assert_eq!(one["games"], 5);
}

/// Of a store beyond the limit for charts, the first games are listed and all are counted.
#[test]
fn a_large_store_shows_its_first_games() {
    let server = Running::new();
    assert_eq!(server.post("/api/runs", &json!({ "directory": 0, "file": file("first", 300) })).status, 200);
    wait(&server, "0/first", "done");
    let small = server.get("/api/experiment/details?id=0/first").json();
    let store = server.out().join("first/games.sqlite");
    // The file of SQLite says how many of its pages count: what lies behind them is no part of it.
    std::fs::File::options().write(true).open(store).unwrap().set_len(100 << 20).unwrap();
    let large = server.get("/api/experiment/details?id=0/first").json();
    assert!(large["note"].as_str().unwrap().contains("100 MB"), "{}", large["note"]);
    assert_eq!((&large["made"], &large["planned"]), (&json!(300), &json!(300)));
    assert_eq!(large["games"], small["games"]);
    assert_eq!(large["file"], small["file"]);
}
