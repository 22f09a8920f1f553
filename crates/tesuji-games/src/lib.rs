//! Small classic games for [`tesuji`]: to compare searches on, to test with, and to copy from.
//!
//! | game | board | moves | ends |
//! | --- | --- | --- | --- |
//! | [`TicTacToe`] | 3x3 | 9 | win or draw, within 9 moves |
//! | [`ConnectFour`] | 7x6 | 7 | win or draw, within 42 moves |
//! | [`Hex`] | 2x2 to 19x19 | every empty cell | win; swap rule optional |
//! | [`Domineering`] | 1x1 to 8x8 | every place for a domino, other ones for each player | win: who cannot move loses |
//! | [`Knightthrough`] | 8x8 | 40 at the start | win |
//! | [`PGame`] | random trees of any branching factor and depth | branching factor | win at a fixed depth; exact values known |
//!
//! Every game implements [`tesuji::Game`] with keys and hashes, [`tesuji::Notation`] and
//! [`Display`](std::fmt::Display). The first player's stones print as `x`, the second's as `o`.
//!
//! ```
//! use tesuji::{Budget, Game, Notation, Search};
//! use tesuji_games::TicTacToe;
//!
//! let mut game = TicTacToe::new();
//! for text in ["b2", "b1", "a1", "c3"] {
//!     game.play(game.parse_move(text).unwrap());
//! }
//! let report = Search::uct(&game, 0.7, 1).run(&game, &Budget::simulations(1000)).unwrap();
//! assert!(report.value > 0.9, "a2 and a3 both threaten twice");
//! ```

mod connect_four;
mod domineering;
mod hex;
mod knightthrough;
mod mix;
mod p_game;
mod size;
mod text;
mod tic_tac_toe;

pub use connect_four::ConnectFour;
pub use domineering::Domineering;
pub use hex::Hex;
pub use knightthrough::{KnightMove, Knightthrough};
pub use p_game::{PGame, StaticEvaluation};
pub use size::SizeError;
pub use tic_tac_toe::TicTacToe;

/// The code of the READMEs, which documentation tests compile and run.
#[cfg(doctest)]
mod readmes {
    #[doc = include_str!("../../../README.md")]
    struct Repository;
    #[doc = include_str!("../../tesuji/README.md")]
    struct Library;
}
