//! Speed and memory of the parts on this machine.

use crate::error::LabError;
use crate::game_spec::GameSpec;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tesuji::recipe::Recipe;
use tesuji::{AnyParallel, Bot, Budget, Reply, Rng};
use tesuji_agents::Playable;

/// Games whose playouts are measured.
const PLAYOUTS: &[&str] = &["go9", "go13", "go19", "hex:11", "connect-four"];
/// Games on which every recipe is measured.
const SEARCHES: &[&str] = &["go9", "connect-four"];
/// Simulations of one measured search; its bytes and allocations are compared with those of half as many.
const SIMULATIONS: u64 = 10_000;

/// What one case gave.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BenchCase {
    /// `playout`, or a recipe's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The unit of `value`.
    pub unit: String,
    /// The rate.
    pub value: f64,
    /// Heap bytes that one node more costs, side tables included; none for playouts and where the
    /// number of nodes does not grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_node: Option<f64>,
    /// Heap allocations that one simulation more costs, in a search that has run before, to the nearest
    /// hundredth: the report of a search allocates for each move of its variation. None for playouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocations_per_simulation: Option<f64>,
}

/// How to measure.
#[derive(Clone, Copy)]
pub struct BenchOptions<'a> {
    /// About how long one case runs.
    pub time: Duration,
    /// Only cases whose `name game` contains this.
    pub filter: &'a str,
    /// Adds overrides to a recipe.
    pub adapt: &'a dyn Fn(&str) -> String,
    /// Calls its argument and says how many heap allocations that made.
    pub allocations: fn(&mut dyn FnMut()) -> u64,
}

impl std::fmt::Debug for BenchOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BenchOptions").field("time", &self.time).field("filter", &self.filter).finish()
    }
}

/// Measures every case that the filter lets through and tells of each.
///
/// # Errors
/// If no case is left, or a recipe cannot search with so little memory.
pub fn bench(
    options: BenchOptions<'_>,
    tell: &mut dyn FnMut(&BenchCase),
) -> Result<Vec<BenchCase>, LabError> {
    let mut cases = Vec::new();
    let wanted = |name: &str, game: &str| format!("{name} {game}").contains(options.filter);
    let mut measure = |name: &str, game: &str, recipe: Option<Recipe>| -> Result<(), LabError> {
        if wanted(name, game) {
            let spec = GameSpec::parse(game, None)?;
            let (unit, measured) = match recipe {
                None => ("playouts/s", spec.start().playouts(PlayoutCase(options))),
                Some(recipe) => ("simulations/s", spec.start().search(SearchCase(options, recipe))?),
            };
            cases.push(BenchCase {
                name: name.to_owned(),
                game: game.to_owned(),
                unit: unit.to_owned(),
                value: measured.rate,
                bytes_per_node: measured.bytes_per_node,
                allocations_per_simulation: measured.allocations_per_simulation,
            });
            tell(&cases[cases.len() - 1]);
        }
        Ok(())
    };
    for game in PLAYOUTS {
        measure("playout", game, None)?;
    }
    for game in SEARCHES {
        for (name, _) in Recipe::built_ins() {
            let recipe = Recipe::parse(&(options.adapt)(name)).map_err(LabError::input)?;
            let shares = matches!(recipe.parallel(), AnyParallel::Tree(_));
            // Only Go has networks, and a search without a tree has none to share.
            if (recipe.network().is_none() || *game == "go9") && !(shares && recipe.options().depth == 1) {
                measure(name, game, Some(recipe))?;
            }
        }
    }
    if cases.is_empty() {
        return Err(LabError::Input(format!(
            "no case contains {:?}; there are \"playout GAME\" for the games {} and \"RECIPE GAME\" for {}",
            options.filter,
            PLAYOUTS.join(", "),
            SEARCHES.join(", ")
        )));
    }
    Ok(cases)
}

/// A case's figures.
#[derive(Default)]
pub(crate) struct Measured {
    rate: f64,
    bytes_per_node: Option<f64>,
    allocations_per_simulation: Option<f64>,
}

/// Calls `work`, which says how much it did, for about this long, after one call to warm up; work a second.
fn rate(time: Duration, mut work: impl FnMut() -> u64) -> f64 {
    work();
    let (begun, mut done) = (Instant::now(), 0);
    loop {
        done += work();
        let elapsed = begun.elapsed();
        if elapsed >= time {
            return done as f64 / elapsed.as_secs_f64();
        }
    }
}

/// Playouts of a game.
pub(crate) struct PlayoutCase<'a>(BenchOptions<'a>);

impl PlayoutCase<'_> {
    pub(crate) fn run<G: Playable>(self, start: &G) -> Measured {
        const BATCH: u64 = 100;
        let (mut rng, mut game) = (Rng::new(1), start.clone());
        let rate = rate(self.0.time, || {
            start.play_out(&mut game, BATCH, &mut rng);
            BATCH
        });
        Measured { rate, ..Measured::default() }
    }
}

/// Searches by a recipe.
pub(crate) struct SearchCase<'a>(BenchOptions<'a>, Recipe);

impl SearchCase<'_> {
    pub(crate) fn run<G: Playable>(self, start: &G) -> Result<Measured, LabError> {
        let SearchCase(options, recipe) = self;
        let run = |bot: &mut dyn Bot<G>, simulations| {
            bot.new_game(start, 1).map_err(LabError::failed)?;
            match bot.genmove(start, &Budget::simulations(simulations), &mut ()).map_err(LabError::failed)? {
                Reply::Play(report) => Ok(report),
                Reply::Resign => Err(LabError::failed("it resigned")),
            }
        };
        let fresh = || start.bot(&recipe, 1).map_err(LabError::input);
        let small = run(&mut *fresh()?, SIMULATIONS / 2)?;
        let mut search = fresh()?;
        let large = run(&mut *search, SIMULATIONS)?;
        let nodes = large.nodes.saturating_sub(small.nodes);
        let mut allocations = |simulations| {
            (options.allocations)(&mut || {
                std::hint::black_box(run(&mut *search, simulations).is_ok());
            })
        };
        let per_hundred = (SIMULATIONS / 2) as f64 / 100.0;
        let (some, more) = (allocations(SIMULATIONS / 2), allocations(SIMULATIONS));
        Ok(Measured {
            bytes_per_node: (nodes > 0)
                .then(|| large.bytes.saturating_sub(small.bytes) as f64 / nodes as f64),
            allocations_per_simulation: Some(
                (more.saturating_sub(some) as f64 / per_hundred).round() / 100.0,
            ),
            rate: rate(options.time, || {
                run(&mut *search, SIMULATIONS).map_or(0, |report| report.simulations)
            }),
        })
    }
}
