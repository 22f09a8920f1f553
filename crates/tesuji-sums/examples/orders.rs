//! Which order of the actions of Heap-Go is right how soon? Prints CSV, a row for each number of
//! simulations: match rates in percent, means over games with standard errors.
//!
//!     cargo run --release -p tesuji-sums --example orders > results/incentives/orders.csv
//!
//! `ride` is L*, `seeded` L* that gets the order of the score to come after half of the
//! simulations, `to_come` that order, `by_pairs` the rule of Bouzy and Chaslot. `root` is the share
//! of pairs of moves at the beginning that L* and the search's own values have in the same order.

mod statistics;

use statistics::mean_and_error;
use std::cmp::Ordering;
use tesuji::{Budget, Rng};
use tesuji_sums::{Heap, StateOptions, StateSearch, Sum, SumMove, Temperatures};

const SIZE: usize = 5;
const GAMES: u64 = 400;
const SIMULATIONS: [u64; 7] = [25, 79, 250, 625, 1976, 6250, 15_625];
const NAMES: [&str; 5] = ["ride", "seeded", "to_come", "by_pairs", "root"];

fn rates(game: u64, simulations: u64) -> [Option<f64>; 5] {
    let mut rng = Rng::new(Rng::derive(SEED, 2 * game));
    let heaps = (0..SIZE).map(|_| Heap::random(SIZE, &mut rng)).collect();
    let sum = Sum::<Heap>::new(heaps).with_shared_keys();
    let temperatures = Temperatures::new(&sum);
    let search = |seeds_list_at| {
        let options = StateOptions { gathers_values: true, seeds_list_at, ..StateOptions::PAPER };
        let mut search = StateSearch::new(&sum, options, Rng::derive(SEED, 2 * game + 1));
        search.run(&sum, &Budget::simulations(simulations), &mut ());
        search
    };
    let (plain, seeded) = (search(0), search(simulations / 2));
    let place = |search: &StateSearch, action| search.incentives().place(action);
    let by_list = |search: &StateSearch| {
        temperatures.match_rate(|a, b| place(search, b).cmp(&place(search, a))).percent()
    };
    let values = plain.move_values().expect("values were asked for");
    let by_value = |value: &dyn Fn(usize) -> Option<f64>| {
        let order =
            |a: Option<f64>, b| a.zip(b).map_or(Ordering::Equal, |(a, b): (f64, f64)| a.total_cmp(&b));
        temperatures.match_rate(|a, b| order(value(a), value(b))).percent()
    };
    let scores = plain.scores(&sum);
    let key = |m: SumMove<u8>| m.component() * SIZE + SIZE - 1;
    let (mut agree, mut pairs) = (0, 0);
    for (i, a) in scores.iter().enumerate() {
        for b in &scores[..i] {
            if a.2 != b.2 {
                pairs += 1;
                let is_first = place(&plain, key(a.0)) < place(&plain, key(b.0));
                agree += usize::from(is_first == (a.2 > b.2));
            }
        }
    }
    let root = (pairs > 0).then(|| 100.0 * agree as f64 / pairs as f64);
    [
        by_list(&plain),
        by_list(&seeded),
        by_value(&|a| values.to_come(a)),
        by_value(&|a| values.by_pairs(a)),
        root,
    ]
}

const SEED: u64 = 41;

fn main() {
    let columns: Vec<String> = NAMES.iter().map(|name| format!("{name},{name}_se")).collect();
    println!("heaps,counters,simulations,games,{},seeded_more,seeded_more_se", columns.join(","));
    for simulations in SIMULATIONS {
        let games: Vec<[Option<f64>; 5]> = (0..GAMES).map(|game| rates(game, simulations)).collect();
        let text = |numbers: Vec<f64>| {
            let (mean, se) = mean_and_error(&numbers);
            format!("{mean:.3},{se:.3}")
        };
        let column = |i: usize| text(games.iter().filter_map(|rates| rates[i]).collect());
        let columns: Vec<String> = (0..NAMES.len()).map(column).collect();
        let more = text(games.iter().filter_map(|rates| Some(rates[1]? - rates[0]?)).collect());
        println!("{SIZE},{SIZE},{simulations},{GAMES},{},{more}", columns.join(","));
    }
}
