//! Policy-value networks of games on a square board: inference and training on the CPU.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Shape`] | board, planes, filters, blocks and heads of a residual network |
//! | [`Parameters`] | what a network has learned; reads and writes network files |
//! | [`Safetensors`] | the format of these files |
//! | [`Network`], [`Evaluator`] | fast evaluation of one position after the other, by the [`Instructions`] that the processor has |
//! | [`mod@graph`] | networks of any board size, with pooling or attention, and heads for score and ownership; [`Graph::from_katago`](graph::Graph::from_katago) reads them |
//! | [`Cache`] | evaluations by hash, in bounded memory |
//! | [`Symmetry`] | the eight symmetries of planes and policies |
//! | [`Batch`], [`Example`], [`Losses`] | positions to train on, and how far a network is from them |
//! | [`Trainer`] | fast training on some threads; its state is one file |
//! | [`Sgd`], [`Schedule`] | gradient descent with momentum and weight decay |
//! | [`mod@reference`] | the network and its derivatives as the formulae have them, in any precision |

mod batch;
mod cache;
mod evaluator;
mod file;
pub mod graph;
mod katago;
mod kernel;
mod layout;
mod network;
mod parameters;
mod real;
pub mod reference;
mod safetensors;
mod sgd;
mod shape;
mod symmetry;
mod trainer;

pub use batch::{Batch, Example, Losses};
pub use cache::Cache;
pub use evaluator::Evaluator;
pub use file::{FileError, Notes, Problem, read_file};
pub use katago::{KataGoError, is_katago};
pub use kernel::Instructions;
pub use network::Network;
pub use parameters::Parameters;
pub use real::Real;
pub use reference::Gradient;
pub use safetensors::{FormatError, Safetensors};
pub use sgd::{Schedule, Sgd};
pub use shape::{Shape, ShapeError};
pub use symmetry::Symmetry;
pub use trainer::Trainer;
