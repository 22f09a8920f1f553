//! `tesuji train`.

use super::run::Recording;
use std::path::PathBuf;
use tesuji_lab::LabError;

/// Training of a policy-value network for Go: by games against itself, on labels of a stronger network, or on games of SGF files.
///
/// Every finished game is kept in OUT/EXPERIMENT, and the networks in OUT/EXPERIMENT/networks: the same command again goes on with
/// the same bits, whether the run before was stopped or killed. Measured checkpoints are rated against the opponents of the file.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The experiment file, of kind "train".
    file: PathBuf,
    /// At most so many iterations, those made before included; with 0, everything is checked and the tables are written from what
    /// there is.
    #[arg(long)]
    limit: Option<u64>,
    #[command(flatten)]
    recording: Recording,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    args.recording.run_kind(&args.file, "train", args.limit)
}
