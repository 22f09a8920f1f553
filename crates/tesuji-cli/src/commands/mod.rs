//! One file a command.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod gtp;
pub(crate) mod list;
pub(crate) mod match_;
pub(crate) mod perft;
pub(crate) mod stats;

use serde::Serialize;
use std::io::Write;
use tesuji_lab::LabError;

/// Prints one line of JSON.
fn print_json(value: &impl Serialize) -> Result<(), LabError> {
    let line = serde_json::to_string(value).map_err(LabError::failed)?;
    print(format_args!("{line}\n"))
}

/// Prints to standard output; a closed pipe is no panic.
fn print(text: std::fmt::Arguments<'_>) -> Result<(), LabError> {
    let mut out = std::io::stdout().lock();
    out.write_fmt(text)
        .and_then(|()| out.flush())
        .map_err(|e| LabError::Failed(format!("standard output: {e}")))
}
