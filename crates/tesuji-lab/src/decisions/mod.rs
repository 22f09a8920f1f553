//! Experiments on single decisions: how often agents choose a losing move in trees whose values are known.

mod plan;
mod problem;
mod record;
mod row;
mod run;

pub use plan::{Contender, Decisions, NoisyValues, Setting};
pub use row::DecisionRow;
pub use run::{DecisionReport, run_decisions};
