//! Searches that must build the same tree, node for node.

use crate::games::{Plain, RandomTree, Vector};
use crate::trees::fingerprint;
use crate::{is_limited, recipes, search, visits};
use tesuji::recipe::Recipe;
use tesuji::{
    Backup, Budget, Game, Mast, Mean, Options, Playout, Puct, Rng, Search, SearchGame, Select, Ucb, UcbTuned,
    Uniform, Value,
};
use tesuji_games::*;
use tesuji_go::{Go9, Rules};

/// The tree that a search grows, as one number.
fn grow<G: SearchGame, S: Select, B: Backup, P: Playout<G>>(
    mut search: Search<G, S, B, P>,
    start: &G,
    simulations: u64,
) -> u64 {
    let report = search.run(start, &Budget::simulations(simulations)).unwrap();
    assert_eq!(report.simulations, simulations);
    fingerprint(search.tree(), start)
}

#[test]
fn a_vector_of_two_values_is_one_value() {
    fn check<G: SearchGame<Outcome = Value>>(start: &G) {
        for recipe in recipes() {
            let run = |simulations| {
                let vector = Vector(start.clone());
                let two = search(recipe, start, 3).run(start, &Budget::simulations(simulations)).unwrap();
                let mut one = search(recipe, &vector, 3);
                let report = one.run(&vector, &Budget::simulations(simulations)).unwrap();
                assert_eq!(visits(&two), visits(&report), "{recipe}");
                assert_eq!((two.best, two.value, two.reason), (report.best, report.value, report.reason));
                let mut two = search(recipe, start, 3);
                two.run(start, &Budget::simulations(simulations)).unwrap();
                assert_eq!(fingerprint(two.tree(), start), fingerprint(one.tree(), &vector), "{recipe}");
            };
            run(1000);
        }
    }
    check(&TicTacToe::new());
    check(&ConnectFour::new());
    check(&Hex::new(4).unwrap());
    check(&Go9::new(4, Rules::default()));
    check(&RandomTree::<Value>::new(8, 5));
}

/// More cells than a word has bits, in their order and in one of the game's.
#[test]
fn untried_moves_come_from_open_cells_as_from_a_list() {
    fn check<G: SearchGame<Outcome = Value>>(start: &G) {
        let listed = Vector(start.clone());
        for recipe in ["uct", "mast"] {
            let cells = grow(search(recipe, start, 3), start, 3000);
            assert_eq!(cells, grow(search(recipe, &listed, 3), &listed, 3000), "{recipe}");
        }
    }
    check(&Hex::new(9).unwrap());
    check(&Knightthrough::new());
}

/// A playout policy chosen at run time, by someone else.
struct Boxed<G: SearchGame>(Choose<G>);

type Choose<G> = Box<dyn FnMut(&G, &mut Rng, &mut Vec<<G as Game>::Move>) -> <G as Game>::Move>;

impl<G: SearchGame> Playout<G> for Boxed<G> {
    fn choose(&mut self, game: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> G::Move {
        (self.0)(game, rng, buffer)
    }
}

#[test]
fn static_types_recipes_and_boxed_parts_agree() {
    fn check<G: SearchGame + 'static>(start: &G) {
        let with = |spec| grow(search(spec, start, 7), start, 800);
        let options = Options::default;
        let uct = with("uct");
        assert_eq!(uct, grow(Search::uct(start, 0.7, 7), start, 800));
        let boxed = Boxed(Box::new(|game: &G, rng, buffer| game.playout_move(rng, buffer)));
        let custom = Search::new(start, Ucb::default(), Mean {}, boxed, options(), 7).unwrap();
        assert_eq!(uct, grow(custom, start, 800));
        let puct = Search::new(start, Puct::default(), Mean {}, Uniform {}, options(), 7).unwrap();
        assert_eq!(with("puct"), grow(puct, start, 800));
        let tuned = Search::new(start, UcbTuned {}, Mean {}, Uniform {}, options(), 7).unwrap();
        assert_eq!(with("ucb1-tuned"), grow(tuned, start, 800));
        if start.keys() > 0 {
            let mast = Search::new(start, Ucb::default(), Mean {}, Mast::default(), options(), 7).unwrap();
            assert_eq!(with("mast"), grow(mast, start, 800));
        }
    }
    check(&TicTacToe::new());
    check(&Plain(ConnectFour::new()));
    check(&Plain(Hex::new(4).unwrap()));
}

#[test]
fn mast_that_never_looks_is_uniform() {
    fn check<G: SearchGame>(start: &G) {
        let uniform = grow(search("uct", start, 7), start, 800);
        let mast = |spec| grow(search(spec, start, 7), start, 800);
        assert_eq!(mast("uct,playout.kind=mast,playout.epsilon=1.0"), uniform);
        assert_ne!(mast("uct,playout.kind=mast,playout.epsilon=0.9"), uniform);
    }
    check(&TicTacToe::new());
    check(&ConnectFour::new());
    check(&Hex::new(4).unwrap());
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    fn check<G: SearchGame>(start: &G) {
        for recipe in recipes().filter(|r| !is_limited(r)) {
            let free = grow_solving(recipe, start);
            for limit in ["memory.nodes=700", "memory.bytes=10000000"] {
                assert_eq!(grow_solving(&format!("{recipe},{limit}"), start), free, "{recipe},{limit}");
            }
        }
        assert_ne!(grow_solving("uct,memory.nodes=500", start), grow_solving("uct", start));
    }
    fn grow_solving<G: SearchGame>(spec: &str, start: &G) -> u64 {
        let mut search = search(spec, start, 7);
        search.run(start, &Budget::simulations(700)).unwrap();
        fingerprint(search.tree(), start)
    }
    check(&ConnectFour::new());
    check(&Hex::new(5).unwrap());
}

#[test]
fn the_solver_changes_nothing_before_its_first_proof() {
    fn check<G: SearchGame>(start: &G) {
        let mut last = 0;
        for simulations in (5..).map(|i: u32| 1.4_f64.powi(i as i32) as u64) {
            let mut solver = search("uct,solver=true", start, 7);
            solver.run(start, &Budget::simulations(simulations)).unwrap();
            let tree = solver.tree();
            let mut pending = vec![tree.root()];
            let mut proven = false;
            while let Some(id) = pending.pop() {
                proven |= tree.node(id).proven().is_some();
                pending.extend(tree.children(id).map(|(child, _)| child));
            }
            if proven {
                break;
            }
            assert_eq!(fingerprint(tree, start), grow(search("uct", start, 7), start, simulations));
            last = simulations;
        }
        assert!(last >= 30, "there is something to compare");
    }
    check(&TicTacToe::new());
    check(&ConnectFour::new());
    check(&Hex::new(4).unwrap());
}

#[test]
fn flat_monte_carlo_spends_its_budget_evenly() {
    fn check<G: SearchGame>(start: &G, moves: u64) {
        for budget in [1, moves - 1, moves, 10 * moves + 3] {
            let mut search = search("flat-mc", start, 1);
            search.run(start, &Budget::simulations(budget)).unwrap();
            let tree = search.tree();
            let mut found: Vec<u64> =
                tree.children(tree.root()).map(|(_, child)| child.visits().into()).collect();
            // The tree lists the child expanded last first.
            found.reverse();
            let (each, rest) = (budget / moves, budget % moves);
            let expected = (0..moves).map(|i| each + u64::from(i < rest)).filter(|&n| n > 0);
            assert_eq!(found, expected.collect::<Vec<_>>(), "{budget} simulations");
        }
    }
    check(&TicTacToe::new(), 9);
    check(&ConnectFour::new(), 7);
    check(&Hex::new(4).unwrap(), 16);
}

/// Every recipe `base,rest` grows the same tree as `base`, on games of every kind.
fn same_trees(base: &str, others: &[&str], simulations: u64) {
    fn check<G: SearchGame>(start: &G, base: &str, others: &[&str], simulations: u64) {
        let budget = Budget::simulations(simulations);
        let grown = |spec: &str| {
            let mut search = search(spec, start, 7);
            search.run(start, &budget).unwrap();
            fingerprint(search.tree(), start)
        };
        let expected = grown(base);
        for rest in others {
            assert_eq!(grown(&format!("{base},{rest}")), expected, "{base},{rest}");
        }
        let recipe = Recipe::parse(base).unwrap();
        let mut compact = recipe.compact_search(start, 7).unwrap();
        compact.run(start, &budget).unwrap();
        assert_eq!(fingerprint(compact.tree(), start), expected, "{base} with narrow links");
    }
    check(&Go9::new(5, Rules::default()), base, others, simulations);
    check(&Hex::new(5).unwrap(), base, others, simulations);
    check(&ConnectFour::new(), base, others, simulations);
    check(&TicTacToe::new(), base, others, simulations);
}

/// Tree policies of every kind, with uniform playouts and with those that learn, and with proofs.
const POLICIES: [&str; 11] = [
    "grave",
    "grave,playout=uniform",
    "rave,playout=uniform",
    "hrave",
    "rave-hand-selected",
    "grave,select.c=0.3,solver=true",
    "uct",
    "uct-solver,playout=mast",
    "puct",
    "puct,solver=true",
    "puct,root=dirichlet",
];

#[test]
fn recycling_with_room_for_all_recycles_nothing() {
    for base in POLICIES.into_iter().chain(["puct,root=gumbel"]) {
        same_trees(base, &["recycle=true", "recycle=true,memory.nodes=600"], 600);
    }
}

/// The root has no evaluation of its own: its visits are those of its children.
#[test]
fn at_the_root_both_counts_of_puct_are_the_same() {
    same_trees("puct,depth=1", &["select.count=children-only"], 300);
}

#[test]
fn two_levels_with_one_playout_a_leaf_are_one() {
    let backups =
        ["max", "softmax,backup.error=0.0", "coulom", "power-mean", "mellowmax", "accelerated", "max-mcts"];
    let backups = backups.map(|backup| format!("uct,backup={backup}"));
    for base in POLICIES.into_iter().chain(backups.iter().map(String::as_str)) {
        let share = "two_level.lambda=0.5,two_level.playouts=1";
        same_trees(base, &[share, &format!("{share},two_level.share=false,recycle=true")], 400);
    }
}

#[test]
fn a_reference_that_no_node_reaches_is_the_root() {
    for rest in ["", ",playout=uniform", ",solver=true", ",recycle=true,memory.nodes=60"] {
        let base = format!("grave,select.reference=4294967295{rest}");
        let one = ["amaf.tables=1", "amaf.tables=1,select.reference=0", "amaf.tables=1,select.reference=25"];
        same_trees(&base, &one, 500);
    }
}

#[test]
fn tables_for_all_are_as_good_as_tables_without_a_limit() {
    for base in ["grave", "grave,playout=uniform", "rave", "grave,solver=true"] {
        same_trees(base, &["amaf.alloc=1", "amaf.tables=601", "amaf.tables=601,memory.nodes=600"], 600);
    }
}

#[test]
fn narrow_counts_are_exact_while_they_are_small() {
    for base in ["grave", "rave,playout=uniform", "grave,two_level.lambda=0.5,recycle=true"] {
        same_trees(base, &["amaf.counts=narrow"], 1000);
        same_trees(base, &["amaf.counts=narrow", "amaf.counts=byte"], 127);
    }
}

#[test]
fn mast_that_never_looks_is_uniform_below_any_tree() {
    for base in ["grave,playout=uniform", "graver,playout=uniform", "grave2,playout=uniform"] {
        same_trees(base, &["playout.kind=mast,playout.epsilon=1.0"], 400);
    }
}
