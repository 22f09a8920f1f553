//! A trap: one move looks best to playouts, but the opponent has one answer that refutes it. Flat
//! Monte Carlo takes the move with any budget, a tree does not. Comma-separated values:
//!
//!     cargo run --release -p tesuji-games --example trap > results/uct/trap.csv
//!
//! Left chooses between a sure win of 1 point, and a position of which seven of Right's eight moves
//! lose 1 point and one wins 1 for Right: 7/8 of the playouts are won. The sure win is hidden too:
//! there Left needs one more move, and three of her four moves lose, so that it wins 1/4 of the
//! playouts.

use tesuji::recipe::Recipe;
use tesuji::{Budget, Game, Rng};
use tesuji_sums::{Sum, Tree};

/// Left's first option is the trap, the second the win.
const TRAP: &str = "{ {9|1,2,3,4,5,6,7,-1}, {{1,-2,-3,-4|-9}|{1,-2,-3,-4|-9}} | -9 }";
const SIMULATIONS: [u64; 7] = [10, 30, 100, 1000, 10_000, 100_000, 1_000_000];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Sum::new(vec![TRAP.parse::<Tree>()?]);
    let mut moves = Vec::new();
    game.moves(&mut moves);
    println!("recipe,simulations,seeds,failures,rate");
    for text in ["flat-mc", "flat-ucb", "uct", "ucb1", "uct-solver"] {
        let recipe = Recipe::parse(text)?;
        for simulations in SIMULATIONS {
            let seeds = (2_000_000 / simulations).clamp(20, 1000);
            let mut failures = 0;
            for seed in 0..seeds {
                let mut search = recipe.search(&game, Rng::derive(simulations, seed))?;
                let report = search.run(&game, &Budget::simulations(simulations))?;
                failures += u64::from(report.best == moves[0]);
            }
            println!("{text},{simulations},{seeds},{failures},{:.4}", failures as f64 / seeds as f64);
        }
    }
    Ok(())
}
