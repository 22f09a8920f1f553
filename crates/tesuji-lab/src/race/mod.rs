//! Bandit races (Hoock & Teytaud 2010): which modifications of an agent make it better?

mod charts;
mod course;
mod draw;
mod plan;
mod results;
mod run;
mod variant;

pub use plan::{ArmPlan, PatternPlan, Racing};
pub use results::{AcceptedRow, ArmRow, BoundsRow, RaceResults};
pub(crate) use run::{agenda, play};
