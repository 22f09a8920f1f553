//! `tesuji train`.

use super::run::Recording;
use super::{known, print};
use std::path::PathBuf;
use tesuji_lab::{LabError, TrainingResults};

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

/// The results for people.
pub(super) fn lines(results: &TrainingResults) -> Result<(), LabError> {
    if let Some(row) = results.iterations.last() {
        let loss = |x: Option<f64>| known(x, |x| format!("{x:.3}"));
        print(format_args!(
            "{} iterations, {} steps, {:.2} core hours; held out: policy {}, value {}, top-1 {}\n",
            results.iterations.len(),
            row.steps,
            row.core_hours,
            loss(row.held_out_policy_loss),
            loss(row.held_out_value_loss),
            loss(row.top1),
        ))?;
    }
    results.checkpoints.iter().try_for_each(|row| {
        let [elo, lo, hi] = [row.elo, row.elo_lo, row.elo_hi].map(|x| known(x, |x| format!("{x:+.0}")));
        print(format_args!(
            "checkpoint {:>5}  {:>8} games  Elo {elo}  95 % in [{lo}, {hi}]  {} games\n",
            row.checkpoint, row.games, row.match_games
        ))
    })
}
