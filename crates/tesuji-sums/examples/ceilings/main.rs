//! The most that match rates have to give: how often does the order of actions by exact values
//! agree with their temperatures? Prints CSV, a row for each size of random sums; standard errors
//! are over games.
//!
//!     cargo run --release -p tesuji-sums --example ceilings > results/incentives/ceilings.csv

mod ceiling;
#[path = "../statistics/mod.rs"]
mod statistics;

use statistics::mean_and_error;
use tesuji::Rng;
use tesuji_sums::{Heap, Sum};

fn main() {
    println!("heaps,counters,games,rate,rate_se");
    for (size, games) in [(3, 400), (4, 200), (5, 100)] {
        let rates: Vec<f64> = (1..=games)
            .filter_map(|seed| {
                let mut rng = Rng::new(seed);
                let heaps = (0..size).map(|_| Heap::random(size, &mut rng)).collect();
                ceiling::ceiling(&Sum::new(heaps).with_shared_keys(), size)
            })
            .collect();
        let (mean, se) = mean_and_error(&rates);
        println!("{size},{size},{},{mean:.4},{se:.4}", rates.len());
    }
}
