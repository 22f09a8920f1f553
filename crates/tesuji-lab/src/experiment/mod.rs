//! Experiment files: what is played or decided, in order, with a table of what came out.

mod cell;
mod file;
mod row;
mod run;

pub use cell::Cell;
pub use file::{Experiment, Plan};
pub(crate) use file::{PLAIN, is_plain};
pub use row::Row;
pub use run::{CellProgress, ExperimentOptions, ExperimentReport, run_matches};
