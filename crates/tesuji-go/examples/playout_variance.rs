//! How far are the values of GRAVE's searches from the truth with MAST's playouts and with uniform
//! ones, and how much of that is chance? Prints CSV, a row for each playout policy and number of
//! playouts:
//!
//!     cargo run --release -p tesuji-go --example playout_variance \
//!         > results/grave-memory/playout-variance.csv
//!
//! From each position GRAVE searches with many seeds. The value of a search is the mean result of
//! its playouts, which a second-level search hands to the first level. The truth is the value that
//! the built-in network finds by 400 simulations.
//!
//! - `sd` is the standard deviation of this value over the seeds, the root of its mean square over
//!   positions. `ratio` is the square by that of as many independent playouts, p (1 - p) / N.
//! - `bias` is the distance of the mean over seeds from the truth, `error` that of a single search;
//!   both are the root of the mean square.
//! - `agreement` is the percentage of the pairs of moves that the AMAF values of the root put in
//!   the order of the network's policy, the mean over positions, with its standard error.

use std::error::Error;
use tesuji::{
    AskTell, Budget, Evaluate, Evaluated, Game, Grave, Mast, Mean, NetworkOptions, Options, Playout,
    Playouts, Puct, Rng, Search, Uniform,
};
use tesuji_go::network::evaluator;
use tesuji_go::{Go9, Rules};

const POSITIONS: usize = 100;
/// Searches of each position.
const SEEDS: u64 = 32;
const PLAYOUTS: [u64; 4] = [32, 128, 512, 2048];
/// Simulations that find the truth.
const TRUTH: u64 = 400;

/// A position and what the network knows about it.
struct Position {
    game: Go9,
    value: f64,
    /// Its moves with the network's policy.
    policy: Vec<(<Go9 as Game>::Move, f32)>,
}

/// What one search found.
struct Found {
    value: f64,
    /// The share of pairs of moves in the order of the policy.
    agreement: Option<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let positions: Vec<Position> =
        (0..).filter_map(|seed| position(seed).transpose()).take(POSITIONS).collect::<Result<_, _>>()?;
    println!("playout,simulations,positions,sd,ratio,bias,error,agreement,agreement_se");
    for simulations in PLAYOUTS {
        row("uniform", simulations, &positions, Uniform {})?;
        row("mast", simulations, &positions, Mast::default())?;
    }
    Ok(())
}

/// A position after four random moves and 4 to 30 moves of small searches, unless the game ended
/// before.
fn position(seed: u64) -> Result<Option<Position>, Box<dyn Error>> {
    let (mut rng, mut game) = (Rng::new(Rng::derive(1, seed)), Go9::new(9, Rules::default()));
    for _ in 0..4 {
        let m = game.playout_move(&mut rng, &mut Vec::new());
        game.play(m);
    }
    for _ in 0..4 + 2 * (seed % 14) {
        if game.result().is_some() {
            break;
        }
        let mut search = grave(&game, Uniform {}, rng.bits())?;
        let best = search.run(&game, &Budget::simulations(200))?.best;
        game.play(best);
    }
    if game.result().is_some() {
        return Ok(None);
    }
    let mut network = evaluator(&NetworkOptions::default(), 9)?;
    let (mut moves, mut priors) = (Vec::new(), Vec::new());
    game.moves(&mut moves);
    network.evaluate(&game, &moves, &mut priors);
    let (playout, select) = (Evaluated::new(Box::new(network)), Puct::default());
    let mut search = Search::new(&game, select, Mean {}, playout, Options::default(), 1)?;
    let value = f64::from(search.run(&game, &Budget::simulations(TRUTH))?.value);
    Ok(Some(Position { game, value, policy: moves.into_iter().zip(priors).collect() }))
}

fn grave<P: Playout<Go9>>(
    game: &Go9,
    playout: P,
    seed: u64,
) -> Result<Search<Go9, Grave, Mean, P>, Box<dyn Error>> {
    Ok(Search::new(game, Grave::default(), Mean {}, playout, Options::default(), seed)?)
}

fn row<P: Playout<Go9> + Clone>(
    name: &str,
    simulations: u64,
    positions: &[Position],
    playout: P,
) -> Result<(), Box<dyn Error>> {
    let (mut variance, mut alone, mut bias, mut error) = (0.0, 0.0, 0.0, 0.0);
    let mut agreements = Vec::new();
    for position in positions {
        let found = |seed| search(position, playout.clone(), simulations, seed);
        let found: Vec<Found> = (0..SEEDS).map(found).collect::<Result<_, _>>()?;
        let (mean, spread) = moments(&found.iter().map(|found| found.value).collect::<Vec<_>>());
        variance += spread;
        alone += mean * (1.0 - mean) / simulations as f64;
        bias += (mean - position.value).powi(2);
        error += found.iter().map(|found| (found.value - position.value).powi(2)).sum::<f64>() / SEEDS as f64;
        let agreement: Vec<f64> = found.iter().filter_map(|found| found.agreement).collect();
        if !agreement.is_empty() {
            agreements.push(100.0 * moments(&agreement).0);
        }
    }
    let count = positions.len() as f64;
    let root = |sum: f64| (sum / count).sqrt();
    let (agreement, spread) = moments(&agreements);
    let se = (spread / agreements.len() as f64).sqrt();
    let [sd, bias, error] = [variance, bias, error].map(root);
    let ratio = variance / alone;
    println!("{name},{simulations},{count},{sd:.4},{ratio:.3},{bias:.4},{error:.4},{agreement:.2},{se:.2}",);
    Ok(())
}

fn search<P: Playout<Go9>>(
    position: &Position,
    playout: P,
    simulations: u64,
    seed: u64,
) -> Result<Found, Box<dyn Error>> {
    let mut search = grave(&position.game, playout, seed)?;
    let value = f64::from(search.run(&position.game, &Budget::simulations(simulations))?.value);
    let tried = search.inspect(&[]).map(|node| node.moves).unwrap_or_default();
    let known: Vec<(f32, f32)> = position
        .policy
        .iter()
        .filter_map(|&(m, policy)| {
            let amaf = tried.iter().find(|tried| tried.m == m)?.amaf?;
            (amaf.count > 0).then(|| (policy, amaf.mean()))
        })
        .collect();
    let (mut agree, mut pairs) = (0.0, 0.0);
    for (i, a) in known.iter().enumerate() {
        for b in known[..i].iter().filter(|b| b.0 != a.0) {
            pairs += 1.0;
            agree += if a.1 == b.1 { 0.5 } else { f64::from(u8::from((a.0 > b.0) == (a.1 > b.1))) };
        }
    }
    Ok(Found { value, agreement: (pairs > 0.0).then(|| agree / pairs) })
}

/// The mean and the variance of a sample.
fn moments(sample: &[f64]) -> (f64, f64) {
    let count = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / count;
    (mean, sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0))
}
