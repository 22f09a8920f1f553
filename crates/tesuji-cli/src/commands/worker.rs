//! `tesuji worker`.

use std::path::PathBuf;
use tesuji_lab::LabError;

/// Play trials for a coordinator, which is `match`, `run`, `tune`, `race` or `train` with
/// `--cluster URL`.
///
/// The worker connects to a NATS server and waits for trials until it is stopped; it outlives
/// coordinators. It needs an outgoing connection only. It starts an engine of someone else only if
/// --allow-engine names the command. --new-credentials writes keys, and a configuration of the
/// server in which workers may do nothing but their work.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji worker nats://localhost:4222\n  tesuji worker wss://nats.example.org --credentials worker.nk --threads 4\n\nMore: docs/cluster.md"
)]
pub(crate) struct Args {
    /// The address of the server: nats://HOST:PORT, tls://, ws:// or wss://.
    #[arg(required_unless_present = "new_credentials")]
    url: Option<String>,
    /// Play N trials at a time. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Connect to the server with the key or the JWT in this file.
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// Trust the certificate of the server if this one signs it.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Allow trials to start the engine with exactly this command; may be repeated.
    #[arg(long, value_name = "COMMAND")]
    allow_engine: Vec<String>,
    /// Keep networks in this directory. Default: in one that goes with the worker.
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
    /// Write nats-server.conf, coordinator.nk and a key for each NAME into this directory, and end.
    #[arg(long, value_name = "DIR", conflicts_with = "url")]
    new_credentials: Option<PathBuf>,
    /// The workers that --new-credentials writes keys for.
    #[arg(long, value_name = "NAME", default_value = "worker", requires = "new_credentials", value_parser = plain)]
    name: Vec<String>,
}

/// The name of a file.
fn plain(text: &str) -> Result<String, String> {
    let is_plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let is_plain = is_plain && text != "coordinator";
    is_plain.then(|| text.to_owned()).ok_or_else(|| "accepted: letters, digits, `-` and `_`".to_owned())
}

#[cfg(not(feature = "cluster"))]
pub(crate) fn run(_: Args) -> Result<(), LabError> {
    Err(crate::cluster::not_built("worker"))
}

#[cfg(feature = "cluster")]
pub(crate) fn run(args: Args) -> Result<(), LabError> {
    use super::{cores, print, stop_on_interrupt};
    use crate::progress::tell;
    use std::sync::Arc;
    use tesuji_cluster::{Address, WorkerOptions, work, write_credentials};

    if let Some(dir) = args.new_credentials {
        for path in write_credentials(&dir, &args.name)? {
            print(format_args!("{}\n", path.display()))?;
        }
        return Ok(());
    }
    let options = WorkerOptions {
        address: Address { url: args.url.unwrap_or_default(), credentials: args.credentials, ca: args.ca },
        threads: args.threads.map_or(cores(), usize::from),
        engines: args.allow_engine,
        version: crate::VERSION.to_owned(),
        files: args.files,
        note: Arc::new(|note| tell(format_args!("{note}"))),
    };
    let stop = stop_on_interrupt()?;
    let done = work(options, &stop)?;
    tell(format_args!("{done} trials done"));
    Ok(())
}
