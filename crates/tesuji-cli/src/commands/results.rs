//! What came out of an experiment, for people.

use super::print;
use tesuji_lab::{LabError, Results};

/// Prints the results of an experiment; `matches` prints those of its matches.
pub(super) fn lines(
    results: &Results,
    matches: impl FnOnce() -> Result<(), LabError>,
) -> Result<(), LabError> {
    print_lines(&results.summary)?;
    matches()?;
    print_lines(&results.ending)
}

/// Prints a line each.
pub(super) fn print_lines(lines: &[String]) -> Result<(), LabError> {
    lines.iter().try_for_each(|line| print(format_args!("{line}\n")))
}
