//! Bayesian optimization: which values of an agent's parameters win most games, or maximize a value
//! that another program computes?

mod charts;
mod faults;
mod incumbents;
mod observation;
mod plan;
mod recommendation;
mod record;
mod results;
mod run;
mod series;
mod state;

pub use plan::{Search, Tuning, TuningError, Validation};
pub use recommendation::Recommendation;
pub use record::{Completion, Suggestion};
pub use state::{SuggestionError, TuningState};
