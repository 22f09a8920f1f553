//! `tesuji gtp --check`: what a program that talks GTP to this one would not show.

use super::print;
use super::recipe_agents::{RecipeAgents, own_komi};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::time::Duration;
use tesuji::Budget;
use tesuji_go::engine::{Engine, Options};
use tesuji_go::network;
use tesuji_lab::{LabError, counted};

/// The checks so far.
#[derive(Default)]
struct Checks {
    failed: u64,
}

impl Checks {
    fn line(&mut self, what: &str, result: Result<String, String>) -> Result<(), LabError> {
        let (mark, text) = match result {
            Ok(text) => ("ok  ", text),
            Err(text) => {
                self.failed += 1;
                ("FAIL", text)
            }
        };
        print(format_args!("{mark}  {what:<9} {text}\n"))
    }

    fn note(what: &str, text: impl Display) -> Result<(), LabError> {
        print(format_args!("note  {what:<9} {text}\n"))
    }
}

/// Simulations of each trial search.
const SIMULATIONS: u64 = 32;

/// Prints what the engine loaded, and what fails.
///
/// # Errors
/// If something fails on the board of this size.
pub(super) fn run(
    agents: Result<RecipeAgents, LabError>,
    size: Result<usize, LabError>,
    options: &Options,
    version: &str,
) -> Result<(), LabError> {
    let mut checks = Checks::default();
    checks.line("program", Ok(format!("tesuji {}; `version` answers {version}", crate::VERSION)))?;
    let second = version.split(['.', ' ', '-']).nth(1).and_then(|number| number.parse::<u32>().ok());
    if second.is_none_or(|second| second < 15) {
        Checks::note("program", "Lizzie warns of this version; --override-version 0.17 avoids that")?;
    }
    match (agents, size) {
        (Ok(agents), Ok(size)) => sizes(&mut checks, &agents, size, options)?,
        (Err(error), _) | (_, Err(error)) => checks.line("recipe", Err(error.to_string()))?,
    }
    match checks.failed {
        0 => print(format_args!("The engine is ready.\n")),
        failed => Err(LabError::input(format!("{} failed", counted(failed, "check")))),
    }
}

/// Plays a little on the board to begin with, and on the usual ones.
fn sizes(checks: &mut Checks, agents: &RecipeAgents, size: usize, options: &Options) -> Result<(), LabError> {
    limits(checks, agents, size, options)?;
    for board in BTreeSet::from([size, 9, 13, 19]) {
        let what = format!("{board}x{board}");
        match (trial(agents, board, options), board == size) {
            (result, true) => checks.line(&what, result)?,
            (Ok(text), false) => checks.line(&what, Ok(text))?,
            (Err(error), false) => Checks::note(&what, format_args!("not possible: {error}"))?,
        }
    }
    Ok(())
}

/// The network, the memory and the time of a move.
fn limits(
    checks: &mut Checks,
    agents: &RecipeAgents,
    size: usize,
    options: &Options,
) -> Result<(), LabError> {
    let recipe = agents.recipe(size);
    checks.line("recipe", Ok(format!("{} on {size}x{size}", recipe.name())))?;
    if let Some(network) = recipe.network() {
        let file = network.file.as_deref().unwrap_or("built-in");
        let loaded =
            network::content(&network).map_err(|error| format!("{file}: {error}")).and_then(|content| {
                Ok((content.len(), network::only_board(&network).map_err(|e| e.to_string())?))
            });
        let text = loaded.map(|(bytes, board)| {
            let boards = board.map_or("every board".to_owned(), |board| format!("{board}x{board} only"));
            format!("{file}, {bytes} bytes, for {boards}")
        });
        checks.line("network", text)?;
        if let Some(own) = own_komi(recipe).filter(|own| *own != options.rules.komi) {
            let text =
                format!("the network assumes komi {own}, and the games begin with {}", options.rules.komi);
            Checks::note("network", text)?;
        }
    }
    let free = available_memory();
    let free_text = free.map_or("an unknown amount".to_owned(), |bytes| format!("{} MiB", bytes >> 20));
    match recipe.options().memory.bytes.map(|bytes| bytes as u64) {
        Some(bytes) if free.is_some_and(|free| bytes > free) => {
            let text = format!("{} MiB for the search, but only {free_text} are free", bytes >> 20);
            checks.line("memory", Err(text))?;
        }
        Some(bytes) => {
            checks.line("memory", Ok(format!("{bytes} bytes for the search; {free_text} are free")))?;
        }
        None => Checks::note("memory", format_args!("no limit, and {free_text} are free; see --memory"))?,
    }
    let text = match (options.playouts, options.time) {
        (Some(playouts), Some(time)) => format!("{playouts} simulations or {time:?}"),
        (Some(playouts), None) => format!("{playouts} simulations"),
        (None, Some(time)) => format!("{time:?}"),
        (None, None) => "no limit".to_owned(),
    };
    checks.line("a move", Ok(format!("{text} unless the controller sets a clock")))?;
    if options.time.is_some_and(|time| time > Duration::ZERO && time <= options.lag) {
        Checks::note("a move", format_args!("a lag of {:?} leaves no time to think", options.lag))?;
    }
    Ok(())
}

fn trial(agents: &RecipeAgents, size: usize, options: &Options) -> Result<String, String> {
    let mut engine = Engine::new(agents.clone(), size, options.clone()).map_err(|error| error.to_string())?;
    let player = engine.to_move();
    let report = engine.analyze(player, None, &Budget::simulations(SIMULATIONS), &mut ())?;
    let Some(report) = report else { return Ok("the agent resigns at once".to_owned()) };
    let Some(seconds) = Some(report.elapsed.as_secs_f64()).filter(|&s| s > 0.0) else {
        return Ok(format!("{} simulations", report.simulations));
    };
    Ok(format!("{:.0} simulations per second", report.simulations as f64 / seconds))
}

/// Bytes of memory that programs may still take, where the system tells.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
