//! How likely does a race find an improvement? Six arms as in `experiments/race/go9.toml`: one of a
//! known efficiency among five that change nothing, in the first race of a total risk of .05 and in
//! the fourth. Prints CSV.
//!
//!     cargo run --release -p tesuji-race --example power > results/race/power.csv

use rand::SeedableRng;
use rand_distr::{Binomial, Distribution};
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji_race::{Race, Rewards, RiskBudget, Settings, Winner};

const RACES: u64 = 2000;

/// The shares of races that accept the first arm and another one, and the games of a race on
/// average.
fn races(arms: [f64; 6], settings: Settings) -> (f64, f64, f64) {
    let (mut found, mut wrong, mut games) = (0.0, 0.0, 0.0);
    for seed in 0..RACES {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut race = Race::new(arms.len(), settings);
        while let Some(batch) = race.next() {
            let wins = Binomial::new(batch.rewards, arms[batch.arm]).expect("a probability");
            let wins = wins.sample(&mut rng);
            race.tell(batch.arm, Rewards::games([batch.rewards - wins, 0, wins]));
        }
        match race.winner() {
            Some(Winner::Arm(0)) => found += 1.0,
            Some(Winner::Arm(_)) => wrong += 1.0,
            _ => {}
        }
        games += race.arms().iter().map(|arm| arm.rewards.count() as f64).sum::<f64>();
    }
    let races = RACES as f64;
    (found / races, wrong / races, games / races)
}

fn main() {
    println!("race,races,efficiency,accepted,another_accepted,games");
    for k in [1, 4] {
        let settings = Settings {
            risk: RiskBudget::Total.of_race(0.05, k),
            accept: 0.505,
            reject: 0.53,
            most: Some(12_000),
            ..Settings::default()
        };
        for efficiency in [0.50, 0.51, 0.52, 0.53, 0.54, 0.55] {
            let (found, wrong, games) = races([efficiency, 0.5, 0.5, 0.5, 0.5, 0.5], settings);
            println!("{k},{RACES},{efficiency},{found:.4},{wrong:.4},{games:.0}");
        }
    }
}
