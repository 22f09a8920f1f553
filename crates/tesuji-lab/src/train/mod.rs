//! Training of networks by self-play, or from games of files.

mod course;
mod networks;
mod plan;
mod results;
mod run;

pub use plan::{EvaluationPlan, NetworkPlan, Opponent, SgfPlan, Training};
pub use results::{CheckpointRow, IterationRow, TrainingResults};
pub(crate) use run::{agenda, play};
