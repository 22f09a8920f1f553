//! `tesuji run`.

use super::{cores, print, print_json, stop_on_interrupt};
use crate::progress::Progress;
use serde_json::json;
use std::path::{Path, PathBuf};
use tesuji_lab::{
    DecisionRow, Experiment, ExperimentOptions, ExperimentProgress, LabError, LearningRow, PointRow,
    RatingRow, Results, Row, run_experiment,
};

/// The matches, round robins, sweeps, decisions or searches of an experiment file.
///
/// Every finished game or decision is kept in OUT/EXPERIMENT: the same command again makes what is missing, whether the run
/// before was stopped or killed. If something that has results has changed in the file since, it is refused unless
/// --changed is given. The table of results is renewed as the experiment goes on.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The experiment file.
    file: PathBuf,
    /// At most so many games of each match, pairs of a match for points, or trees for each agent, now, so that a long list can be played in passes.
    /// With 0, everything is checked and the table is written from what there is.
    #[arg(long)]
    limit: Option<u64>,
    /// Only matches or agents whose names begin so; may be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    #[command(flatten)]
    recording: Recording,
}

/// How an experiment is run, and where what comes of it is kept.
#[derive(clap::Args, Debug)]
pub(super) struct Recording {
    /// Games played, or decisions made, at a time. Default: one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Go on though the file has changed: games and decisions whose settings are the same count, and the record notes the change.
    #[arg(long)]
    pub(super) changed: bool,
    /// Keep the games or decisions in directories below this one.
    #[arg(long, default_value = "out")]
    pub(super) out: PathBuf,
    /// Write the tables of results below this directory.
    #[arg(long, default_value = "results")]
    results: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    args.recording.run(&Experiment::read(&args.file)?, args.limit, args.only)
}

/// A file is none of the kind that a command takes.
pub(super) fn other_kind(file: &Path, experiment: &Experiment, accepted: &str) -> LabError {
    let (file, kind) = (file.display(), experiment.plan.kind());
    LabError::Input(format!("{file} is of kind {kind:?}; accepted: {accepted:?}"))
}

impl Recording {
    /// [`Recording::run`] for a file of one kind.
    pub(super) fn run_kind(self, file: &Path, kind: &str, limit: Option<u64>) -> Result<(), LabError> {
        let experiment = Experiment::read(file)?;
        if experiment.plan.kind() != kind {
            return Err(other_kind(file, &experiment, kind));
        }
        self.run(&experiment, limit, Vec::new())
    }

    /// Runs an experiment and prints its results: at most `limit` of each match, only those that are named.
    pub(super) fn run(
        self,
        experiment: &Experiment,
        limit: Option<u64>,
        only: Vec<String>,
    ) -> Result<(), LabError> {
        let options = ExperimentOptions {
            out: self.out,
            results: self.results,
            games: limit,
            only,
            changed: self.changed,
            threads: self.threads.map_or(cores(), usize::from),
            version: crate::VERSION.to_owned(),
        };
        let stop = stop_on_interrupt()?;
        let report = run_experiment(experiment, &options, &stop, &mut progress())?;
        for change in &report.changes {
            eprintln!("changed: {change}");
        }
        let (what, rows) = match &report.results {
            Results::Matches(rows) => ("games", json!({ "matches": rows })),
            Results::RoundRobin { ratings, matches } => {
                ("games", json!({ "ratings": ratings, "matches": matches }))
            }
            Results::Tuning(tuning) => ("games", json!(tuning)),
            Results::Race(races) => ("games", json!(races)),
            Results::Train(training) => ("iterations", json!(training)),
            Results::Decisions(rows) => ("decisions", json!({ "decisions": rows })),
            Results::Incentives(rows) => ("games", json!({ "rows": rows })),
            Results::Points(rows) => ("pairs", json!({ "rows": rows })),
        };
        if self.json {
            let mut object = json!({
                "name": experiment.name,
                "about": experiment.about,
                "table": report.table,
                "interrupted": report.interrupted,
                "changes": report.changes,
            });
            if let (Some(object), serde_json::Value::Object(rows)) = (object.as_object_mut(), rows) {
                object.extend(rows);
            }
            print_json(&object)?;
        } else {
            match &report.results {
                Results::Matches(rows) => rows.iter().try_for_each(match_line)?,
                Results::RoundRobin { ratings, matches } => {
                    matches.iter().try_for_each(match_line)?;
                    ratings.iter().try_for_each(rating_line)?;
                }
                Results::Tuning(results) => super::tune::lines(results)?,
                Results::Race(results) => super::race::lines(results)?,
                Results::Train(results) => super::train::lines(results)?,
                Results::Decisions(rows) => rows.iter().try_for_each(decision_line)?,
                Results::Incentives(rows) => rows.iter().try_for_each(learning_line)?,
                Results::Points(rows) => rows.iter().try_for_each(point_line)?,
            }
        }
        let rest = format!(
            "the finished {what} are below {}; the same command again makes the rest",
            options.out.join(&experiment.name).display()
        );
        match report.failed {
            _ if report.interrupted => Err(LabError::Failed(format!("stopped: {rest}"))),
            0 => Ok(()),
            failed => Err(LabError::Failed(format!("{failed} games failed: {rest}"))),
        }
    }
}

/// Shows how the experiment stands.
fn progress() -> impl FnMut(ExperimentProgress<'_>) {
    let mut progress: Option<Progress> = None;
    move |state| match (state, &mut progress) {
        (ExperimentProgress::Begun { name, about, number, of, total }, progress) => {
            let about = if about.is_empty() { String::new() } else { format!(": {about}") };
            *progress = Some(Progress::titled(total, &format!("{number}/{of} {name}{about}")));
        }
        (ExperimentProgress::Game(state), Some(progress)) => progress.show(&state),
        (ExperimentProgress::Done(done), Some(progress)) => progress.count(done),
        (ExperimentProgress::Note(line), Some(progress)) => progress.line(line),
        (ExperimentProgress::Ended, progress) => {
            if let Some(progress) = progress.take() {
                progress.finish();
            }
        }
        (_, None) => {}
    }
}

pub(super) fn match_line(r: &Row) -> Result<(), LabError> {
    print(format_args!(
        "{:<24} {:>5}/{} games  score {:.3}  95 % in [{:.3}, {:.3}]  at most {} nodes and {} bytes against {} and {}{}\n",
        r.name,
        r.games,
        r.planned,
        r.score,
        r.ci95_lo,
        r.ci95_hi,
        r.nodes_peak_a,
        r.bytes_peak_a,
        r.nodes_peak_b,
        r.bytes_peak_b,
        if r.duplicates > 0 {
            format!("  {} games equal to an earlier one", r.duplicates)
        } else {
            String::new()
        },
    ))
}

fn rating_line(r: &RatingRow) -> Result<(), LabError> {
    let end = |x: Option<f64>| x.map_or("?".to_owned(), |x| format!("{x:+.1}"));
    let interval = format!("[{}, {}]", end(r.elo_lo), end(r.elo_hi));
    print(format_args!(
        "{:<32} Elo {:+.1}  95 % in {interval}  {} games  score {:.3}\n",
        r.agent, r.elo, r.games, r.score
    ))
}

fn decision_line(r: &DecisionRow) -> Result<(), LabError> {
    let z = |z: Option<f64>| z.map_or(String::new(), |z| format!("  z {z:+.1}"));
    print(format_args!(
        "{:<32} {:>6} simulations {:>5}/{} trees  most visited fails {:.4}{}  best value fails {:.4}{}\n",
        r.name,
        r.simulations,
        r.trees,
        r.planned,
        r.robust_rate,
        z(r.robust_z),
        r.max_rate,
        z(r.max_z),
    ))
}

fn learning_line(r: &LearningRow) -> Result<(), LabError> {
    print(format_args!(
        "{:<24} {:>6} simulations {:>4}/{} games  RIDE {:5.2} +- {:.2}  RAVE {:5.2}  to come {:5.2}  {:>7} simulations/s\n",
        r.name,
        r.simulations,
        r.games,
        r.planned,
        r.ride,
        r.ride_se,
        r.rave,
        r.to_come,
        r.simulations_per_second
    ))
}

fn point_line(r: &PointRow) -> Result<(), LabError> {
    print(format_args!(
        "{:<24} {:>5}/{} pairs  won {:.3} tied {:.3} lost {:.3}  won - lost in [{:+.3}, {:+.3}]  points lost a move {:.4} and {:.4}\n",
        r.name,
        r.pairs,
        r.planned,
        r.win_share,
        r.tie_share,
        r.loss_share,
        r.difference_lo,
        r.difference_hi,
        r.regret_a,
        r.regret_b
    ))
}
