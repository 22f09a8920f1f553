//! What batches are worth where a call of the evaluator is dear: here it takes a millisecond,
//! whatever it is asked.
//!
//! `cargo run --release -p tesuji --example batched_evaluation`

use std::thread::sleep;
use std::time::{Duration, Instant};
use tesuji::doc_game::Nim;
use tesuji::{Budget, Evaluate, Evaluated, Evaluation, InFlight, Mean, Options, Pool, Puct, Search, Value};

/// The time of a call.
const CALL: Duration = Duration::from_millis(1);

/// An evaluator on a distant device.
#[derive(Clone, Debug)]
struct Device;

impl Evaluate<Nim> for Device {
    fn evaluate(&mut self, position: &Nim, moves: &[u8], priors: &mut Vec<f32>) -> Value {
        let mut outcome = None;
        self.evaluate_many(&mut [Evaluation { position, moves, priors, outcome: &mut outcome }]);
        outcome.expect("every position gets an outcome")
    }

    fn evaluate_many(&mut self, asked: &mut [Evaluation<'_, Nim>]) {
        sleep(CALL);
        for Evaluation { position, moves, priors, outcome } in asked {
            priors.extend(moves.iter().map(|&m| f32::from(m)));
            let value = if position.counters().is_multiple_of(4) { 0.1 } else { 0.9 };
            **outcome = Some(Value::new(tesuji::Game::to_move(*position), value));
        }
    }

    fn boxed(&self) -> Box<dyn Evaluate<Nim>> {
        Box::new(self.clone())
    }
}

/// A search with `batch` simulations in flight.
fn search(game: &Nim, batch: usize, seed: u64) -> Search<Nim, Puct, Mean, Evaluated<Nim>> {
    let playout = Evaluated::new(Box::new(Device));
    let search = Search::new(game, Puct::default(), Mean {}, playout, Options::default(), seed);
    let batched = search.and_then(|search| search.with_batch(batch, InFlight::Lost(1)));
    batched.expect("these parts go together, and without a memory limit there is room")
}

fn main() {
    let game = Nim::new(250);
    let report = |what: &str, simulations: u64, run: &mut dyn FnMut()| {
        let begun = Instant::now();
        run();
        println!("{what}: {:.0} simulations a second", simulations as f64 / begun.elapsed().as_secs_f64());
    };
    for batch in [1, 8, 32] {
        let (mut search, budget) = (search(&game, batch, 1), Budget::simulations(50 * batch as u64));
        report(&format!("one search, {batch} in flight"), 50 * batch as u64, &mut || {
            search.run(&game, &budget).expect("the game is not over");
        });
    }
    for searches in [32, 256] {
        let mut pool = Pool::new(Some(Device.boxed()));
        for seed in 0..searches {
            let added = pool.add(seed, Box::new(search(&game, 1, seed)), &game, &Budget::simulations(50));
            added.expect("the game is not over");
        }
        report(&format!("a pool of {searches} searches"), 50 * searches, &mut || pool.run(|_, _| {}));
    }
}
