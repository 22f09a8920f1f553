//! The Go Text Protocol, version 2.

mod client;
mod protocol;

pub use client::{Client, ClientError};
pub use protocol::{Answer, Command, Response};
