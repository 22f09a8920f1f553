//! Reports: the page of an experiment ([`Record`]), and tables and figures of documents
//! ([`renew`]), made from recorded results and never typed.

mod board;
pub(crate) mod chart;
mod charts;
mod data;
mod figure;
mod html;
mod legend;
mod match_record;
pub(crate) mod match_result;
mod pack;
mod page;
mod pattern;
mod record;
mod table;
mod values;
mod workers;

pub use board::{Board, Cells, Moves};
pub use chart::{Axis, Chart, ChartCurve, ChartLine, CurveStyle, Drawing, LinePlace, Point};
pub use data::Source;
pub use figure::{Curve, Figure, Line};
pub use html::PageOptions;
pub use match_record::MatchRecord;
pub use match_result::{MatchResult, verdict};
pub use page::{Renewed, renew};
pub(crate) use pattern::{picture, sheet};
pub use record::{Progress, Record};
pub use table::{MarkdownTable, PageError, formatted};
pub use workers::{WorkerShare, Workers};
