//! `tesuji race`.

use super::print;
use super::run::Recording;
use std::path::PathBuf;
use tesuji_lab::{LabError, RaceResults};

/// Bandit races: which modifications of an agent make it better, with a guaranteed error rate? Listed ones, or random patterns
/// of Go that improve the agent one after the other.
///
/// Every finished game is kept in OUT/EXPERIMENT: the same command again goes on. What a race accepts plays fresh games after it,
/// and the improved agent is written as a recipe beside the table of results.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The experiment file, of kind "race".
    file: PathBuf,
    /// At most so many fresh games of each match of what was accepted; with 0, everything is checked and the tables are written
    /// from what there is.
    #[arg(long)]
    limit: Option<u64>,
    #[command(flatten)]
    recording: Recording,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    args.recording.run_kind(&args.file, "race", args.limit)
}

/// The results for people, without the fresh matches.
pub(super) fn lines(results: &RaceResults) -> Result<(), LabError> {
    for row in &results.arms {
        print(format_args!(
            "race {} {:<12} {:>6} games  score {:.3}  within [{:.3}, {:.3}]  {:<9}  {}\n",
            row.race, row.arm, row.games, row.score, row.lower, row.upper, row.verdict, row.change
        ))?;
    }
    results.accepted.iter().try_for_each(|row| {
        print(format_args!("accepted: {} ({}) in race {}\n", row.arm, row.change, row.race))
    })
}
