//! `tesuji export`.

use super::print;
use clap::ValueEnum;
use std::path::PathBuf;
use tesuji_lab::store::Store;
use tesuji_lab::{Format, LabError, export};

/// Export the record of an experiment in another format.
///
/// CSV, JSON lines and Parquet make one file for each of the tables matches, pairs, games, moves
/// and trials; SGF makes one file for each game of Go. The experiment may be running.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji export out/examples/sweep --format jsonl\n  tesuji export out/examples/sweep --out tables\n\nMore: docs/tour.md"
)]
pub(crate) struct Args {
    /// The directory of the record: OUT/EXPERIMENT of `tesuji run`, or the --out of `tesuji match`.
    dir: PathBuf,
    /// The format.
    #[arg(long, value_enum, default_value_t = FormatName::Csv)]
    format: FormatName,
    /// Write into this directory. Default: `export` in the directory of the record.
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum FormatName {
    /// A file with a header for each table.
    Csv,
    /// A JSON object a line, a file for each table.
    Jsonl,
    /// A file for each game of Go.
    Sgf,
    /// A file for each table; only in programs built with the feature `parquet`.
    Parquet,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let format = match args.format {
        FormatName::Csv => Format::Csv,
        FormatName::Jsonl => Format::Jsonl,
        FormatName::Sgf => Format::Sgf,
        #[cfg(feature = "parquet")]
        FormatName::Parquet => Format::Parquet,
        #[cfg(not(feature = "parquet"))]
        FormatName::Parquet => {
            return Err(LabError::input(
                "this program was built without Parquet; accepted: csv, jsonl, sgf, or a program built with `--features parquet`",
            ));
        }
    };
    let store = Store::read(&args.dir)?;
    let out = args.out.unwrap_or_else(|| args.dir.join("export"));
    for file in export(&store, format, &out)? {
        print(format_args!("{}\n", file.display()))?;
    }
    Ok(())
}
