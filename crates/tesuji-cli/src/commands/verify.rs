//! `tesuji verify`.

use super::{print, print_json};
use serde_json::json;
use std::path::PathBuf;
use tesuji_lab::{LabError, Verification, counted, verify};

/// Check whether the record of an experiment is sound.
///
/// Print a sentence for each fault, and exit with status 1 if there is one. The check changes
/// nothing, starts no agent, and may run beside the experiment. It covers the file and its tables,
/// the digests of rows, the hashes of moves, the identities of games, the ranges of values, every
/// game by the rules, and the completeness of runs, tunings, races and trainings.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji verify out/examples/sweep\n  tesuji verify out/examples/sweep --json\n\nMore: docs/records.md"
)]
pub(crate) struct Args {
    /// The directory of the record: OUT/EXPERIMENT of `tesuji run`, or the --out of `tesuji match`.
    dir: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let found = verify(&args.dir)?;
    let Verification { games, trials, self_play_games, faults } = &found;
    let dir = args.dir.display();
    if args.json {
        print_json(&json!({
            "dir": dir.to_string(),
            "sound": found.is_sound(),
            "games": games,
            "trials": trials,
            "self_play_games": self_play_games,
            "faults": faults,
        }))?;
    } else {
        faults.iter().try_for_each(|fault| print(format_args!("{fault}\n")))?;
    }
    match faults.len() {
        0 if args.json => Ok(()),
        0 => print(format_args!(
            "{dir} is sound: {}, {}, {} of self-play\n",
            counted(*games, "game"),
            counted(*trials, "trial"),
            counted(*self_play_games, "game")
        )),
        1 => Err(LabError::failed(format!("{dir} has a fault"))),
        faults => Err(LabError::failed(format!("{dir} has {faults} faults"))),
    }
}
