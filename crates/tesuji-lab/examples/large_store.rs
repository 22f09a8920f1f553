//! Makes a store of very many games, unless it is there: plays some, and writes the others as
//! copies of them, but for the last two. Then resumes it, and prints how long it takes until the
//! first of these is played, how long the whole run takes, and the most memory.
//!
//! `cargo run --release -p tesuji-lab --example large_store -- DIR GAMES [PLAYED]`

use cpu_time::ProcessTime;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tesuji::Stop;
use tesuji_lab::store::Store;
use tesuji_lab::{Event, Experiment, ExperimentOptions, run_experiment};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [dir, games, ..] = &arguments[..] else { return Err("arguments: DIR GAMES [PLAYED]".into()) };
    let (out, games): (PathBuf, u64) = (dir.into(), games.parse()?);
    let played: u64 = arguments.get(2).map_or(Ok(1000), |played| played.parse())?;
    if !out.join("large").exists() {
        make(&out, games, played)?;
    }
    let (begun, processor) = (Instant::now(), ProcessTime::now());
    let mut first = None;
    run(&out, games, None, &mut |event| {
        if let Event::Game { game: Some(_), .. } = event {
            first.get_or_insert_with(|| [begun.elapsed(), processor.elapsed()]);
        }
    })?;
    let [first, all] = [first.unwrap_or_default(), [begun.elapsed(), processor.elapsed()]];
    for (what, [time, processor]) in [("first game", first), ("end", all)] {
        let [time, processor] = [time, processor].map(|time| time.as_secs_f64());
        println!("the {what} after {time:.2} s, {processor:.2} s of a processor");
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
    }
    Ok(())
}

/// Plays what is missing of the match, or of its first games.
fn run(
    out: &Path,
    games: u64,
    most: Option<u64>,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<(), Box<dyn Error>> {
    let file = format!(
        "kind = \"matches\"\nname = \"large\"\nabout = \"{games} games\"\ngame = \"tic-tac-toe\"\ngames = {games}\nplayouts = 20\nb = \"random\"\n\n[[match]]\nname = \"m\"\na = \"uct\"\n"
    );
    let options = ExperimentOptions {
        results: out.join("results"),
        out: out.to_owned(),
        games: most,
        only: Vec::new(),
        threads: 1,
        cluster: None,
        changed: false,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    run_experiment(&Experiment::parse("large", &file)?, &options, &Stop::default(), watch)?;
    Ok(())
}

fn make(out: &Path, games: u64, played: u64) -> Result<(), Box<dyn Error>> {
    run(out, games, Some(played), &mut |_| ())?;
    let mut store = Store::open(&out.join("large"))?;
    let planned = store.matches()?.remove(0);
    let rows = store.games_of(&planned.matchup, played)?;
    for number in played..games - 2 {
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
    Ok(())
}
