//! `tesuji man`.

use std::path::PathBuf;
use tesuji_lab::LabError;

/// Write one man page per command.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tesuji man man\n  tesuji man out/man\n\nMore: docs/install.md")]
pub(crate) struct Args {
    /// Write the pages into this directory, and make the directory if it is missing.
    dir: PathBuf,
}

pub(crate) fn run(args: Args, program: clap::Command) -> Result<(), LabError> {
    let failed = |e: std::io::Error| LabError::failed(e).within(args.dir.display());
    std::fs::create_dir_all(&args.dir).map_err(failed)?;
    clap_mangen::generate_to(program, &args.dir).map_err(failed)
}
