//! Game records in the Smart Game Format: FF\[4\], and FF\[3\] read as well.
//!
//! [`parse`] reads a file into trees that keep every variation and every property, known or not, and print back as
//! SGF; [`MainLine`] reads a game of Go out of one; [`GameRecord`] writes a played game. The reader is our own, because no published crate tells the line and
//! column of an error.

mod game;
mod parse;
mod point;
mod record;
mod tree;

pub use game::{Action, MainLine, Step};
pub use parse::{SgfError, parse};
pub use point::{Point, PointError};
pub use record::{GameRecord, RecordedMove};
pub use tree::{Collection, Location, Node, Property, Tree, escape, text};
