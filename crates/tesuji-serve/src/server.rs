//! The server.

use crate::directories::Directories;
use crate::guard::Guard;
use crate::middleware::watch;
use crate::options::Options;
use crate::random::random_word;
use crate::request::MOST;
use crate::state::State;
use crate::{
    analysis, assets, backups, laboratory, ownership, positions, run_requests, search_requests, set_up, sgf,
    sweep,
};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use std::fmt;
use std::sync::Arc;
use tesuji::Stop;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

/// The server cannot start or go on.
#[derive(Debug)]
pub enum ServeError {
    /// A directory cannot be served.
    Directory(String),
    /// The server cannot listen on the address, or the system failed.
    Io(std::io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Directory(why) => f.write_str(why),
            ServeError::Io(error) => write!(f, "cannot listen on this address: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<std::io::Error> for ServeError {
    fn from(error: std::io::Error) -> ServeError {
        ServeError::Io(error)
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    state: Arc<State>,
}

impl Server {
    /// Listens. On an address other than the loopback address, the server makes a token if none is
    /// given.
    ///
    /// # Errors
    /// If a directory is none, or the address cannot be listened on.
    pub fn bind(mut options: Options) -> Result<Server, ServeError> {
        let directories = Directories::new(&options.directories).map_err(ServeError::Directory)?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind(options.address))?;
        let address = listener.local_addr()?;
        if options.token.is_none() && !address.ip().is_loopback() {
            options.token = Some(random_word());
        }
        let state = State {
            guard: Guard::new(address, options.token.clone()),
            directories,
            searches: Default::default(),
            runs: Default::default(),
            analysts: Arc::new(Semaphore::new(analysis::CLIENTS)),
            sweeps: Arc::new(Semaphore::new(sweep::MOST)),
            options,
        };
        Ok(Server { runtime, listener, state: Arc::new(state) })
    }

    /// The address of the page, with the token if there is one.
    pub fn url(&self) -> String {
        self.state.guard.url()
    }

    /// Serves until `stop` is called. Running experiments stop then, and no finished game is lost.
    ///
    /// # Errors
    /// If the system refuses to go on.
    pub fn run(self, stop: &Stop) -> Result<(), ServeError> {
        let Server { runtime, listener, state } = self;
        let router = router(state.clone());
        let stop = stop.clone();
        let stopped = async move {
            while !stop.is_stopped() {
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
        };
        let ended = runtime.block_on(async {
            tokio::select! {
                ended = async { axum::serve(listener, router).await } => ended,
                () = stopped => Ok(()),
            }
        });
        state.runs.end();
        runtime.shutdown_background();
        ended.map_err(ServeError::Io)
    }
}

fn router(state: Arc<State>) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/assets/{name}", get(assets::module))
        .route("/analysis", get(analysis::connect))
        .route("/api/list", get(laboratory::list))
        .route("/api/position", post(positions::show))
        .route("/api/searches", post(search_requests::start))
        .route("/api/searches/{id}", post(search_requests::order))
        .route("/api/searches/{id}/events", get(search_requests::watch))
        .route("/api/searches/{id}/node", get(search_requests::node))
        .route("/api/searches/{id}/icicle", get(search_requests::icicle))
        .route("/api/searches/{id}/save", post(search_requests::save))
        .route("/api/trees", post(search_requests::open))
        .route("/api/sweep", post(sweep::run))
        .route("/api/thermographs", post(sweep::thermographs))
        .route("/api/setup", post(set_up::show))
        .route("/api/ownership", post(ownership::show))
        .route("/api/backups", post(backups::show))
        .route("/api/sgf/read", post(sgf::read))
        .route("/api/sgf/write", post(sgf::write))
        .route("/api/experiments", get(laboratory::experiments))
        .route("/api/experiment", get(laboratory::experiment))
        .route("/api/experiment/details", get(laboratory::details))
        .route("/api/experiment/charts", get(laboratory::charts))
        .route("/api/experiment/workers", get(laboratory::workers))
        .route("/api/runs", post(run_requests::start))
        .route("/api/runs/check", post(run_requests::check))
        .route("/api/runs/stop", post(run_requests::stop))
        .route("/api/runs/events", get(run_requests::watch))
        .layer(DefaultBodyLimit::max(MOST))
        .layer(from_fn_with_state(state.clone(), watch))
        .with_state(state)
}
