//! `tesuji serve`.

use std::net::IpAddr;
use std::path::PathBuf;
use tesuji_lab::LabError;

/// Open a page in the browser: play and analyse games, look into trees, watch and start
/// experiments.
///
/// The program prints the address of the page. It listens on this machine only, unless --listen
/// names another address; then the address of the page contains a token. The page reads and writes
/// nothing outside of the directories, and starts no engines of others. KataGo's analysis protocol
/// is at ws://ADDRESS/analysis. This command needs a program that was built with the feature
/// `serve`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji serve out\n  tesuji serve out results --port 8080\n\nMore: docs/serve.md"
)]
pub(crate) struct Args {
    /// Show the experiments and trees below these directories; new experiments are stored there.
    #[arg(value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Listen on this port; 0 takes any free one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Listen on this address, such as 0.0.0.0, in place of the loopback address.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// Ask clients for this token [default: none on the loopback address, else a random one].
    #[arg(long, value_parser = token)]
    token: Option<String>,
    /// Play N games of an experiment at a time. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The agent that answers KataGo's analysis protocol: a built-in recipe or a TOML file, then
    /// any `,key=value` [default: PUCT with the network of the program].
    #[arg(long)]
    recipe: Option<String>,
}

/// A word that can stand in an address and in a cookie.
fn token(text: &str) -> Result<String, String> {
    let is_plain = text.len() >= 16 && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    is_plain
        .then(|| text.to_owned())
        .ok_or_else(|| "accepted: 16 or more letters, digits, `-` and `_`".to_owned())
}

#[cfg(not(feature = "serve"))]
pub(crate) fn run(_: Args) -> Result<(), LabError> {
    let why = "this program was built without the page; accepted: one built with `--features serve`, as docs/serve.md says";
    Err(LabError::input(why))
}

#[cfg(feature = "serve")]
pub(crate) fn run(args: Args) -> Result<(), LabError> {
    use super::{cores, print, stop_on_interrupt};
    use crate::progress::tell;
    use std::sync::Arc;
    use tesuji_serve::{Options, ServeError, Server};

    let agents = super::analysis::agents_of(args.recipe)?;
    let options = Options {
        directories: args.directories,
        address: (args.listen, args.port).into(),
        token: args.token,
        threads: args.threads.map_or(cores(), usize::from),
        version: crate::VERSION.to_owned(),
        templates: super::new::EXPERIMENTS.to_vec(),
        analysis: Some(Arc::new(move |input, output| agents.answer(input, output))),
        ..Options::default()
    };
    let server = Server::bind(options).map_err(|error| match error {
        ServeError::Directory(_) => LabError::input(error),
        ServeError::Io(_) => LabError::failed(error),
    })?;
    let stop = stop_on_interrupt()?;
    print(format_args!("{}\n", server.url()))?;
    tell(format_args!("open this address in a browser; Ctrl-C ends the server"));
    server.run(&stop).map_err(LabError::failed)
}
