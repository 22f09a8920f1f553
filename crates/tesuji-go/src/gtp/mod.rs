//! The Go Text Protocol, version 2: [`Session`] answers a controller, [`Client`] drives an engine of someone else.

mod client;
mod commands;
mod inbox;
mod protocol;
mod session;

pub use client::{Client, ClientError};
pub use protocol::{Answer, Command, Response};
pub use session::Session;
