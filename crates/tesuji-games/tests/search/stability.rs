//! The same seed gives the same tree, today and on every machine.

use crate::trees::fingerprint;
use crate::{recipes, search};
use std::fmt::Write;
use tesuji::{Budget, Notation};
use tesuji_games::*;
use tesuji_go::{Go9, Rules};

const SIMULATIONS: u64 = 600;

/// One search as a line of text: the visits of the root's children, nodes, and a hash of the whole tree.
fn line<G: Notation>(name: &str, start: &G, recipe: &str, seed: u64) -> String {
    let mut search = search(recipe, start, seed);
    let report = search.run(start, &Budget::simulations(SIMULATIONS)).unwrap();
    let mut line = format!("{name} {recipe} {seed}:");
    for child in &report.children {
        write!(line, " {}={}", start.move_text(child.m), child.visits).unwrap();
    }
    write!(line, "; {} nodes, {:016x}", report.nodes, fingerprint(search.tree())).unwrap();
    line
}

fn lines<G: Notation>(name: &str, start: &G, out: &mut String) {
    for recipe in recipes() {
        let first = line(name, start, recipe, 1);
        assert_eq!(first, line(name, start, recipe, 1));
        let other = line(name, start, recipe, 2);
        assert_ne!(first.split_once(": "), other.split_once(": "));
        assert_ne!(first.rsplit_once(", ").unwrap().1, other.rsplit_once(", ").unwrap().1, "{first}");
        writeln!(out, "{first}").unwrap();
    }
}

/// With the environment variable `TESUJI_WRITE_TREES` set, the file is written anew instead.
#[test]
fn trees_are_those_of_the_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/trees.txt");
    let mut found = String::new();
    lines("tic-tac-toe", &TicTacToe::new(), &mut found);
    lines("connect-four", &ConnectFour::new(), &mut found);
    lines("hex:5", &Hex::new(5).unwrap(), &mut found);
    lines("p-game:4x8", &PGame::new(4, 8, 1).unwrap(), &mut found);
    lines("go:5", &Go9::new(5, Rules::default()), &mut found);
    if std::env::var_os("TESUJI_WRITE_TREES").is_some() {
        std::fs::write(path, found).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap();
    assert_eq!(found.lines().count(), expected.lines().count(), "one line a game and recipe");
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
}
