//! The Go Text Protocol, version 2: [`Session`] answers a controller, [`Client`] drives a
//! third-party engine.

mod client;
mod commands;
mod inbox;
mod patience;
mod process;
mod protocol;
mod run;
mod session;

pub use client::{Client, ClientError};
pub use process::{End, end_engines};
pub use protocol::{Answer, Command, Response};
pub use session::{Session, komi_note};
