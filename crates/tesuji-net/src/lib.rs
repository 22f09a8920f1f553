//! Policy-value networks for games on a square board: inference and training on the CPU.
//!
//! ```
//! use std::sync::Arc;
//! use tesuji_net::{Evaluator, Network, Parameters, Shape};
//!
//! let shape = Shape {
//!     board: 5,
//!     planes: 3,
//!     filters: 8,
//!     blocks: 1,
//!     policy_filters: 2,
//!     value_filters: 1,
//!     value_hidden: 8,
//!     globals: 0,
//!     actions: 0,
//!     replies: 0,
//!     horizons: 0,
//! };
//! let network = Network::new(&Parameters::random(shape, 1));
//! let mut evaluator = Evaluator::new(Arc::new(network));
//! let planes = vec![0.0; shape.inputs()]; // `[plane][y][x]`
//! let mut logits = vec![0.0; shape.moves()]; // the points row by row, then the pass
//! let value = evaluator.evaluate(&planes, &mut logits);
//! assert!((-1.0..=1.0).contains(&value)); // for the player whose view the planes have
//! assert_eq!(logits.len(), 26);
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Shape`] | board, planes, filters, blocks and heads of a residual network |
//! | [`Parameters`] | the weights of a network; reads and writes network files |
//! | [`Safetensors`] | the format of these files |
//! | [`Network`], [`Evaluator`] | fast evaluation of one position after the other, by the [`Instructions`] that the processor has |
//! | [`mod@graph`] | networks of any board size, with pooling or attention, and heads for score and ownership; [`Graph::from_katago`](graph::Graph::from_katago) reads them |
//! | [`ReadyNetwork`], [`GameEvaluator`], [`View`] | a network as the evaluator of a search, which remembers positions |
//! | [`GamePlanes`], [`PlanesView`] | any game on a board as a network sees it |
//! | [`Cache`] | evaluations by hash, in bounded memory |
//! | [`Symmetry`] | the eight symmetries of planes and policies |
//! | [`Batch`], [`Example`], [`Losses`] | positions to train on, and the losses of a network on them |
//! | [`Trainer`] | fast training on several threads; its state is one file |
//! | [`Sgd`], [`Schedule`] | gradient descent with momentum and weight decay |
//! | [`Muon`] | steps of equal length in all directions of a kernel |
//! | [`mod@reference`] | the network and its derivatives by their formulae, in any precision |

mod batch;
mod cache;
mod evaluator;
mod file;
mod game;
pub mod graph;
mod katago;
mod kernel;
mod layout;
mod muon;
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
pub use game::{GameEvaluator, GamePlanes, GamePlanesError, PlanesView, PlanesViewError, ReadyNetwork, View};
pub use katago::{KataGoError, is_katago};
pub use kernel::Instructions;
pub use muon::Muon;
pub use network::Network;
pub use parameters::Parameters;
pub use real::Real;
pub use reference::Gradient;
pub use safetensors::{FormatError, Safetensors};
pub use sgd::{Schedule, Sgd};
pub use shape::{Shape, ShapeError};
pub use symmetry::Symmetry;
pub use trainer::Trainer;
