//! Counts that others have published: move sequences, legal positions.

use tesuji::Game;
use tesuji_go::{Go9, Rules};

/// How many legal sequences of exactly `depth` moves start at `game`.
fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.result().is_some() {
        return 0;
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|m| {
            let mut next = game.clone();
            next.play(m);
            perft(&next, depth - 1)
        })
        .sum()
}

#[test]
fn sequences_of_moves() {
    let two = Go9::new(2, Rules::default());
    for (depth, count) in (1..).zip([5, 21, 68, 156, 316, 604, 1088]) {
        assert_eq!(perft(&two, depth), count, "2x2, depth {depth}");
    }
    let three = Go9::new(3, Rules::default());
    for (depth, count) in (1..).zip([10, 91, 738, 5281, 33384]) {
        assert_eq!(perft(&three, depth), count, "3x3, depth {depth}");
    }
}
