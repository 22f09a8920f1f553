//! Tunings: over matches, taken up again, and over values that are told.

use std::path::Path;
use tesuji::Stop;
use tesuji_lab::store::Store;
use tesuji_lab::{
    Event, Experiment, ExperimentOptions, LabError, Results, Tuning, TuningState, run_experiment,
};

const FILE: &str = r#"
    kind = "tuning"
    name = "t"
    game = "hex:3"
    base = "uct"
    evaluations = 7
    games = 6
    playouts = 10
    seed = 3
    search = { initial = 4, samples = 3 }

    [[parameter]]
    name = "select.c"
    kind = "log"
    low = 0.05
    high = 2.0

    [[parameter]]
    name = "expand_at"
    kind = "integer"
    low = 1
    high = 4

    [[validation]]
    name = "default"
    games = 10
"#;

/// Runs the file, and stops after `stop_after` games.
fn run(dir: &Path, text: &str, stop_after: u64) -> Result<Results, LabError> {
    run_to(dir, text, stop_after, None)
}

/// The same with the option `games`.
fn run_to(dir: &Path, text: &str, stop_after: u64, games: Option<u64>) -> Result<Results, LabError> {
    let experiment = Experiment::parse("t.toml", text)?;
    let options = ExperimentOptions {
        out: dir.join("out"),
        results: dir.join("results"),
        games,
        only: Vec::new(),
        threads: 2,
        cluster: None,
        changed: false,
        version: "test".to_owned(),
    };
    let stop = Stop::default();
    let report = run_experiment(&experiment, &options, &stop, &mut |state| {
        if let Event::Done(games) = state
            && games >= stop_after
        {
            stop.stop();
        }
    })?;
    Ok(report.results)
}

#[test]
fn a_tuning_is_taken_up_where_it_was_stopped() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = run(whole.path(), FILE, u64::MAX).unwrap();
    let evaluations = expected.json["evaluations"].as_array().unwrap();
    assert_eq!(evaluations.len(), 7);
    assert_eq!(evaluations[0]["values"], serde_json::json!(tuning(FILE).defaults().unwrap()));
    assert!(evaluations.iter().all(|row| row["games"] == 6 && row["pending"] == serde_json::json!([])));
    assert_eq!(expected.table("validation").unwrap().at(0, "games").count(), Some(10));
    assert_eq!(expected.json["recommended"]["evaluations"], 7);
    for name in ["t", "t-recommended", "t-validation", "t-incumbent", "t-marginals"] {
        let table = std::fs::read_to_string(whole.path().join(format!("results/{name}.csv"))).unwrap();
        assert!(table.lines().count() > 1, "{name}");
    }

    for stop_after in [3, 15, 31] {
        let results = run(parts.path(), FILE, stop_after).unwrap();
        assert!(results.json["recommended"].is_null());
    }
    let resumed = run(parts.path(), FILE, u64::MAX).unwrap();
    let told = |results: &Results| {
        let rows = results.json["evaluations"].as_array().unwrap().iter();
        rows.map(|row| (row["values"].clone(), row["value"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(told(&resumed), told(&expected));
    assert_eq!(resumed.json["recommended"], expected.json["recommended"]);
    let wins = |results: &Results| results.table("validation").unwrap().at(0, "wins").count();
    assert_eq!(wins(&resumed), wins(&expected));

    // More evaluations go on from there; another base is another tuning.
    let more = run(parts.path(), &FILE.replace("evaluations = 7", "evaluations = 8"), u64::MAX).unwrap();
    assert_eq!(told(&more)[..7], told(&expected));
    assert_eq!(more.json["recommended"]["evaluations"], 8);
    let again = run(parts.path(), &FILE.replace("evaluations = 7", "evaluations = 8"), u64::MAX).unwrap();
    assert_eq!(again.json, more.json);
    let other = FILE.replace("\"uct\"", "\"mast\"");
    let error = run(parts.path(), &other, u64::MAX).unwrap_err().to_string();
    assert!(error.contains("results of other settings"), "{error}");
    let other =
        FILE.replace("kind = \"log\"", "kind = \"real\"").replace("evaluations = 7", "evaluations = 8");
    let error = run(parts.path(), &other, u64::MAX).unwrap_err().to_string();
    assert!(error.contains("the parameters are not those of the record"), "{error}");
}

#[test]
fn evaluations_may_be_under_way_together() {
    let dir = tempfile::tempdir().unwrap();
    let text = FILE.replace("seed = 3", "seed = 3\nparallel = 3");
    run(dir.path(), &text, 20).unwrap();
    let results = run(dir.path(), &text, u64::MAX).unwrap();
    let evaluations = results.json["evaluations"].as_array().unwrap();
    assert!(evaluations.iter().all(|row| row["games"] == 6 && row["completed"].is_u64()));
    let most = evaluations.iter().map(|row| row["pending"].as_array().unwrap().len()).max();
    assert_eq!(most, Some(2), "{evaluations:?}");
    let store = Store::read(&dir.path().join("out/t")).unwrap();
    assert!(store.integrity().unwrap().is_empty());
}

fn tuning(text: &str) -> Tuning {
    let experiment = Experiment::parse("t.toml", text).unwrap();
    experiment.plan_as::<Tuning>().unwrap().clone()
}

#[test]
fn the_expected_improvement_has_two_names() {
    let settings = |name: &str| {
        let text = FILE.replace("initial = 4", &format!("acquisition = \"{name}\""));
        tuning(&text).settings().unwrap()
    };
    assert_eq!(settings("ei"), settings("log-ei"));
}

#[test]
fn a_parameter_may_stand_in_a_command() {
    let text = FILE
        .replace("base = \"uct\"", "base = \"gtp:engine --c {select.c} --at {expand_at}\"")
        .replace("game = \"hex:3\"\n", "")
        .replace("high = 2.0", "high = 2.0\n default = 0.5")
        .replace("high = 4", "high = 4\n default = 2");
    let tuning = tuning(&text);
    assert_eq!(tuning.agent(&tuning.defaults().unwrap()).unwrap(), "gtp:engine --c 0.5 --at 2");
}

#[test]
fn what_is_told_is_recorded() {
    let text = FILE
        .replace("game = \"hex:3\"\n", "")
        .replace("high = 2.0", "high = 2.0\n default = 0.5")
        .replace("high = 4", "high = 4\n default = 2");
    let (tuning, dir) = (tuning(&text), tempfile::tempdir().unwrap());
    let store = Store::open(dir.path()).unwrap();
    let mut state = TuningState::new(&tuning, &store).unwrap();
    for i in 0..6 {
        let number = state.ask(&store).unwrap().number;
        state.tell(&store, number, f64::from(i) * 0.1, 0.01).unwrap();
    }
    let mut again = TuningState::new(&tuning, &store).unwrap();
    assert_eq!(again.recommend().unwrap(), state.recommend().unwrap());
    let (first, second) = (again.ask(&store).unwrap(), again.ask(&store).unwrap());
    assert_eq!((first.number, second.pending), (6, vec![6]));
    assert_eq!(state.ask(&store).unwrap().values, first.values);
    for (number, expected) in [(0, "is known already"), (99, "there is no suggestion 99")] {
        let error = again.tell(&store, number, 0.5, 0.0).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    for (value, variance) in [(f64::NAN, 0.0), (-1e300, 0.0), (0.5, 1e201), (0.5, -1.0)] {
        let error = again.tell(&store, 6, value, variance).unwrap_err().to_string();
        assert!(error.contains("accepted: -1e100 to 1e100"), "{error}");
    }
    for (rate, games) in [(1.5, 4), (f64::NAN, 4), (0.5, 0)] {
        let error = again.tell_games(&store, 6, rate, games).unwrap_err().to_string();
        assert!(error.contains("accepted: 0 to 1, over at least 1 game"), "{error}");
    }
    // Two of two games are learned as (2 + 1/2) / 3.
    again.tell_games(&store, 6, 1.0, 2).unwrap();
    let told = again.completions().last().unwrap().told.unwrap();
    assert!((told[0] - 2.5 / 3.0).abs() < 1e-12 && (told[1] - 2.5 * 0.5 / 27.0).abs() < 1e-12, "{told:?}");
}

#[test]
fn the_tables_of_a_tuning_without_a_game_are_written() {
    let text = FILE
        .replace("game = \"hex:3\"\n", "")
        .replace("high = 2.0", "high = 2.0\n default = 0.5")
        .replace("high = 4", "high = 4\n default = 2.0");
    let dir = tempfile::tempdir().unwrap();
    assert!(run(dir.path(), &text, 1).unwrap_err().to_string().contains("names no game"));
    let results = run_to(dir.path(), &text, 1, Some(0)).unwrap();
    assert_eq!(results.summary, ["0 evaluations completed"]);
    // A whole number is asked for as one.
    let store = Store::open(&dir.path().join("asked")).unwrap();
    let first = TuningState::new(&tuning(&text), &store).unwrap().ask(&store).unwrap();
    assert_eq!(serde_json::json!(first.values), serde_json::json!([0.5, 2]));
}

#[test]
fn a_choice_has_numbers_and_truth_values_as_words() {
    let parameter = "name = \"expand_at\"\n    kind = \"integer\"\n    low = 1\n    high = 4";
    for (key, options, expected) in
        [("expand_at", "[\"1\", \"4\"]", "1"), ("reuse", "[\"true\", \"false\"]", "false")]
    {
        let choice = format!("name = \"{key}\"\n kind = \"choice\"\n options = {options}");
        let tuning = tuning(&FILE.replace(parameter, &choice));
        assert_eq!(tuning.defaults().unwrap()[1].to_string(), expected);
        let first = TuningState::new(&tuning, &Store::in_memory().unwrap());
        let first = first.unwrap().ask(&Store::in_memory().unwrap()).unwrap();
        assert_eq!(first.values[1], tesuji_tune::Value::Word(expected.to_owned()));
    }
}

#[test]
fn another_model_recommends_anew_under_names_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let names = |results: Results| {
        let table = results.table("validation").unwrap().clone();
        (0..table.len()).map(|row| table.at(row, "name").to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(run(dir.path(), FILE, u64::MAX).unwrap()), ["v7-default"]);
    let other = FILE.replace("samples = 3", "samples = 4");
    for _ in 0..2 {
        assert_eq!(names(run(dir.path(), &other, u64::MAX).unwrap()), ["v7-default", "v7.2-default"]);
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (from, to, expected) in [
        ("kind = \"log\"", "kind = \"lag\"", "accepted: \"real\", \"log\""),
        ("select.c", "select.cc", "no default"),
        ("high = 2.0", "high = 0.1", "the default of select.c is 0.7; accepted: a number from 0.05 to 0.1"),
        ("initial = 4", "acquisition = \"best\"", "accepted: \"kg\", \"log-ei\""),
        (
            "initial = 4",
            "acquisition = \"ucb\", kappa = -1.0",
            "kappa is -1; accepted: a number of at least 0",
        ),
        ("base = \"uct\"", "base = \"gtp:x --c {c}\"", "parameter \"select.c\" has no place in \"gtp:x"),
        ("initial = 4", "initial = 70000", "initial is 70000; accepted: at most 65536"),
        ("evaluations = 7", "evaluations = 0", "at least 1"),
        ("high = 2.0", "high = 2000.0", "parameter select.c = 2000.0: "),
        ("game = \"hex:3\"", "game = \"chess\"", "chess"),
        ("games = 6", "gmaes = 6", "unknown field `gmaes`"),
        (
            "name = \"select.c\"",
            "default = 0.5\n name = \"value\"",
            "parameter \"value\" has the name of another column",
        ),
    ] {
        let error = Experiment::parse("t.toml", &FILE.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.starts_with("t.toml") && error.contains(expected), "{error}");
    }
    let twice = FILE.to_owned() + &FILE[FILE.find("[[validation]]").unwrap()..];
    let error = Experiment::parse("t.toml", &twice).unwrap_err().to_string();
    assert!(error.contains("validation: name is") && error.contains("each once"), "{error}");
}
