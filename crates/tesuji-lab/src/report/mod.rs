//! Tables and figures of a page, made from recorded results and never typed.

mod data;
mod figure;
mod page;
mod table;

pub use data::{Data, Source};
pub use figure::{Axis, Curve, Figure, Legend, Line, Point};
pub use page::{Renewed, renew};
pub use table::Table;
