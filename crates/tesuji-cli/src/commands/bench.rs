//! `tesuji bench`.

use super::{print, print_json};
use crate::number::positive;
use crate::progress::tell;
use crate::resources::Resources;
use serde_json::json;
use std::time::Duration;
use tesuji_lab::{BenchCase, BenchOptions, LabError, bench};

/// Measure the speed and memory of the parts on this machine.
///
/// Print playouts per second from the empty board. For every recipe, print simulations per second
/// from the initial position (searches of 10 000), bytes per node, and heap allocations per
/// simulation.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji bench connect-four --milliseconds 50\n  tesuji bench playout --milliseconds 50 --json\n\nMore: docs/speed.md"
)]
pub(crate) struct Args {
    /// Measure only the cases whose "NAME GAME" contains this text, such as "playout" or
    /// "connect-four".
    #[arg(default_value = "", hide_default_value = true)]
    filter: String,
    /// Measure each case for N milliseconds.
    #[arg(long, default_value_t = 1000, value_parser = positive)]
    milliseconds: u64,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let options = BenchOptions {
        time: Duration::from_millis(args.milliseconds),
        filter: &args.filter,
        adapt: &|recipe| args.resources.limit(recipe.to_owned()),
        allocations: |work| allocation_counter::measure(work).count_total,
    };
    let (mut first, mut printed) = (true, Ok(()));
    let cases = bench(options, &mut |case| {
        if args.json {
            tell(format_args!("{} {}", case.name, case.game));
        } else if printed.is_ok() {
            printed = if first { header() } else { Ok(()) }.and_then(|()| line(case));
            first = false;
        }
    })?;
    printed?;
    if args.json { print_json(&json!({ "cases": cases })) } else { Ok(()) }
}

fn header() -> Result<(), LabError> {
    print(format_args!(
        "{:<20} {:<14} {:>12} {:<14} {:>11} {:>18}\n",
        "name", "game", "value", "unit", "bytes/node", "allocations/sim"
    ))
}

fn line(case: &BenchCase) -> Result<(), LabError> {
    let cell = |x: Option<f64>, digits: usize| x.map_or("-".to_owned(), |x| format!("{x:.digits$}"));
    print(format_args!(
        "{:<20} {:<14} {:>12.0} {:<14} {:>11} {:>18}\n",
        case.name,
        case.game,
        case.value,
        case.unit,
        cell(case.bytes_per_node, 1),
        cell(case.allocations_per_simulation, 2)
    ))
}
