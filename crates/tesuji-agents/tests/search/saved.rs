//! A search that was saved and opened goes on like one that was never saved.

use crate::games::RandomTree;
use crate::stability::{PARTS, PATTERNS, nine};
use crate::trees::fingerprint;
use std::fmt::Debug;
use tesuji::recipe::{Recipe, RecipeSearch};
use tesuji::{
    AskTell, Budget, Game, InFlight, Link, Mean, Options, Playout, Report, Rng, SavedTreeError, Scores,
    Search, SearchGame, TreeLabel, Ucb,
};
use tesuji_games::*;
use tesuji_go::{Go9, Rules};
use tesuji_sums::{Heap, Sum};

fn label(spec: &str) -> TreeLabel {
    TreeLabel { recipe: spec.to_owned(), ..TreeLabel::default() }
}

/// All that a report says, memory and time apart.
fn told<M: Copy + Debug>(report: &Report<M>) -> String {
    let Report { best, value, variation, children, reason, simulations, nodes, nodes_peak, depth, .. } =
        report;
    let counts = (simulations, nodes, nodes_peak, depth);
    format!("{best:?} {value} {variation:?} {children:?} {reason:?} {counts:?}")
}

/// Saves a search and opens it in another, and lets both go on. The same file results, so that all
/// that files hold is the same.
fn go_on<G: SearchGame<Move: Debug>, I: Link>(
    search: &mut RecipeSearch<G>,
    opened: &mut RecipeSearch<G, I>,
    game: &G,
    spec: &str,
    simulations: u64,
) -> G::Move {
    let label = label(spec);
    let bytes = search.save_tree(&label).unwrap_or_else(|error| panic!("{spec}: {error}"));
    opened.open_tree(game, &label, &bytes).unwrap_or_else(|error| panic!("{spec}: {error}"));
    assert_eq!(fingerprint(search.tree(), game), fingerprint(opened.tree(), game), "{spec}");
    assert!(opened.save_tree(&label).unwrap() == bytes, "{spec}");
    search.resume();
    both(search, opened, game, spec, simulations)
}

/// Two searches do the same.
fn both<G: SearchGame<Move: Debug>, I: Link>(
    search: &mut RecipeSearch<G>,
    other: &mut RecipeSearch<G, I>,
    game: &G,
    spec: &str,
    simulations: u64,
) -> G::Move {
    let budget = Budget::simulations(simulations);
    let reports = (search.run(game, &budget).unwrap(), other.run(game, &budget).unwrap());
    assert_eq!(told(&reports.0), told(&reports.1), "{spec}");
    assert_eq!(fingerprint(search.tree(), game), fingerprint(other.tree(), game), "{spec}");
    let files = (search.save_tree(&label(spec)).unwrap(), other.save_tree(&label(spec)).unwrap());
    assert!(files.0 == files.1, "{spec}");
    reports.0.best
}

/// A search is saved, goes on, follows the game, is saved between searches and after one, and goes
/// on. False if the game has no such search.
fn play<G: SearchGame<Move: Debug>>(start: &G, spec: &str, simulations: u64) -> bool {
    let recipe = Recipe::parse(spec).unwrap();
    let Ok(mut search) = recipe.search(start, 1) else { return false };
    // The seed is that of the file.
    let fresh = || recipe.search(start, 99).unwrap();
    search.run(start, &Budget::simulations(simulations)).unwrap();
    // Links of another width make no difference.
    if let (None, Ok(mut narrow)) = (recipe.options().memory.bytes, recipe.compact_search(start, 7)) {
        go_on(&mut search, &mut narrow, start, spec, simulations);
    }
    let mut opened = fresh();
    let m = go_on(&mut search, &mut opened, start, spec, simulations);
    search.follow(m);
    opened.follow(m);
    let mut game = start.clone();
    game.play(m);
    if game.result().is_none() {
        // Without reuse the tree is still that of the position before.
        if let Ok(bytes) = search.save_tree(&label(spec))
            && recipe.options().reuse
        {
            opened = fresh();
            opened.open_tree(&game, &label(spec), &bytes).unwrap();
        }
        both(&mut search, &mut opened, &game, spec, simulations);
        go_on(&mut search, &mut fresh(), &game, spec, simulations / 2);
    }
    true
}

/// Every recipe that comes with the library, every other part, and each kind of memory.
fn every_recipe(mut play: impl FnMut(&str) -> bool) {
    let mut played = 0;
    for spec in crate::recipes().chain(PARTS) {
        for memory in ["", ",reuse=true", ",memory.nodes=60,recycle=true", ",memory.bytes=32768,recycle=true"]
        {
            if !memory.contains("nodes") || !spec.contains("memory") {
                played += u32::from(play(&format!("{spec}{memory}")));
            }
        }
    }
    assert!(played > 150, "{played}");
}

#[test]
fn every_recipe_goes_on_in_connect_four() {
    every_recipe(|spec| play(&ConnectFour::new(), spec, 150));
}

#[test]
fn every_recipe_goes_on_in_hex() {
    every_recipe(|spec| play(&Hex::new(4).unwrap(), spec, 100));
}

#[test]
fn recipes_go_on_in_other_games() {
    let heaps = ["b3r5", "r2b1r9"].map(|heap| heap.parse::<Heap>().unwrap());
    for spec in ["uct", "mast", "maxi", "grave", "graver2", "puct", "uct-solver", "softmax,reuse=true"] {
        assert!(play(&Go9::new(5, Rules::default()), spec, 100), "{spec}");
        assert!(play(&Domineering::new(4, 4).unwrap(), spec, 200), "{spec}");
        assert!(play(&Knightthrough::new(), spec, 100), "{spec}");
        assert!(play(&Sum::new(heaps.to_vec()), spec, 30), "{spec}");
    }
    for patterns in PATTERNS {
        assert!(
            play(&nine(), &format!("grave{patterns}"), 100) && play(&nine(), &format!("uct{patterns}"), 100)
        );
    }
}

#[test]
fn recipes_with_a_network_go_on() {
    let names = Recipe::built_ins().map(|(name, _)| name);
    let networks = names.filter(|name| Recipe::built_in(name).unwrap().network().is_some());
    for name in networks {
        assert!(play(&nine(), name, 10) && play(&nine(), &format!("{name},root=gumbel"), 10), "{name}");
    }
}

#[test]
fn more_than_two_players_go_on() {
    let game = RandomTree::<Scores<3>>::new(12, 4);
    for spec in ["uct", "erwa", "uct,memory.nodes=60,recycle=true"] {
        assert!(play(&game, spec, 200), "{spec}");
    }
}

#[test]
fn simulations_in_flight_go_on() {
    let game = Hex::new(4).unwrap();
    let search = |seed| {
        let search = Recipe::parse("grave").unwrap().search(&game, seed).unwrap();
        search.with_batch(5, InFlight::Lost(1)).unwrap()
    };
    let (mut one, mut other) = (search(1), search(2));
    one.run(&game, &Budget::simulations(100)).unwrap();
    go_on(&mut one, &mut other, &game, "grave", 100);
    let bytes = one.save_tree(&label("grave")).unwrap();
    let mut alone = Recipe::parse("grave").unwrap().search(&game, 1).unwrap();
    let error = alone.open_tree(&game, &label("grave"), &bytes).unwrap_err();
    assert!(error.to_string().contains("simulations in flight"), "{error}");
}

#[test]
fn two_budgets_are_one() {
    let game = ConnectFour::new();
    for spec in ["uct", "grave", "mast", "puct", "softmax", "graver"] {
        let mut whole = crate::search(spec, &game, 1);
        let mut parts = whole.clone();
        whole.run(&game, &Budget::simulations(1000)).unwrap();
        for _ in 0..4 {
            parts.resume();
            parts.run(&game, &Budget::simulations(250)).unwrap();
        }
        assert_eq!(fingerprint(whole.tree(), &game), fingerprint(parts.tree(), &game), "{spec}");
    }
}

/// Plays at random, and says that it learns.
#[derive(Clone)]
struct Learner;

impl<G: SearchGame> Playout<G> for Learner {
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        game.playout_move(rng, buffer)
    }

    fn learns(&self) -> bool {
        true
    }
}

#[test]
fn what_cannot_be_saved_says_so() {
    let game = TicTacToe::new();
    let mut search = Search::uct(&game, 0.7, 1);
    let error = |search: Result<Vec<u8>, SavedTreeError>| search.unwrap_err().to_string();
    assert!(error(search.save_tree(&label(""))).contains("accepted: after a search"));
    search.begin(&game, &Budget::simulations(10)).unwrap();
    search.ask(&mut Vec::new());
    assert!(error(search.save_tree(&label(""))).contains("has ended"));
    let parts = (Ucb { c: 0.7 }, Mean {}, Learner);
    let mut learner = Search::new(&game, parts.0, parts.1, parts.2, Options::default(), 1).unwrap();
    learner.run(&game, &Budget::simulations(10)).unwrap();
    assert!(error(learner.save_tree(&label(""))).contains("`Playout::archive`"));
    let mut root = Recipe::parse("uct,parallel=root").unwrap().bot(&game, 1).unwrap();
    root.genmove(&game, &Budget::simulations(10), &mut ()).unwrap();
    assert!(error(root.save_tree(&label(""))).contains("`serial` or `tree`"));
}

#[test]
fn a_tree_of_something_else_is_refused() {
    let game = ConnectFour::new();
    let saved = TreeLabel {
        recipe: "a = 1\nc = 2\n".to_owned(),
        game: "connect-four".to_owned(),
        moves: String::new(),
    };
    let mut search = crate::search("uct", &game, 1);
    search.run(&game, &Budget::simulations(50)).unwrap();
    let bytes = search.save_tree(&saved).unwrap();
    let refused = |label: &TreeLabel, game: &ConnectFour, spec: &str, bytes: &[u8], words: &[&str]| {
        let mut search = crate::search(spec, game, 1);
        let error = search.open_tree(game, label, bytes).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)) && error.contains("accepted"), "{error}");
        assert!(search.tree().is_empty());
        search.run(game, &Budget::simulations(20)).unwrap();
    };
    let other = TreeLabel { recipe: "a = 1\nc = 3\n".to_owned(), ..saved.clone() };
    refused(&other, &game, "uct", &bytes, &["another recipe", "`c = 2`"]);
    let other = TreeLabel { game: "hex:4".to_owned(), ..saved.clone() };
    refused(&other, &game, "uct", &bytes, &["another game", "connect-four"]);
    let other = TreeLabel { moves: "4".to_owned(), ..saved.clone() };
    refused(&other, &game, "uct", &bytes, &["another position"]);
    let mut after = game.clone();
    after.play(3);
    refused(&saved, &after, "uct", &bytes, &["another position"]);
    refused(&saved, &game, "puct", &bytes, &["damaged", "columns"]);
    refused(&saved, &game, "uct,memory.nodes=10", &bytes, &["more nodes", "more memory"]);
    refused(&saved, &game, "uct", b"SQLite format 3", &["not a saved tree"]);
    refused(&saved, &game, "uct", &[], &["not a saved tree"]);
    let mut newer = bytes.clone();
    newer[8] = 9;
    refused(&saved, &game, "uct", &newer, &["version 9", "version 1"]);
    let mut damaged = bytes.clone();
    damaged[70] ^= 4;
    refused(&saved, &game, "uct", &damaged, &["damaged", "checksum"]);
    for len in 8..bytes.len() {
        let mut search = crate::search("uct", &game, 1);
        assert!(search.open_tree(&game, &saved, &bytes[..len]).is_err(), "{len}");
    }
}

#[test]
fn no_byte_of_a_file_makes_it_panic() {
    let game = ConnectFour::new();
    for spec in ["uct", "puct,root=gumbel", "maxi", "graver2,two_level.share=false", "mast,backup=softmax"] {
        let mut search = crate::search(spec, &game, 1);
        search.run(&game, &Budget::simulations(60)).unwrap();
        let bytes = search.save_tree(&label(spec)).unwrap();
        let mut opens = 0;
        let mut search = crate::search(spec, &game, 1);
        // Of the long file of MAXI, which is mostly one table, every fifth byte.
        let step = 1 + bytes.len() / 10_000;
        for at in (12..bytes.len() - 4).step_by(step) {
            for change in [1, 0x80] {
                let mut bytes = bytes.clone();
                bytes[at] ^= change;
                // A checksum that fits.
                let end = bytes.len() - 4;
                let sum = crc32fast::hash(&bytes[..end]);
                bytes[end..].copy_from_slice(&sum.to_le_bytes());
                if search.open_tree(&game, &label(spec), &bytes).is_ok() {
                    opens += 1;
                    search.run(&game, &Budget::simulations(30)).unwrap();
                }
            }
        }
        assert!(opens > 0, "{spec}: values may be any");
    }
}
