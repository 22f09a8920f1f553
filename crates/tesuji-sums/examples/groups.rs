//! Is it better to learn incentives in groups of heaps and to merge the lists? Prints CSV, a row
//! for each size and division: match rates in percent at the same number of simulations in all.
//!
//!     cargo run --release -p tesuji-sums --example groups > results/incentives/groups.csv

mod statistics;

use statistics::mean_and_error;
use tesuji::Rng;
use tesuji_sums::{Groups, Heap, StateOptions, Sum, Temperatures};

const SEED: u64 = 42;
/// Heaps, counters, games, and simulations in all.
const SIZES: [(usize, usize, u64, u64); 3] = [(10, 5, 100, 10_000), (20, 5, 40, 10_000), (40, 5, 20, 10_000)];
/// Groups and runs.
const DIVISIONS: [(usize, usize); 5] = [(1, 1), (2, 1), (2, 4), (4, 4), (4, 8)];

fn main() {
    println!("heaps,counters,simulations,groups,runs,games,rate,rate_se");
    for (heaps, counters, games, simulations) in SIZES {
        for (groups, runs) in DIVISIONS {
            let rate = |game: u64| {
                let mut rng = Rng::new(Rng::derive(SEED, 2 * game));
                let list = (0..heaps).map(|_| Heap::random(counters, &mut rng)).collect();
                let sum = Sum::<Heap>::new(list).with_shared_keys();
                let seed = Rng::derive(SEED, 2 * game + 1);
                let learnt = Groups { groups, runs }.learn(&sum, StateOptions::PAPER, simulations, seed);
                let order = |a, b| learnt.place(b).cmp(&learnt.place(a));
                Temperatures::new(&sum).match_rate(order).percent().expect("some temperatures differ")
            };
            let rates: Vec<f64> = (0..games).map(rate).collect();
            let (mean, se) = mean_and_error(&rates);
            println!("{heaps},{counters},{simulations},{groups},{runs},{games},{mean:.3},{se:.3}");
        }
    }
}
