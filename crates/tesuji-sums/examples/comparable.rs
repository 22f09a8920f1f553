//! How many pairs of actions of Heap-Go does the order of their incentives, as games, decide? And
//! is the greater incentive worth at least as much in every state (equation 17 of Kao, Wu, Yen and
//! Shan 2013)? Prints CSV, a row for each size.
//!
//!     cargo run --release -p tesuji-sums --example comparable > results/incentives/comparable.csv
//!
//! `ordered` and `equal` count pairs of actions of different heaps, for either player; the others
//! are confused. `agree` counts the ordered pairs of different temperatures (`hotter`) in which the
//! greater incentive is the hotter one. `states` counts the states of the whole sum in which both
//! actions of an ordered or equal pair can be played, `broken` those in which the greater incentive
//! is worth less.

use std::cmp::Ordering;
use tesuji::{Player, Rng};
use tesuji_sums::{Analysis, Component, Graph, Heap, Sum, Temperatures};

const SEED: u64 = 43;

fn main() {
    println!("heaps,counters,games,pairs,ordered,equal,hotter,agree,states,broken");
    for (size, games) in [(3, 100), (4, 30), (5, 10)] {
        let mut counts = [0u64; 7];
        for game in 0..games {
            let mut rng = Rng::new(Rng::derive(SEED, game));
            let heaps: Vec<Heap> = (0..size).map(|_| Heap::random(size, &mut rng)).collect();
            let more = count(&heaps, size);
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
        println!("{size},{size},{games},{}", counts.join(","));
    }
}

fn count(heaps: &[Heap], size: usize) -> [u64; 7] {
    let [mut pairs, mut ordered, mut equal, mut hotter, mut agree, mut states, mut broken] = [0; 7];
    let sum = Sum::new(heaps.to_vec()).with_shared_keys();
    let solution = Analysis::new(&sum).solve().expect("a sum small enough to be solved");
    let temperatures = Temperatures::new(&sum);
    let graphs: Vec<Graph> = heaps.iter().map(|heap| Graph::of(heap).0).collect();
    let heights = size + 1;
    for player in [Player::FIRST, Player::SECOND] {
        let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
        let incentive = |heap: usize, left: usize| {
            graphs[heap].incentives(left, player).expect("small heaps").swap_remove(0)
        };
        let incentives: Vec<Vec<Graph>> =
            (0..size).map(|heap| (1..=size).map(|left| incentive(heap, left)).collect()).collect();
        for (i, j) in (0..size).flat_map(|i| (i + 1..size).map(move |j| (i, j))) {
            for (a, b) in (1..=size).flat_map(|a| (1..=size).map(move |b| (a, b))) {
                pairs += 1;
                let order = incentives[i][a - 1].compare(&incentives[j][b - 1]).expect("small heaps");
                let Some(order) = order else { continue };
                ordered += u64::from(order != Ordering::Equal);
                equal += u64::from(order == Ordering::Equal);
                let heat = [(i, a), (j, b)].map(|(heap, left)| temperatures.of(heap * size + left - 1));
                if order != Ordering::Equal && heat[0] != heat[1] {
                    hotter += 1;
                    agree += u64::from(order == heat[0].cmp(&heat[1]));
                }
                for state in 0..heights.pow(size as u32) {
                    let at: Vec<usize> = (0..size).map(|h| state / heights.pow(h as u32) % heights).collect();
                    if (at[i], at[j]) != (a, b) {
                        continue;
                    }
                    let value = |heap: usize| {
                        let mut after = heaps[heap].clone();
                        let gain = after.play(player, at[heap] as u8) as f64;
                        let mut positions = at.clone();
                        positions[heap] = after.height();
                        gain + sign * solution.to_come(&positions, player.other()).to_f64()
                    };
                    states += 1;
                    broken += u64::from(match value(i).total_cmp(&value(j)) {
                        Ordering::Equal => false,
                        found => found != order,
                    });
                }
            }
        }
    }
    [pairs, ordered, equal, hotter, agree, states, broken]
}
