//! Experiments on single decisions: how often agents choose a losing move in trees whose values are known.

mod part;
mod plan;
mod problem;
mod results;

pub use plan::{Contender, Decisions, NoisyValues, Setting};
