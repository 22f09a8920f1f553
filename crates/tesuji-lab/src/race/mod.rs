//! Bandit races (Hoock & Teytaud 2010): which modifications of an agent make it better?

mod charts;
mod course;
mod draw;
mod faults;
mod plan;
mod results;
mod run;
mod variant;

pub(crate) use draw::{Draw, Drawn};
pub(crate) use faults::faults;
pub use plan::{ArmPlan, PatternPlan, Racing};
pub(crate) use run::{agenda, play};
