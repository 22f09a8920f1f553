//! Networks as evaluators of a game's positions.

mod evaluate;
mod planes;
mod planes_view;
mod ready;
mod view;

pub use evaluate::GameEvaluator;
pub use planes::{GamePlanes, GamePlanesError};
pub use planes_view::{PlanesView, PlanesViewError};
pub use ready::ReadyNetwork;
pub use view::View;
