//! A search that somebody watches, for counts of instructions.
//!
//! `cargo run --release -p tesuji-serve --example watched -- GAME RECIPE SIMULATIONS EVERY`
//! searches the initial position and takes the snapshot that a page gets after every EVERY
//! simulations; 0: never. It prints the simulations a second.

#[allow(dead_code, reason = "the server uses all of it")]
#[path = "../src/snapshot.rs"]
mod snapshot;

use snapshot::{Progress, SearchState, snapshot};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;
use tesuji::recipe::Recipe;
use tesuji_lab::GameSpec;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, recipe, simulations, every] = &arguments[..] else {
        return Err("arguments: GAME RECIPE SIMULATIONS EVERY".into());
    };
    let (simulations, every): (u64, u64) = (simulations.parse()?, every.parse()?);
    let game = GameSpec::parse(game, None)?;
    let mut search = game.live_search(&game.position(), &Recipe::parse(recipe)?, 1, None)?;
    let piece = if every == 0 { simulations } else { every };
    let begun = Instant::now();
    let mut made = 0;
    while made < simulations {
        let more = piece.min(simulations - made);
        search.step(more);
        made += more;
        if every == 0 {
            continue;
        }
        if let Some(report) = search.report() {
            let node = search.inspect("")?;
            let nodes = search.node_counts();
            let progress = Progress { state: SearchState::Runs, rate: 0.0, seconds: 0.0, nodes };
            black_box(snapshot(&report, node.as_ref(), &search.last_line(), progress).to_string());
        }
    }
    println!("{:.0} simulations a second", made as f64 / begun.elapsed().as_secs_f64());
    Ok(())
}
