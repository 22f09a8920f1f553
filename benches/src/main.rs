//! Runs one case a given number of times, for a counting tool such as valgrind to watch.
//!
//! `clock` times UCT in turn with its floor, `threads` searches by one, two and four threads.
//! `benches/instructions.sh` runs every case twice under valgrind and prints instructions a unit.

mod clock;
mod floor;
mod patterns;
mod peer;

use std::hint::black_box;
use std::time::Instant;
use tesuji::recipe::Recipe;
use tesuji::{Budget, Mean, NetworkOptions, Options, Reply, Rng, Search, SearchGame, Ucb, Uniform};
use tesuji_games::{ConnectFour, Domineering, Hex, Knightthrough, PGame};
use tesuji_go::{Go9, Go13, Go19, Rules};
use tesuji_sums::{Heap, StateOptions, StatePlayout, StateSearch, Sum};

/// A case: its name, its unit, and what does `n` units of it.
type Case = (&'static str, &'static str, fn(u64) -> u64);

const CASES: &[Case] = &[
    ("connect-four/playout", "playout", |n| playouts(&ConnectFour::new(), n)),
    ("connect-four/floor", "simulation", |n| floor::uct(&ConnectFour::new(), 0.7, n, 1) as u64),
    ("connect-four/mcts-crate", "simulation", peer::uct),
    ("connect-four/uct-static", "simulation", |n| uct(&ConnectFour::new(), n)),
    ("connect-four/uct-recipe", "simulation", |n| recipe("uct", &ConnectFour::new(), n)),
    ("connect-four/mast-recipe", "simulation", |n| recipe("mast", &ConnectFour::new(), n)),
    ("connect-four/grave-recipe", "simulation", |n| recipe("grave", &ConnectFour::new(), n)),
    ("connect-four/grave-floor", "simulation", |n| floor::grave(&ConnectFour::new(), n, 1) as u64),
    ("domineering8/mast-recipe", "simulation", |n| recipe("mast", &Domineering::new(8, 8).unwrap(), n)),
    ("domineering8/grave-recipe", "simulation", |n| recipe("grave", &Domineering::new(8, 8).unwrap(), n)),
    ("knightthrough/mast-recipe", "simulation", |n| recipe("mast", &Knightthrough::new(), n)),
    ("knightthrough/grave-recipe", "simulation", |n| recipe("grave", &Knightthrough::new(), n)),
    ("p-game/mast-recipe", "simulation", |n| recipe("mast", &PGame::new(4, 8, 1).unwrap(), n)),
    ("p-game/grave-recipe", "simulation", |n| recipe("grave", &PGame::new(4, 8, 1).unwrap(), n)),
    ("go9/playout", "playout", |n| playouts(&Go9::new(9, Rules::default()), n)),
    ("go9/uct-static", "simulation", |n| uct(&Go9::new(9, Rules::default()), n)),
    ("go9/uct-recipe", "simulation", |n| recipe("uct", &Go9::new(9, Rules::default()), n)),
    ("go9/mast-recipe", "simulation", |n| recipe("mast", &Go9::new(9, Rules::default()), n)),
    ("go9/grave-recipe", "simulation", |n| recipe("grave", &Go9::new(9, Rules::default()), n)),
    ("go9/graver-recipe", "simulation", |n| recipe("graver", &Go9::new(9, Rules::default()), n)),
    ("go9/grave2-recipe", "simulation", |n| recipe("grave2", &Go9::new(9, Rules::default()), n)),
    ("go9/softmax-recipe", "simulation", |n| recipe("softmax", &Go9::new(9, Rules::default()), n)),
    // Nothing is remembered, so that each simulation evaluates once, as the case before it does.
    ("go9/network", "evaluation", evaluations),
    ("go9/puct-net-recipe", "simulation", |n| {
        recipe("puct-net,network.cache=0", &Go9::new(9, Rules::default()), n)
    }),
    // The weights of the mean, and so the tree of `go9/uct-recipe`.
    ("go9/monotone-recipe", "simulation", |n| {
        recipe("uct,backup.kind=monotone,backup.knots=[-40]", &Go9::new(9, Rules::default()), n)
    }),
    // Advice by N patterns; five searches with 100 patterns and without, which differ by their
    // seeds.
    ("go9/patterns-10", "node", |n| patterns::advise(10, n)),
    ("go9/patterns-100", "node", |n| patterns::advise(100, n)),
    ("go9/patterns-300", "node", |n| patterns::advise(300, n)),
    ("go9/patterns-uct-none", "five simulations", |n| patterns::searches("uct", 0, n)),
    ("go9/patterns-uct-100", "five simulations", |n| patterns::searches("uct", 100, n)),
    ("go9/patterns-grave-none", "five simulations", |n| patterns::searches("grave", 0, n)),
    ("go9/patterns-grave-100", "five simulations", |n| patterns::searches("grave", 100, n)),
    ("go13/playout", "playout", |n| playouts(&Go13::new(13, Rules::default()), n)),
    ("go13/uct-recipe", "simulation", |n| recipe("uct", &Go13::new(13, Rules::default()), n)),
    ("go13/mast-recipe", "simulation", |n| recipe("mast", &Go13::new(13, Rules::default()), n)),
    ("go19/playout", "playout", |n| playouts(&Go19::new(19, Rules::default()), n)),
    ("go19/uct-recipe", "simulation", |n| recipe("uct", &Go19::new(19, Rules::default()), n)),
    ("go19/mast-recipe", "simulation", |n| recipe("mast", &Go19::new(19, Rules::default()), n)),
    ("hex11/playout", "playout", |n| playouts(&Hex::new(11).unwrap(), n)),
    ("hex11/uct-recipe", "simulation", |n| recipe("uct", &Hex::new(11).unwrap(), n)),
    ("hex11/grave-recipe", "simulation", |n| recipe("grave", &Hex::new(11).unwrap(), n)),
    ("hex11/mast-recipe", "simulation", |n| recipe("mast", &Hex::new(11).unwrap(), n)),
    // The same simulations, without incentives and with them; then those that incentives guide.
    ("heap-go5/states-rand", "simulation", |n| states(StatePlayout::Uniform, false, n)),
    ("heap-go5/states-rand-ride", "simulation", |n| states(StatePlayout::Uniform, true, n)),
    ("heap-go5/states-maxi", "simulation", |n| states(StatePlayout::Maxi { epsilon: 0.0 }, true, n)),
];

/// The search for the score of five heaps of five counters; as many simulations in each of four
/// games.
fn states(playout: StatePlayout, learns: bool, n: u64) -> u64 {
    let options = black_box(StateOptions { playout, learns, ..StateOptions::PLAY });
    let mut nodes = 0;
    for seed in 0..4 {
        let mut rng = Rng::new(seed);
        let sum = Sum::new((0..5).map(|_| Heap::random(5, &mut rng)).collect()).with_shared_keys();
        let mut search = StateSearch::new(&sum, options, seed);
        nodes += search.run(&sum, &Budget::simulations(n / 4), &mut ()).map_or(0, |r| r.nodes as u64);
    }
    nodes
}

/// Bare evaluations of the empty board by the network of `puct-net`.
fn evaluations(n: u64) -> u64 {
    let network = tesuji_go::network::load(&NetworkOptions::default(), 9).expect("it comes with the crate");
    let (inputs, moves) = (network.shape().inputs(), network.shape().moves());
    let mut evaluator = tesuji_net::Evaluator::new(network);
    let (planes, mut logits) = (vec![0.0; inputs], vec![0.0; moves]);
    (0..n).map(|_| u64::from(evaluator.evaluate(black_box(&planes), &mut logits) > 0.0)).sum()
}

fn playouts<G: SearchGame>(start: &G, n: u64) -> u64 {
    let (mut rng, mut buffer, mut game) = (Rng::new(1), Vec::new(), start.clone());
    let mut sum = 0;
    for _ in 0..n {
        game.clone_from(start);
        sum += u64::from(
            tesuji::Outcome::of(&game.playout(&mut rng, &mut buffer, &mut ()), start.to_move()) > 0.5,
        );
    }
    sum
}

/// UCT of static parts. Black boxes: settings that the compiler can see would let it drop what they
/// switch off.
fn uct<G: SearchGame>(start: &G, n: u64) -> u64 {
    let options = black_box(Options::default());
    let search = Search::new(start, Ucb { c: black_box(0.7) }, Mean {}, Uniform {}, options, 1);
    search.unwrap().run(start, &Budget::simulations(n)).map_or(0, |r| r.nodes as u64)
}

fn recipe<G>(spec: &str, start: &G, n: u64) -> u64
where
    G: SearchGame + Send + Sync + 'static,
    G::Move: Send + Sync,
{
    let mut bot = Recipe::parse(spec).unwrap().bot(start, 1).unwrap();
    match bot.genmove(start, &Budget::simulations(n), &mut ()).unwrap() {
        Reply::Play(report) => report.nodes as u64,
        Reply::Resign => 0,
    }
}

/// A case of [`threads`]: its name, and simulations a second of each of [`WAYS`] in some rounds.
type Shared = (&'static str, fn() -> Vec<[f64; WAYS.len()]>);

/// How several threads search. The first two share nothing but the machine.
const WAYS: [(&str, &str); 4] = [
    ("two searches", "parallel=root,parallel.threads=2"),
    ("one thread", ""),
    ("two threads", "parallel=tree,parallel.threads=2"),
    ("four threads", "parallel=tree,parallel.threads=4"),
];

const SHARED: &[Shared] = &[
    ("connect-four/uct", || rates("uct", &ConnectFour::new(), 300_000)),
    ("go9/uct", || rates("uct", &Go9::new(9, Rules::default()), 20_000)),
    ("go9/grave", || rates("grave", &Go9::new(9, Rules::default()), 15_000)),
    ("go9/puct-net", || rates("puct-net,network.cache=0", &Go9::new(9, Rules::default()), 4_000)),
];

/// Rounds of a case, after one that is not counted.
const ROUNDS: usize = 11;

/// Simulations a second in the ways of [`WAYS`], in turn.
fn rates<G>(spec: &str, start: &G, simulations: u64) -> Vec<[f64; WAYS.len()]>
where
    G: SearchGame + Send + Sync + 'static,
    G::Move: Send + Sync,
{
    let mut bots = WAYS.map(|(_, way)| {
        let spec = if way.is_empty() { spec.to_owned() } else { format!("{spec},{way}") };
        Recipe::parse(&spec).unwrap().bot(start, 1).unwrap()
    });
    let mut round = || {
        bots.each_mut().map(|bot| {
            let clock = Instant::now();
            bot.genmove(start, &Budget::simulations(simulations), &mut ()).unwrap();
            simulations as f64 / clock.elapsed().as_secs_f64()
        })
    };
    round();
    (0..ROUNDS).map(|_| round()).collect()
}

/// Prints the median of the ratios of simulations a second, each within one round, and their range:
/// of two threads in one tree over two searches that share nothing and over one thread, and of four
/// threads over two.
fn threads(name: &str) {
    for (case, rates) in SHARED.iter().filter(|(case, _)| case.contains(name)) {
        let rounds = rates();
        for (way, over) in [(2, 0), (2, 1), (3, 2)] {
            let mut ratios: Vec<f64> = rounds.iter().map(|rates| rates[way] / rates[over]).collect();
            ratios.sort_by(f64::total_cmp);
            let (least, middle, most) = (ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]);
            let (way, over) = (WAYS[way].0, WAYS[over].0);
            println!("{case:18} {way:12} / {over:12} {middle:.3} ({least:.3} to {most:.3})");
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [word] if word == "clock" => {
            let case = |name| CASES.iter().find(|case| case.0 == name).map(|case| (case.0, case.2));
            let cases = case("connect-four/uct-static").zip(case("connect-four/floor"));
            cases.into_iter().for_each(|(a, b)| clock::compare(a, b));
        }
        [word] if word == "threads" => threads(""),
        [word, name] if word == "threads" => threads(name),
        [] => CASES.iter().for_each(|(name, unit, _)| println!("{name} {unit}")),
        [name, n] => match (CASES.iter().find(|case| case.0 == name), n.parse()) {
            (Some((_, _, run)), Ok(n)) => println!("{}", run(n)),
            _ => panic!("no case `{name}`, or `{n}` is not a number"),
        },
        _ => panic!(
            "give nothing, `clock`, `threads` and perhaps a part of a name, or a case and a number of units"
        ),
    }
}
