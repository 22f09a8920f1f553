//! Counting lines of play, to compare rules with known figures.

use crate::game::Game;
use alloc::vec::Vec;

/// The number of legal sequences of exactly `depth` moves from `game`. A game that ends earlier
/// contributes nothing; the count for depth 0 is 1.
///
/// Takes time proportional to the count for `depth - 1`: the last move is counted, not played.
///
/// ```
/// # use tesuji::{doc_game::Nim, perft};
/// let counts = [1, 2, 3, 4].map(|depth| perft(&Nim::new(3), depth));
/// assert_eq!(counts, [3, 3, 1, 0]);
/// ```
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    if depth == 0 { 1 } else { count(game, depth, &mut Vec::new()) }
}

/// The moves of every level lie one behind the other in `moves`.
fn count<G: Game>(game: &G, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
    if game.result().is_some() {
        return 0;
    }
    let first = moves.len();
    game.moves(moves);
    let end = moves.len();
    if depth == 1 {
        moves.truncate(first);
        return (end - first) as u64;
    }
    let mut child = game.clone();
    let mut total = 0;
    for i in first..end {
        child.clone_from(game);
        child.play(moves[i]);
        total += count(&child, depth - 1, moves);
    }
    moves.truncate(first);
    total
}
