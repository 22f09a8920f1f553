//! Every game keeps the contract of [`tesuji::Game`].

use tesuji::conformance;
use tesuji::{Notation, SearchGame};
use tesuji_games::*;

fn check<G: Notation + SearchGame>(start: &G) {
    conformance::check(start, 1, 20);
    conformance::check_notation(start, 1, 5);
}

#[test]
fn tic_tac_toe() {
    check(&TicTacToe::new());
}

#[test]
fn connect_four() {
    check(&ConnectFour::new());
}

#[test]
fn hex() {
    for size in [2, 3, 5, 11, 19] {
        check(&Hex::new(size).unwrap());
    }
    check(&Hex::new(3).unwrap().with_swap());
}

#[test]
fn domineering() {
    for (rows, columns) in [(2, 1), (3, 5), (8, 8)] {
        check(&Domineering::new(rows, columns).unwrap());
    }
}

#[test]
fn knightthrough() {
    check(&Knightthrough::new());
}

#[test]
fn p_games() {
    for (branching, depth) in [(1, 1), (4, 8), (20, 5)] {
        check(&PGame::new(branching, depth, 1).unwrap());
    }
}
