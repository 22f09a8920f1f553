//! Games whose initial position each pair draws.

use std::collections::HashMap;
use std::path::Path;
use tesuji::Stop;
use tesuji_lab::store::Store;
use tesuji_lab::{Experiment, ExperimentOptions, run_experiment, verify};

const MATCHES: &str = r#"
    kind = "matches"
    name = "drawn"
    games = 24
    playouts = 20

    [[match]]
    name = "thermostrat"
    game = "heap-go:random:5x4"
    a = "thermostrat"
    b = "random"

    [[match]]
    name = "uct"
    game = "heap-go:random:3x3"
    a = "uct,reuse=true"
    b = "greedy"
    opening_plies = 2
    games = 10

    [[match]]
    name = "fixed"
    game = "heap-go:5x4"
    a = "thermostrat"
    b = "random"
    games = 4
"#;

fn options(out: &Path, threads: usize, games: Option<u64>) -> ExperimentOptions {
    ExperimentOptions {
        out: out.to_owned(),
        results: out.join("results"),
        games,
        only: Vec::new(),
        threads,
        cluster: None,
        changed: false,
        version: String::new(),
    }
}

#[test]
fn each_pair_draws_its_heaps_and_its_points_are_told() {
    let experiment = Experiment::parse("x.toml", MATCHES).unwrap();
    let [at_once, in_passes] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let run = |dir: &Path, threads, games| {
        let options = options(dir, threads, games);
        run_experiment(&experiment, &options, &Stop::default(), &mut |_| {}).unwrap().results.tables[0]
            .clone()
    };
    let table = run(at_once.path(), 2, None);
    run(in_passes.path(), 1, Some(3));
    let again = run(in_passes.path(), 1, None);
    for column in ["wins", "draws", "losses", "points", "points_lo", "points_hi", "duplicates"] {
        for row in 0..3 {
            assert_eq!(table.at(row, column), again.at(row, column), "{column}");
        }
    }
    let number = |row, column| table.at(row, column).number();
    // Points tell more than wins: the interval of 12 pairs is far from 0.
    assert!(number(0, "points_lo") > Some(2.0) && number(0, "points_hi") < Some(40.0), "{table:?}");
    assert!(number(1, "points").is_some() && number(2, "points").is_none());
    assert_eq!(number(0, "duplicates"), Some(0.0));

    let store = Store::read(&at_once.path().join("drawn")).unwrap();
    let mut sums = Vec::new();
    for planned in store.matches().unwrap() {
        let mut totals: HashMap<u64, Vec<f64>> = HashMap::new();
        for (place, game) in store.games_of(&planned.matchup, u64::MAX >> 1).unwrap() {
            let margin = game.result.get(2..).and_then(|text| text.parse::<f64>().ok());
            assert_eq!(margin.is_some(), planned.name != "fixed" && game.score_a != 0.5, "{}", game.result);
            let points = margin.unwrap_or(0.0);
            totals.entry(place.opening).or_default().push(if game.score_a > 0.5 { points } else { -points });
        }
        assert!(totals.values().all(|games| games.len() == 2));
        let mean = totals.values().flatten().sum::<f64>() / (2 * totals.len()) as f64;
        sums.push(mean);
    }
    assert!((sums[0] - number(0, "points").unwrap()).abs() < 1e-3, "{sums:?}");
    assert!((sums[1] - number(1, "points").unwrap()).abs() < 1e-3, "{sums:?}");
    drop(store);
    let found = verify(&at_once.path().join("drawn")).unwrap();
    assert!(found.faults.is_empty(), "{:?}", found.faults);
}

#[test]
fn lines_of_moves_do_not_fit_drawn_positions() {
    let lines = MATCHES.replace("opening_plies = 2", "openings = [\"1\"]");
    let error = Experiment::parse("x.toml", &lines).and_then(|experiment| {
        let dir = tempfile::tempdir().unwrap();
        run_experiment(&experiment, &options(dir.path(), 1, None), &Stop::default(), &mut |_| {}).map(drop)
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("draws its position") && error.contains("random moves"), "{error}");
}
