//! Results and records of games as people of that game write them.

use crate::store::Ending;
use std::fmt::Debug;

/// Writes the results of finished games.
pub trait Referee: Sync + Debug {
    /// The result as SGF writes it (`B+R`, `W+F`, `0`); `value` is the first player's, B stands for the first
    /// player. Games with a margin add it (`B+3.5`).
    fn result(&self, moves: &[String], value: f64, ending: Ending) -> String {
        let _ = moves;
        plain_result(value, ending)
    }
}

/// Knows who won, and no more.
#[derive(Clone, Copy, Debug)]
pub struct PlainReferee;

impl Referee for PlainReferee {}

/// The result without a margin.
pub fn plain_result(value: f64, ending: Ending) -> String {
    let winner = if value > 0.5 { "B+" } else { "W+" };
    if value == 0.5 {
        return "0".to_owned();
    }
    let how = match ending {
        Ending::Rules | Ending::Length => "",
        Ending::Resign => "R",
        Ending::Forfeit => "F",
    };
    format!("{winner}{how}")
}
