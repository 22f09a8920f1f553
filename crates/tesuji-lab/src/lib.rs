//! The laboratory: matches between search agents, honest statistics, and records that survive.
//!
//! * [`stats`]: intervals, Elo, sequential tests, as pure functions of counts.
//! * [`store`]: the record of an experiment.
//! * [`Arena`] plays what a [`Schedule`] asks for.

mod agent;
mod agent_spec;
mod bench;
mod conditions;
mod error;
mod game_spec;
mod gtp_bot;
mod matches;
mod opening;
mod play;
mod record;
mod runner;
mod schedule;
pub mod stats;
pub mod store;

pub use agent::{Entrant, Factory, RandomBot};
pub use agent_spec::{AgentFactory, AgentSpec};
pub use bench::{BenchCase, BenchOptions, bench};
pub use conditions::{Conditions, Limit, Openings};
pub use error::LabError;
pub use game_spec::{GameEntry, GameSpec, GameVisitor};
pub use gtp_bot::GtpBot;
pub use matches::{MatchOptions, MatchProgress, MatchSummary, SprtSummary, run_match};
pub use opening::opening;
pub use play::{Played, play};
pub use record::{GoReferee, PlainReferee, Referee, plain_result};
pub use runner::{Arena, Event, RunReport};
pub use schedule::{MatchSchedule, PairScore, Pairing, Schedule};
