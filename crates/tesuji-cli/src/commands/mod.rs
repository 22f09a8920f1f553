//! One file a command.

pub(crate) mod analysis;
pub(crate) mod analyze;
mod annotate;
pub(crate) mod bench;
pub(crate) mod completions;
mod explain;
pub(crate) mod export;
pub(crate) mod forfeits;
pub(crate) mod gtp;
mod gtp_check;
pub(crate) mod incentive;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod match_;
mod match_lines;
pub(crate) mod new;
pub(crate) mod perft;
pub(crate) mod pool;
pub(crate) mod race;
mod recipe_agents;
pub(crate) mod report;
mod results;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod stats;
pub(crate) mod thermo;
pub(crate) mod train;
pub(crate) mod tune;
pub(crate) mod verify;
pub(crate) mod worker;

use serde::Serialize;
use std::io::{ErrorKind, Write};
use tesuji::Stop;
use tesuji_go::gtp::end_engines;
use tesuji_lab::LabError;

/// A stop that Ctrl-C calls; called twice, it ends the program at once, with the engines that it
/// started.
fn stop_on_interrupt() -> Result<Stop, LabError> {
    let stop = Stop::default();
    let handle = stop.clone();
    ctrlc::set_handler(move || {
        if handle.is_stopped() {
            end_engines();
            std::process::exit(1);
        }
        handle.stop();
    })
    .map_err(LabError::failed)?;
    Ok(stop)
}

/// Games or searches at a time if nobody says: one for each core.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Prints one line of JSON.
fn print_json(value: &impl Serialize) -> Result<(), LabError> {
    let line = serde_json::to_string(value).map_err(LabError::failed)?;
    print(format_args!("{line}\n"))
}

/// Prints to standard output. Where its reader has gone, as `head` does when it has enough, the
/// program ends without a complaint.
fn print(text: std::fmt::Arguments<'_>) -> Result<(), LabError> {
    let mut out = std::io::stdout().lock();
    out.write_fmt(text).and_then(|()| out.flush()).map_err(|e| {
        if e.kind() == ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        LabError::failed(e).within("standard output")
    })
}
