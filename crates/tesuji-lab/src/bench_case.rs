//! The measurement of one case.

use crate::error::LabError;
use std::time::{Duration, Instant};
use tesuji::recipe::Recipe;
use tesuji::{Bot, Budget, Reply, Rng};
use tesuji_agents::Playable;

/// Simulations of one measured search; its bytes and allocations are compared with those of half as
/// many.
const SIMULATIONS: u64 = 10_000;

/// The settings of a measurement.
#[derive(Clone, Copy)]
pub struct BenchOptions<'a> {
    /// About how long one case runs.
    pub time: Duration,
    /// Only cases whose `name game` contains this.
    pub filter: &'a str,
    /// Adds overrides to a recipe.
    pub adapt: &'a dyn Fn(&str) -> String,
    /// Calls its argument and returns the number of heap allocations of this call.
    pub allocations: fn(&mut dyn FnMut()) -> u64,
}

impl std::fmt::Debug for BenchOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BenchOptions").field("time", &self.time).field("filter", &self.filter).finish()
    }
}

/// A case's figures.
#[derive(Default)]
pub(crate) struct Measured {
    pub(crate) rate: f64,
    pub(crate) bytes_per_node: Option<f64>,
    pub(crate) allocations_per_simulation: Option<f64>,
}

/// Calls `work`, which says how much it did, for about this long, after one call to warm up; work a
/// second.
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
pub(crate) struct PlayoutCase<'a>(pub(crate) BenchOptions<'a>);

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
pub(crate) struct SearchCase<'a>(pub(crate) BenchOptions<'a>, pub(crate) Recipe);

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
