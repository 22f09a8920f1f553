//! Training of networks by self-play, or from games of files.

mod charts;
mod earlier;
mod faults;
mod files;
mod jobs;
mod kind;
mod labels;
mod networks;
mod plan;
mod results;
mod run;
mod samples;
mod self_play_faults;
mod state;

pub use networks::CheckpointError;
pub use plan::{EvaluationPlan, NetworkPlan, Opponent, SgfPlan, TeacherPlan, Training, TrainingError};
pub use results::UNREPRODUCIBLE;
