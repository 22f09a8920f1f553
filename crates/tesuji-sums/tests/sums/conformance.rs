//! Sums keep the contract of [`tesuji::Game`].

use tesuji::conformance::{check, check_notation};
use tesuji::{Notation, Player, Rng};
use tesuji_sums::{Component, Domineering, Heap, Sum, Tree};

fn check_sum<C: Component + 'static>(components: Vec<C>)
where
    Sum<C>: Notation,
{
    for first in [Player::FIRST, Player::SECOND] {
        let sum = Sum::new(components.clone()).with_to_move(first);
        check(&sum, 1, 20);
        check_notation(&sum, 1, 5);
    }
}

fn sum<C: Component + 'static + std::str::FromStr<Err: std::fmt::Debug>>(components: &[&str]) {
    check_sum::<C>(components.iter().map(|text| text.parse().unwrap()).collect());
}

#[test]
fn heaps() {
    sum::<Heap>(&["b3r5b5"]);
    sum::<Heap>(&["b4b5", "r2r1", "b1"]);
    for size in [3, 5, 7] {
        let mut rng = Rng::new(size as u64);
        check_sum((0..size).map(|_| Heap::random(size, &mut rng)).collect());
    }
}

#[test]
fn regions() {
    sum::<Domineering>(&["....", "../..", ".../#../#.."]);
    sum::<Domineering>(&[".../...", "..#/..."]);
}

#[test]
fn trees() {
    sum::<Tree>(&["{3|-1}", "{{5|2}|-1}", "1/2"]);
    sum::<Tree>(&["{{{10|0},4|3}|-1,{2|-6}}", "{3|-1}", "{0|0}"]);
}
