//! What batches are worth to a network of this project: processor time of searches and of self-play
//! with several positions evaluated together, by that with one at a time.
//!
//! `cargo run --release -p tesuji-train --example self_play_rate` prints medians over rounds in
//! which all ways take turns. Time is the thread's own, so that other work on the machine disturbs
//! little.

use rustix::time::{ClockId, clock_gettime};
use tesuji::recipe::Recipe;
use tesuji::{Budget, Game, NetworkOptions, Reply, Stop};
use tesuji_go::network;
use tesuji_go::{Go9, Rules};
use tesuji_net::ReadyNetwork;
use tesuji_train::{SelfPlay, trainable_go};

const ROUNDS: u64 = 9;

/// The time this thread has run, in seconds.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Seconds of 30 moves by `puct-net` at 200 simulations, with N in flight.
fn search(batch: u64, seed: u64) -> f64 {
    let spec = format!("puct-net,parallel.kind=tree,parallel.threads=1,parallel.batch={batch}");
    let mut game = Go9::new(9, Rules::default());
    let mut bot = Recipe::parse(&spec).expect("a recipe").bot(&game, seed).expect("an agent");
    let begun = now();
    for _ in 0..30 {
        match bot.genmove(&game, &Budget::simulations(200), &mut ()) {
            Ok(Reply::Play(report)) => game.play(report.best),
            _ => break,
        }
        if game.result().is_some() {
            break;
        }
    }
    now() - begun
}

/// Seconds of 32 games of self-play, N side by side.
fn self_play(pool: u64, seed: u64) -> f64 {
    let network = network::load(&NetworkOptions::default(), 9).expect("the network of 9x9");
    let network = ReadyNetwork::Board(network);
    let settings = SelfPlay { pool: pool as usize, ..SelfPlay::default() };
    let mut player = trainable_go(9, Rules::default()).self_player(&network, &settings).expect("a player");
    let mut games = (0..32).map(|number| (number, 1000 * seed + number));
    let begun = now();
    while player.play(&mut games, &Stop::default()).is_some() {}
    now() - begun
}

/// A name, seconds of a way by its size and a seed, and the sizes, of which the first is what the
/// others are compared with.
type Way = (&'static str, fn(u64, u64) -> f64, &'static [u64]);

fn main() {
    let ways: [Way; 2] = [
        ("search, in flight", search, &[1, 8, 32]),
        ("self-play, side by side", self_play, &[1, 4, 8, 16, 32]),
    ];
    for (name, run, sizes) in ways {
        let rounds: Vec<Vec<f64>> =
            (0..ROUNDS).map(|seed| sizes.iter().map(|&size| run(size, seed)).collect()).collect();
        for (at, size) in sizes.iter().enumerate() {
            let mut ratios: Vec<f64> = rounds.iter().map(|times| times[at] / times[0]).collect();
            ratios.sort_by(f64::total_cmp);
            println!("{name} {size}: {:.3}", ratios[ratios.len() / 2]);
        }
    }
}
