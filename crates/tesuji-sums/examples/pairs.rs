//! How many pairs of actions must a list remember? Prints CSV, a row for each size and number of
//! pairs: bytes of the list and match rates in percent, up to heaps as many as the places of Go.
//!
//!     cargo run --release -p tesuji-sums --example pairs > results/incentives/pairs.csv

mod statistics;

use statistics::mean_and_error;
use tesuji::{Incentives, Rng};
use tesuji_sums::{Groups, Heap, StateOptions, Sum, Temperatures};

const SEED: u64 = 43;
/// A size of sums, and how they are learnt in.
struct Size {
    heaps: usize,
    counters: usize,
    games: u64,
    simulations: u64,
    groups: Groups,
}

const fn size(heaps: usize, counters: usize, games: u64, simulations: u64, of: [usize; 2]) -> Size {
    Size { heaps, counters, games, simulations, groups: Groups { groups: of[0], runs: of[1] } }
}

const SIZES: [Size; 5] = [
    size(10, 5, 100, 10_000, [2, 4]),
    size(20, 5, 40, 10_000, [4, 4]),
    size(40, 5, 20, 10_000, [4, 4]),
    size(172, 10, 10, 100_000, [32, 8]),
    size(361, 3, 10, 100_000, [32, 8]),
];
/// All pairs are divided by these numbers.
const SHARES: [usize; 4] = [1, 4, 16, 64];

fn main() {
    println!("heaps,counters,simulations,groups,runs,share,pairs,bytes,games,rate,rate_se");
    for Size { heaps, counters, games, simulations, groups } in SIZES {
        let actions = heaps * counters;
        let all = actions * (actions - 1) / 2;
        for share in SHARES {
            // No limit for the first row.
            let pairs = if share == 1 { 0 } else { (all / share) as u32 };
            let options = StateOptions { pairs, ..StateOptions::PAPER };
            let rate = |game: u64| {
                let mut rng = Rng::new(Rng::derive(SEED, 2 * game));
                let list = (0..heaps).map(|_| Heap::random(counters, &mut rng)).collect();
                let sum = Sum::<Heap>::new(list).with_shared_keys();
                let learnt = groups.learn(&sum, options, simulations, Rng::derive(SEED, 2 * game + 1));
                let order = |a, b| learnt.place(b).cmp(&learnt.place(a));
                Temperatures::new(&sum).match_rate(order).percent().expect("some temperatures differ")
            };
            let rates: Vec<f64> = (0..games).map(rate).collect();
            let (mean, se) = mean_and_error(&rates);
            let (Groups { groups, runs }, bytes) = (groups, Incentives::bytes(actions, pairs));
            let kept = if pairs == 0 { all } else { pairs as usize };
            println!(
                "{heaps},{counters},{simulations},{groups},{runs},{share},{kept},{bytes},{games},{mean:.3},{se:.3}"
            );
        }
    }
}
