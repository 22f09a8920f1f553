//! Go: the board, the rules, and fast playouts.
//!
//! [`Go9`], [`Go13`] and [`Go19`] implement [`tesuji::Game`] for sizes up to 9, 13 and 19;
//! [`with_go!`] chooses one of them for a size known at run time. [`sgf`] reads and writes game
//! records, [`gtp`] speaks the Go Text Protocol for an [`engine`], [`network`] lets policy-value
//! networks evaluate positions, [`analysis`] answers queries in KataGo's protocol.

pub mod analysis;
mod board;
mod dispatch;
pub mod engine;
mod go;
mod grid;
pub mod gtp;
mod handicap;
mod history;
mod knowledge;
pub mod network;
mod numbering;
pub mod pattern;
mod playout;
mod restricted;
mod restriction;
mod rule_set;
mod rules;
mod score;
pub mod sgf;
mod vertex;
mod zobrist;

pub use go::{Go, Go9, Go13, Go19};
pub use handicap::HandicapError;
pub use restriction::Restriction;
pub use rule_set::{HandicapBonus, Ko, RuleSet, Scoring, Tax};
pub use rules::{Illegal, Komi, KomiError, Rules};
pub use vertex::Vertex;
