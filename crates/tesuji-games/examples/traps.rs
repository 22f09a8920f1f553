//! Traps of several depths: how often does a search fall into one? Comma-separated values:
//!
//!     cargo run --release -p tesuji-games --example traps > results/backups/traps.csv
//!
//! A move is a trap of depth k if the opponent then has a win that takes k moves of both players
//! (Ramanujan, Sabharwal and Selman 2010). In a P-game of k + 1 moves every losing move is one. The
//! trees here have a branching factor of 8, and one or two moves of the root win: they are the
//! first 200 of their depth. All backups search the same trees from the same seeds. A search falls
//! if it chooses a move that loses against best play.

use tesuji::recipe::Recipe;
use tesuji::{Budget, Game, Outcome, Player, Rng};
use tesuji_games::PGame;

const BRANCHING: usize = 8;
const DEPTHS: [usize; 3] = [1, 3, 5];
const SIMULATIONS: [u64; 4] = [30, 100, 1000, 10_000];
const TREES: usize = 200;
/// Names of backups, and the recipes with them.
const BACKUPS: [(&str, &str); 4] =
    [("mean", "uct"), ("coulom", "coulom"), ("softmax", "softmax"), ("monotone", "monotone")];

/// Which moves of the first player win; none unless these are one or two.
fn winning(game: &PGame) -> Option<Vec<bool>> {
    let wins = |m: u16| {
        let mut child = game.clone();
        child.play(m);
        child.solve().of(Player::FIRST) == 1.0
    };
    let moves: Vec<bool> = (0..BRANCHING as u16).map(wins).collect();
    (1..=2).contains(&moves.iter().filter(|&&wins| wins).count()).then_some(moves)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("depth,backup,simulations,trees,falls,rate");
    for depth in DEPTHS {
        let trees = (0..).filter_map(|seed| {
            let game = PGame::new(BRANCHING, depth + 1, seed).ok()?;
            winning(&game).map(|wins| (seed, game, wins))
        });
        let trees: Vec<(u64, PGame, Vec<bool>)> = trees.take(TREES).collect();
        for (backup, recipe) in BACKUPS {
            let recipe = Recipe::parse(recipe)?;
            for simulations in SIMULATIONS {
                let mut falls = 0;
                for (seed, game, wins) in &trees {
                    let mut search = recipe.search(game, Rng::derive(simulations, *seed))?;
                    let report = search.run(game, &Budget::simulations(simulations))?;
                    falls += usize::from(!wins[usize::from(report.best)]);
                }
                let rate = falls as f64 / TREES as f64;
                println!("{depth},{backup},{simulations},{TREES},{falls},{rate:.4}");
            }
        }
    }
    Ok(())
}
