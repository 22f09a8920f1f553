//! `tesuji run`.

use super::{cores, print, print_json, stop_on_interrupt};
use crate::progress::Progress;
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use tesuji::Stop;
use tesuji_lab::{
    Cell, CellProgress, DecisionRow, Decisions, Experiment, ExperimentOptions, LabError, LearningRow, Plan,
    PointRow, Row, TrialProgress, TrialReport, run_decisions, run_learning, run_matches, run_point_matches,
};

/// The matches, decisions or searches of an experiment file, in order.
///
/// Every finished game or decision is kept: the same command again makes what is missing, whether the run before was
/// stopped or killed. A match whose settings have changed since its first game is refused; of changed agents, all
/// decisions are made anew, and so are searches for incentives and matches for points. The table of results is written
/// anew after each match or agent.
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
    /// Games played, or decisions made, at a time. Default: one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Keep the games or decisions in directories below this one.
    #[arg(long, default_value = "out")]
    out: PathBuf,
    /// Write the table of results below this directory.
    #[arg(long, default_value = "results")]
    results: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let experiment = Experiment::read(&args.file)?;
    let options = ExperimentOptions {
        out: args.out,
        results: args.results,
        games: args.limit,
        only: args.only,
        threads: args.threads.map_or(cores(), usize::from),
        version: crate::VERSION.to_owned(),
    };
    let stop = stop_on_interrupt()?;
    match &experiment.plan {
        Plan::Matches(cells) => matches(&experiment, cells, &options, &stop, args.json),
        Plan::Decisions(plan) => decisions(&experiment, plan, &options, &stop, args.json),
        Plan::Incentives(cells) => {
            let report = run_learning(&experiment.name, cells, &options, &stop, &mut progress())?;
            trials(&experiment, &report, ("games", learning_line), &options, args.json)
        }
        Plan::Points(cells) => {
            let report = run_point_matches(&experiment.name, cells, &options, &stop, &mut progress())?;
            trials(&experiment, &report, ("pairs", point_line), &options, args.json)
        }
    }
}

fn matches(
    experiment: &Experiment,
    cells: &[Cell],
    options: &ExperimentOptions,
    stop: &Stop,
    json: bool,
) -> Result<(), LabError> {
    let mut progress: Option<Progress> = None;
    let report = run_matches(&experiment.name, cells, options, stop, &mut |state| match state {
        CellProgress::Begun { cell, number, of, games } => {
            let head = format!("{number}/{of} {}: {} against {}, {}", cell.name, cell.a, cell.b, cell.game);
            progress = Some(Progress::titled(games, &head));
        }
        CellProgress::Game(state) => {
            if let Some(progress) = &mut progress {
                progress.show(&state);
            }
        }
        CellProgress::Ended(_) => {
            if let Some(progress) = progress.take() {
                progress.finish();
            }
        }
    })?;
    if json {
        print_json(&json!({
            "name": experiment.name,
            "about": experiment.about,
            "table": report.table,
            "interrupted": report.interrupted,
            "matches": report.rows,
        }))?;
    } else {
        report.rows.iter().try_for_each(match_line)?;
    }
    if report.interrupted {
        return Err(LabError::Failed(format!("stopped: {}", resume("games", options))));
    }
    if report.failed > 0 {
        return Err(LabError::Failed(format!(
            "{} games failed: {}",
            report.failed,
            resume("games", options)
        )));
    }
    Ok(())
}

fn match_line(r: &Row) -> Result<(), LabError> {
    print(format_args!(
        "{:<24} {:>5}/{} games  score {:.3}  95 % in [{:.3}, {:.3}]  at most {} nodes and {} bytes against {} and {}\n",
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
    ))
}

fn decisions(
    experiment: &Experiment,
    plan: &Decisions,
    options: &ExperimentOptions,
    stop: &Stop,
    json: bool,
) -> Result<(), LabError> {
    let report = run_decisions(&experiment.name, plan, options, stop, &mut progress())?;
    if json {
        print_json(&json!({
            "name": experiment.name,
            "about": experiment.about,
            "table": report.table,
            "interrupted": report.interrupted,
            "decisions": report.rows,
        }))?;
    } else {
        report.rows.iter().try_for_each(decision_line)?;
    }
    if report.interrupted {
        return Err(LabError::Failed(format!("stopped: {}", resume("decisions", options))));
    }
    Ok(())
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

/// Shows how trials stand.
fn progress() -> impl FnMut(TrialProgress<'_>) {
    let mut progress: Option<Progress> = None;
    move |state| match state {
        TrialProgress::Begun { name, number, of, trials } => {
            progress = Some(Progress::titled(trials, &format!("{number}/{of} {name}")));
        }
        TrialProgress::Done(done) => {
            if let Some(progress) = &mut progress {
                progress.count(done);
            }
        }
        TrialProgress::Ended => {
            if let Some(progress) = progress.take() {
                progress.finish();
            }
        }
    }
}

/// Prints a row.
type Line<R> = fn(&R) -> Result<(), LabError>;

/// Prints the rows of an experiment; `what` its trials are called.
fn trials<R: Serialize>(
    experiment: &Experiment,
    report: &TrialReport<R>,
    (what, line): (&str, Line<R>),
    options: &ExperimentOptions,
    json: bool,
) -> Result<(), LabError> {
    if json {
        print_json(&json!({
            "name": experiment.name,
            "about": experiment.about,
            "table": report.table,
            "interrupted": report.interrupted,
            "rows": report.rows,
        }))?;
    } else {
        report.rows.iter().try_for_each(line)?;
    }
    if report.interrupted {
        return Err(LabError::Failed(format!("stopped: {}", resume(what, options))));
    }
    Ok(())
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

/// How to get what is missing.
fn resume(what: &str, options: &ExperimentOptions) -> String {
    format!("the finished {what} are below {}; the same command again makes the rest", options.out.display())
}
