//! Go for the searches of [`tesuji`]: board, rules, fast playouts, networks, and an engine.
//!
//! ```
//! use tesuji::{Budget, Game, Notation, Search};
//! use tesuji_go::{Go9, Rules};
//!
//! let mut game = Go9::new(9, Rules::default());
//! for text in ["E5", "C5", "E3"] {
//!     game.play(game.parse_move(text).unwrap());
//! }
//! let report = Search::uct(&game, 0.7, 1).run(&game, &Budget::simulations(50)).unwrap();
//! assert!(game.legal(game.to_move(), report.best).is_ok());
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Go9`], [`Go13`], [`Go19`] | the game on boards of up to 9, 13 and 19 lines; [`with_go!`] chooses one for a size known at run time |
//! | [`Rules`], [`RuleSet`], [`Komi`] | the rules of a game, and sets of rules by name |
//! | [`Vertex`] | a point of the board, or the pass |
//! | [`Restriction`] | moves that a search leaves out |
//! | [`mod@sgf`] | game records: reading and writing SGF |
//! | [`mod@pattern`] | patterns of the surroundings of a point |
//! | [`mod@tactics`] | playouts with captures, escapes and learnt patterns |
//! | [`mod@network`] | evaluation of positions by policy-value networks |
//! | [`mod@engine`] | a game with clock and agent, which passes and resigns |
//! | [`mod@gtp`] | the Go Text Protocol: a session for controllers, a client for other engines |
//! | [`mod@analysis`] | KataGo's JSON analysis protocol |

pub mod analysis;
mod board;
mod bradley_terry;
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
pub mod tactics;
mod vertex;
mod zobrist;

pub use go::{Go, Go9, Go13, Go19};
pub use handicap::HandicapError;
#[cfg(feature = "recipe")]
pub use playout::register_playouts;
pub use restriction::Restriction;
pub use rule_set::{HandicapBonus, Ko, RuleSet, Scoring, Tax};
pub use rules::{Illegal, Komi, KomiError, Rules};
pub use vertex::Vertex;
