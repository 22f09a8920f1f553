//! What all requests share.

use crate::directories::Directories;
use crate::guard::Guard;
use crate::options::Options;
use crate::runs::Runs;
use crate::searches::Searches;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What all requests share.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) options: Options,
    pub(crate) guard: Guard,
    pub(crate) directories: Directories,
    pub(crate) searches: Searches,
    pub(crate) runs: Runs,
    /// Room for clients of the analysis engine.
    pub(crate) analysts: Arc<Semaphore>,
    /// Room for games whose moves are judged.
    pub(crate) sweeps: Arc<Semaphore>,
}
