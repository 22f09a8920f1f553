//! Experiment files: a list of matches, played in order, with a table of what came out.

mod cell;
mod file;
mod row;
mod run;

pub use cell::Cell;
pub use file::Experiment;
pub use row::Row;
pub use run::{CellProgress, ExperimentOptions, ExperimentReport, run_experiment};
