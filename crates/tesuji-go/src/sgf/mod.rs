//! Game records in the Smart Game Format: FF\[4\], and FF\[3\] read as well.
//!
//! [`decode`] makes text of a file's bytes; [`parse`] reads it into trees that keep every variation
//! and every property, known or not, and print back as SGF; [`MainLine`] reads a game of Go out of
//! one; [`GameRecord`] writes a played game. The reader is our own, because no published crate
//! tells the line and column of an error.

mod charset;
mod error;
mod file;
mod game;
mod parse;
mod point;
mod record;
mod tree;

pub use charset::decode;
pub use error::{Location, SgfError};
pub use file::read_file;
pub(crate) use game::read_turn;
pub use game::{Action, MainLine, Step};
pub use parse::parse;
pub(crate) use point::COLUMNS;
pub use point::{Point, PointError, Rectangle};
pub(crate) use record::APPLICATION;
pub use record::{GameRecord, RecordedMove};
pub use tree::{Collection, Node, Property, Tree, escape, text};
