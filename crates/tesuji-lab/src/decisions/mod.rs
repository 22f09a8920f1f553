//! Experiments on single decisions: how often agents choose a losing move in trees whose values are
//! known.

mod plan;
mod problem;
mod problem_list;
mod results;
mod trials;

pub use plan::{DecisionAgent, Decisions, DecisionsError, NoisyValues, Setting};
