//! What can go wrong in a cluster.

use std::fmt;
use tesuji_lab::LabError;

/// Why there is no cluster, or no worker.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ClusterError {
    /// A file of credentials cannot be used.
    Credentials {
        /// The file.
        file: String,
        /// What is wrong.
        fault: String,
    },
    /// A file of credentials is there already, or two would have the same name.
    Exists {
        /// The file.
        file: String,
    },
    /// The server cannot be reached.
    Unreachable {
        /// Its address.
        url: String,
        /// What happened.
        fault: String,
    },
    /// The server refuses a request.
    Server {
        /// What it was asked for.
        what: &'static str,
        /// What it says.
        fault: String,
    },
    /// Another coordinator works with this server.
    Busy {
        /// Its address.
        url: String,
    },
    /// Nothing asynchronous can be started.
    Runtime(String),
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::Credentials { file, fault } => {
                write!(f, "{file}: {fault}; accepted: a seed of a user's nkey, or a .creds file")
            }
            ClusterError::Exists { file } => {
                write!(
                    f,
                    "{file} would be written over; accepted: a directory without keys, and each --name once"
                )
            }
            ClusterError::Unreachable { url, fault } => write!(
                f,
                "{url}: {fault}; accepted: the address of a running nats-server with JetStream, such as nats://HOST:4222"
            ),
            ClusterError::Server { what, fault } => write!(f, "{what}: {fault}"),
            ClusterError::Busy { url } => write!(
                f,
                "{url}: another coordinator works with this server; accepted: one at a time in an account of the server"
            ),
            ClusterError::Runtime(fault) => write!(f, "no runtime can be started: {fault}"),
        }
    }
}

impl std::error::Error for ClusterError {}

impl From<ClusterError> for LabError {
    fn from(error: ClusterError) -> LabError {
        match error {
            ClusterError::Credentials { .. } | ClusterError::Exists { .. } => LabError::input(error),
            _ => LabError::failed(error),
        }
    }
}
