//! Policy-value networks that evaluate positions.

mod evaluator;
mod load;
mod planes;

pub use evaluator::NetEvaluator;
pub use load::{NetworkError, board, content, load};
pub use planes::{Planes, PlanesError};
