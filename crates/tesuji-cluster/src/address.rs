//! The address of the server, and the credentials.

use crate::error::ClusterError;
use crate::names::{ANYONE, KEY};
use async_nats::{Client, ConnectOptions, Event};
use nkeys::KeyPair;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A server, and the credentials for it.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// `nats://HOST:PORT`, `tls://`, `ws://` or `wss://`; several with commas between.
    pub url: String,
    /// A file with an nkey seed, or with a JWT and a seed (`.creds`).
    pub credentials: Option<PathBuf>,
    /// A file with the certificate that signs the server's, if the system does not know it.
    pub ca: Option<PathBuf>,
}

/// A connection that is made again when it is lost.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    /// Whose it is: the owner of the key, and the process.
    pub(crate) name: String,
    /// How often it was made, or what the server knows of it was thrown away.
    pub(crate) connected: Arc<AtomicU64>,
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Address { credentials, ca, .. } = self;
        let mut shown = f.debug_struct("Address");
        shown.field("url", &self.shown()).field("credentials", credentials).field("ca", ca).finish()
    }
}

impl Address {
    /// The address without users and passwords, to be shown.
    pub(crate) fn shown(&self) -> String {
        let shown = |url: &str| {
            let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (scheme, rest));
            let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
            if scheme.is_empty() { host.to_owned() } else { format!("{scheme}://{host}") }
        };
        Vec::from_iter(self.url.split(',').map(str::trim).map(shown)).join(",")
    }

    /// Connects, as often as it takes later on; inboxes begin with the name.
    ///
    /// # Errors
    /// If the credentials cannot be read, or the server cannot be reached or does not want them.
    pub(crate) async fn connect(&self, instance: &str) -> Result<Connection, ClusterError> {
        let mut options = ConnectOptions::new();
        let mut owner = ANYONE.to_owned();
        if let Some(file) = &self.credentials {
            let shown = file.display().to_string();
            let text = std::fs::read_to_string(file).map_err(|error| ClusterError::Credentials {
                file: shown.clone(),
                fault: error.to_string(),
            })?;
            let fault = |fault: String| ClusterError::Credentials { file: shown.clone(), fault };
            let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU") && line.len() == 58);
            let seed = seed.ok_or_else(|| fault("it has no seed of a user's key (SU...)".to_owned()))?;
            let key = KeyPair::from_seed(seed).map_err(|error| fault(error.to_string()))?;
            owner = key.public_key()[..KEY].to_owned();
            options = if text.contains("BEGIN NATS USER JWT") {
                options.credentials(&text).map_err(|error| fault(error.to_string()))?
            } else {
                options.nkey(seed.to_owned())
            };
        }
        if let Some(ca) = &self.ca {
            options = options.add_root_certificates(ca.clone());
        }
        let name = format!("{owner}.{instance}");
        let connected = Arc::new(AtomicU64::new(0));
        let counted = connected.clone();
        let urls: Vec<&str> = self.url.split(',').map(str::trim).collect();
        let client = options
            .name(&name)
            .custom_inbox_prefix(format!("_INBOX.{name}"))
            .connection_timeout(Duration::from_secs(5))
            .ping_interval(Duration::from_secs(10))
            .event_callback(move |event| {
                match event {
                    Event::Connected => drop(counted.fetch_add(1, Ordering::Relaxed)),
                    Event::ServerError(error) => {
                        let _ = writeln!(std::io::stderr(), "the server says: {error}");
                    }
                    _ => {}
                }
                async {}
            })
            .connect(urls)
            .await
            .map_err(|error| {
                let url = self.shown();
                let fault = error.to_string().replace(&self.url, &url);
                ClusterError::Unreachable { url, fault }
            })?;
        Ok(Connection { client, name, connected })
    }
}

/// A name for this process: machine, number and some chance.
pub(crate) fn instance() -> String {
    let host = host();
    let plain: String = host.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(32).collect();
    let chance = blake3::hash(format!("{:?}{}", std::time::Instant::now(), std::process::id()).as_bytes());
    format!("{plain}-{}-{}", std::process::id(), &chance.to_hex()[..4])
}

/// The name of this machine, as far as it has one.
pub(crate) fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    name.map_or_else(|| "host".to_owned(), |name| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        for (url, shown) in [
            ("nats://localhost:4222", "nats://localhost:4222"),
            ("tls://me:secret@a:4222, nats://you:p@ss@b", "tls://a:4222,nats://b"),
            ("token@host", "host"),
        ] {
            let address = Address { url: url.to_owned(), credentials: None, ca: None };
            assert_eq!(address.shown(), shown);
            assert!(!format!("{address:?}").contains("secret"));
        }
        let url = "nats://me:secret@127.0.0.1:1".to_owned();
        let address = Address { url, credentials: None, ca: None };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let error = runtime.block_on(address.connect("test")).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
    }
}
