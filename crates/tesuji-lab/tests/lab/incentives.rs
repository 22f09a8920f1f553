//! Experiments on sums of heaps: match rates and matches for points.

use std::path::Path;
use tesuji::Stop;
use tesuji_lab::{
    Event, Experiment, ExperimentOptions, ExperimentReport, Field, Learning, Table, learn_incentives,
    run_experiment,
};

const LEARNING: &str = r#"
kind = "incentives"
name = "x/learning"
heaps = 4
counters = 4
games = 12
simulations = 60

[[learning]]
name = "p"

[[learning]]
name = "tree"
reading = "tree"
policy = "rand"
simulations = 0
"#;

const POINTS: &str = r#"
kind = "points"
name = "points"
heaps = 3
counters = 3
pairs = 6
b = "perfect"

[[match]]
name = "greedy"
a = "greedy"

[[match]]
name = "maxi"
a = "maxi"
simulations = 20
keeps = true

[[match]]
name = "perfect"
a = "perfect"
"#;

fn options(dir: &Path, threads: usize, games: Option<u64>) -> ExperimentOptions {
    ExperimentOptions {
        out: dir.join("out"),
        results: dir.join("results"),
        games,
        only: Vec::new(),
        threads,
        cluster: None,
        changed: false,
        version: String::new(),
    }
}

fn run(file: &str, dir: &Path, threads: usize, games: Option<u64>) -> ExperimentReport {
    let experiment = Experiment::parse("x.toml", file).unwrap();
    run_experiment(&experiment, &options(dir, threads, games), &Stop::default(), &mut |_| {}).unwrap()
}

fn learn(dir: &Path, threads: usize, games: Option<u64>) -> Table {
    let report = run(LEARNING, dir, threads, games);
    assert!(report.table.ends_with("x/learning.csv") && report.table.exists() && !report.interrupted);
    report.results.tables[0].clone()
}

/// The rows without the columns that are the clock's.
fn timeless(table: &Table) -> Vec<Vec<Field>> {
    table.rows().iter().map(|row| row[..row.len() - 2].to_vec()).collect()
}

fn play(dir: &Path, threads: usize, games: Option<u64>) -> Table {
    run(POINTS, dir, threads, games).results.tables[0].clone()
}

fn number(table: &Table, row: usize, column: &str) -> f64 {
    table.at(row, column).number().unwrap()
}

#[test]
fn learning_goes_on_where_it_was_stopped_and_threads_change_nothing() {
    let [at_once, in_passes] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let rows = learn(at_once.path(), 1, None);
    assert_eq!(number(&learn(in_passes.path(), 2, Some(5)), 0, "games"), 5.0);
    assert_eq!(timeless(&learn(in_passes.path(), 2, None)), timeless(&rows));
    assert_eq!(rows.numbers("games"), [12.0, 12.0]);
    let at = |row, column| number(&rows, row, column);
    assert!(at(0, "ride") > 60.0 && at(0, "ride_lo") < at(0, "ride") && at(0, "ride") < at(0, "ride_hi"));
    // Pairs of actions of different heaps: 16 * 12 / 2 in each game.
    assert_eq!(at(0, "pairs"), 12.0 * 96.0);
    // Without simulations no value is known, and all pairs count half.
    assert_eq!((at(1, "rave"), at(1, "to_come"), at(1, "rave_se")), (50.0, 50.0, 0.0));
    assert_eq!(rows.columns()[13].unit, "%");
}

#[test]
fn a_command_learns_what_an_experiment_does() {
    let experiment = Experiment::parse("x.toml", LEARNING).unwrap();
    let cells: &Vec<Learning> = experiment.plan_as().unwrap();
    let mut counts = Vec::new();
    let result = learn_incentives(&cells[0], 2, &Stop::default(), &mut |event| {
        if let Event::Done(done) = event {
            counts.push(done);
        }
    });
    let rows = learn(tempfile::tempdir().unwrap().path(), 1, None);
    let at = |column| number(&rows, 0, column);
    let result = result.unwrap().unwrap();
    let (ride, rave) = (result.ride.unwrap(), result.rave.unwrap());
    assert!((ride.mean - at("ride")).abs() < 1e-3 && (rave.se - at("rave_se")).abs() < 1e-3);
    assert_eq!((result.tied_pairs as f64, counts.last()), (at("tied_pairs"), Some(&12)));
    let stop = Stop::default();
    stop.stop();
    assert_eq!(learn_incentives(&cells[0], 2, &stop, &mut |_| {}), Ok(None));
}

#[test]
fn points_are_what_the_players_lose() {
    let [at_once, in_passes] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let rows = play(at_once.path(), 2, None);
    assert_eq!(number(&play(in_passes.path(), 1, Some(2)), 1, "pairs"), 2.0);
    assert_eq!(play(in_passes.path(), 1, None), rows);
    for row in 0..rows.len() {
        let at = |column| number(&rows, row, column);
        assert_eq!((at("pairs"), at("wins") + at("ties") + at("losses")), (6.0, 6.0));
        // Both games of a pair begin with the same optimal score, which goes to Left in either.
        assert!((at("points") - 2.0 * (at("loss_b") - at("loss_a"))).abs() < 1e-3, "{row}");
        assert_eq!((at("loss_b"), at("flawless_b"), at("wins")), (0.0, 1.0, 0.0));
        assert!((at("loss_a") - at("regret_a") * at("moves_a")).abs() < 1e-3, "{row}");
    }
    let at = |row, column| number(&rows, row, column);
    assert!(at(0, "loss_a") > at(1, "loss_a"), "{rows:?}");
    assert_eq!((at(2, "ties"), at(2, "loss_a"), at(2, "p")), (6.0, 0.0, 1.0));
}

/// Sums with more states than best play can be known of have points, but no regret.
#[test]
fn large_sums_are_played_for_points() {
    const LARGE: &str = r#"
kind = "points"
name = "large"
heaps = 12
counters = 6
simulations = 20
b = "rand"
pairs = 3

[[match]]
name = "to-come"
a = "to-come"

[[match]]
name = "order"
a = "maxi+order"

[[match]]
name = "difference"
a = "rand+difference"
"#;
    let rows = run(LARGE, tempfile::tempdir().unwrap().path(), 2, None).results.tables[0].clone();
    assert_eq!(rows.len(), 3);
    for row in 0..3 {
        let at = |column| number(&rows, row, column);
        assert_eq!((at("pairs"), at("wins") + at("ties") + at("losses")), (3.0, 3.0));
        assert!(at("points_lo") <= at("points") && at("moves_a") > 6.0, "{row}");
        for column in ["regret_a", "regret_b_lo", "loss_a", "loss_b_hi", "flawless_a"] {
            assert_eq!(rows.at(row, column), &Field::Empty, "{column}");
        }
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (text, old, new, expected) in [
        (LEARNING, "heaps = 4", "heaps = 1", ["p: heaps is 1, counters 4", "accepted: 2 to 60"]),
        (LEARNING, "policy = \"rand\"", "policy = \"best\"", ["line 15", "maxi"]),
        (LEARNING, "[[learning]]", "[[match]]", ["[[match]] is no table of such a file", "[[learning]]"]),
        (
            POINTS,
            "a = \"greedy\"",
            "a = \"gready\"",
            [
                "greedy: agent \"gready\"",
                "maxi, rand, to-come, each also with +order or +difference, perfect, random",
            ],
        ),
        (POINTS, "simulations = 20", "simulations = 0", ["maxi: simulations is 0", "at least 1"]),
        (
            POINTS,
            "pairs = 6",
            "pairs = 9223372036854775807",
            ["pairs is 9223372036854775807", "1 to 10000000"],
        ),
        (POINTS, "heaps = 3", "heaps = 30", ["greedy: heaps is 30, counters 3", "for perfect: at most"]),
        (LEARNING, "games = 12", "games = 0", ["p: games is 0", "1 to 10000000"]),
        (POINTS, "counters = 3", "counters = 300", ["greedy: heaps is 3, counters 300", "accepted: 1 to 60"]),
    ] {
        let error = Experiment::parse("x.toml", &text.replace(old, new)).unwrap_err().to_string();
        assert!(expected.iter().all(|part| error.contains(part)), "{error}");
    }
}

#[test]
fn progress_is_told() {
    let experiment = Experiment::parse("x.toml", POINTS).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    let mut watch = |state: Event<'_>| match state {
        Event::Started { name, number, of, total, .. } => told.push(format!("{name} {number}/{of} {total}")),
        Event::Done(done) => told.push(done.to_string()),
        Event::Stopped(why) => told.push(format!("{why:?}")),
        _ => panic!("pairs for points are no games of a match"),
    };
    let options = ExperimentOptions { only: vec!["gr".to_owned()], ..options(dir.path(), 1, None) };
    run_experiment(&experiment, &options, &Stop::default(), &mut watch).unwrap();
    assert_eq!(told, ["greedy 1/1 6", "6", "Complete"]);
}
