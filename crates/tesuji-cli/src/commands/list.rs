//! `tesuji list`.

use super::{print, print_json};
use serde_json::json;
use tesuji_lab::{GameSpec, LabError};

/// Games, recipes, policies, each parameter with unit, range and default.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    if args.json {
        let games: Vec<_> = GameSpec::LIST
            .iter()
            .map(|game| json!({ "name": game.syntax, "description": game.description }))
            .collect();
        return print_json(&json!({ "games": games }));
    }
    print(format_args!("games\n"))?;
    for game in GameSpec::LIST {
        print(format_args!("  {:<24} {}\n", game.syntax, game.description))?;
    }
    Ok(())
}
