//! `tesuji train`.

use super::run::Recording;
use std::path::PathBuf;
use tesuji_lab::LabError;

/// Train a policy-value network for a game on a board: by games against itself, from a stronger
/// network, or from SGF files of Go.
///
/// The program stores every finished game in OUT/EXPERIMENT and the networks in
/// OUT/EXPERIMENT/networks. Run the same command again to resume with the same bits, whether the
/// previous run was stopped or killed. Measured checkpoints are rated against the opponents of the
/// file.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji train experiments/examples/train.toml\n  tesuji train experiments/examples/train.toml --limit 0\n\nMore: docs/training.md"
)]
pub(crate) struct Args {
    /// The experiment file, of kind "train".
    file: PathBuf,
    /// Stop after N iterations in all. With 0, check everything, and write the tables from the
    /// stored results.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    recording: Recording,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    args.recording.run_kind(&args.file, "train", args.limit)
}
