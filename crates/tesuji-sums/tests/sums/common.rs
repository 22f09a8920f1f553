//! What several tests draw and compute.

use proptest::prelude::*;
use tesuji::{Game, Player};
use tesuji_sums::{Colour, Component, Counter, Dyadic, Heap, Sum};

/// Heaps of 0 to `highest` counters of weight 1 to `heaviest`.
pub(crate) fn heaps(highest: usize, heaviest: u32) -> impl Strategy<Value = Heap> {
    let colour = prop_oneof![Just(Colour::Blue), Just(Colour::Red)];
    let counter = (colour, 1..=heaviest).prop_map(|(colour, weight)| Counter { colour, weight });
    prop::collection::vec(counter, 0..=highest).prop_map(|counters| Heap::new(&counters).unwrap())
}

/// The final score of a sum under best play, by looking at every line of play.
pub(crate) fn minimax<C: Component>(sum: &Sum<C>) -> Dyadic {
    if sum.result().is_some() {
        return sum.score();
    }
    let mut moves = Vec::new();
    sum.moves(&mut moves);
    let scores = moves.into_iter().map(|m| {
        let mut after = sum.clone();
        after.play(m);
        minimax(&after)
    });
    if sum.to_move() == Player::FIRST { scores.max().unwrap() } else { scores.min().unwrap() }
}
