//! How often UCT chooses a losing move on P-games, against the number of simulations:
//! `pgame_curve TREES` prints it as comma-separated values.
//!
//! The trees have 4 moves a node and 8 moves to the end; the first player wins, by one move only
//! (Kocsis and Szepesvári 2006). Failures are given for the most visited child and for the child of
//! the highest value, each with the standard error of a share.

use tesuji::{Budget, FinalMove, Game, Player, Search, Value};
use tesuji_games::PGame;

const BRANCHING: usize = 4;
const DEPTH: usize = 8;
const SIMULATIONS: [u64; 10] = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/// A tree with one winning move.
struct Problem {
    game: PGame,
    solution: u16,
}

/// The problem of this seed, if its tree has exactly one winning move.
fn problem(seed: u64) -> Option<Problem> {
    let game = PGame::new(BRANCHING, DEPTH, seed).ok()?;
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves.retain(|&m| {
        let mut child = game.clone();
        child.play(m);
        child.solve() == Value::win(Player::FIRST)
    });
    let [solution] = moves[..] else { return None };
    Some(Problem { game, solution })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, trees] = &arguments[..] else {
        return Err("usage: pgame_curve TREES".into());
    };
    let trees: usize = trees.parse()?;
    let problems: Vec<Problem> = (0..).filter_map(problem).take(trees).collect();
    println!("c,simulations,trees,failures_robust,standard_error_robust,failures_max,standard_error_max");
    for c in [0.3, 0.7] {
        for simulations in SIMULATIONS {
            let mut failures = [0, 0];
            for (seed, problem) in (0..).zip(&problems) {
                let mut search = Search::uct(&problem.game, c, seed);
                search.run(&problem.game, &Budget::simulations(simulations))?;
                let tree = search.tree();
                for (count, rule) in failures.iter_mut().zip([FinalMove::Robust, FinalMove::Max]) {
                    let chosen = rule.choose(tree, tree.root()).ok_or("a search without a visit")?;
                    *count += usize::from(tree.node(chosen).code() != problem.solution);
                }
            }
            let [robust, max] = failures.map(|count| {
                let rate = count as f64 / trees as f64;
                let error = (rate * (1.0 - rate) / trees as f64).sqrt();
                format!("{rate:.5},{error:.5}")
            });
            println!("{c},{simulations},{trees},{robust},{max}");
        }
    }
    Ok(())
}
