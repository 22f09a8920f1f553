//! The examples of round robins, sweeps, races and trainings, and exports of what was played.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tesuji(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let output = command.current_dir(dir).args(args).output().expect("the binary runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What `tesuji report` says of an experiment: for people, and the results in its JSON.
fn report(dir: &Path, record: &str) -> (String, serde_json::Value) {
    let text = String::from_utf8(tesuji(dir, &["report", record]).stdout).unwrap();
    let object: serde_json::Value =
        serde_json::from_slice(&tesuji(dir, &["report", record, "--json"]).stdout).unwrap();
    (text, object["results"].clone())
}

/// Runs an example of the repository in `dir`.
fn example(dir: &Path, name: &str, more: &[&str]) -> serde_json::Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../experiments/examples/{name}.toml"));
    let command = match name {
        "race" | "patterns" => "race",
        "train" => "train",
        _ => "run",
    };
    let output = tesuji(dir, &[&[command, file.to_str().unwrap(), "--json"], more].concat());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn table(path: &Path) -> Vec<csv::StringRecord> {
    csv::Reader::from_path(path).unwrap().records().map(Result::unwrap).collect()
}

#[test]
fn a_round_robin_is_rated() {
    let dir = tempfile::tempdir().unwrap();
    let partly = example(dir.path(), "round-robin", &["--limit", "2", "--only", "uct-random"]);
    let ratings = partly["ratings"].as_array().unwrap();
    assert_eq!(ratings.iter().filter(|r| r["games"] == 2).count(), 2);
    assert!(ratings.iter().any(|r| r["games"] == 0 && r["elo"].is_null()), "{partly}");

    let object = example(dir.path(), "round-robin", &[]);
    let matches = object["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 6);
    for m in matches {
        assert!(m["games"] == 40 && m["p_holm"].as_f64() >= m["p"].as_f64(), "{m}");
    }
    let names: Vec<&str> = matches.iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["uct-uct_playouts_200", "uct-flat-mc"]);
    let ratings = object["ratings"].as_array().unwrap();
    let order: Vec<&str> = ratings.iter().map(|r| r["agent"].as_str().unwrap()).collect();
    assert_eq!((order[0], order[3]), ("uct,playouts=200", "random"), "{object}");
    let anchor = ratings.iter().find(|r| r["agent"] == "uct").unwrap();
    assert_eq!(
        (&anchor["elo"], &anchor["elo_lo"], &anchor["games"]),
        (&0.0.into(), &0.0.into(), &120.into())
    );
    assert!(ratings[0]["elo_lo"].as_f64().unwrap() > 0.0, "four times the simulations: {object}");
    assert_eq!(table(&dir.path().join("results/examples/round-robin-ratings.csv")).len(), 4);
    let (text, results) = report(dir.path(), "out/examples/round-robin");
    assert!(text.contains("uct,playouts=200") && text.contains("  Elo +0.0  95 % in"), "{text}");
    assert_eq!(results["ratings"], object["ratings"]);
    let summary = std::fs::read_to_string(dir.path().join("out/examples/round-robin/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["results"]["ratings"], object["ratings"]);
    assert_eq!(table(&dir.path().join("results/examples/round-robin.csv")).len(), 6);
}

#[test]
fn a_sweep_is_a_grid_and_its_games_can_be_exported() {
    let dir = tempfile::tempdir().unwrap();
    let object = example(dir.path(), "sweep", &[]);
    let matches = object["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 6);
    let second = &matches[1];
    assert_eq!((&second["a"], &second["b"]), (&"uct,playouts=20,select.c=0.5".into(), &"flat-mc".into()));
    assert_eq!((&second["x"], &second["series"]), (&20.0.into(), &"uct,select.c=0.5".into()));
    assert_eq!((&second["playouts_a"], &second["playouts_b"]), (&20.into(), &50.into()));

    let out = "out/examples/sweep";
    tesuji(dir.path(), &["export", out, "--out", "csv"]);
    let csv = |name: &str| table(&dir.path().join(format!("csv/{name}.csv")));
    assert_eq!((csv("matches").len(), csv("games").len(), csv("pairs").len()), (6, 120, 60));
    let files = tesuji(dir.path(), &["export", out, "--format", "jsonl"]).stdout;
    let files: Vec<PathBuf> = String::from_utf8(files).unwrap().lines().map(PathBuf::from).collect();
    assert_eq!(files.len(), 4, "no trials: {files:?}");
    let lines = |name: &str| {
        let text =
            std::fs::read_to_string(dir.path().join(out).join(format!("export/{name}.jsonl"))).unwrap();
        text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()).collect::<Vec<_>>()
    };
    let games = lines("games");
    let points: f64 = games
        .iter()
        .filter(|g| g["a"] == "uct,playouts=20,select.c=0.5")
        .map(|g| g["value_a"].as_f64().unwrap())
        .sum();
    assert!((points - second["score"].as_f64().unwrap() * 20.0).abs() < 1e-9, "{points}");
    assert!(games.iter().all(|game| game["a_first"].is_boolean() && game["seed"].is_u64()));
    assert_eq!(lines("moves").len(), csv("moves").len());
    assert!(lines("moves")[0]["simulations"].as_u64().unwrap() >= 20);
    let output = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .current_dir(dir.path())
        .args(["export", out, "--format", "sgf"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && message.contains("no games of Go"), "{message}");
}

#[test]
fn races_accept_what_is_better_and_play_it_afresh() {
    let dir = tempfile::tempdir().unwrap();
    let object = example(dir.path(), "race", &[]);
    let arms = object["arms"].as_array().unwrap();
    let verdict = |name: &str| &arms.iter().find(|arm| arm["arm"] == name).unwrap()["verdict"];
    assert!(arms.len() == 3 && verdict("more") == "accepted" && verdict("fewer") != "accepted", "{object}");
    assert_eq!((&object["accepted"][0]["arm"], &object["fresh"][0]["games"]), (&"more".into(), &40.into()));
    assert_eq!(table(&dir.path().join("results/examples/race.csv")).len(), 3);
    let (text, results) = report(dir.path(), "out/examples/race");
    assert!(text.contains("  within [") && text.contains("accepted: more"), "{text}");
    assert!(text.contains("40 of 40 games\n"), "the fresh match: {text}");
    assert_eq!(results["arms"], object["arms"]);
    let recipe = std::fs::read_to_string(dir.path().join("results/examples/race.recipe.toml")).unwrap();
    assert!(recipe.contains("kind = \"uct\""), "{recipe}");

    let other = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/examples/sweep.toml");
    let output = Command::new(env!("CARGO_BIN_EXE_tesuji")).arg("race").arg(other).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && message.contains("accepted: \"race\""), "{message}");
}

#[test]
fn random_patterns_are_drawn_filtered_and_raced() {
    let dir = tempfile::tempdir().unwrap();
    let object = example(dir.path(), "patterns", &[]);
    let arms = object["arms"].as_array().unwrap();
    assert_eq!(arms.len(), 6, "{object}");
    for arm in arms {
        let rate = arm["match_rate"].as_f64().unwrap();
        assert!((0.01..=0.3).contains(&rate), "{arm}");
        let neutral = arm["value"] == "neutral";
        let changed = arm["changed"].as_f64().unwrap();
        assert!(if neutral { changed == 0.0 } else { changed >= 0.05 }, "{arm}");
        assert!(!(neutral && arm["verdict"] == "accepted"), "{arm}");
    }
    let again = example(dir.path(), "patterns", &[]);
    assert_eq!(object["arms"], again["arms"], "what is drawn is recorded");
}

#[test]
fn games_of_go_and_trials_can_be_exported() {
    let dir = tempfile::tempdir().unwrap();
    tesuji(dir.path(), &["match", "random", "random", "--game=go:5", "--games=2", "--out=go"]);
    tesuji(dir.path(), &["export", "go", "--format=sgf", "--out=sgf"]);
    let sgf = std::fs::read_to_string(dir.path().join("sgf/match/00001-2.sgf")).unwrap();
    assert!(sgf.starts_with("(;") && sgf.contains("SZ[5]"), "{sgf}");

    let learning = "kind = \"incentives\"\nname = \"x\"\nheaps = 2\ncounters = 3\nsimulations = 5\ngames = 3\n[[learning]]\nname = \"p\"\n";
    std::fs::write(dir.path().join("x.toml"), learning).unwrap();
    tesuji(dir.path(), &["run", "x.toml"]);
    tesuji(dir.path(), &["export", "out/x"]);
    let trials = table(&dir.path().join("out/x/export/trials.csv"));
    assert_eq!(trials.len(), 3 * 8);
    assert_eq!(trials[8].iter().take(3).collect::<Vec<_>>(), ["p", "1", "ride"]);
    let (text, results) = report(dir.path(), "out/x");
    assert!(text.contains("3/3 games  RIDE") && text.contains("3 of 3 trials"), "{text}");
    assert_eq!((&results[0]["name"], &results[0]["games"]), (&"p".into(), &3.into()));
}

#[test]
fn a_training_is_measured_and_its_network_plays() {
    let dir = tempfile::tempdir().unwrap();
    let object = example(dir.path(), "train", &[]);
    let iterations = object["iterations"].as_array().unwrap();
    assert_eq!(iterations.len(), 4);
    assert!(iterations[3]["policy_loss"].as_f64() < iterations[0]["policy_loss"].as_f64(), "{object}");
    let checkpoints = table(&dir.path().join("results/examples/train-elo.csv"));
    let (text, results) = report(dir.path(), "out/examples/train");
    assert!(text.contains("4 iterations, ") && text.contains("checkpoint     4"), "{text}");
    assert_eq!(results["iterations"], object["iterations"]);
    let numbers: Vec<&str> = checkpoints.iter().map(|row| &row[0]).collect();
    assert_eq!(numbers, ["0", "2", "4"]);
    let network = "puct-net,network.file=out/examples/train/networks/latest.safetensors";
    let output = tesuji(
        dir.path(),
        &["match", network, "random", "--game", "go:5", "--games", "2", "--playouts", "8", "--json"],
    );
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["games"], 2, "{summary}");
    let again = example(dir.path(), "train", &["--limit", "0"]);
    assert_eq!(again["iterations"], object["iterations"]);
}
