//! The contract of the core, on every size class.

use tesuji::conformance::{check_notation, check_with_loose_playouts};
use tesuji_go::{Komi, Rules, with_go};

#[test]
fn go_keeps_the_contract() {
    let rules = [
        Rules::default(),
        Rules { komi: Komi::from_halves(0), suicide: true, ..Rules::default() },
        Rules { mercy: Some(10), playout_cap: Some(60), ..Rules::default() },
    ];
    for (size, rules) in [1, 2, 4, 7].into_iter().flat_map(|size| rules.map(|r| (size, r))) {
        with_go!(size, rules, |game| check_with_loose_playouts(&game, size as u64, 3));
    }
    for size in [9, 11, 15] {
        with_go!(size, Rules::default(), |game| {
            check_with_loose_playouts(&game, size as u64, 1);
            check_notation(&game, 1, 1);
        });
    }
}
