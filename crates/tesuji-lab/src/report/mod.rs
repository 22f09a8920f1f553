//! Reports: the page of an experiment ([`Record`]), and tables and figures of documents ([`renew`]), made from recorded
//! results and never typed.

mod board;
pub(crate) mod chart;
mod charts;
mod data;
mod figure;
mod html;
mod legend;
mod match_record;
mod pack;
mod page;
mod pattern;
mod record;
pub(crate) mod standing;
mod table;
mod values;

pub use board::{Board, Cells, Moves};
pub use chart::{Axis, Chart, ChartCurve, ChartLine, CurveStyle, Drawing, Place, Point};
pub use data::Source;
pub use figure::{Curve, Figure, Line};
pub use html::PageOptions;
pub use match_record::MatchRecord;
pub use page::{Renewed, renew};
pub(crate) use pattern::{picture, sheet};
pub use record::{Progress, Record};
pub use standing::Standing;
pub use table::{MarkdownTable, formatted};
