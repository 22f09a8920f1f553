//! A solving search that has finished says what alpha-beta says.

use crate::games::RandomTree;
use crate::{legal_moves, search};
use tesuji::{
    Budget, BuildError, Game, Max, Mean, Options, Outcome, Rng, Scores, Search, SearchGame, StopReason, Ucb,
    Uniform, Value, alpha_beta,
};
use tesuji_games::*;

/// Searches until the root is proven; the value, and the move, must be right.
fn agrees<G: SearchGame<Outcome = Value>>(game: &G, seed: u64) -> f32 {
    let expected = agrees_by("uct-solver", game, seed);
    assert_eq!(agrees_by("puct,solver=true", game, seed), expected, "seed {seed}");
    expected
}

fn agrees_by<G: SearchGame<Outcome = Value>>(recipe: &str, game: &G, seed: u64) -> f32 {
    let player = game.to_move();
    let expected = alpha_beta(game).value.of(player);
    let mut solver = search(recipe, game, seed);
    let report = solver.run(game, &Budget::simulations(1_000_000)).unwrap();
    assert_eq!(report.reason, StopReason::Proven, "seed {seed}");
    assert_eq!(report.value, expected, "seed {seed}");
    let mut after = game.clone();
    after.play(report.best);
    assert_eq!(alpha_beta(&after).value.of(player), expected, "the move keeps the value, seed {seed}");
    for child in report.children {
        if let Some(proven) = child.proven {
            let mut after = game.clone();
            after.play(child.m);
            assert_eq!(alpha_beta(&after).value.of(player), proven.value(), "seed {seed}");
        }
    }
    expected
}

#[test]
fn random_trees() {
    let mut counts = [0; 3];
    for seed in 0..500 {
        let value = agrees(&RandomTree::new(1 + seed as u32 % 8, seed), seed);
        counts[(2.0 * value) as usize] += 1;
    }
    assert!(counts.iter().all(|&n| n >= 40), "losses, draws and wins all occur: {counts:?}");
}

/// The nodes that are proven and have a value other than the proven one.
fn blurred<G: SearchGame>(spec: &str, game: &G, seed: u64) -> (usize, usize) {
    let mut search = search(spec, game, seed);
    search.run(game, &Budget::simulations(3000)).unwrap();
    let tree = search.tree();
    let (mut pending, mut proven, mut blurred) = (vec![tree.root()], 0, 0);
    while let Some(id) = pending.pop() {
        pending.extend(tree.children(id).map(|(id, _)| id));
        if let Some(result) = tree.node(id).proven() {
            proven += 1;
            blurred += usize::from(tree.node(id).value() != result.value());
        }
    }
    (proven, blurred)
}

#[test]
fn proven_nodes_have_their_proven_values_whatever_the_backup() {
    for backup in ["mean", "softmax", "max", "coulom", "feedback", "monotone", "erwa,backup.rate=0.3"] {
        for seed in 0..20 {
            let spec = format!("uct-solver,backup={backup}");
            let (proven, blurred) = blurred(&spec, &RandomTree::<Value>::new(6, seed), seed);
            assert!(proven > 0 && blurred == 0, "{spec}, seed {seed}: {blurred} of {proven}");
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    assert_eq!(agrees(&TicTacToe::new(), 1), 0.5);
}

#[test]
fn connect_four_endgames() {
    let mut rng = Rng::new(1);
    let mut solved = 0;
    while solved < 50 {
        let mut game = ConnectFour::new();
        let mut empty = 42;
        while empty > 12 && game.result().is_none() {
            let moves = legal_moves(&game);
            game.play(moves[rng.below(moves.len() as u32) as usize]);
            empty -= 1;
        }
        if game.result().is_none() {
            agrees(&game, solved);
            solved += 1;
        }
    }
}

#[test]
fn hex_on_small_boards_is_won_by_the_first_player() {
    for size in [2, 3] {
        assert_eq!(agrees(&Hex::new(size).unwrap(), 1), 1.0);
    }
}

#[test]
fn three_players_are_refused() {
    let start = RandomTree::<Scores<3>>::new(5, 1);
    let options = Options { solver: true, ..Options::default() };
    let solving = Search::new(&start, Ucb { c: 0.7 }, Mean {}, Uniform {}, options, 1);
    assert!(matches!(solving, Err(BuildError::Clash(what)) if what.contains("`solver`")));
    let maximal = Search::new(&start, Ucb { c: 0.7 }, Max {}, Uniform {}, Options::default(), 1);
    assert!(matches!(maximal, Err(BuildError::Clash(what)) if what.contains("`backup`")));
}
