//! A kind of experiment of another crate, in one file of its own, has all that kinds of the
//! laboratory have.

#[path = "../../../../examples/own-program/src/temperature_sweep.rs"]
mod temperature_sweep;

use std::path::Path;
use temperature_sweep::TemperatureSweep;
use tesuji::Stop;
use tesuji_lab::report::{PageOptions, Record};
use tesuji_lab::{Event, Experiment, ExperimentOptions, ExperimentReport, run_experiment, verify};

const FILE: &str = include_str!("../../../../examples/own-program/temperature.toml");

fn run(dir: &Path, stop_after: u64) -> (ExperimentReport, Vec<String>) {
    let (out, results, version) = (dir.join("out"), dir.join("results"), "test".to_owned());
    let options = ExperimentOptions {
        out,
        results,
        games: None,
        only: Vec::new(),
        threads: 1,
        cluster: None,
        changed: false,
        version,
    };
    let (stop, mut games, mut steps) = (Stop::default(), 0, Vec::new());
    let mut watch = |event: Event<'_>| {
        if let Event::Started { name, number, of, total, .. } = event {
            steps.push(format!("{number}/{of} {name} {total}"));
        }
        games += u64::from(matches!(event, Event::Game { game: Some(_), .. }));
        if games == stop_after {
            stop.stop();
        }
    };
    let experiment = Experiment::parse("temperature.toml", FILE).unwrap();
    (run_experiment(&experiment, &options, &stop, &mut watch).unwrap(), steps)
}

#[test]
fn a_kind_of_another_crate_is_one_file() {
    let unknown = Experiment::parse("temperature.toml", FILE).unwrap_err().to_string();
    assert!(unknown.contains("line 1: kind is \"temperature-sweep\"; accepted: "), "{unknown}");
    Experiment::register::<TemperatureSweep>();
    Experiment::register::<TemperatureSweep>();
    assert_eq!(Experiment::kinds().last(), Some(&"temperature-sweep"));
    let wrong = Experiment::parse("temperature.toml", &FILE.replace("= 6", "= 0")).unwrap_err().to_string();
    assert!(wrong.ends_with("match T0.05: games is 0; accepted: at least 1"), "{wrong}");

    let dir = tempfile::tempdir().unwrap();
    let (stopped, _) = run(dir.path(), 8);
    assert!(stopped.interrupted && stopped.results.tables[0].len() == 2);
    let (report, steps) = run(dir.path(), u64::MAX);
    assert_eq!(steps, ["2/3 T0.2 6", "3/3 T1 6"]);
    assert_eq!(report.results.tables[0].numbers("games"), [6.0; 3]);
    assert_eq!(report.results.object()["matches"][2]["x"], 1.0);
    let csv = std::fs::read_to_string(dir.path().join("results/temperature.csv")).unwrap();
    assert_eq!(csv, report.results.csv());

    let record = Record::read(&dir.path().join("out/temperature")).unwrap();
    let page = record.html(PageOptions::default()).unwrap();
    assert!(page.contains("18 of 18 games.") && page.contains("Elo over the temperature."));
    assert!(record.results.summary[0].starts_with("best at T = "));
    assert!(verify(&dir.path().join("out/temperature")).unwrap().is_sound());
}
