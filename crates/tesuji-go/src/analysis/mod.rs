//! KataGo's JSON analysis protocol: reads queries, one per line, and writes answers as they come.
//!
//! [`Request::read`] reads a line, [`Settings`] are what a configuration file, the command line and
//! a query may change, and a [`Server`] analyses several positions at a time, those of the highest
//! priority first. What a network says of the score and of points reaches the answers by a
//! [`Watch`] over its evaluations.

mod answer;
mod config;
mod fields;
mod outlook;
mod query;
mod queue;
mod rules;
mod server;
mod settings;
mod watch;

pub use config::{ConfigError, read_config, read_overrides};
pub use fields::{Refusal, Warning};
pub use query::{Action, Query, Request};
pub use server::Server;
pub use settings::{Effect, Settings, Side};
pub use watch::Watch;
