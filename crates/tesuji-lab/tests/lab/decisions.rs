//! Experiments on decisions: resumed, limited, on any number of threads.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji::Stop;
use tesuji_lab::{
    Event, Experiment, ExperimentOptions, ExperimentReport, FiguresJob, JOB_FORMAT, Job, JobWork, JobWorker,
    LabError, Table, run_experiment,
};

const FILE: &str = r#"
kind = "decisions"
name = "small/trees"
trees = 40
seed = 5
simulations = [20, 60]
baseline = "mean"

[[setting]]
name = "U"
branching = 4
depth = 4
recipe = "uct"
c = [0.3, 0.7]

[[setting]]
name = "N"
branching = 6
depth = 4
values = { noise = 1, temperature = 0.2 }
recipe = "puct"
c = [0.5]

[[agent]]
name = "mean"

[[agent]]
name = "late"
parts = "expand_at=6,memory.nodes={simulations}"
c = { N = [0.5, 2] }
"#;

/// A run's rows, and whether it was interrupted.
#[derive(PartialEq, Debug)]
struct Run {
    rows: Table,
    interrupted: bool,
}

fn options(dir: &Path) -> ExperimentOptions {
    ExperimentOptions {
        out: dir.join("out"),
        results: dir.join("results"),
        games: None,
        only: Vec::new(),
        threads: 2,
        cluster: None,
        changed: false,
        version: "test".to_owned(),
    }
}

fn run(dir: &Path, file: &str, limit: Option<u64>, only: &[&str], threads: usize) -> Run {
    let only = only.iter().map(|&name| name.to_owned()).collect();
    try_run(file, &ExperimentOptions { games: limit, only, threads, ..options(dir) }).unwrap()
}

fn try_run(file: &str, options: &ExperimentOptions) -> Result<Run, LabError> {
    let experiment = Experiment::parse("trees.toml", file)?;
    let report = run_experiment(&experiment, options, &Stop::default(), &mut |_| {})?;
    Ok(run_of(report))
}

fn run_of(report: ExperimentReport) -> Run {
    Run { rows: report.results.tables[0].clone(), interrupted: report.interrupted }
}

fn trees(run: &Run) -> Vec<(&str, u64)> {
    let row = |row| (run.rows.at(row, "name").text(), run.rows.at(row, "trees").count().unwrap());
    (0..run.rows.len()).map(row).collect()
}

#[test]
fn passes_on_any_number_of_threads_come_to_the_same_as_one_run() {
    let (passes, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = run(passes.path(), FILE, Some(7), &["U-mean"], 2);
    assert_eq!(trees(&first), [("U-mean-0.3", 7), ("U-mean-0.3", 7), ("U-mean-0.7", 7), ("U-mean-0.7", 7)]);
    let second = run(passes.path(), FILE, Some(3), &[], 1);
    assert_eq!(trees(&second).iter().map(|(_, trees)| trees).sum::<u64>(), 4 * 7 + 10 * 3);
    let report = run(passes.path(), FILE, None, &[], 3);
    assert_eq!(report, run(whole.path(), FILE, None, &[], 1));
    let table = |dir: &Path| std::fs::read_to_string(dir.join("results/small/trees.csv")).unwrap();
    assert_eq!(table(passes.path()), table(whole.path()));
    assert_eq!(table(passes.path()).lines().count(), 15);

    // Agents are compared at the same c, or with the only one that the baseline has.
    let against: Vec<_> = (0..14).step_by(2).map(|row| report.rows.at(row, "against").text()).collect();
    assert_eq!(against, ["", "", "U-mean-0.3", "U-mean-0.7", "", "N-mean-0.5", "N-mean-0.5"]);
    let at = |row: usize, column: &str| report.rows.at(row, column).number().unwrap();
    assert_eq!(report.rows.at(5, "recipe").text(), "uct,select.c=0.3,expand_at=6,memory.nodes=60");
    // The rival is U-mean-0.3 with 60 simulations.
    assert_eq!((report.rows.at(1, "name").text(), at(1, "simulations")), ("U-mean-0.3", 60.0));
    assert_eq!(
        at(5, "robust_failures") + at(5, "robust_better"),
        at(1, "robust_failures") + at(5, "robust_worse")
    );
    assert!(at(1, "robust_rate") < at(0, "robust_rate"), "more simulations fail less often");

    // What was decided under other conditions does not count.
    let changed = FILE.replace("expand_at=6", "expand_at=7").replace("noise = 1", "noise = 2");
    let options = ExperimentOptions { games: Some(0), ..options(passes.path()) };
    let refused = try_run(&changed, &options).unwrap_err().to_string();
    let difference =
        "U-late-0.3, 20 simulations: recipe.expand_at is 6 there and 7 here; U-late-0.3, 60 simulations: ";
    assert!(refused.contains(difference) && !refused.contains("U-mean"), "{refused}");
    let now = try_run(&changed, &ExperimentOptions { changed: true, ..options }).unwrap();
    assert_eq!(
        trees(&now).into_iter().step_by(2).collect::<Vec<_>>(),
        [("U-mean-0.3", 40), ("U-mean-0.7", 40)]
    );
}

#[test]
fn a_stopped_run_keeps_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let experiment = Experiment::parse("trees.toml", FILE).unwrap();
    let (stop, mut batches) = (Stop::default(), 0);
    let report = run_experiment(&experiment, &options(dir.path()), &stop, &mut |state| {
        if let Event::Done(_) = state {
            batches += 1;
            if batches == 3 {
                stop.stop();
            }
        }
    });
    let stopped = run_of(report.unwrap());
    assert!(stopped.interrupted && stopped.rows.len() < 14, "{stopped:?}");
    let whole = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), FILE, None, &[], 2).rows, run(whole.path(), FILE, None, &[], 2).rows);
}

#[test]
fn what_is_wrong_is_named() {
    for (from, to, expected) in [
        ("parts = ", "part = ", "line 29: unknown field `part`"),
        ("expand_at=6", "expand=6", "U-late-0.3: "),
        ("baseline = \"mean\"", "baseline = \"means\"", "the agents are mean, late"),
        ("branching = 4", "branching = 3", "setting U: branching is 3; accepted: 4 to 1000"),
        ("temperature = 0.2", "temperature = 0", "temperature 0; accepted: at least 0, at least 0.012"),
        ("[20, 60]", "[20, 20]", "simulations is [20, 20]; accepted: a list of different numbers"),
        ("c = { N", "c = { M", "agent late: there is no setting M"),
        ("name = \"late\"", "name = \"mean\"", "there are two of the name U-mean-0.3"),
        ("trees = 40", "trees = 0", "trees is 0; accepted: 1 to 10000000"),
        ("trees = 40", "trees = 9223372036854775807", "trees is 9223372036854775807"),
    ] {
        let error = Experiment::parse("trees.toml", &FILE.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains("trees.toml") && error.contains(expected), "{error}");
    }
    let dir = tempfile::tempdir().unwrap();
    let only = vec!["zzz".to_owned()];
    let error = try_run(FILE, &ExperimentOptions { only, ..options(dir.path()) }).unwrap_err().to_string();
    assert!(error.contains("zzz") && error.contains("N-late-2"), "{error}");
}

#[test]
fn a_worker_searches_for_the_trees_once_and_renews_its_lease_meanwhile() {
    let experiment = Experiment::parse("small.toml", FILE).unwrap();
    let groups = experiment.plan().trials().unwrap();
    let job = |group: usize, numbers: Vec<u64>| {
        let (group, hash) = (groups[group].name().to_owned(), groups[group].group().hash());
        Job {
            format: JOB_FORMAT,
            id: format!("{hash}{numbers:?}"),
            version: "test".to_owned(),
            platform: None,
            is_reproducible: true,
            work: JobWork::Figures(FiguresJob { file: FILE.to_owned(), group, hash, numbers }),
            files: Vec::new(),
        }
    };
    let mut worker = JobWorker::new(Box::new(|hash| Err(hash.to_owned())));
    let mut work = |job: Job, stop: &Stop| {
        let progress: Arc<AtomicU64> = Arc::default();
        (worker.work(&job, stop, &progress).is_some(), progress.load(Ordering::Relaxed))
    };
    let stopped = Stop::default();
    stopped.stop();
    // The first two groups are of the same setting.
    assert_eq!(work(job(0, vec![0, 1]), &stopped), (false, 0));
    let (is_done, first) = work(job(0, vec![0, 1]), &Stop::default());
    assert!(is_done && first > 40, "{first}");
    for group in [0, 1] {
        assert_eq!(work(job(group, vec![2, 3, 4]), &Stop::default()), (true, 3));
    }
}
