//! `tesuji perft`.

use super::{print, print_json};
use serde_json::json;
use tesuji_lab::{GameSpec, LabError};

/// Count the legal move sequences of each length.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji perft tic-tac-toe 5\n  tesuji perft go:3 4 --json\n\nMore: docs/tour.md"
)]
pub(crate) struct Args {
    /// The game, such as tic-tac-toe; `tesuji list` names all.
    game: String,
    /// Count sequences of up to N moves.
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let game = GameSpec::parse(&args.game, None)?;
    let mut counts = Vec::new();
    for depth in 1..=args.depth {
        let count = game.perft(depth);
        if !args.json {
            print(format_args!("{depth:>3} {count:>20}\n"))?;
        }
        counts.push(count);
        if count == 0 {
            // No game is longer.
            break;
        }
    }
    if args.json { print_json(&json!({ "game": args.game, "counts": counts })) } else { Ok(()) }
}
