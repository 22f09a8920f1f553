//! `tesuji thermo`.

use super::{print, print_json};
use std::path::PathBuf;
use tesuji_lab::{LabError, NamedComponent, components_json, sum_scores};
use tesuji_sums::thermographs_svg;

/// Print the mean and temperature of heaps and other games, and the optimal score of their sum.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji thermo b3r5b5 r2b1\n  tesuji thermo \"{3|-1}\" --svg thermograph.svg\n\nMore: docs/sums.md"
)]
pub(crate) struct Args {
    /// Heaps of Heap-Go, counters from top to bottom such as b3r5b5, - for an empty one; or games
    /// in brace notation such as {3|-1}. A negative fraction needs -- before it: -- -1/2.
    #[arg(required = true, value_name = "HEAP", allow_negative_numbers = true)]
    heaps: Vec<String>,
    /// Draw the thermographs into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let read = |text: &String| NamedComponent::read(text);
    let games = args.heaps.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    if let Some(file) = &args.svg {
        let thermographs: Vec<_> =
            games.iter().map(|game| (game.name.clone(), game.thermograph.clone())).collect();
        std::fs::write(file, thermographs_svg(&thermographs))
            .map_err(|e| LabError::failed(e).within(file.display()))?;
    }
    if args.json {
        return print_json(&components_json(&games));
    }
    for game in &games {
        let thermograph = &game.thermograph;
        print(format_args!("{}\n", game.name))?;
        print(format_args!(
            "  mean {}, temperature {}; Left first {}, Right first {}\n\n{}\n",
            thermograph.mean(),
            thermograph.temperature(),
            thermograph.left_stop(),
            thermograph.right_stop(),
            thermograph.to_text(72)
        ))?;
    }
    match sum_scores(&games) {
        Ok([left, right]) => print(format_args!("sum, best play: Left first {left}, Right first {right}\n")),
        Err(error) => print(format_args!("sum: not searched, {error}\n")),
    }
}
