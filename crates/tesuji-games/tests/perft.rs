//! Compares the games with known counts of lines of play, kept in the files `*.perft` beside this
//! one.

use tesuji::{Notation, perft};
use tesuji_games::*;

/// Checks every line of `data`.
fn check<G: Notation>(start: &G, data: &str) {
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let (moves, counts) = line.split_once(':').expect("a colon before the counts");
        let mut game = start.clone();
        for text in moves.split_whitespace() {
            let m = game.parse_move(text).unwrap_or_else(|| panic!("{text} is not legal in `{line}`"));
            game.play(m);
        }
        for (depth, count) in (1..).zip(counts.split_whitespace()) {
            assert_eq!(perft(&game, depth).to_string(), count, "depth {depth} of `{line}`");
        }
    }
}

#[test]
fn tic_tac_toe() {
    check(&TicTacToe::new(), include_str!("tic-tac-toe.perft"));
}

#[test]
fn connect_four() {
    check(&ConnectFour::new(), include_str!("connect-four.perft"));
}

#[test]
fn hex() {
    let start = Hex::new(3).unwrap();
    check(&start, include_str!("hex-3.perft"));
    check(&start.with_swap(), include_str!("hex-3-swap.perft"));
}

#[test]
fn domineering() {
    check(&Domineering::new(4, 4).unwrap(), include_str!("domineering-4x4.perft"));
    check(&Domineering::new(8, 8).unwrap(), include_str!("domineering-8x8.perft"));
}

#[test]
fn knightthrough() {
    check(&Knightthrough::new(), include_str!("knightthrough.perft"));
}
