//! Experiments on sums of heaps: how well incentives are learned, and what they gain in games for
//! points.

mod learning;
mod point_match;
mod search_preset;

pub use learning::{Learning, LearningResult, Rates, SumsError, learn_incentives};
pub use point_match::PointMatch;
pub use search_preset::{ListOrder, PlayoutPolicy, SearchPreset};
