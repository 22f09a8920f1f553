//! Ratios of times: two cases run in turn, so that each ratio is of one and the same moment.

use std::hint::black_box;
use std::time::Instant;

/// Numbers of units, and the rounds for each.
const ROUNDS: [(u64, usize); 3] = [(100_000, 21), (1_000_000, 11), (10_000_000, 5)];

/// A case: its name, and what does `n` units of it.
pub(crate) type Case = (&'static str, fn(u64) -> u64);

/// Prints the time of a unit of case `a` over that of case `b`: the median of the ratios of all
/// rounds, and their range.
pub(crate) fn compare(a: Case, b: Case) {
    for (units, rounds) in ROUNDS {
        // Short runs are repeated until a round takes a third of a second.
        let runs = (1_000_000 / units).max(1);
        let nanoseconds = |(_, run): Case| {
            let clock = Instant::now();
            (0..runs).for_each(|_| _ = black_box(run(black_box(units))));
            clock.elapsed().as_secs_f64() * 1e9 / (runs * units) as f64
        };
        let times: Vec<[f64; 2]> = (0..rounds)
            .map(|round| {
                // Each comes first in every other round.
                let first = nanoseconds(if round % 2 == 0 { a } else { b });
                let second = nanoseconds(if round % 2 == 0 { b } else { a });
                if round % 2 == 0 { [first, second] } else { [second, first] }
            })
            .collect();
        let of = |i: usize| median(times.iter().map(|times| times[i]).collect()).0;
        let (ratio, least, most) = median(times.iter().map(|[a, b]| a / b).collect());
        let (time_a, time_b) = (of(0), of(1));
        println!(
            "{units:9} units: {} {time_a:.0} ns / {} {time_b:.0} ns = {ratio:.2} ({least:.2} to {most:.2})",
            a.0, b.0
        );
    }
}

/// The median of some numbers, the least, and the greatest.
pub(crate) fn median(mut numbers: Vec<f64>) -> (f64, f64, f64) {
    numbers.sort_by(f64::total_cmp);
    (numbers[numbers.len() / 2], numbers[0], numbers[numbers.len() - 1])
}
