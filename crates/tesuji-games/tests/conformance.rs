//! Every game keeps the contract of [`tesuji::Game`].

use tesuji::Notation;
use tesuji::conformance;
use tesuji_games::*;

fn check<G: Notation>(start: &G) {
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
