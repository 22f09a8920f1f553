//! The options of an engine.

use crate::rules::Rules;
use std::time::Duration;

/// Options that apply to all games of an engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules, the komi until it is set, and the limits of playouts. Default: those of
    /// [`Rules`].
    pub rules: Rules,
    /// Simulations a move, if limited. Default 10 000. With a clock as well, the first limit
    /// reached ends the search.
    pub playouts: Option<u64>,
    /// Time for a move if no clock is set. Default: no limit.
    pub time: Option<Duration>,
    /// Resigns when the value of the position for the engine, in [0, 1], has been below this in
    /// three of its moves in a row; `None`: never. Default 0.05.
    pub resign: Option<f32>,
    /// Does not resign before this many moves have been played, as a share of the points of the
    /// board. Default 0.3.
    pub resign_after: f32,
    /// Time that each move loses on the way to the opponent; the clock sets it aside. Default 100
    /// ms.
    pub lag: Duration,
    /// Searches on the opponent's time. A game with pondering is not reproducible. Default: no.
    pub ponder: bool,
    /// The seed of all random numbers. Default 0.
    pub seed: u64,
    /// The number of playouts that judge the life of stones. Default 400: the standard error of a
    /// share near 0.9 is then 0.015.
    pub judge_playouts: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rules: Rules::default(),
            playouts: Some(10_000),
            time: None,
            resign: Some(0.05),
            resign_after: 0.3,
            lag: Duration::from_millis(100),
            ponder: false,
            seed: 0,
            judge_playouts: 400,
        }
    }
}
