//! How the server is started.

use std::fmt;
use std::io::{BufRead, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// Answers one client that speaks KataGo's analysis protocol: reads its lines and writes the
/// answers, until the lines end.
pub type AnalysisEngine = Arc<dyn Fn(Box<dyn BufRead>, Box<dyn Write + Send>) + Send + Sync>;

/// The settings of a server.
#[derive(Clone)]
pub struct Options {
    /// The directories whose experiments and trees are shown. Nothing outside of them is read or
    /// written. Default: none.
    pub directories: Vec<PathBuf>,
    /// The address to listen on; port 0 takes any free one. Default: a free port of the loopback
    /// address.
    pub address: SocketAddr,
    /// The token that clients must send. On the loopback address, none is needed. Elsewhere, the
    /// server makes one if none is given. Default: none.
    pub token: Option<String>,
    /// The limit of memory of each search, in bytes. Default 256 MiB.
    pub search_bytes: u64,
    /// The number of searches kept. Default 8.
    pub searches: usize,
    /// Games of an experiment that are played at a time. Default: one for each core.
    pub threads: usize,
    /// The program's version, for the records of experiments. Default: that of this crate.
    pub version: String,
    /// Names and texts of experiment files to begin with. Default: none.
    pub templates: Vec<(&'static str, &'static str)>,
    /// The engine that answers on the WebSocket `/analysis`. Default: none, and nobody answers.
    pub analysis: Option<AnalysisEngine>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            directories: Vec::new(),
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            token: None,
            search_bytes: 256 << 20,
            searches: 8,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            templates: Vec::new(),
            analysis: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("directories", &self.directories)
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}
