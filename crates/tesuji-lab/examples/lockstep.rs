//! What the Python package is measured against: the same searches without Python, by processor
//! time.
//!
//! `cargo run --release -p tesuji-lab --example lockstep`, beside
//! `python python/benches/overhead.py`.

use cpu_time::ProcessTime;
use tesuji::recipe::Recipe;
use tesuji::{Budget, Ended, Evaluate, Pool, Value};
use tesuji_agents::Playable;
use tesuji_games::ConnectFour;
use tesuji_lab::{AnalysisOptions, GameSpec, LabError, TreeFiles};

const SEARCHES: usize = 256;
const SIMULATIONS: u64 = 200;

/// The same for every position.
#[derive(Clone, Debug)]
struct Null;

impl Evaluate<ConnectFour> for Null {
    fn evaluate(&mut self, _: &ConnectFour, moves: &[u8], priors: &mut Vec<f32>) -> Value {
        priors.extend(moves.iter().map(|_| 1.0));
        Value::DRAW
    }

    fn boxed(&self) -> Box<dyn Evaluate<ConnectFour>> {
        Box::new(self.clone())
    }
}

/// Microseconds a repetition, the median of several.
fn time(repetitions: u32, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..9)
        .map(|_| {
            let begun = ProcessTime::now();
            (0..repetitions).for_each(|_| work());
            begun.elapsed().as_secs_f64() * 1e6 / f64::from(repetitions)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), LabError> {
    let game = GameSpec::parse("connect-four", None)?;
    let options = AnalysisOptions {
        moves: String::new(),
        recipe: Recipe::parse("uct").map_err(LabError::input)?,
        budget: Budget::simulations(10_000),
        seed: 0,
        trees: TreeFiles::default(),
    };
    let single = time(20, || drop(game.analyze(&options)));
    println!("uct, 10000 simulations: {single:.0} us");

    let recipe = Recipe::parse("puct-net").map_err(LabError::input)?;
    let start = ConnectFour::new();
    let lockstep = time(2, || {
        let mut pool: Pool<ConnectFour> = Pool::new(Some(Box::new(Null)));
        for name in 0..SEARCHES {
            let search = start.driven_by(&recipe, Some(Box::new(Null)), name as u64);
            let Ok(search) = search else { panic!("puct-net takes any evaluator") };
            let _ = pool.add(name, search, &start, &Budget::simulations(SIMULATIONS));
        }
        pool.run(|_, Ended { mut search, .. }| drop(search.report()));
    });
    let simulations = (SEARCHES as u64 * SIMULATIONS) as f64;
    println!("{SEARCHES} in lockstep: {:.0} ns a simulation", 1000.0 * lockstep / simulations);
    Ok(())
}
