//! Reports: the page of an experiment ([`Record`]), and tables and figures of documents ([`renew`]), made from recorded
//! results and never typed.

mod board;
mod chart;
mod charts;
mod data;
mod figure;
mod html;
mod pack;
mod page;
mod pattern;
mod record;
mod standing;
mod table;

pub use board::{Board, Cells, Moves};
pub use chart::{Axis, Chart, ChartCurve, ChartLine, CurveStyle, Legend, Place, Point};
pub use charts::Drawing;
pub use data::Source;
pub use figure::{Curve, Figure, Line};
pub use html::PageOptions;
pub use page::{Renewed, renew};
pub(crate) use pattern::{picture, sheet};
pub use record::{MatchRecord, Progress, Record};
pub use standing::Standing;
pub use table::{MarkdownTable, formatted};
