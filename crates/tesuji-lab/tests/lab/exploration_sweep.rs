//! A kind of experiment that somebody else writes: a sweep over the exploration constant of an agent.

use std::path::Path;
use tesuji::Stop;
use tesuji_lab::report::{Axis, Chart, ChartCurve, CurveStyle, PageOptions, Point, Record};
use tesuji_lab::store::{Store, StoredPlan};
use tesuji_lab::{
    Event, ExperimentOptions, ExperimentReport, Kind, LabError, MatchConfig, Results, Session, run_kind,
};

/// Matches of UCT with some exploration constants against UCT as it is.
struct ExplorationSweep(Vec<MatchConfig>);

impl ExplorationSweep {
    fn new(constants: &[f64], games: u64) -> ExplorationSweep {
        let cell = |c: &f64| {
            let text = format!(
                "name = \"c{c}\"\na = \"uct,select.c={c:?}\"\nb = \"uct\"\nx = {c:?}\ngame = \"hex:3\"\ngames = {games}\nplayouts = 12"
            );
            toml::from_str(&text).unwrap()
        };
        ExplorationSweep(constants.iter().map(cell).collect())
    }
}

impl Kind for ExplorationSweep {
    fn kind(&self) -> &'static str {
        "exploration-sweep"
    }

    fn check(&self) -> Result<(), LabError> {
        self.0.check()
    }

    fn names(&self) -> Result<Option<Vec<String>>, LabError> {
        self.0.names()
    }

    fn stored_plan(&self, store: &Store) -> Result<StoredPlan, LabError> {
        self.0.stored_plan(store)
    }

    fn make(&self, session: &mut Session<'_>) -> Result<(), LabError> {
        self.0.make(session)
    }

    fn results(&self, store: &Store) -> Result<Results, LabError> {
        let mut results = self.0.results(store)?;
        let table = &results.tables[0];
        let point = |row: usize| {
            let at = |column: &str| table.at(row, column).number().unwrap_or(f64::NAN);
            Point { x: at("x"), y: at("score"), interval: Some([at("ci95_lo"), at("ci95_hi")]) }
        };
        let points = (0..table.len()).map(point).collect();
        let curves = vec![ChartCurve { label: String::new(), points, style: CurveStyle::Points }];
        let axis = |label: &str| Axis { label: label.to_owned(), ..Axis::default() };
        let (x, y) = (axis("c"), axis("score"));
        let chart = Chart { x, y, curves, lines: Vec::new(), size: (560, 360) };
        results.charts.push(("Scores over the constant.".to_owned(), chart));
        Ok(results)
    }
}

fn run(dir: &Path, plan: &ExplorationSweep, stop_after: u64) -> ExperimentReport {
    let (out, results) = (dir.join("out"), dir.join("results"));
    let (only, version) = (Vec::new(), "test".to_owned());
    let options = ExperimentOptions { out, results, games: None, only, threads: 1, changed: false, version };
    let (stop, mut games) = (Stop::default(), 0);
    let mut watch = |event: Event<'_>| {
        games += u64::from(matches!(event, Event::Game { .. }));
        if games == stop_after {
            stop.stop();
        }
    };
    run_kind(plan, ["wide", "which constant wins", ""], &options, &stop, &mut watch).unwrap()
}

#[test]
fn a_new_kind_is_one_file() {
    let dir = tempfile::tempdir().unwrap();
    let plan = ExplorationSweep::new(&[0.5, 1.0, 2.0], 6);
    let stopped = run(dir.path(), &plan, 8);
    assert!(stopped.interrupted && stopped.results.tables[0].len() < 3);
    let report = run(dir.path(), &plan, u64::MAX);
    assert_eq!(report.results.tables[0].numbers("games"), [6.0; 3]);
    assert_eq!(report.results.object()["matches"][2]["x"], 2.0);
    let csv = std::fs::read_to_string(dir.path().join("results/wide.csv")).unwrap();
    assert_eq!(csv, report.results.csv());
    let store = Store::read(&dir.path().join("out/wide")).unwrap();
    let record = Record::of(&plan, &store, store.description().unwrap().unwrap()).unwrap();
    let page = record.html(PageOptions::default()).unwrap();
    assert!(page.contains("18 of 18 games.") && page.contains("Scores over the constant."));
}
