//! Bandit races (Hoock & Teytaud 2010): which modifications of an agent make it better?

mod charts;
mod faults;
mod patterns;
mod plan;
mod results;
mod run;
mod sample;
mod sampler;
mod state;
mod terms;
mod variant;

pub use patterns::PatternPlan;
pub use plan::{ArmPlan, Racing};
pub(crate) use sample::SampledPattern;
pub(crate) use sampler::PatternSampler;
pub use variant::RaceError;
