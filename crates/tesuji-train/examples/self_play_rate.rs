//! What batches are worth to a network of this project: processor time of searches and of self-play
//! with several positions evaluated together, by that with one at a time. Then how many positions
//! self-play evaluates in a second, by the rate of the network alone in batches of eight; the cache
//! of evaluations is off.
//!
//! `cargo run --release -p tesuji-train --example self_play_rate` prints medians over rounds in
//! which all ways take turns. Time is the thread's own, so that other work on the machine disturbs
//! little.

use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use tesuji::recipe::Recipe;
use tesuji::{Budget, Game, NetworkOptions, Reply, Stop};
use tesuji_games::{ConnectFour, Hex};
use tesuji_go::network;
use tesuji_go::{Go9, Rules};
use tesuji_net::graph::GraphEvaluator;
use tesuji_net::{Evaluator, Parameters, ReadyNetwork};
use tesuji_train::{SelfPlay, TrainableGame, trainable, trainable_go};

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
    let networks = [ReadyNetwork::Board(network)];
    let settings = SelfPlay { pool: pool as usize, ..SelfPlay::default() };
    let mut player = trainable_go(9, Rules::default()).self_player(&networks, &settings).expect("a player");
    let mut games = (0..32).map(|number| (number, 1000 * seed + number));
    let begun = now();
    while player.play(&mut games, &Stop::default()).is_some() {}
    now() - begun
}

/// A network and its game.
struct Learner {
    name: &'static str,
    game: Box<dyn TrainableGame>,
    networks: Vec<ReadyNetwork>,
}

impl Learner {
    /// The game, and the network of a file in the results.
    fn of(name: &'static str, game: Box<dyn TrainableGame>) -> Learner {
        let file = format!("{}/../../results/train/{name}.safetensors", env!("CARGO_MANIFEST_DIR"));
        let (parameters, _) = Parameters::load(Path::new(&file)).expect("a network");
        let networks = game.ready(&parameters);
        Learner { name, game, networks }
    }

    /// Positions that self-play evaluates in a second.
    fn self_play(&self, seed: u64) -> f64 {
        let settings = SelfPlay { cache: 0, ..SelfPlay::default() };
        let mut player = self.game.self_player(&self.networks, &settings).expect("a player");
        let mut games = (0..8).map(|number| (number, 1000 * seed + number));
        let (begun, mut evaluations) = (now(), 0);
        while let Some(played) = player.play(&mut games, &Stop::default()) {
            evaluations += played.evaluations;
        }
        evaluations as f64 / (now() - begun)
    }

    /// Positions that the network alone evaluates in a second, in batches as large as those of
    /// self-play.
    fn alone(&self) -> f64 {
        const ROUNDS: usize = 200;
        let batch = SelfPlay::default().pool;
        let begun = now();
        match &self.networks[0] {
            ReadyNetwork::Board(network) => {
                let shape = *network.shape();
                let (planes, mut evaluator) =
                    (vec![0.5; batch * shape.inputs()], Evaluator::new(network.clone()));
                let (mut logits, mut values) = (vec![0.0; batch * shape.moves()], vec![0.0; batch]);
                (0..ROUNDS).for_each(|_| evaluator.evaluate_many(&planes, &mut logits, &mut values));
            }
            ReadyNetwork::Graph(graph) => {
                let mut evaluator = GraphEvaluator::new(graph.clone());
                let planes = vec![0.5; batch * graph.planes() * graph.board() * graph.board()];
                let globals = vec![0.5; batch * graph.globals()];
                (0..ROUNDS).for_each(|_| {
                    evaluator.evaluate_many(batch, &planes, &globals);
                });
            }
        }
        (ROUNDS * batch) as f64 / (now() - begun)
    }
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
    for learner in [
        Learner::of("go9-b6", trainable_go(9, Rules::default())),
        Learner::of("hex7", trainable(&Hex::new(7).expect("a size")).expect("it has planes")),
        Learner::of("connect-four", trainable(&ConnectFour::new()).expect("it has planes")),
    ] {
        let mut ratios: Vec<f64> =
            (0..ROUNDS).map(|seed| learner.self_play(seed) / learner.alone()).collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "{}: self-play has {:.2} of the rate of its network",
            learner.name,
            ratios[ratios.len() / 2]
        );
    }
}
