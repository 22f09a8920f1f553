//! Trials of experiments on other machines: workers on NATS JetStream.
//!
//! A [`Coordinator`] is the [`Cluster`](tesuji_lab::Cluster) that an experiment hands its trials
//! to, and [`work`] does them, in any number of processes. Between them is a `nats-server` with
//! JetStream (2.9 or newer), to which both connect.
//!
//! ```no_run
//! use std::sync::Arc;
//! use tesuji::Stop;
//! use tesuji_cluster::{Address, WorkerOptions, work};
//!
//! let address = Address { url: "nats://localhost:4222".to_owned(), credentials: None, ca: None };
//! let options = WorkerOptions {
//!     address,
//!     threads: 2,
//!     engines: Vec::new(),
//!     version: "1.0".to_owned(),
//!     files: None,
//!     note: Arc::new(|line| eprintln!("{line}")),
//! };
//! println!("{} trials done", work(options, &Stop::default())?);
//! # Ok::<(), tesuji_cluster::ClusterError>(())
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Address`] | the server, and as whom to connect |
//! | [`Coordinator`], [`CoordinatorOptions`] | hands out trials and stores their results |
//! | [`work`], [`WorkerOptions`] | does trials |
//! | [`Status`], [`WorkerStatus`] | the live state of a run |
//! | [`read_result`] | reads what a worker hands in |
//! | [`write_credentials`] | keys with which workers may do nothing but their work |
//!
//! * A trial travels as a [`Job`](tesuji_lab::Job): pure data, with its identity, a hash of all
//!   that decides it. It is delivered at least once and counts once: the coordinator alone writes
//!   the record, and acknowledges a result when it is stored.
//! * Simulations and the moves of games renew a lease: a worker that makes none for the time of the
//!   lease loses the job, which is sent again. After five tries the job is set aside with its
//!   error. A late result counts if it is the first.
//! * At its start the coordinator throws away the queue and fills it from the record. Neither the
//!   queue nor a worker holds anything that cannot be made again.
//! * Networks travel by the hashes of their contents, in pieces in a stream.
//! * [`write_credentials`] writes a configuration of the server in which a worker may take jobs,
//!   acknowledge them, hand in results and read networks, and nothing else.
//!
//! Nothing asynchronous shows: all functions wait.

mod address;
mod coordinator;
mod credentials;
mod error;
mod files;
mod names;
mod notes;
mod pending;
mod recent;
mod server;
mod state;
mod status;
mod streams;
mod wire;
mod worker;
mod workers;

pub use address::Address;
pub use coordinator::{Coordinator, CoordinatorOptions};
pub use credentials::write_credentials;
pub use error::ClusterError;
pub use status::{Status, WorkerStatus};
pub use wire::read_result;
pub use worker::{WorkerOptions, work};
