//! What a suggestion costs as observations grow: processor seconds from cold, where an optimizer is
//! told everything and then asked, and of the next suggestion of the same optimizer.
//!
//! `cargo run --release -p tesuji-tune --example cost -- TABLE` writes the table, a row for each
//! number of dimensions, of observations and way to choose points: `log-ei` as for values that are
//! told, `kg` as for games.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt::Write;
use std::time::Duration;
use tesuji_tune::{Acquisition, Optimizer, Settings, win_rate};

/// Processor time of this thread, in seconds.
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32).as_secs_f64()
}

/// The share of 64 games won at a random point, half of the time near the best one, as a tuning's
/// own points are.
fn observe(optimizer: &mut Optimizer, dimensions: usize, rng: &mut Xoshiro256PlusPlus) {
    let width = if rng.random() { 1.0 } else { 0.2 };
    let x: Vec<f64> = (0..dimensions).map(|_| 0.5 + width * (rng.random::<f64>() - 0.5)).collect();
    let loss: f64 = x.iter().map(|x| 4.0 * (x - 0.5).powi(2)).sum();
    let p = 1.0 / (1.0 + (loss - 0.4).exp());
    let wins = (0..64).filter(|_| rng.random::<f64>() < p).count();
    let rate = win_rate(wins as f64, 64.0);
    optimizer.tell(x, rate.mean, rate.variance);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("give the file of the table: cost TABLE")?;
    let mut table = String::from("dimensions,observations,acquisition,cold,next\n");
    for dimensions in [1, 5] {
        for observations in [50, 100, 200, 300, 500] {
            for (name, acquisition) in
                [("log-ei", Acquisition::ExpectedImprovement), ("kg", Acquisition::KnowledgeGradient)]
            {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
                let settings = Settings { acquisition, ..Settings::default() };
                let mut optimizer = Optimizer::new(dimensions, settings, 1);
                (0..observations).for_each(|_| observe(&mut optimizer, dimensions, &mut rng));
                let begun = processor_seconds();
                optimizer.ask(&[]);
                let cold = processor_seconds() - begun;
                observe(&mut optimizer, dimensions, &mut rng);
                let begun = processor_seconds();
                optimizer.ask(&[]);
                let next = processor_seconds() - begun;
                println!("{dimensions} {observations} {name}: cold {cold:.3}, next {next:.3}");
                writeln!(table, "{dimensions},{observations},{name},{cold:.3},{next:.3}")?;
            }
        }
    }
    std::fs::write(path, table)?;
    Ok(())
}
