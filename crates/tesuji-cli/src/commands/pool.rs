//! `tesuji pool`.

use super::print;
use std::path::PathBuf;
use tesuji_lab::{LabError, pool, write_atomic};

/// Combine the tables of runs with different seeds into one table.
///
/// Several machines can share an experiment: each runs a copy of the file with its own seed. The
/// program adds games and costs, and computes the statistics of the sums. A match must be the same
/// in all tables, and no seed may count twice.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji pool results/examples/sweep.csv\n  tesuji pool results/examples/sweep.csv --out pooled.csv\n\nMore: docs/tour.md"
)]
pub(crate) struct Args {
    /// The tables that `tesuji run` wrote below `results`.
    #[arg(required = true)]
    tables: Vec<PathBuf>,
    /// Write to this file, which may be one of the tables. Default: standard output.
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let pooled = pool(args.tables.iter().map(PathBuf::as_path))?.csv();
    match args.out {
        Some(path) => write_atomic(&path, pooled),
        None => print(format_args!("{pooled}")),
    }
}
