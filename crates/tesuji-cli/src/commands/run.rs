//! `tesuji run`.

use super::{cores, print, print_json, stop_on_interrupt};
use crate::progress::Progress;
use serde_json::json;
use std::path::PathBuf;
use tesuji_lab::{
    CellProgress, Experiment, ExperimentOptions, ExperimentReport, LabError, Row, run_experiment,
};

/// The matches of an experiment file, in order.
///
/// Every finished game is kept: the same command again plays what is missing, whether the run before was stopped or
/// killed. A match whose settings have changed since its first game is refused. The table of results is written
/// anew after each match.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The experiment file.
    file: PathBuf,
    /// At most so many games of each match now, so that a long list can be played in passes. With 0, every match
    /// is checked and the table is written from the games that there are.
    #[arg(long)]
    limit: Option<u64>,
    /// Only matches whose names begin so; may be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Games played at a time. Default: one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Keep the games in directories below this one.
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
    let mut progress: Option<Progress> = None;
    let report = run_experiment(&experiment, &options, &stop, &mut |state| match state {
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
    if args.json {
        print_json(&json!({
            "name": experiment.name,
            "about": experiment.about,
            "table": report.table,
            "interrupted": report.interrupted,
            "matches": report.rows,
        }))?;
    } else {
        report.rows.iter().try_for_each(line)?;
    }
    end(&options, &report)
}

fn line(r: &Row) -> Result<(), LabError> {
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

/// Tells what is missing, if anything is.
fn end(options: &ExperimentOptions, report: &ExperimentReport) -> Result<(), LabError> {
    let resume = format!(
        "the finished games are below {}; the same command again plays the rest",
        options.out.display()
    );
    if report.interrupted {
        return Err(LabError::Failed(format!("stopped: {resume}")));
    }
    if report.failed > 0 {
        return Err(LabError::Failed(format!("{} games failed: {resume}", report.failed)));
    }
    Ok(())
}
