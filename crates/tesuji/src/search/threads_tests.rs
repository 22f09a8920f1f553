//! Trees that several threads have grown.

use super::*;
use crate::doc_game::Nim;
use crate::recipe::{Recipe, RecipeSearch};
use crate::{FinalMove, Memory};
use alloc::format;
use core::time::Duration;

/// Threads, simulations in flight on each, and what one in flight counts for.
const WAYS: [(usize, usize, InFlight); 6] = [
    (2, 1, InFlight::Lost(1)),
    (4, 1, InFlight::Lost(3)),
    (4, 1, InFlight::Unobserved),
    (1, 8, InFlight::Lost(1)),
    (1, 50, InFlight::Unobserved),
    (2, 8, InFlight::Lost(1)),
];

/// The search of a recipe in one of these ways.
fn shared(recipe: &Recipe, game: &Nim, way: (usize, usize, InFlight)) -> RecipeSearch<Nim> {
    let (threads, batch, in_flight) = way;
    let search = recipe.search(game, 1).unwrap().with_batch(batch, in_flight).unwrap();
    search.with_threads(threads, in_flight).unwrap()
}

/// Every built-in recipe that grows a tree and needs no network, and some that are not among them.
fn recipes() -> impl Iterator<Item = Recipe> {
    let built_in = Recipe::built_ins().map(|(name, _)| Recipe::built_in(name).unwrap());
    let others = [
        "uct2,two_level.share=false",
        "grave2,two_level.share=false,amaf.tables=5",
        "uctr2,solver=true,memory.nodes=40",
        "grave2,two_level.give_up=0.3",
        "graver,memory.nodes=30,amaf.alloc=3",
        "puct,root=gumbel",
        "puct,solver=true",
        "puct,memory.nodes=30,recycle=true",
        "uct,expand_at=5,ties=random",
        "uct,final_move=max-robust",
        "uct,depth=3",
    ];
    let all = built_in.chain(others.map(|spec| Recipe::parse(spec).unwrap()));
    all.filter(|recipe| recipe.network().is_none() && recipe.options().depth > 1)
}

/// Nodes below and at a node, each of which has visits of its own and is left by every simulation.
fn count(search: &RecipeSearch<Nim>, id: NodeId, exact: bool) -> usize {
    let (tree, mut nodes, mut below) = (search.tree(), 1, 0);
    for (child, node) in tree.children(id) {
        below += node.visits();
        nodes += count(search, child, exact);
    }
    let visits = tree.node(id).visits();
    assert!(
        !exact || if id == tree.root() { visits == below } else { visits > below },
        "{visits} of {below}"
    );
    let Options { amaf, memory, .. } = search.options();
    let learns_all = exact && amaf.alloc == 0 && amaf.tables.is_none() && *memory == Memory::default();
    if let Some(samples) = tree.amaf().filter(|_| learns_all).map(|tables| tables.samples(id)) {
        assert_eq!(samples, Some(visits));
    }
    assert_eq!(tree.pending(id), 0);
    assert!(!tree.node(id).is_studied());
    nodes
}

#[test]
fn no_update_is_lost_and_no_node() {
    let game = Nim::new(21);
    for recipe in recipes() {
        for way in WAYS {
            let mut search = shared(&recipe, &game, way);
            let report = search.run(&game, &Budget::simulations(3000)).unwrap();
            let Options { recycle, solver, two_level, final_move, .. } = search.options();
            let (name, plain) = (recipe.name(), !recycle && two_level.lambda == 0.0);
            let most = if *final_move == FinalMove::MaxRobust { 4500 } else { 3000 };
            assert!(report.simulations <= most && (report.simulations >= 3000 || *solver), "{name}");
            let tree = search.tree();
            assert_eq!(count(&search, tree.root(), plain), tree.len(), "{name}");
            if *two_level == TwoLevel::default() {
                assert_eq!(u64::from(tree.node(tree.root()).visits()), report.simulations, "{name}");
            }
            assert!(report.nodes_peak <= tree.limit() && tree.limit() > 1, "{name}");
        }
    }
}

#[test]
fn a_tree_grows_beyond_what_is_reserved_at_once() {
    // With 255 counters, no simulation comes to the end of the game in the tree. Each adds a node, except those that come to a
    // leaf beside another one; they may be most of a batch.
    let game = Nim::new(255);
    for spec in ["uct", "grave", "puct"] {
        let recipe = Recipe::parse(spec).unwrap();
        for way in WAYS.into_iter().filter(|&(_, batch, _)| batch == 1) {
            let report = shared(&recipe, &game, way).run(&game, &Budget::simulations(20_000)).unwrap();
            assert!(report.nodes > 10_000, "{spec} by {way:?}: {} nodes", report.nodes);
        }
    }
}

#[test]
fn a_limit_in_bytes_holds() {
    let game = Nim::new(21);
    for recipe in recipes() {
        let nodes = recipe.options().memory.nodes;
        let limit = 60_000;
        let recipe = Recipe::from_toml(recipe.name(), &recipe.to_toml()).unwrap();
        let text = recipe.to_toml();
        let limited = if text.contains("[memory]") {
            text.replace("[memory]", &format!("[memory]\nbytes = {limit}"))
        } else {
            format!("{text}\n[memory]\nbytes = {limit}\n")
        };
        let recipe = Recipe::from_toml(recipe.name(), &limited).unwrap();
        assert_eq!(recipe.options().memory, Memory { nodes, bytes: Some(limit) });
        for way in [(2, 1, InFlight::Lost(1)), (4, 1, InFlight::Lost(1)), (1, 4, InFlight::Lost(1))] {
            let mut search = shared(&recipe, &game, way);
            let before = search.bytes();
            let report = search.run(&game, &Budget::simulations(4000)).unwrap();
            assert!(report.bytes_peak <= limit && search.bytes() == before, "{}", recipe.name());
        }
    }
}

#[test]
fn threads_solve_what_one_solves() {
    for (n, word) in
        [(11, "uct-solver"), (12, "uct-solver"), (9, "puct,solver=true"), (8, "uct2,solver=true")]
    {
        let game = Nim::new(n);
        let recipe = Recipe::parse(word).unwrap();
        let run = |mut search: RecipeSearch<Nim>| search.run(&game, &Budget::simulations(1 << 16)).unwrap();
        let alone = run(recipe.search(&game, 1).unwrap());
        for way in WAYS {
            let shared = run(shared(&recipe, &game, way));
            let expected = (StopReason::Proven, alone.value);
            assert_eq!((shared.reason, shared.value), expected, "{word} of {n} by {way:?}");
        }
    }
}

#[test]
fn a_batch_on_one_thread_is_a_function_of_the_seed() {
    let game = Nim::new(21);
    for recipe in recipes() {
        let way = (1, 8, InFlight::Lost(1));
        let run = || shared(&recipe, &game, way).run(&game, &Budget::simulations(1000)).unwrap();
        let (one, other) = (run(), run());
        assert_eq!((&one.children, one.nodes_peak), (&other.children, other.nodes_peak), "{}", recipe.name());
    }
}

#[test]
fn one_thread_is_the_serial_search() {
    let game = Nim::new(21);
    let recipe = Recipe::built_in("grave").unwrap();
    let mut shared = shared(&recipe, &game, (1, 1, InFlight::Lost(1)));
    let mut alone = recipe.search(&game, 1).unwrap();
    let budget = Budget::simulations(500);
    assert_eq!(shared.run(&game, &budget).unwrap().children, alone.run(&game, &budget).unwrap().children);
}

#[test]
fn more_threads_than_simulations_and_stops_do_no_harm() {
    let game = Nim::new(21);
    let search = |spec: &str| Recipe::parse(spec).unwrap().search(&game, 1).unwrap();
    let mut many = search("mast").with_threads(40, InFlight::Lost(1)).unwrap();
    for n in [1, 5, 39, 1000] {
        let report = many.run(&game, &Budget::simulations(n)).unwrap();
        assert_eq!((report.simulations, report.children.iter().map(|c| u64::from(c.visits)).sum()), (n, n));
    }
    let mut batch = search("mast").with_batch(4096, InFlight::Lost(1)).unwrap();
    assert_eq!(batch.run(&game, &Budget::simulations(9000)).unwrap().simulations, 9000);
    let mut timed = search("uctr2").with_threads(4, InFlight::Unobserved).unwrap();
    let report = timed.run(&game, &Budget::time(Duration::from_millis(30))).unwrap();
    assert_eq!(report.reason, StopReason::Time);
    count(&timed, timed.tree().root(), false);
    let budget = Budget::default();
    budget.stop.stop();
    let report = timed.run(&game, &budget).unwrap();
    assert!(report.reason == StopReason::Stopped && (1..=4).contains(&report.simulations));
}

#[test]
fn a_tree_is_kept_for_the_next_move() {
    let game = Nim::new(21);
    for spec in ["uct,reuse=true", "graver,reuse=true,memory.nodes=50", "puct,reuse=true"] {
        let search = Recipe::parse(spec).unwrap().search(&game, 1).unwrap();
        let mut search = search.with_threads(3, InFlight::Lost(1)).unwrap();
        let best = search.run(&game, &Budget::simulations(500)).unwrap().best;
        let mut next = game;
        next.play(best);
        search.follow(best);
        let kept = search.tree().node(search.tree().root()).visits();
        let report = search.run(&next, &Budget::simulations(500)).unwrap();
        assert!(kept > 0 && report.simulations == 500, "{spec}");
        assert_eq!(search.tree().node(search.tree().root()).visits(), kept + 500, "{spec}");
        assert_eq!(count(&search, search.tree().root(), false), search.tree().len(), "{spec}");
    }
}
