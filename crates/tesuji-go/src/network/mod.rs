//! Policy-value networks that evaluate positions.

mod area;
mod evaluator;
pub(crate) mod flat_board;
mod inputs;
mod katago_planes;
mod katago_view;
pub(crate) mod ladder;
mod load;
mod plain_view;
mod planes;
mod raw;

pub use evaluator::NetEvaluator;
pub use inputs::{Inputs, PoolingInputs};
pub use load::{NetworkError, POOLING, board, content, evaluator, file, komi, load, only_board};
pub use planes::{Planes, PlanesError};
pub use raw::{RawEvaluation, RawScore, katago_symmetry};
