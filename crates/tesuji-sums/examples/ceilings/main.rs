//! The most that match rates have to give: how often does the order of actions by exact values
//! agree with their temperatures? Prints CSV, a row for each size of random sums; standard errors
//! are over games.
//!
//!     cargo run --release -p tesuji-sums --example ceilings > results/incentives/ceilings.csv

mod ceiling;

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
        let count = rates.len() as f64;
        let mean = rates.iter().sum::<f64>() / count;
        let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / (count - 1.0);
        println!("{size},{size},{count},{mean:.4},{:.4}", (variance / count).sqrt());
    }
}
