//! Trees that several threads have grown.

use super::common::Halt;
use super::*;
use crate::amaf::AmafCounts;
use crate::budget::Budget;
use crate::code::NodeId;
use crate::doc_game::Nim;
use crate::final_move::FinalMove;
use crate::game::{Game, Keyed, Knowledge, Notation, Playouts};
use crate::memory::Memory;
use crate::outcome::Value;
use crate::player::Player;
use crate::recipe::{Recipe, RecipeSearch};
use crate::saved::TreeLabel;
use crate::search::Options;
use crate::tree::{Expanded, InFlight};
use alloc::format;
use alloc::string::{String, ToString};
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
        "grave,amaf.counts=byte",
        "grave2,two_level.share=false,two_level.playouts=100,amaf.counts=byte",
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
pub(super) fn count(search: &RecipeSearch<Nim>, id: NodeId, exact: bool) -> usize {
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
    let learns_all = exact
        && amaf.counts != AmafCounts::Byte
        && amaf.min_visits == 0
        && amaf.tables.is_none()
        && *memory == Memory::default();
    if let Some(samples) = tree.amaf().filter(|_| learns_all).map(|tables| tables.samples(id)) {
        assert_eq!(samples, Some(visits));
    }
    assert!(tree.amaf().is_none_or(|tables| tables.fits(id) && tables.taken() == 0));
    assert_eq!(tree.pending(id), 0);
    assert!(!tree.node(id).is_studied());
    nodes
}

#[test]
fn threads_go_on_with_an_opened_tree() {
    let (game, label) = (Nim::new(40), TreeLabel::default());
    for spec in ["uct", "grave", "hrave"] {
        let recipe = Recipe::parse(spec).unwrap();
        for way in WAYS {
            let mut search = shared(&recipe, &game, way);
            search.run(&game, &Budget::simulations(500)).unwrap();
            let bytes = search.save_tree(&label).unwrap();
            let mut opened = shared(&recipe, &game, way);
            // Threads have taken slots of a tree that the opened one replaces.
            opened.begin(&game, &Budget::simulations(300)).unwrap();
            for _ in 0..5 {
                opened.ask(&mut Vec::new());
            }
            opened.open_tree(&game, &label, &bytes).unwrap();
            opened.run(&game, &Budget::simulations(4000)).unwrap();
            count(&opened, opened.tree().root(), true);
        }
    }
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
            assert!(!plain || report.nodes_peak == tree.len(), "{name}");
        }
    }
}

#[test]
fn a_tree_grows_beyond_what_is_reserved_at_once() {
    // With 255 counters, no simulation comes to the end of the game in the tree. Each adds a node,
    // except those that come to a leaf beside another one; they may be most of a batch.
    let game = Nim::new(255);
    for spec in ["uct", "grave", "puct"] {
        let recipe = Recipe::parse(spec).unwrap();
        for way in WAYS.into_iter().filter(|&(_, batch, _)| batch == 1) {
            let mut search = shared(&recipe, &game, way);
            let report = search.run(&game, &Budget::simulations(20_000)).unwrap();
            assert!(report.nodes > 10_000, "{spec} by {way:?}: {} nodes", report.nodes);
            assert_eq!(count(&search, search.tree().root(), false), report.nodes, "{spec} by {way:?}");
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

/// Cells that the players take in turns until none is left: each is taken once in every simulation.
/// Whoever takes the first one wins.
#[derive(Clone, Debug)]
struct Fill {
    taken: u16,
    to_move: Player,
    winner: Player,
}

const CELLS: u8 = 12;

impl Game for Fill {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend((0..CELLS).filter(|cell| self.taken >> cell & 1 == 0));
    }

    fn play(&mut self, cell: u8) {
        self.taken |= 1 << cell;
        if cell == 0 {
            self.winner = self.to_move;
        }
        self.to_move = self.to_move.other();
    }

    fn result(&self) -> Option<Value> {
        (self.taken == (1 << CELLS) - 1).then(|| Value::win(self.winner))
    }
}

impl Keyed for Fill {
    fn keys(&self) -> usize {
        2 * usize::from(CELLS)
    }
}

impl Playouts for Fill {}

impl Knowledge for Fill {}

impl Notation for Fill {
    fn move_text(&self, m: u8) -> String {
        m.to_string()
    }
}

impl core::fmt::Display for Fill {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:b}", self.taken)
    }
}

/// The tables at and below a node have a sample of each cell that is free there for each
/// simulation, and the winner's of cell 0.
fn check_samples(search: &RecipeSearch<Fill>, id: NodeId, game: &Fill) {
    let tree = search.tree();
    let visits = tree.node(id).visits();
    for cell in 0..usize::from(CELLS) {
        let [one, other] = [0, usize::from(CELLS)].map(|first| tree.amaf_at(id, first + cell).unwrap());
        let expected = if game.taken >> cell & 1 == 0 { visits } else { 0 };
        assert_eq!(one.count + other.count, expected, "cell {cell}");
        if cell == 0 {
            assert_eq!((one.sum + other.sum) as u32, expected);
        }
    }
    for (child, node) in tree.children(id) {
        let mut next = game.clone();
        next.play(next.decode(node.code()));
        check_samples(search, child, &next);
    }
}

#[test]
fn tables_learn_each_move_of_each_simulation() {
    let game = Fill { taken: 0, to_move: Player::FIRST, winner: Player::FIRST };
    for spec in ["grave,playout=uniform", "rave", "hrave", "grave2,amaf.counts=wide"] {
        for (threads, batch, in_flight) in WAYS.into_iter().chain([(1, 1, InFlight::Lost(1))]) {
            let search = Recipe::parse(spec).unwrap().search(&game, 1).unwrap();
            let search = search.with_batch(batch, in_flight).unwrap();
            let mut search = search.with_threads(threads, in_flight).unwrap();
            search.run(&game, &Budget::simulations(3000)).unwrap();
            check_samples(&search, search.tree().root(), &game);
        }
    }
}

/// A search of two simulations that hand over to each other by hand, and the first of them where it
/// wants to expand a move.
fn about_to_expand(spec: &str, game: &Nim) -> (RecipeSearch<Nim>, u16) {
    let search = Recipe::parse(spec).unwrap().search(game, 1).unwrap();
    let mut search = search.with_threads(2, InFlight::Lost(1)).unwrap();
    search.run(game, &Budget::simulations(200)).unwrap();
    let (core, simulation) = (&mut search.core, &mut search.worker.simulation);
    for _ in 0..1000 {
        core.start(simulation);
        if let Halt::Expand(code) = core.descend::<true>(simulation) {
            return (search, code);
        }
        core.tree.leave(&simulation.path);
    }
    panic!("no simulation of {spec} expands a move");
}

#[test]
fn who_comes_second_to_a_move_reads_the_table_that_is_the_reference_now() {
    let (mut search, code) = about_to_expand("rave,playout=uniform", &Nim::new(40));
    let (core, one, other) =
        (&mut search.core, &mut search.worker.simulation, &mut search.others[0].simulation);
    let Some(parent) = one.path.last().map(|step| step.node) else { panic!("a path begins at the root") };
    core.tree.make_room(one.level(), &one.path);
    let new = core.tree.expand(parent, code, one.level(), &mut other.slots);
    assert!(matches!(new, Expanded::New(_)), "{new:?}");
    let (reference, root) = (one.reference, core.tree.amaf().and_then(|tables| tables.of(core.tree.root())));
    // Meanwhile another node has lost or gained its table.
    one.reference = if parent == core.tree.root() { None } else { root };
    assert!(reference.is_some() && one.reference != reference);
    assert!(core.expand(one, code).is_none());
    assert_eq!(one.reference, reference);
}

#[test]
fn nobody_expands_a_node_that_another_search_studies() {
    let (mut search, code) = about_to_expand("uct2", &Nim::new(40));
    let (core, one) = (&mut search.core, &mut search.worker.simulation);
    let (at, nodes) = (one.path[one.path.len() - 1].node, core.tree.len());
    core.tree.node(at).set_studied(true);
    assert!(matches!(core.resume(one, Halt::Expand(code)), Some(Halt::Leaf)));
    assert_eq!(core.tree.len(), nodes);
}

#[test]
fn a_stay_reads_the_table_that_is_read_above_it_and_lasts_as_long_as_it_says() {
    let game = Nim::new(40);
    for (spec, root_alone) in [("hrave", true), ("rave,playout=uniform", false)] {
        let search = Recipe::parse(spec).unwrap().search(&game, 1).unwrap();
        let mut search = search.with_threads(2, InFlight::Lost(1)).unwrap();
        search.run(&game, &Budget::simulations(2000)).unwrap();
        let (core, simulation) = (&mut search.core, &mut search.worker.simulation);
        core.start(simulation);
        core.descend::<false>(simulation);
        core.begin_stay(simulation);
        let (root, depth) = (core.tree.root(), simulation.stay.depth);
        assert!(depth > 0 && simulation.stay.goes_on());
        let above = if root_alone { root } else { simulation.path[depth - 1].node };
        let read = core.tree.amaf().and_then(|tables| tables.of(above));
        assert!(read.is_some() && simulation.stay.reference == read, "{spec}");
        let (visits, most) = (core.tree.node(root).visits(), simulation.stay.simulations);
        for made in 1..=most {
            assert!(simulation.stay.goes_on() && core.tree.node(root).visits() == visits);
            core.stay(simulation, &Value::DRAW);
            assert_eq!(simulation.stay.goes_on(), made < most);
        }
        assert_eq!(core.tree.node(root).visits(), visits + most);
    }
}
