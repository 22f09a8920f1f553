//! Searches that are driven from outside and broken off, and positions that do not fit a search.

use super::threads_tests::count;
use super::*;
use crate::bias::Advisor;
use crate::budget::Budget;
use crate::code::NodeId;
use crate::doc_game::Nim;
use crate::game::{Game, Keyed, Knowledge, Notation, Playouts};
use crate::outcome::Value;
use crate::player::Player;
use crate::recipe::{Recipe, RecipeSearch};
use crate::saved::TreeLabel;
use crate::tree::InFlight;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn search<G: SearchGame>(spec: &str, game: &G) -> RecipeSearch<G> {
    Recipe::parse(spec).unwrap().search(game, 1).unwrap()
}

/// Asks `times` times and tells each time but the last.
fn drive(search: &mut RecipeSearch<Nim>, game: &Nim, times: usize) {
    search.begin(game, &Budget::simulations(10_000)).unwrap();
    for _ in 0..times {
        search.ask(&mut Vec::new());
    }
}

/// Checks that the tree has no marks of simulations, and no node that hangs nowhere.
fn check_tree(search: &RecipeSearch<Nim>, what: &str) {
    let tree = search.tree();
    if !tree.is_empty() {
        assert_eq!(count(search, tree.root(), false), tree.len(), "{what}");
    }
}

#[test]
fn a_move_may_be_followed_in_the_middle_of_a_second_level() {
    let game = Nim::new(21);
    let shared = "grave2,reuse=true,two_level.playouts=9";
    let apart = "grave2,reuse=true,two_level.playouts=9,two_level.share=false";
    for (spec, batch) in [(shared, 1), (shared, 4), (apart, 1), (apart, 4), ("uct2,reuse=true", 3)] {
        for times in 1..60 {
            let what = alloc::format!("{spec}, batch {batch}, {times} times");
            let mut search = search(spec, &game).with_batch(batch, InFlight::Lost(1)).unwrap();
            drive(&mut search, &game, times);
            // The move that the newest simulation went through.
            let m = search.last_line().first().copied().unwrap_or(1);
            search.follow(m);
            check_tree(&search, &what);
            let mut next = game;
            next.play(m);
            assert_eq!(search.run(&next, &Budget::simulations(200)).unwrap().simulations, 200, "{what}");
            check_tree(&search, &what);
        }
    }
}

#[test]
fn a_search_that_waits_may_be_resumed() {
    let game = Nim::new(21);
    for spec in ["puct", "puct,root=gumbel", "uct", "grave2,two_level.playouts=9"] {
        for (batch, times) in [1, 4].into_iter().flat_map(|batch| (0..6).map(move |times| (batch, times))) {
            let what = alloc::format!("{spec}, batch {batch}, {times} times");
            let new = || search(spec, &game).with_batch(batch, InFlight::Lost(1)).unwrap();
            // Before and after the last question.
            for early in [false, true] {
                let mut search = new();
                drive(&mut search, &game, times);
                search.resume();
                if early {
                    search.ask(&mut Vec::new());
                }
                let told = search.core.told;
                let report = search.run(&game, &Budget::simulations(100)).unwrap();
                assert_eq!(report.simulations, told + 100, "{what}");
                check_tree(&search, &what);
            }
        }
    }
}

#[test]
fn a_search_for_several_threads_may_be_driven_and_broken_off() {
    let game = Nim::new(21);
    for spec in ["uct", "uct,reuse=true", "grave,reuse=true"] {
        let mut search = search(spec, &game).with_threads(3, InFlight::Lost(1)).unwrap();
        for times in [7, 30, 2, 50] {
            drive(&mut search, &game, times);
            drive(&mut search, &game, times / 2);
            search.follow(1);
            check_tree(&search, spec);
            drive(&mut search, &game, times);
            search.run(&game, &Budget::simulations(100)).unwrap();
            check_tree(&search, spec);
        }
    }
}

/// The players take cells in turns until none is left; whoever takes the last one wins.
#[derive(Clone, Debug)]
struct Cells {
    taken: u32,
    cells: u8,
    to_move: Player,
}

impl Cells {
    fn new(cells: u8) -> Cells {
        Cells { taken: 0, cells, to_move: Player::FIRST }
    }
}

impl Game for Cells {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend((0..self.cells).filter(|cell| self.taken >> cell & 1 == 0));
    }

    fn play(&mut self, cell: u8) {
        self.taken |= 1 << cell;
        self.to_move = self.to_move.other();
    }

    fn result(&self) -> Option<Value> {
        (self.taken.count_ones() == u32::from(self.cells)).then(|| Value::win(self.to_move.other()))
    }
}

impl Keyed for Cells {
    fn keys(&self) -> usize {
        2 * usize::from(self.cells)
    }
}

impl Playouts for Cells {}

impl Knowledge for Cells {}

impl Notation for Cells {
    fn move_text(&self, m: u8) -> String {
        m.to_string()
    }
}

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:b} of {}", self.taken, self.cells)
    }
}

#[test]
fn a_position_with_other_keys_is_refused() {
    let budget = Budget::simulations(50);
    for spec in ["uct", "grave", "mast", "puct", "uct,memory.bytes=60000"] {
        for (here, there) in [(7, 11), (11, 7)] {
            let (game, other) = (Cells::new(here), Cells::new(there));
            let mut search = search(spec, &game);
            let error = SearchError::Keys { game: game.keys(), position: other.keys() };
            assert_eq!(search.run(&other, &budget).unwrap_err(), error, "{spec}");
            assert_eq!(search.begin(&other, &budget).unwrap_err(), error, "{spec}");
            let says = alloc::format!("has {} keys", other.keys());
            assert!(error.to_string().contains(&says), "{error}");
            search.run(&game, &budget).unwrap();
            let label = TreeLabel::default();
            let file = search.save_tree(&label).unwrap();
            let error = search.open_tree(&other, &label, &file).unwrap_err().to_string();
            assert!(error.contains("of another game, with"), "{error}");
            // After a refusal its tables are as they were.
            let mut search = search.with_batch(2, InFlight::Lost(1)).unwrap();
            search.run(&game, &budget).unwrap();
            let begun = catch_unwind(AssertUnwindSafe(|| search.start_game(&other, 1)));
            assert_eq!(begun.is_err(), spec == "grave" || spec.contains("bytes"), "{spec}");
            if begun.is_ok() {
                search.run(&other, &budget).unwrap();
            }
        }
    }
}

/// Likes cell 0.
#[derive(Debug)]
struct First;

impl Advisor<Cells> for First {
    fn advise(&self, _: &Cells, advice: &mut [i8]) {
        advice[0] = 127;
    }
}

#[test]
fn an_advisor_may_come_before_or_after_threads() {
    let game = Cells::new(9);
    let stays = |search: &RecipeSearch<Cells>| search.worker.simulation.stay.has_room();
    let new = || search("grave", &game);
    let threads = new().with_threads(4, InFlight::Lost(1)).unwrap();
    assert!(stays(&threads) && threads.tree().is_concurrent());
    let before = new().with_advisor(Arc::new(First)).unwrap().with_threads(4, InFlight::Lost(1)).unwrap();
    let after = threads.with_advisor(Arc::new(First)).unwrap();
    for search in [before, after] {
        assert!(!stays(&search) && !search.tree().is_concurrent());
    }
}

/// Every node that has visited children has the value of the best one, for the player who moved
/// into it. Players alternate.
fn check_greatest(search: &RecipeSearch<Cells>, id: NodeId, what: &str) {
    let tree = search.tree();
    let visited = tree.children(id).filter(|(_, child)| child.visits() > 0);
    if let Some(best) = visited.map(|(_, child)| child.exact_value()).reduce(f64::max) {
        let value = tree.node(id).exact_value();
        assert!((value - (1.0 - best)).abs() < 1e-6, "{what}: {value}, the best child has {best}");
    }
    tree.children(id).for_each(|(child, _)| check_greatest(search, child, what));
}

#[test]
fn a_sample_of_a_node_with_children_takes_their_values_for_the_player_to_move() {
    for (spec, cells) in [
        ("uct,backup=max,memory.nodes=30", 5),
        ("uct-solver,backup=max,memory.nodes=30", 6),
        ("uct-solver,backup=max,memory.nodes=100", 6),
        ("puct,root=gumbel,backup=max,memory.nodes=4", 9),
    ] {
        let game = Cells::new(cells);
        for (threads, batch) in [(1, 1), (1, 8), (4, 1)] {
            let what = alloc::format!("{spec}, {threads} threads, batch {batch}");
            let search = search(spec, &game).with_batch(batch, InFlight::Lost(1)).unwrap();
            let mut search = search.with_threads(threads, InFlight::Lost(1)).unwrap();
            for simulations in 1..200 {
                search.run(&game, &Budget::simulations(simulations)).unwrap();
                check_greatest(&search, search.tree().root(), &what);
            }
        }
    }
}

/// Results are 0 and 1, so the mean of their squares is that of themselves.
#[test]
fn a_second_level_that_shares_nothing_hands_on_the_squares_of_its_results() {
    let game = Nim::new(30);
    let mut search = search("uct2,select=ucb1-tuned,two_level.playouts=9,two_level.share=false", &game);
    search.run(&game, &Budget::simulations(3000)).unwrap();
    let tree = search.tree();
    let mut nodes = alloc::vec![tree.root()];
    while let Some(id) = nodes.pop() {
        let (square, value) = (tree.mean_square(id), tree.node(id).value());
        assert!((square - value).abs() < 1e-4, "{square}, {value}");
        nodes.extend(tree.children(id).filter(|(_, child)| child.visits() > 0).map(|(child, _)| child));
    }
}
