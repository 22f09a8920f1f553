//! Makes a store of very many games: plays some, and writes the others as copies of them.
//!
//! `cargo run --release -p tesuji-lab --example large_store -- DIR GAMES [PLAYED]`

use std::error::Error;
use std::path::PathBuf;
use tesuji::Stop;
use tesuji_lab::store::Store;
use tesuji_lab::{Experiment, ExperimentOptions, run_experiment};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [dir, games, ..] = &arguments[..] else { return Err("arguments: DIR GAMES [PLAYED]".into()) };
    let (out, games): (PathBuf, u64) = (dir.into(), games.parse()?);
    let played: u64 = arguments.get(2).map_or(Ok(1000), |played| played.parse())?;
    let file = format!(
        "kind = \"matches\"\nname = \"large\"\nabout = \"{games} games\"\ngame = \"tic-tac-toe\"\ngames = {games}\nplayouts = 20\nb = \"random\"\n\n[[match]]\nname = \"m\"\na = \"uct\"\n"
    );
    let experiment = Experiment::parse("large", &file)?;
    let run = |games: Option<u64>| {
        let options = ExperimentOptions {
            results: out.join("results"),
            out: out.clone(),
            games,
            only: Vec::new(),
            threads: 1,
            cluster: None,
            changed: false,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        run_experiment(&experiment, &options, &Stop::default(), &mut |_| ())
    };
    run(Some(played))?;
    let mut store = Store::open(&out.join("large"))?;
    let planned = store.matches()?.remove(0);
    let rows = store.games_of(&planned.matchup, played)?;
    for number in played..games {
        let (_, row) = &rows[(number % played) as usize];
        let mut row = row.clone();
        let opening = number / 2;
        row.a_first = number % 2 == 0;
        row.id = planned.matchup.game_id(opening, 0, row.a_first);
        store.insert(&planned.matchup, opening, 0, &row)?;
        if number % 50_000 == 0 {
            eprintln!("{number} games");
        }
    }
    drop(store);
    run(None)?;
    Ok(())
}
