//! Bandit races (Hoock & Teytaud 2010): which modifications of an agent make it better?

mod charts;
mod course;
mod draw;
mod drawn;
mod faults;
mod patterns;
mod plan;
mod results;
mod run;
mod variant;

pub(crate) use draw::Draw;
pub(crate) use drawn::Drawn;
pub use patterns::PatternPlan;
pub use plan::{ArmPlan, Racing};
