//! `tesuji pool`.

use super::print;
use std::path::PathBuf;
use tesuji_lab::{LabError, pool};

/// Tables of matches from runs of one experiment with different seeds, as one table.
///
/// Games and costs are summed, and the statistics are those of the sums, so that several machines can share an experiment: each
/// runs a copy of the file with a seed of its own. A match must be the same in all of them, and no seed may count twice.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The tables, as `tesuji run` writes them below `results`.
    #[arg(required = true)]
    tables: Vec<PathBuf>,
    /// Where to write it; it may be one of the tables. Default: standard output.
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let pooled = pool(args.tables.iter().map(PathBuf::as_path))?.csv();
    match args.out {
        Some(path) => {
            std::fs::write(&path, pooled).map_err(|e| LabError::Failed(format!("{}: {e}", path.display())))
        }
        None => print(format_args!("{pooled}")),
    }
}
