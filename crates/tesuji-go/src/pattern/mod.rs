//! Patterns: the surroundings of a point, as the player to move there sees them; and tactics.
//!
//! A [`Pattern`] is a mask of constraints relative to an empty point (Hoock & Teytaud 2010),
//! matched under the eight symmetries of the board: `+2+1:O +3+0:* -1-1:.` wants an enemy stone two
//! columns to the right and one row up, a stone of either colour three columns to the right, and an
//! empty point at the lower left. Patterns may also name the colours of stones, `B` and `W`, and
//! then mean another thing when the other player is to move. [`Generator`] draws random ones,
//! [`Matcher`] finds all points where any of many patterns matches, [`PatternPlayouts`] draws moves
//! by the patterns that match them, and [`FrequentPatterns`] learns patterns and their strengths
//! from games. A [`Tactic`] is a word that stands where a pattern does, such as `capture`; a
//! [`Feature`] is either.

mod advisor;
mod around;
mod class;
mod feature;
mod frequent;
mod generator;
mod matcher;
mod planes;
mod playouts;
mod shape;
mod tactic;
mod window;

pub use advisor::FeatureAdvisor;
pub use class::Class;
pub use feature::{Feature, FeatureError};
pub use frequent::{FrequentFeature, FrequentPatterns};
pub use generator::Generator;
pub use matcher::Matcher;
pub use playouts::PatternPlayouts;
pub use shape::{Constraint, Pattern, PatternError, RADIUS};
pub use tactic::Tactic;
