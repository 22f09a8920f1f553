//! `tesuji race`.

use super::run::Recording;
use std::path::PathBuf;
use tesuji_lab::LabError;

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
