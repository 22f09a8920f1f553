//! Experiments on sums of heaps: how well incentives are learnt, and what they gain in games for points.

mod learning;
mod learning_row;
mod point_match;
mod point_row;
mod reading;

pub use learning::{Learning, LearningResult, Rates, learn_incentives};
pub use learning_row::LearningRow;
pub use point_match::PointMatch;
pub use point_row::PointRow;
pub use reading::{ListOrder, PlayoutPolicy, Reading};
