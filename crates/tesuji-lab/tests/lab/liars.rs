//! Clusters in this process: a worker that is wrong, whose trials are void and done again in every
//! kind of experiment; and what no cluster does.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji::Stop;
use tesuji_lab::store::{Origin, Store};
use tesuji_lab::{
    Ask, Cluster, Executor, Experiment, ExperimentOptions, JOB_FORMAT, Job, JobDone, JobResult, JobWork,
    JobWorker, LabError, Limit, MatchOptions, MatchSpec, Results, Told, TrialSource, run_experiment,
    run_match, verify,
};

/// A cluster in this process: its first jobs go to a worker that lies, the others to one that does
/// not. The liar is found out after its last job.
#[derive(Debug)]
struct OneLiar {
    lies: u64,
    done: AtomicU64,
}

impl Cluster for OneLiar {
    fn convicted(&self) -> Vec<(String, String)> {
        let is_over = self.lies > 0 && self.done.load(Ordering::Relaxed) >= self.lies;
        is_over.then(|| ("liar".to_owned(), "it lies".to_owned())).into_iter().collect()
    }
}

impl Executor<Job, JobResult> for OneLiar {
    fn execute(&self, source: &mut dyn TrialSource<Job, JobResult>) -> Result<(), LabError> {
        while let Ask::Run(job) = source.ask(0)? {
            let lies = self.done.fetch_add(1, Ordering::Relaxed) < self.lies;
            let files = job.files.clone();
            let file_of = move |hash: &str| {
                let found = files.iter().find(|(own, _)| own == hash);
                found.map(|(_, path)| path.clone()).ok_or_else(|| hash.to_owned())
            };
            let mut worker = JobWorker::new(Box::new(file_of));
            let done = |job: &Job, worker: &mut JobWorker| {
                let simulations = Arc::default();
                let done = worker.work(job, &Stop::default(), &simulations).expect("nobody stops it");
                // What renews a lease: not the ends of games.
                let least = match &done {
                    JobDone::SelfPlay(rows) => rows.iter().map(|row| row.evaluations).sum(),
                    JobDone::Game(game) => game.searches.iter().map(|search| search.simulations + 1).sum(),
                    _ => 0,
                };
                assert!(simulations.load(Ordering::Relaxed) >= least);
                done
            };
            let done = if lies { lie(&job, |job| done(job, &mut worker)) } else { done(&job, &mut worker) };
            let worker = if lies { "liar" } else { "honest" }.to_owned();
            let origin = Origin { worker, version: "test".to_owned(), platform: String::new() };
            let result = JobResult { format: JOB_FORMAT, id: job.id, origin, done };
            assert_eq!(source.tell(result)?, Told::Ended);
            source.commit()?;
        }
        Ok(())
    }

    fn width(&self) -> usize {
        2
    }
}

/// The same cluster, whose run ends with its last lie: by this stop, or else by a failure.
#[derive(Debug)]
struct Interrupted {
    liar: OneLiar,
    stop: Option<Stop>,
}

impl Cluster for Interrupted {
    fn convicted(&self) -> Vec<(String, String)> {
        self.liar.convicted()
    }
}

impl Executor<Job, JobResult> for Interrupted {
    fn execute(&self, source: &mut dyn TrialSource<Job, JobResult>) -> Result<(), LabError> {
        self.liar.execute(&mut UntilTheEnd { of: self, source })
    }

    fn width(&self) -> usize {
        self.liar.width()
    }
}

struct UntilTheEnd<'a> {
    of: &'a Interrupted,
    source: &'a mut dyn TrialSource<Job, JobResult>,
}

impl TrialSource<Job, JobResult> for UntilTheEnd<'_> {
    fn ask(&mut self, under_way: usize) -> Result<Ask<Job>, LabError> {
        match (&self.of.stop, self.of.liar.convicted().is_empty()) {
            (_, true) => self.source.ask(under_way),
            (Some(stop), false) => {
                stop.stop();
                Ok(Ask::Done)
            }
            (None, false) => Err(LabError::Failed("a failure".to_owned())),
        }
    }

    fn tell(&mut self, result: JobResult) -> Result<Told, LabError> {
        self.source.tell(result)
    }

    fn commit(&mut self) -> Result<(), LabError> {
        self.source.commit()
    }
}

/// A result that looks like one of the job.
fn lie(job: &Job, mut done: impl FnMut(&Job) -> JobDone) -> JobDone {
    let mut job = job.clone();
    match &mut job.work {
        // The agents change places.
        JobWork::Game(game) => game.agents.reverse(),
        JobWork::SelfPlay(games) => games.games.iter_mut().for_each(|game| game.1 ^= 1),
        JobWork::Figures(_) => {}
    }
    let mut done = done(&job);
    if let JobDone::Figures(trials) = &mut done {
        trials.iter_mut().flat_map(|trial| &mut trial.1).for_each(|bits| *bits = 0.25_f64.to_bits());
    }
    done
}

/// Runs a file with a worker that lies about its first jobs.
fn run(dir: &Path, file: &str, lies: u64, changed: bool) -> Result<Results, LabError> {
    let cluster = OneLiar { lies, done: AtomicU64::new(0) };
    run_by(Some(Arc::new(cluster)), &Stop::default(), dir, file, changed)
}

fn run_by(
    cluster: Option<Arc<dyn Cluster>>,
    stop: &Stop,
    dir: &Path,
    file: &str,
    changed: bool,
) -> Result<Results, LabError> {
    let options = ExperimentOptions {
        out: dir.join("out"),
        results: dir.join("results"),
        games: None,
        only: Vec::new(),
        threads: 2,
        cluster,
        changed,
        version: "test".to_owned(),
    };
    let experiment = Experiment::parse("test.toml", file)?;
    Ok(run_experiment(&experiment, &options, stop, &mut |_| ())?.results)
}

fn store(dir: &Path) -> Store {
    Store::read(&dir.join("out/t")).unwrap()
}

/// The details of the events of a kind.
fn events(dir: &Path, kind: &str) -> Vec<serde_json::Value> {
    let events = store(dir).events().unwrap().into_iter();
    events.filter(|event| event.1 == kind).map(|event| event.2).collect()
}

/// Makes sure that the record is sound, names the liar and counts nothing of it.
fn assert_clean(dir: &Path) {
    assert_eq!(verify(&dir.join("out/t")).unwrap().faults, [""; 0]);
    let store = store(dir);
    assert_eq!(store.wrong_workers().unwrap(), [("liar".to_owned(), "it lies".to_owned())]);
    let mut last = std::collections::BTreeMap::new();
    for event in events(dir, "done elsewhere") {
        for id in event["games"].as_array().into_iter().flatten() {
            last.insert(id.as_str().unwrap().to_owned(), event["worker"].clone());
        }
    }
    for id in store.ids().unwrap() {
        assert_eq!(last[&id], "honest", "{id}");
    }
}

/// Runs a file with an honest worker and with one that lies about its first jobs.
fn honest_and_not(file: &str, lies: u64) -> [(tempfile::TempDir, Results); 2] {
    let both = [0, lies].map(|lies| {
        let dir = tempfile::tempdir().unwrap();
        let results = run(dir.path(), file, lies, false).unwrap();
        (dir, results)
    });
    assert_clean(both[1].0.path());
    both
}

#[test]
fn matches_that_were_complete_are_open_again() {
    let file = r#"
        kind = "matches"
        name = "t"
        game = "connect-four"
        playouts = 20
        seed = 4
        [[match]]
        name = "one"
        a = "uct"
        b = "random"
        games = 10
        [[match]]
        name = "two"
        a = "mast"
        b = "random"
        games = 10
    "#;
    let [(_, honest), (dir, results)] = honest_and_not(file, 14);
    assert_eq!(store(dir.path()).voided().unwrap().len(), 14);
    for column in ["wins", "losses", "games"] {
        let of = |results: &Results| results.tables[0].numbers(column);
        assert_eq!(of(&results), of(&honest));
    }
}

#[test]
fn searches_that_end_by_the_clock_are_refused() {
    let spec = MatchSpec { limit: Limit::Milliseconds(5), ..crate::store::spec() };
    let options = MatchOptions {
        threads: 1,
        cluster: Some(Arc::new(OneLiar { lies: 0, done: AtomicU64::new(0) })),
        out: None,
        changed: false,
        version: "test".to_owned(),
    };
    let error = run_match(&spec, &options, &Stop::default(), &mut |_| ()).unwrap_err().to_string();
    assert!(
        error.contains("end by the clock") && error.contains("accepted on a cluster: a number"),
        "{error}"
    );
}

const DECISIONS: &str = r#"
        kind = "decisions"
        name = "t"
        trees = 40
        seed = 5
        simulations = [20]
        baseline = "mean"
        [[setting]]
        name = "U"
        branching = 4
        depth = 3
        recipe = "uct"
        c = [0.3]
        [[agent]]
        name = "mean"
        [[agent]]
        name = "late"
        parts = "expand_at=6"
    "#;

#[test]
fn trials_are_made_again() {
    let [(_, honest), (dir, results)] = honest_and_not(DECISIONS, 12);
    assert!(events(dir.path(), "trial voided").len() >= 12);
    assert_eq!(results.csv(), honest.csv());
}

#[test]
fn a_recipe_in_a_file_is_refused_before_the_first_job() {
    let dir = tempfile::tempdir().unwrap();
    let recipe = dir.path().join("mine.toml");
    std::fs::write(&recipe, "select = { kind = \"uct\", c = 0.3 }\n").unwrap();
    let file = DECISIONS.replace("\"uct\"", &format!("{:?}", recipe.display().to_string()));
    let error = run(dir.path(), &file, 0, false).unwrap_err().to_string();
    assert!(error.contains("do not have the file") && error.contains("mine.toml"), "{error}");
    run_by(None, &Stop::default(), dir.path(), &file, false).unwrap();
}

const RACE: &str = include_str!("../data/small-race.toml");

#[test]
fn a_race_goes_back_to_the_first_void_game() {
    let honest = tempfile::tempdir().unwrap();
    let expected = run(honest.path(), RACE, 0, false).unwrap();
    // In the first race, and after the lies have decided it.
    for (lies, is_decided) in [(30, false), (150, true)] {
        let dir = tempfile::tempdir().unwrap();
        let results = run(dir.path(), RACE, lies, false).unwrap();
        assert_clean(dir.path());
        assert_eq!(events(dir.path(), "reopened"), [serde_json::json!({ "race": 1 })]);
        let log = store(dir.path()).events().unwrap().into_iter();
        let mut before = log.take_while(|event| event.1 != "reopened");
        let follows = |name: &str| name.starts_with("r2-") || name.starts_with("fresh-");
        assert_eq!(before.any(|event| event.2["match"].as_str().is_some_and(follows)), is_decided);
        for name in ["arms", "accepted", "bounds", "fresh"] {
            let [own, other] = [&results, &expected].map(|results| results.table(name).unwrap());
            let columns = ["race", "arm", "games", "wins", "score", "lower", "upper", "verdict"];
            for column in columns.into_iter().filter(|column| own.column(column).is_ok()) {
                let of = |table: &tesuji_lab::Table| {
                    Vec::from_iter((0..table.len()).map(|row| table.at(row, column).text().to_owned()))
                };
                assert_eq!(of(own), of(other), "{lies} lies, {name}, {column}");
            }
        }
        let plan = |dir: &Path| {
            let mut names =
                Vec::from_iter(store(dir).matches().unwrap().into_iter().map(|m| (m.name, m.games)));
            names.sort();
            names
        };
        assert_eq!(plan(dir.path()), plan(honest.path()));
    }
}

const TUNE: &str = include_str!("../data/small-tuning.toml");

#[test]
fn a_tuning_is_told_again_what_was_void() {
    // Found out before any suggestion follows from a value, after some do, and in the validation.
    for (lies, open) in [(15, vec![0, 1]), (33, vec![0, 1, 2, 3, 4]), (45, vec![0, 1, 2, 3, 4, 5, 6])] {
        let [(honest, expected), (dir, results)] = honest_and_not(TUNE, lies);
        assert_eq!(events(dir.path(), "reopened"), [serde_json::json!({ "evaluations": open })]);
        let values = |results: &Results| {
            let rows = results.json["evaluations"].as_array().unwrap().iter();
            Vec::from_iter(rows.map(|row| (row["values"].clone(), row["value"].clone())))
        };
        // The suggestions of the initial design depend on nothing.
        assert_eq!(values(&results)[..4], values(&expected)[..4]);
        if lies == 15 {
            assert_eq!(values(&results), values(&expected));
            let suggestions = |dir: &Path| events(dir, "suggestion");
            assert_eq!(suggestions(dir.path()).len(), suggestions(honest.path()).len());
        }
        assert!(results.json["evaluations"].as_array().unwrap().iter().all(|row| row["games"] == 6));
        assert_eq!(results.json["recommended"]["evaluations"], 7);
        assert_eq!(results.table("validation").unwrap().numbers("games"), [10.0]);
    }
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &TUNE.replace("parallel = 1", "parallel = 3"), 25, false).unwrap();
    assert_clean(dir.path());
}

const TRAIN: &str = include_str!("../data/small-training.toml");

fn network(dir: &Path) -> Vec<u8> {
    std::fs::read(dir.join("out/t/networks/latest.safetensors")).unwrap()
}

#[test]
fn games_of_self_play_are_played_again_before_anything_is_learnt_from_them() {
    // Four games of a match of the first network come first.
    let [(honest, _), (dir, _)] = honest_and_not(TRAIN, 7);
    let voided = store(dir.path()).voided().unwrap().len();
    assert_eq!((voided, events(dir.path(), "game of self-play voided").len()), (4, 3));
    assert_eq!(network(dir.path()), network(honest.path()));
}

#[test]
fn games_of_a_wrong_worker_are_void_after_an_interruption_and_nobody_is_blamed_for_those_played_again() {
    let honest = tempfile::tempdir().unwrap();
    run(honest.path(), TRAIN, 0, false).unwrap();
    for (stop, voided) in [(Some(Stop::default()), 3), (None, 0)] {
        let dir = tempfile::tempdir().unwrap();
        let liar = OneLiar { lies: 7, done: AtomicU64::new(0) };
        let cluster = Interrupted { liar, stop: stop.clone() };
        let is_stopped = stop.is_some();
        let begun = run_by(Some(Arc::new(cluster)), &stop.unwrap_or_default(), dir.path(), TRAIN, false);
        assert_eq!(begun.is_ok(), is_stopped);
        assert_eq!(events(dir.path(), "game of self-play voided").len(), voided);
        for _ in 0..2 {
            run_by(None, &Stop::default(), dir.path(), TRAIN, false).unwrap();
            assert_eq!(events(dir.path(), "game of self-play voided").len(), 3);
            assert_eq!(network(dir.path()), network(honest.path()));
            assert_eq!(verify(&dir.path().join("out/t")).unwrap().faults, [""; 0]);
        }
    }
}

#[test]
fn a_training_that_has_learnt_from_lies_stops_until_that_is_allowed() {
    let dir = tempfile::tempdir().unwrap();
    for lies in [25, 0] {
        let error = run(dir.path(), TRAIN, lies, false).unwrap_err().to_string();
        assert!(
            error.contains("worker liar is wrong (it lies), and iteration 0 has learnt")
                && error.contains("accepted: another directory with --out, or the same command with"),
            "{error}"
        );
    }
    run(dir.path(), TRAIN, 0, true).unwrap();
    assert_eq!(verify(&dir.path().join("out/t")).unwrap().faults, [""; 0]);
}
