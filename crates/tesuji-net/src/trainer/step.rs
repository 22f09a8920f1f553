//! The shared state of a step, and the messages between its threads.

use super::all_gather::AllGather;
use super::prepared::Prepared;
use crate::batch::Batch;
use crate::kernel::{Images, Instructions, Moments};
use crate::parameters::Parameters;

/// What threads tell each other in a round.
#[derive(Debug)]
pub(super) enum Message {
    Moments(Moments),
    Sums(Vec<f64>),
}

/// What all threads see in a step.
pub(super) struct TrainingStep<'a> {
    pub(super) images: Images,
    pub(super) instructions: Instructions,
    pub(super) parameters: &'a Parameters,
    pub(super) prepared: &'a Prepared,
    pub(super) batch: &'a Batch,
    pub(super) value_weight: f32,
    pub(super) all_gather: &'a AllGather<Message>,
}
