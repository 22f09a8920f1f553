//! What came out of an experiment, for people.

use super::print;
use tesuji_lab::{LabError, Results};

/// Prints the results of an experiment, with these lines of its matches.
pub(super) fn lines(results: &Results, matches: &[String]) -> Result<(), LabError> {
    [&results.summary[..], matches, &results.ending].into_iter().try_for_each(print_lines)
}

/// Prints a line each.
pub(super) fn print_lines(lines: &[String]) -> Result<(), LabError> {
    lines.iter().try_for_each(|line| print(format_args!("{line}\n")))
}
