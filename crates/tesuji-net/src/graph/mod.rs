//! Networks of any board size: a trunk of blocks with global pooling or attention, and heads for
//! policy, value, score and ownership.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Graph`] | a network with its weights, whatever the file it was read from |
//! | [`Block`] | one block of the trunk |
//! | [`reference()`] | the evaluation as the formulae have it, slowly |
//! | [`BoardGraph`] | a network made ready for one size of the board |
//! | [`GraphEvaluator`] | fast evaluation, of one position or several together |
//! | [`Device`] | a place that evaluates in place of the processor, such as a GPU |
//! | [`Outputs`] | what an evaluation says |

mod attention;
mod board;
mod cost;
mod description;
mod device;
mod evaluator;
mod layers;
mod outputs;
mod own;
mod points;
mod ready;
mod reference;

pub use board::{BoardGraph, Unsupported};
pub use description::{
    Attention, Block, FeedForward, Graph, LearnedRules, PolicyHead, Rotation, Tip, ValueHead,
};
pub use device::Device;
pub use evaluator::GraphEvaluator;
pub use layers::{Activation, Convolution, Linear, Norm, RmsNorm};
pub use outputs::{Outputs, Scales};
pub use reference::reference;
