//! Experiments of numbered trials, each of which gives some numbers.

mod progress;
mod record;
mod run;

pub use progress::TrialProgress;
pub use run::TrialReport;
pub(crate) use run::{Trial, run_trials};
