//! `tesuji race`.

use super::run::Recording;
use std::path::PathBuf;
use tesuji_lab::LabError;

/// Find modifications that make an agent stronger, by bandit races with a guaranteed error rate.
///
/// A race compares the modifications in a file, or random patterns of Go that improve the agent one
/// after the other. The program stores every finished game in OUT/EXPERIMENT; run the same command
/// again to resume. Accepted modifications play fresh games, and the improved agent is written as a
/// recipe beside the table of results.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji race experiments/examples/race.toml\n  tesuji race experiments/examples/patterns.toml --limit 0\n\nMore: docs/races.md"
)]
pub(crate) struct Args {
    /// The experiment file, of kind "race".
    file: PathBuf,
    /// Play at most N fresh games of each accepted modification. With 0, check everything, and
    /// write the tables from the stored results.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    recording: Recording,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    args.recording.run_kind(&args.file, "race", args.limit)
}
