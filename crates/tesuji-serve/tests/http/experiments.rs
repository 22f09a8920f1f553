//! The laboratory.

use crate::client::{Running, read};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

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
    assert_eq!(ask("/api/runs", json!({ "id": "0/first" })).status, 200);
    let done = wait(&server, "0/first", "done");
    assert!(done["estimate"]["value"].as_f64().unwrap() > 0.5, "{done}");
    assert_eq!(made(&server), 4000);
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
    assert!(details["charts"].as_array().unwrap().len() >= 2);
    let chart = server.get("/api/experiment/chart?id=0/first&chart=0");
    assert!(chart.head.contains("image/svg+xml") && chart.body.contains("<svg"), "{}", chart.head);
    assert_eq!(server.get("/api/experiment?id=0/").status, 404);
}

/// A directory of 1000 finished experiments, one of a million games among them, is listed and
/// opened at once.
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
    let large = server.out().join("series-0/e0000");
    std::fs::write(large.join("summary.json"), summaries[0].replace("\"games\": 5", "\"games\": 1000000"))
        .unwrap();
    // A file as large as a million games need, without their bytes.
    std::fs::File::options().write(true).open(large.join("games.sqlite")).unwrap().set_len(1 << 30).unwrap();
    let begun = Instant::now();
    let list = server.get("/api/experiments").json();
    let took = begun.elapsed();
    assert_eq!(list["experiments"].as_array().unwrap().len(), 1000);
    eprintln!("1000 experiments: {took:?}");
    // Unoptimised, and beside other tests.
    assert!(took < Duration::from_secs(3), "{took:?}");
    let one = server.get("/api/experiment?id=0/series-0/e0000").json();
    assert_eq!(one["games"], 1_000_000);
    let details = server.get("/api/experiment/details?id=0/series-0/e0000");
    assert!(details.status == 400 && details.body.contains("1024 MB"), "{}", details.body);
}
