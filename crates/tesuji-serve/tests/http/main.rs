//! The server, request by request.

mod client;
mod experiments;
mod games;
mod security;
