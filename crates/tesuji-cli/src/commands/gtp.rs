//! `tesuji gtp`.

use crate::memory::Memory;
use crate::time::{lag, time_a_move};
use std::io::{BufReader, stdin, stdout};
use std::time::Duration;
use tesuji::recipe::Recipe;
use tesuji::{Bot, BotError, Evaluate};
use tesuji_go::engine::{Agents, Engine, Options};
use tesuji_go::gtp::Session;
use tesuji_go::{Go, Komi, Rules, network};
use tesuji_lab::LabError;

/// The Go engine: GTP version 2 on standard input and output.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A built-in recipe or a TOML file, then any `,key=value`.
    #[arg(long, default_value = "uct")]
    recipe: String,
    #[command(flatten)]
    memory: Memory,
    /// Simulations a move [default: no limit with --time, else those of the recipe, or 10000].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Time a move where the controller sets no clock, such as 500ms or 2s.
    #[arg(long, value_parser = time_a_move)]
    time: Option<Duration>,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Size of the board until the controller sets one, 2 to 19 [default: that of the recipe's network, or 19].
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=19))]
    size: Option<u8>,
    /// Komi until the controller sets one.
    #[arg(long, default_value = "7.5", allow_hyphen_values = true)]
    komi: Komi,
    /// Resign when the value has been below this in three moves in a row, or `off`.
    #[arg(long, default_value = "0.05", value_parser = resign)]
    resign: Resign,
    /// Do not resign before this share of the board's points has been played.
    #[arg(long, default_value_t = 0.3, value_parser = share)]
    resign_after: f32,
    /// Time lost on the way to the controller in each move, at most 60m.
    #[arg(long, default_value = "100ms", value_parser = lag)]
    lag: Duration,
    /// Search on the opponent's time.
    #[arg(long)]
    ponder: bool,
    /// A move may remove the mover's own stones.
    #[arg(long)]
    suicide: bool,
}

/// The value below which to resign, if at all.
#[derive(Clone, Copy, Debug)]
struct Resign(Option<f32>);

/// A number in [0, 1].
fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("not a number from 0 to 1".to_string()),
    }
}

fn resign(text: &str) -> Result<Resign, String> {
    if text == "off" {
        return Ok(Resign(None));
    }
    let value = text.parse().ok().filter(|v| (0.0..=1.0).contains(v));
    value.map(|v| Resign(Some(v))).ok_or_else(|| "either off or a value from 0 to 1".into())
}

/// The agents of one recipe.
#[derive(Debug)]
pub(super) struct RecipeAgents(pub(super) Recipe);

impl Agents for RecipeAgents {
    fn name(&self) -> String {
        self.0.name().to_owned()
    }

    fn agent<const STRIDE: usize, const LEN: usize>(
        &self,
        start: &Go<STRIDE, LEN>,
        seed: u64,
    ) -> Result<Box<dyn Bot<Go<STRIDE, LEN>>>, BotError> {
        match self.0.bot(start, seed) {
            Ok(bot) => Ok(bot),
            Err(error) => Err(BotError(error.to_string())),
        }
    }

    fn evaluator<const STRIDE: usize, const LEN: usize>(
        &self,
        start: &Go<STRIDE, LEN>,
    ) -> Result<Option<Box<dyn Evaluate<Go<STRIDE, LEN>>>>, BotError> {
        self.0.evaluator(start).map_err(|error| BotError(error.to_string()))
    }
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let recipe =
        Recipe::parse(&args.memory.limit(args.recipe)).map_err(|e| LabError::Input(e.to_string()))?;
    let defaults = Options::default();
    let options = Options {
        rules: Rules { komi: args.komi, suicide: args.suicide, ..Rules::default() },
        playouts: args.playouts.or(if args.time.is_some() {
            None
        } else {
            recipe.playouts().or(defaults.playouts)
        }),
        time: args.time,
        resign: args.resign.0,
        resign_after: args.resign_after,
        lag: args.lag,
        ponder: args.ponder,
        seed: args.seed,
        ..defaults
    };
    let size = match (args.size, recipe.network()) {
        (Some(size), _) => size.into(),
        (None, Some(network)) => network::board(&network).map_err(|e| LabError::Input(e.to_string()))?,
        (None, None) => 19,
    };
    let engine =
        Engine::new(RecipeAgents(recipe), size, options).map_err(|e| LabError::Input(e.to_string()))?;
    Session::new(engine)
        .run(BufReader::new(stdin()), &mut stdout())
        .map_err(|e| LabError::Failed(format!("standard output: {e}")))
}
