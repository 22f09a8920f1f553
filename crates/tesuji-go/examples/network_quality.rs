//! Measures the values that networks give to the positions of games, and prints a line of CSV for
//! each network:
//!
//! ```text
//! cargo run --release -p tesuji-go --example network_quality -- DIRECTORY EVERY NETWORK...
//! ```
//!
//! DIRECTORY has the SGF files, whose games are of one board size and end with a winner. Of each
//! game the example takes every EVERYth position. A NETWORK is a file, whose name counts up to its
//! first dot, or `built-in`. Values are in [-1, 1], for the player to move.
//!
//! - `loss_before_20`, `loss_from_20`: the mean squared difference of value and result (1 or -1) of
//!   positions before move 20, and of the others; empty if there are none. A network that gives 0
//!   everywhere has 1.
//! - `calibration_error`: values fall into ten classes of equal width. In each, the mean value and
//!   the mean result differ. This is the mean difference, weighted by positions (Guo et al. 2017).
//! - `spread`: the mean, over positions, of the difference between the highest and the lowest value
//!   of the eight symmetries. `unstable` is the share of positions where it exceeds 0.5.

mod records;

use std::error::Error;
use std::path::Path;
use tesuji::{Game, NetworkOptions, Player};
use tesuji_go::Go19;
use tesuji_go::network::{NetEvaluator, evaluator};
use tesuji_net::Symmetry;

const USAGE: &str = "usage: network_quality DIRECTORY EVERY NETWORK...";
/// Moves of an opening.
const OPENING: usize = 20;
const CLASSES: usize = 10;
/// A change of value that turns a judgement.
const LARGE: f64 = 0.5;

/// A position of a game.
struct Position {
    game: Go19,
    before: usize,
    /// 1 if the player to move won the game, -1 otherwise.
    result: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (directory, every) = (arguments.next().ok_or(USAGE)?, arguments.next().ok_or(USAGE)?.parse()?);
    let positions = positions(&directory, every)?;
    let size = positions.first().ok_or("there is no position")?.game.size();
    println!("network,positions,loss_before_20,loss_from_20,calibration_error,spread,unstable");
    for name in arguments {
        let file = (name != "built-in").then(|| name.clone());
        let mut evaluator = evaluator(&NetworkOptions { file, ..NetworkOptions::default() }, size)?;
        let network = Path::new(&name).file_name().unwrap_or_default().to_string_lossy();
        let network = network.split('.').next().unwrap_or_default();
        println!("{network},{}", measured(&positions, &mut evaluator));
    }
    Ok(())
}

/// Every `every`th position of each game whose file names a winner; the first one differs.
fn positions(directory: &str, every: usize) -> Result<Vec<Position>, Box<dyn Error>> {
    let mut positions = Vec::new();
    for (number, file) in records::files(directory)?.iter().enumerate() {
        records::each_move(file, &mut |line, game, before, _| {
            let winner = match line.result.as_bytes().first() {
                Some(b'B') => Player::FIRST,
                Some(b'W') => Player::SECOND,
                _ => return,
            };
            if (before + number) % every.max(1) == 0 {
                let result = if winner == game.to_move() { 1.0 } else { -1.0 };
                positions.push(Position { game: game.clone(), before, result });
            }
        })?;
    }
    Ok(positions)
}

/// The columns after the network's name.
fn measured(positions: &[Position], evaluator: &mut NetEvaluator) -> String {
    let (mut early, mut late) = (Mean::default(), Mean::default());
    let (mut spread, mut unstable) = (Mean::default(), Mean::default());
    let mut classes = [(); CLASSES].map(|()| Mean::default());
    for Position { game, before, result } in positions {
        let values = Symmetry::ALL.map(|symmetry| {
            let [win, loss, _] = evaluator.raw(game, symmetry).result;
            win - loss
        });
        let value = values[0];
        let loss = if *before < OPENING { &mut early } else { &mut late };
        loss.add((value - result).powi(2));
        let class = ((value + 1.0) / 2.0 * CLASSES as f64) as usize;
        classes[class.min(CLASSES - 1)].add(value - result);
        let highest = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let lowest = values.into_iter().fold(f64::INFINITY, f64::min);
        spread.add(highest - lowest);
        unstable.add(f64::from(u8::from(highest - lowest > LARGE)));
    }
    let calibration = classes.iter().map(|class| class.sum.abs()).sum::<f64>() / positions.len() as f64;
    let figures = [early.mean(), late.mean(), calibration, spread.mean(), unstable.mean()];
    let text = |figure: f64| if figure.is_nan() { String::new() } else { format!("{figure:.4}") };
    let figures = figures.map(text).join(",");
    format!("{},{figures}", positions.len())
}

#[derive(Default)]
struct Mean {
    sum: f64,
    count: usize,
}

impl Mean {
    fn add(&mut self, x: f64) {
        self.sum += x;
        self.count += 1;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
}
