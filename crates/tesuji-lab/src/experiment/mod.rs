//! Experiment files: what is played or decided, in order, with a table of what came out.

mod cell;
mod file;
pub(crate) mod match_table;
mod pool;
pub(crate) mod results;
mod round_robin;
mod run;
mod seeds;
mod session;
mod source;
mod sweep;

pub use cell::Cell;
pub(crate) use cell::cell_of;
pub use file::{Experiment, Plan};
pub(crate) use file::{PLAIN, is_plain};
pub use pool::pool;
pub use results::Results;
pub use round_robin::RoundRobin;
pub(crate) use run::named;
pub use run::{ExperimentOptions, ExperimentProgress, ExperimentReport, run_experiment};
pub(crate) use session::Session;
pub(crate) use source::told;
pub use sweep::Sweep;
