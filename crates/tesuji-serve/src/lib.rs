//! A page in the browser: boards, searches, trees and experiments, served by one process with
//! everything inside.
//!
//! ```no_run
//! use tesuji::Stop;
//! use tesuji_serve::{Options, Server};
//!
//! let server = Server::bind(Options { directories: vec!["out".into()], ..Options::default() })?;
//! println!("{}", server.url());
//! server.run(&Stop::default())?;
//! # Ok::<(), tesuji_serve::ServeError>(())
//! ```
//!
//! The server listens on the loopback address unless it is told otherwise. A request must name the
//! server as its `Host`, may come
//! from no page of another origin, and needs a token elsewhere than on the loopback address.
//! Nothing outside of the given
//! directories is read or written, and a page starts no programs.

mod analysis;
mod assets;
mod backups;
mod directories;
mod failure;
mod guard;
mod icicle;
mod laboratory;
mod middleware;
mod options;
mod overview;
mod ownership;
mod positions;
mod random;
mod recipes;
mod request;
mod run_requests;
mod runs;
mod search;
mod search_requests;
mod searches;
mod server;
mod set_up;
mod sgf;
mod snapshot;
mod state;
mod stream;
mod sweep;

pub use options::{AnalysisEngine, Options};
pub use server::{ServeError, Server};
