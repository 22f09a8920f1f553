//! Which use of what a search learns wins points on sums of hot games, and does it scale? Prints
//! CSV, a row for each match:
//!
//!     cargo run --release -p tesuji-sums --example hot_games > results/incentives/hot-games.csv
//!
//! A pair is two games on the same random heaps with exchanged players, Left first in both; its
//! points are those of A less those of B, from both games. All searches are trees
//! ([`StateOptions::TREE`]) with N simulations per move:
//!
//! - `rand`, `maxi`, `to-come`: uniform playouts, MAXI, and playouts by the mean score to come, all
//!   moves as first. They learn anew for each move.
//! - `maxi-kept` keeps D and L* from move to move. `maxi-order` and `maxi-difference` do so too,
//!   and take untried actions of the tree in the order of L* or by D ([`FirstPlay`]).

mod statistics;

use statistics::mean_and_error;
use tesuji::{Budget, Game, Rng};
use tesuji_sums::{FirstPlay, Heap, StateOptions, StatePlayout, StateSearch, Sum};

/// Heaps and counters of each, simulations, pairs.
const SIZES: [(usize, u64, u64); 4] = [(5, 100, 500), (10, 100, 200), (15, 100, 60), (20, 100, 20)];
const PLAYOUTS: [(&str, &str); 3] = [("maxi", "rand"), ("to-come", "rand"), ("to-come", "maxi")];
const FIRST_PLAY_SIZES: [(usize, u64, u64); 3] = [(5, 100, 500), (5, 1000, 200), (10, 100, 200)];
const FIRST_PLAYS: [(&str, &str); 2] = [("maxi-order", "maxi-kept"), ("maxi-difference", "maxi-kept")];
const SEED: u64 = 71;

fn options(agent: &str) -> StateOptions {
    let tree = StateOptions::TREE;
    let kept = StateOptions { keeps_incentives: true, ..tree };
    match agent {
        "rand" => StateOptions { playout: StatePlayout::Uniform, learns: false, ..tree },
        "maxi" => tree,
        "to-come" => {
            let playout = StatePlayout::ToCome { epsilon: 0.0 };
            StateOptions { playout, learns: false, gathers_values: true, ..tree }
        }
        "maxi-kept" => kept,
        "maxi-order" => StateOptions { first_play: FirstPlay::ByOrder, ..kept },
        "maxi-difference" => StateOptions { first_play: FirstPlay::ByDifference, ..kept },
        _ => unreachable!("{agent} is no agent"),
    }
}

/// The points of A less those of B in a pair of games.
fn play(agents: [&str; 2], size: usize, simulations: u64, pair: u64) -> f64 {
    let seed = Rng::derive(SEED, pair);
    let mut rng = Rng::new(seed);
    let start = Sum::new((0..size).map(|_| Heap::random(size, &mut rng)).collect()).with_shared_keys();
    let mut points = 0.0;
    for left in 0..2 {
        let mut side = 0;
        let mut searches = agents.map(|agent| {
            side += 1;
            StateSearch::new(&start, options(agent), Rng::derive(seed, 2 * left + side))
        });
        let mut sum = start.clone();
        while sum.result().is_none() {
            let search = &mut searches[sum.to_move().index() ^ left as usize];
            let report = search.run(&sum, &Budget::simulations(simulations), &mut ());
            sum.play(report.expect("the game is not over").best);
        }
        let score = sum.score().to_f64();
        points += if left == 0 { score } else { -score };
    }
    points
}

fn main() {
    println!("heaps,counters,simulations,a,b,pairs,wins,ties,losses,points,points_lo,points_hi");
    let playouts = SIZES.iter().flat_map(|size| PLAYOUTS.iter().map(move |agents| (size, agents)));
    let first_plays =
        FIRST_PLAY_SIZES.iter().flat_map(|size| FIRST_PLAYS.iter().map(move |agents| (size, agents)));
    for (&(size, simulations, pairs), &(a, b)) in playouts.chain(first_plays) {
        let points: Vec<f64> = (0..pairs).map(|pair| play([a, b], size, simulations, pair)).collect();
        let count = |is: fn(f64) -> bool| points.iter().filter(|&&x| is(x)).count();
        let (wins, ties, losses) = (count(|x| x > 0.0), count(|x| x == 0.0), count(|x| x < 0.0));
        let (mean, se) = mean_and_error(&points);
        let (lo, hi) = (mean - 1.96 * se, mean + 1.96 * se);
        println!(
            "{size},{size},{simulations},{a},{b},{pairs},{wins},{ties},{losses},{mean:.3},{lo:.3},{hi:.3}"
        );
    }
}
