//! What holds in every tree and report, whatever the game, the parts, the limits and the budget.

use crate::games::{Corridor, RandomTree};
use crate::trees::{self, Count};
use crate::{is_limited, is_mean, legal_moves, recipes, search, visits};
use proptest::prelude::*;
use tesuji::recipe::{Recipe, RecipeSearch};
use tesuji::{
    Bot, Budget, FinalMove, Game, Notation, Outcome, Reply, Report, Scores, SearchGame, StopReason, Value,
    alpha_beta,
};
use tesuji_games::*;
use tesuji_go::{Go9, Rules};

/// A search's settings beside its recipe.
#[derive(Clone, Debug)]
struct Settings {
    recipe: &'static str,
    nodes: Option<usize>,
    bytes: Option<usize>,
    depth: Option<usize>,
    expand_at: u32,
    final_move: &'static str,
    random_ties: bool,
    solver: bool,
    reuse: bool,
    recycle: bool,
    two_level: &'static str,
    amaf: &'static str,
}

impl Settings {
    fn spec(&self) -> String {
        let mut spec = self.recipe.to_string();
        let mut set = |key: &str, value: String| spec += &format!(",{key}={value}");
        if let Some(nodes) = self.nodes {
            set("memory.nodes", nodes.to_string());
        }
        if let Some(bytes) = self.bytes {
            set("memory.bytes", bytes.to_string());
        }
        if let Some(depth) = self.depth {
            set("depth", depth.to_string());
        }
        set("expand_at", self.expand_at.to_string());
        set("final_move", self.final_move.to_string());
        set("ties", if self.random_ties { "random" } else { "first" }.to_string());
        set("solver", self.solver.to_string());
        set("reuse", self.reuse.to_string());
        set("recycle", self.recycle.to_string());
        spec + self.two_level + self.amaf
    }

    /// How visits add up in the tree of a search from scratch, or one that continues another.
    fn count(&self, fresh: bool) -> Count {
        let one_ply = ["flat-mc", "flat-ucb", "epsilon-greedy"].contains(&self.recipe);
        let grows = !is_limited(self.recipe)
            && self.nodes.is_none()
            && self.bytes.is_none()
            && self.depth.is_none()
            && self.two_level.is_empty()
            && !one_ply;
        if grows && self.expand_at == 1 && !self.solver && self.recipe != "uct-solver" {
            Count::Growing { fresh, means: is_mean(self.recipe) }
        } else {
            Count::AtLeast
        }
    }
}

fn settings() -> impl Strategy<Value = Settings> {
    let recipe = proptest::sample::select(recipes().collect::<Vec<_>>());
    let limits = (
        proptest::option::of(1..300_usize),
        proptest::option::of(30_000..80_000_usize),
        proptest::option::weighted(0.3, 1..6_usize),
    );
    let final_move = proptest::sample::select(vec!["robust", "max", "max-robust", "{secure=1.0}"]);
    let two_level = prop_oneof![3 => Just(""), 2 => proptest::sample::select(TWO_LEVELS.to_vec())];
    let amaf = prop_oneof![1 => Just(""), 2 => proptest::sample::select(AMAF.to_vec())];
    let flags = any::<[bool; 4]>();
    let expand_at = prop_oneof![3 => Just(1), 1 => 2..5_u32];
    (recipe, limits, expand_at, final_move, flags, two_level, amaf).prop_map(
        |(recipe, limits, expand_at, final_move, flags, two_level, amaf)| {
            let ((nodes, bytes, depth), [random_ties, solver, reuse, recycle]) = (limits, flags);
            // MAXI keeps a number for each pair of keys.
            let pairs = if recipe == "maxi" { 20_000 } else { 0 };
            Settings {
                recipe,
                nodes,
                bytes: bytes.map(|bytes| bytes + pairs),
                depth,
                expand_at,
                final_move,
                random_ties,
                solver,
                reuse,
                recycle,
                two_level,
                amaf,
            }
        },
    )
}

const TWO_LEVELS: [&str; 6] = [
    ",two_level.lambda=0.5",
    ",two_level.lambda=0.2,two_level.playouts=7",
    ",two_level.lambda=0.9,two_level.playouts=30,two_level.share=false",
    ",two_level.lambda=0.5,two_level.share=false,two_level.give_up=0.3",
    ",two_level.lambda=0.3,two_level.playouts=20,two_level.give_up=0.3",
    ",two_level.lambda=0.99,two_level.playouts=1",
];

const AMAF: [&str; 5] = [
    ",amaf.alloc=5",
    ",amaf.tables=1",
    ",amaf.tables=3,amaf.alloc=2,amaf.counts=narrow",
    ",amaf.tables=10,amaf.counts=byte",
    ",amaf.alloc=1000,amaf.counts=byte",
];

/// Plays a game against a random opponent and looks at every search.
fn play<G: SearchGame + Clone>(start: &G, settings: &Settings, budget: u64, seed: u64) {
    let mut settings = settings.clone();
    if <G::Outcome as tesuji::Outcome>::PLAYERS != 2 {
        settings.solver = false;
        let built = Recipe::parse(settings.recipe).unwrap().search(start, seed);
        if built.is_err_and(|error| error.to_string().contains("two players")) {
            settings.recipe = "uct";
        }
    }
    let mut agent = search(&settings.spec(), start, seed);
    let mut rng = tesuji::Rng::new(seed);
    let mut game = start.clone();
    let mut peaks = (0, 0);
    for ply in 0..8 {
        if game.result().is_some() {
            break;
        }
        let m = if ply % 2 == 0 {
            let Ok(Reply::Play(report)) = agent.genmove(&game, &Budget::simulations(budget), &mut ()) else {
                panic!("the game is not over")
            };
            let fresh = agent.tree().node(agent.tree().root()).visits() as u64 == report.simulations;
            trees::check(agent.tree(), &game, settings.count(fresh));
            check_report(&agent, &game, &settings, &report, budget);
            assert!(report.nodes_peak >= peaks.0 && report.bytes_peak >= peaks.1);
            peaks = (report.nodes_peak, report.bytes_peak);
            report.best
        } else {
            let moves = legal_moves(&game);
            moves[rng.below(moves.len() as u32) as usize]
        };
        game.play(m);
        agent.played(m, &game).unwrap();
    }
}

fn check_report<G: SearchGame>(
    agent: &RecipeSearch<G>,
    game: &G,
    settings: &Settings,
    report: &Report<G::Move>,
    budget: u64,
) {
    let tree = agent.tree();
    assert_eq!(report.nodes, tree.len());
    assert_eq!(report.bytes, agent.bytes());
    assert!(report.nodes_peak >= report.nodes && report.bytes_peak >= report.bytes);
    assert!(report.bytes >= tree.bytes());
    assert!(settings.nodes.is_none_or(|limit| report.nodes_peak <= limit + 1));
    assert!(settings.bytes.is_none_or(|limit| report.bytes_peak <= limit), "{report:?}");
    let extended = budget.max(1) + budget.max(1) / 2;
    assert!(report.simulations <= extended && (0.0..=1.0).contains(&report.value));

    assert!(legal_moves(game).contains(&report.best));
    let chosen = agent.options().final_move.choose(tree, tree.root());
    assert_eq!(
        chosen.map(|id| game.decode(tree.node(id).code())),
        Some(report.best).filter(|_| chosen.is_some())
    );
    let mut line = vec![];
    let (mut next, mut position) = (chosen, game.clone());
    while let Some(id) = next {
        let m = position.decode(tree.node(id).code());
        line.push(m);
        position.play(m);
        next = FinalMove::Robust.choose(tree, id);
    }
    assert_eq!(report.variation, line, "the variation is the most visited line");

    assert!(report.children.is_sorted_by_key(|child| std::cmp::Reverse(child.visits)));
    let mut found = visits(report);
    let mut expected: Vec<_> =
        tree.children(tree.root()).map(|(_, c)| (game.decode(c.code()), c.visits())).collect();
    found.sort_by_key(|(m, _)| format!("{m:?}"));
    expected.sort_by_key(|(m, _)| format!("{m:?}"));
    assert_eq!(found, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tic_tac_toe(settings in settings(), budget in 0..400_u64, seed: u64) {
        play(&TicTacToe::new(), &settings, budget, seed);
    }

    #[test]
    fn connect_four(settings in settings(), budget in 0..400_u64, seed: u64) {
        play(&ConnectFour::new(), &settings, budget, seed);
    }

    #[test]
    fn hex(settings in settings(), size in 2..6_usize, budget in 0..300_u64, seed: u64) {
        play(&Hex::new(size).unwrap(), &settings, budget, seed);
    }

    #[test]
    fn go(settings in settings(), size in 2..6_usize, budget in 0..150_u64, seed: u64) {
        play(&Go9::new(size, Rules::default()), &settings, budget, seed);
    }

    #[test]
    fn random_trees(settings in settings(), depth in 1..9_u32, budget in 0..400_u64, seed: u64) {
        play(&RandomTree::<Value>::new(depth, seed), &settings, budget, seed);
    }

    #[test]
    fn random_trees_of_three_players(settings in settings(), depth in 1..9_u32, budget in 0..400_u64, seed: u64) {
        play(&RandomTree::<Scores<3>>::new(depth, seed), &settings, budget, seed);
    }
}

/// Re-rooting keeps what it should: the searches go on with the visits below the moves that were
/// played.
#[test]
fn a_kept_tree_goes_on() {
    fn check<G: Notation + SearchGame>(start: &G) {
        let shallow = |recipe| ["flat-mc", "flat-ucb", "epsilon-greedy"].contains(&recipe);
        for recipe in recipes().filter(|r| !shallow(r) && !is_limited(r)) {
            let mut agent = search(&format!("{recipe},reuse=true"), start, 1);
            let mut game = start.clone();
            let first = agent.run(&game, &Budget::simulations(1000)).unwrap();
            for &m in &first.variation[..2] {
                game.play(m);
                agent.played(m, &game).unwrap();
            }
            let kept = agent.tree().node(agent.tree().root()).visits();
            assert!(kept > 5, "{recipe}: {kept}");
            let again = agent.run(&game, &Budget::simulations(100)).unwrap();
            assert_eq!(agent.tree().node(agent.tree().root()).visits(), kept + 100, "{recipe}");
            assert_eq!(again.simulations, 100);
            // A position that was not announced is searched from scratch.
            agent.run(start, &Budget::simulations(50)).unwrap();
            assert_eq!(agent.tree().node(agent.tree().root()).visits(), 50, "{recipe}");
        }
    }
    check(&ConnectFour::new());
    check(&Hex::new(4).unwrap());
    check(&Go9::new(4, Rules::default()));
}

/// Pruning and recycling drop nodes by which others were proven: a tree kept from the last search
/// may have a proof and no move for it.
#[test]
fn the_move_played_keeps_the_proven_value() {
    for limits in [
        "two_level.lambda=0.5",
        "two_level.lambda=0.5,memory.nodes=40",
        "two_level.lambda=0.5,two_level.share=false,memory.nodes=60,recycle=true",
        "memory.nodes=20,recycle=true",
        "memory.nodes=60,recycle=true",
    ] {
        let mut proofs = 0;
        for seed in 0..100 {
            let mut game = TicTacToe::new();
            let mut agent = search(&format!("uct,solver=true,reuse=true,{limits}"), &game, seed);
            let mut rng = tesuji::Rng::new(seed);
            while game.result().is_none() {
                let moves = legal_moves(&game);
                let mut m = moves[rng.below(moves.len() as u32) as usize];
                let player = game.to_move();
                if player.index() as u64 == seed % 2 {
                    let report = agent.run(&game, &Budget::simulations(100 + seed)).unwrap();
                    m = report.best;
                    if report.reason == StopReason::Proven {
                        let mut after = game.clone();
                        after.play(m);
                        assert_eq!(alpha_beta(&game).value.of(player), report.value, "{limits}, seed {seed}");
                        assert_eq!(
                            alpha_beta(&after).value.of(player),
                            report.value,
                            "{limits}, seed {seed}"
                        );
                        proofs += 1;
                    }
                }
                game.play(m);
                agent.played(m, &game).unwrap();
            }
        }
        assert!(proofs > 50, "{limits}: {proofs}");
    }
}

/// The tree is one path, so that its last node finds no room for its only move.
#[test]
fn a_move_that_found_no_room_gets_a_node_later() {
    let (start, next) = (Corridor(9), Corridor(8));
    let mut search = search("uct,reuse=true,memory.nodes=2,recycle=true", &start, 1);
    search.run(&start, &Budget::simulations(20)).unwrap();
    assert_eq!(search.tree().len(), 3);
    search.played(start.0, &next).unwrap();
    search.run(&next, &Budget::simulations(20)).unwrap();
    let tree = search.tree();
    assert!(tree.node(tree.root()).visits() > 20, "the tree was kept");
    assert_eq!(tree.len(), 3);
}
