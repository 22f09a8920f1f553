//! Tactical playouts: captures, escapes and 3x3 patterns near the last move, with learnt weights.
//!
//! [`Tactics`] draws each move in proportion to the product of the weights of its features (a
//! Bradley-Terry model, Coulom 2007). [`Weights`] holds them, and [`Lesson`] learns them from
//! games. Such a playout takes 2.9 times as long as a uniform one. At equal time they make GRAVE
//! stronger on 9x9 (`results/tactics.csv`).

mod feature;
mod lesson;
mod policy;
mod surroundings;
mod weights;

pub use lesson::Lesson;
pub use policy::Tactics;
pub use weights::{Weights, WeightsError};
