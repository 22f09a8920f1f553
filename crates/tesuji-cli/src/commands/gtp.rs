//! `tesuji gtp`.

use super::gtp_check;
use super::recipe_agents::RecipeAgents;
use crate::number::positive;
use crate::progress::tell;
use crate::resources::Resources;
use crate::time::{lag, time_a_move};
use std::io::{BufReader, stdin, stdout};
use std::time::Duration;
use tesuji_go::engine::{Engine, Options};
use tesuji_go::gtp::Session;
use tesuji_go::{Komi, Rules};
use tesuji_lab::LabError;

/// Play Go as an engine: GTP version 2 on standard input and output.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji gtp --size 9 --time 2s\n  tesuji gtp --recipe grave,playout=uniform --memory 64MiB --check\n\nMore: docs/gtp.md"
)]
pub(crate) struct Args {
    /// A built-in recipe or a TOML file, then any `,key=value` [default: PUCT with the network
    /// of the program, in 512 MiB].
    #[arg(long)]
    recipe: Option<String>,
    #[command(flatten)]
    resources: Resources,
    /// Make N simulations per move [default: no limit with --time, else 1000 for the default agent,
    /// or the recipe's number, or 10000].
    #[arg(long, value_parser = positive)]
    playouts: Option<u64>,
    /// Search for this time per move if the controller sets no clock, such as 500ms or 2s.
    #[arg(long, value_parser = time_a_move)]
    time: Option<Duration>,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Play on this size until the controller sets one, 2 to 19 [default: that of the recipe's
    /// network, or 19].
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=19))]
    size: Option<u8>,
    /// Play with this komi until the controller sets one.
    #[arg(long, default_value = "7.5", allow_hyphen_values = true)]
    komi: Komi,
    /// Resign after three consecutive moves at which the value was below X, or `off`.
    #[arg(long, value_name = "X", default_value = "0.05", value_parser = resign)]
    resign: Resign,
    /// Do not resign before the number of moves reaches this share of the board's points.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share)]
    resign_after: f32,
    /// Set aside this time in each move for the way to the controller, at most 60m.
    #[arg(long, default_value = "100ms", value_parser = lag)]
    lag: Duration,
    /// Search on the opponent's time.
    #[arg(long)]
    ponder: bool,
    /// Let a move remove the mover's own stones.
    #[arg(long)]
    suicide: bool,
    /// Answer TEXT to the command `version`, such as 0.17 for Lizzie, which warns of numbers below
    /// 0.15.
    #[arg(long, value_name = "TEXT", value_parser = version)]
    override_version: Option<String>,
    /// Print what the engine loads and what fails, and exit: board programs do not show it.
    #[arg(long)]
    check: bool,
}

/// The value below which to resign, if at all.
#[derive(Clone, Copy, Debug)]
struct Resign(Option<f32>);

/// A number in [0, 1].
fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("accepted: a number from 0 to 1".to_string()),
    }
}

fn version(text: &str) -> Result<String, String> {
    let good = !text.trim().is_empty() && !text.contains(char::is_control);
    good.then(|| text.trim().to_owned()).ok_or_else(|| "accepted: a line of text, such as 0.17".into())
}

fn resign(text: &str) -> Result<Resign, String> {
    if text == "off" {
        return Ok(Resign(None));
    }
    let value = text.parse().ok().filter(|v| (0.0..=1.0).contains(v));
    value.map(|v| Resign(Some(v))).ok_or_else(|| "accepted: off, or a number from 0 to 1".into())
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let agents = RecipeAgents::read(args.recipe, args.resources).map_err(LabError::input);
    let size = match (args.size, &agents) {
        (None, Ok(agents)) => agents.size(),
        (size, _) => Ok(size.map_or(Engine::MAX_SIZE, usize::from)),
    };
    let defaults = Options::default();
    let playouts = match (args.time, &agents, &size) {
        (None, Ok(agents), Ok(size)) => agents.recipe(*size).playouts().or(defaults.playouts),
        _ => None,
    };
    let options = Options {
        rules: Rules { komi: args.komi, suicide: args.suicide, ..Rules::default() },
        playouts: args.playouts.or(playouts),
        time: args.time,
        resign: args.resign.0,
        resign_after: args.resign_after,
        lag: args.lag,
        ponder: args.ponder,
        seed: args.seed,
        ..defaults
    };
    if args.check {
        let version = args.override_version.as_deref().unwrap_or(env!("CARGO_PKG_VERSION"));
        return gtp_check::run(agents, size, &options, version);
    }
    let engine = Engine::new(agents?, size?, options).map_err(LabError::input)?;
    let mut session = Session::new(engine).with_log(|line| tell(format_args!("{line}")));
    if let Some(version) = args.override_version {
        session = session.with_version(version);
    }
    session
        .run(BufReader::new(stdin()), &mut stdout())
        .map_err(|e| LabError::failed(e).within("standard output"))
}
