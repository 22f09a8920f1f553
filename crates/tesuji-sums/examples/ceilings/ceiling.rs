use tesuji::{Incentives, Keyed, Player};
use tesuji_sums::{Analysis, Component, Heap, Sum, Temperatures};

/// The match rate, in percent, of the list that orders a sum of heaps of `counters` by exact
/// values: by the differences of what any two actions are worth, over all states with either player
/// to move. None if no two heaps have actions of different temperatures.
pub(crate) fn ceiling(sum: &Sum<Heap>, counters: usize) -> Option<f64> {
    let heaps = sum.components().len();
    let mut incentives = Incentives::new(sum.keys());
    let solution = Analysis::new(sum).solve().expect("a sum small enough to be solved");
    let heights = counters + 1;
    for state in 1..heights.pow(heaps as u32) {
        let at: Vec<usize> = (0..heaps).map(|i| state / heights.pow(i as u32) % heights).collect();
        for (player, sign) in [(Player::FIRST, 1.0), (Player::SECOND, -1.0)] {
            let mut values = Vec::new();
            for (i, heap) in sum.components().iter().enumerate().filter(|&(i, _)| at[i] > 0) {
                let mut heap = heap.clone();
                let gain = heap.play(player, at[i] as u8) as f64;
                let mut after = at.clone();
                after[i] = heap.height();
                let to_come = solution.to_come(&after, player.other()).to_f64();
                values.push((i * counters + at[i] - 1, gain + sign * to_come));
            }
            for (i, &(a, x)) in values.iter().enumerate() {
                for &(b, y) in &values[..i] {
                    incentives.compare(a, b, (x - y) as f32);
                }
            }
        }
    }
    let order = |a, b| incentives.place(b).cmp(&incentives.place(a));
    Temperatures::new(sum).match_rate(order).percent()
}
