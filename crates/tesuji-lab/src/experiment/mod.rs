//! Experiment files: matches and trials in order, with a table of the results.

mod driver;
pub(crate) mod file;
pub(crate) mod kind;
mod kinds;
pub(crate) mod match_config;
mod match_list;
pub(crate) mod match_table;
pub(crate) mod name;
pub(crate) mod number;
mod pool;
pub(crate) mod results;
mod round_robin;
pub(crate) mod run;
mod seeds;
pub(crate) mod session;
pub(crate) mod source;
pub(crate) mod steps;
mod sweep;

pub use file::{Experiment, run_experiment};
pub use kind::{Kind, run_kind};
pub use kinds::OwnKind;
pub use match_config::{MatchConfig, MatchError};
pub use pool::{PoolError, pool};
pub use results::Results;
pub use round_robin::RoundRobin;
pub(crate) use run::named;
pub use run::{ChoiceError, ExperimentOptions, ExperimentReport};
pub use session::Session;
pub use steps::{NextStep, Played, Steps};
pub use sweep::Sweep;
