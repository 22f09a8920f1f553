//! A page in the browser: boards, searches, trees and experiments. One process serves it, with all
//! assets inside.
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
//! | part | what it is |
//! | --- | --- |
//! | [`Options`] | address, token, directories and threads |
//! | [`AnalysisEngine`] | the agent that answers KataGo's analysis protocol |
//! | [`Server`] | the bound server: its address, and the loop that answers |
//! | [`ServeError`] | the reasons why a server does not start |
//!
//! The server listens on the loopback address unless [`Options`] names another one. A request must
//! name the server as its `Host` and must not come from a page of another origin. On another
//! address it also needs a token. The server reads and writes nothing outside of the given
//! directories, and no page can start a program.

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
