//! Monte Carlo tree search from small exchangeable parts, in bounded memory.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod bot;
mod budget;
mod game;
mod outcome;
mod perft;
mod player;
mod report;
mod rng;

pub use bot::{Bot, BotError, Observer, Reply};
pub use budget::{Budget, Stop};
pub use game::{Game, Notation, Played, Trace};
pub use outcome::{Outcome, Scores, Value};
pub use perft::perft;
pub use player::Player;
pub use report::{ChildReport, Proven, Report, StopReason};
pub use rng::Rng;
