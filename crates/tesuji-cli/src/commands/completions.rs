//! `tesuji completions`.

use clap_complete::{Shell, generate};
use tesuji_lab::LabError;

/// Print the completions of this program for a shell.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji completions bash\n  tesuji completions zsh > _tesuji\n\nMore: docs/install.md"
)]
pub(crate) struct Args {
    /// The shell.
    shell: Shell,
}

/// Prints to memory first: if the reader has gone, the program ends as it does elsewhere.
pub(crate) fn run(args: Args, mut program: clap::Command) -> Result<(), LabError> {
    let mut text = Vec::new();
    generate(args.shell, &mut program, "tesuji", &mut text);
    super::print(format_args!("{}", String::from_utf8_lossy(&text)))
}
