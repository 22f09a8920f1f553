//! The experiment files of the repository can be read, and what is wrong in one is named.

use std::path::{Path, PathBuf};
use tesuji::Stop;
use tesuji_lab::report::Record;
use tesuji_lab::{Event, Experiment, ExperimentOptions, run_experiment};

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
}

#[test]
fn experiment_files_are_sound_and_named_after_themselves() {
    tesuji_go::register_playouts();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = repository.join("experiments");
    // Experiments name files from there; no other test names files from here.
    std::env::set_current_dir(&repository).unwrap();
    let mut paths = Vec::new();
    files(&root, &mut paths);
    assert!(!paths.is_empty());
    for path in paths {
        let experiment = Experiment::read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(root.join(format!("{}.toml", experiment.name)), path);
    }
}

const MATCHES: &str = r#"kind = "matches"
name = "w"
game = "hex:3"
games = 4
playouts = 10
b = "uct"

[[match]]
name = "m"
a = "mast"
"#;

const ROUND_ROBIN: &str = r#"kind = "round-robin"
name = "w"
game = "hex:3"
games = 4
playouts = 10
agents = ["uct", "mast"]
"#;

const TUNING: &str = r#"kind = "tuning"
name = "w"
evaluations = 9

[[parameter]]
name = "x"
kind = "real"
low = 0
high = 1
default = 0.5

[search]
initial = 4
"#;

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("w.toml");
    for (file, from, to, expected) in [
        (
            MATCHES,
            "games = 4",
            "games = -2",
            "line 4: games: invalid value: integer `-2`; accepted: a whole number from 1",
        ),
        (
            MATCHES,
            "games = 4",
            "games = 0",
            "line 4: games: invalid value: integer `0`; accepted: a whole number from 1",
        ),
        (MATCHES, "games = 4\n", "\n", "line 8: missing field `games`"),
        (
            MATCHES,
            "\"mast\"",
            "\"mast\"\ngames = 0",
            "line 11: games: invalid value: integer `0`; accepted: a whole number from 1",
        ),
        (
            MATCHES,
            "\"mast\"",
            "\"mast\"\ngames = \"many\"",
            "line 11: games: invalid type: string \"many\"; accepted: a whole number from 1",
        ),
        (
            MATCHES,
            "\"mast\"",
            "\"mast\"\nopening_plies = 5_000_000_000",
            "line 11: opening_plies: invalid value: integer `5000000000`; accepted: a whole number from 0 to 4294967295",
        ),
        (MATCHES, "\"mast\"", "\"mats\"", "line 10: match m: a: "),
        (MATCHES, "\"uct\"", "\"uctt\"", "line 6: match m: b: "),
        (MATCHES, "\"hex:3\"", "\"chess\"", "line 3: match m: game: unknown game \"chess\""),
        (MATCHES, "\"hex:3\"", "\"go:5\"\nkomi = 0.3", "line 4: match m: komi '0.3' is not a multiple"),
        (
            MATCHES,
            "[[match]]\nname = \"m\"\na = \"mast\"",
            "match = []",
            "line 8: match: nothing is asked for; accepted: at least one table [[match]]",
        ),
        (
            MATCHES,
            "\"w\"",
            "3",
            "line 2: name: invalid type: integer `3`; accepted: a text in quotation marks",
        ),
        (
            MATCHES,
            "kind = \"matches\"",
            "",
            "kind is missing; accepted: a line such as kind = \"matches\", with one of \"matches\", ",
        ),
        (ROUND_ROBIN, "= 4", "= -4", "line 4: games: invalid value: integer `-4`; accepted: a whole number"),
        (
            ROUND_ROBIN,
            "= 4",
            "= 0",
            "line 4: games: invalid value: integer `0`; accepted: a whole number from 1",
        ),
        (ROUND_ROBIN, "playouts", "playout", "line 5: unknown field `playout`; accepted: "),
        (ROUND_ROBIN, ", \"mast\"", "", "line 6: agents is [\"uct\"]; accepted: "),
        (TUNING, "evaluations = 9", "", "missing field `evaluations`"),
        (TUNING, "default = 0.5", "", "line 5: parameter \"x\" has no default"),
        (TUNING, "= 4", "= 4.5", "line 13: search.initial: invalid type: floating point `4.5`; accepted: "),
    ] {
        std::fs::write(&path, file.replacen(from, to, 1)).unwrap();
        let error = Experiment::read(&path).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}: {expected}", path.display())), "{error}");
    }
}

#[test]
fn a_summary_says_whether_something_is_missing() {
    let race = include_str!("../data/small-race.toml");
    let training = include_str!("../data/small-training.toml");
    let tuning = include_str!("../data/small-tuning.toml");
    for file in [MATCHES, ROUND_ROBIN, race, tuning, training] {
        let dir = tempfile::tempdir().unwrap();
        let experiment = Experiment::parse("w.toml", file).unwrap();
        let is_unfinished = |games: Option<u64>, stops: bool| {
            let options = ExperimentOptions {
                out: dir.path().join("out"),
                results: dir.path().join("results"),
                games,
                only: Vec::new(),
                threads: 2,
                cluster: None,
                changed: false,
                version: "test".to_owned(),
            };
            let stop = Stop::default();
            let watch = &mut |event: Event<'_>| {
                if stops && matches!(event, Event::Done(_) | Event::Game { .. }) {
                    stop.stop();
                }
            };
            run_experiment(&experiment, &options, &stop, watch).unwrap();
            let summary = options.out.join(&experiment.name).join("summary.json");
            let summary = std::fs::read_to_string(summary).unwrap();
            let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
            let record = Record::read(&options.out.join(&experiment.name)).unwrap();
            assert_eq!(record.progress.is_unfinished, summary["is_unfinished"] == true);
            record.progress.is_unfinished
        };
        let kind = experiment.plan().kind();
        assert!(is_unfinished(None, true), "{kind}: it was stopped");
        assert!(is_unfinished(Some(1), false), "{kind}: its limit is 1");
        assert!(!is_unfinished(None, false), "{kind}");
    }
}

#[test]
fn results_that_cannot_be_written_cost_no_game() {
    let dir = tempfile::tempdir().unwrap();
    let results = dir.path().join("results");
    std::fs::write(&results, "a file").unwrap();
    let options = ExperimentOptions {
        out: dir.path().join("out"),
        results,
        games: None,
        only: Vec::new(),
        threads: 1,
        cluster: None,
        changed: false,
        version: "test".to_owned(),
    };
    let experiment = Experiment::parse("w.toml", MATCHES).unwrap();
    let mut games = 0;
    let watch = &mut |event: Event<'_>| games += u64::from(matches!(event, Event::Done(_)));
    let error = run_experiment(&experiment, &options, &Stop::default(), watch).unwrap_err().to_string();
    assert!(error.contains("cannot be written") && games == 0, "{error}, {games} games");
}
