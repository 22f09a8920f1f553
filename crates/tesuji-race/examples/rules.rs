//! What the four rules cost and how often they err: 2000 races each at risk .05 with thresholds
//! .505 and .53, of single arms, of pairs of games that vary little or much, and of sets of arms.
//!
//! `cargo run --release -p tesuji-race --example rules -- TABLE` writes the table, a row for each
//! setting. For each rule it has the races that accepted an arm no better than `accept` (`wrong`),
//! those that accepted none although one was as good as `reject` (`missed`), those in which any
//! bound was wrong at any time (`violated`), and the mean number of rewards with its standard
//! error.

use rand::SeedableRng;
use rand_distr::{Binomial, Distribution};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt::Write;
use tesuji_race::{Race, Rewards, Rule, Settings, Winner};

const RACES: u64 = 2000;

const RULES: [(Rule, &str); 4] = [
    (Rule::Hoeffding, "hoeffding"),
    (Rule::Bernstein, "bernstein"),
    (Rule::EProcess, "e_process"),
    (Rule::Betting, "betting"),
];

/// Probabilities of a reward of 0, 1/2 and 1.
type Arm = [f64; 3];

fn efficiency(arm: &Arm) -> f64 {
    0.5 * arm[1] + arm[2]
}

/// A game without draws.
fn game(efficiency: f64) -> Arm {
    [1.0 - efficiency, 0.0, efficiency]
}

/// A pair of games, of this efficiency and variance.
fn pair(efficiency: f64, variance: f64) -> Arm {
    // E x^2 = draws / 4 + wins and E x = draws / 2 + wins.
    let square = variance + efficiency * efficiency;
    let draws = 4.0 * (efficiency - square);
    let wins = efficiency - 0.5 * draws;
    [1.0 - draws - wins, draws, wins]
}

/// Rewards of an arm.
fn rewards(arm: &Arm, count: u64, rng: &mut Xoshiro256PlusPlus) -> Rewards {
    let mut draw =
        |count, p: f64| Binomial::new(count, p.clamp(0.0, 1.0)).expect("a probability").sample(rng);
    let wins = draw(count, arm[2]);
    let draws = draw(count - wins, arm[1] / (arm[0] + arm[1]));
    Rewards::games([count - wins - draws, draws, wins])
}

/// The figures of a rule: wrong, missed, violated, rewards and their standard error.
fn figures(arms: &[Arm], rule: Rule) -> [f64; 5] {
    let settings = Settings { rule, accept: 0.505, reject: 0.53, ..Settings::default() };
    // 0.53 in binary may be a little less.
    let is_good = |arm: &Arm| efficiency(arm) > settings.reject - 1e-9;
    let (mut wrong, mut missed, mut violated) = (0.0, 0.0, 0.0);
    let (mut sum, mut squares) = (0.0, 0.0);
    for seed in 0..RACES {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut race = Race::new(arms.len(), settings);
        let mut is_violated = false;
        while let Some(batch) = race.next() {
            let arm = &arms[batch.arm];
            race.tell(batch.arm, rewards(arm, batch.rewards, &mut rng));
            let state = &race.arms()[batch.arm];
            is_violated |= !(state.lower..=state.upper).contains(&efficiency(arm));
        }
        match race.winner() {
            Some(Winner::Arm(arm)) if efficiency(&arms[arm]) <= settings.accept => wrong += 1.0,
            Some(Winner::None) if arms.iter().any(is_good) => missed += 1.0,
            _ => {}
        }
        violated += f64::from(u8::from(is_violated));
        let count = race.arms().iter().map(|arm| arm.rewards.count()).sum::<u64>() as f64;
        sum += count;
        squares += count * count;
    }
    let races = RACES as f64;
    let mean = sum / races;
    [wrong, missed, violated, mean, ((squares / races - mean * mean) / races).sqrt()]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("give the file of the table: rules TABLE")?;
    let mut settings: Vec<(String, Vec<Arm>)> = [0.45, 0.49, 0.50, 0.51, 0.53, 0.55, 0.60]
        .map(|efficiency| (format!("one of {efficiency:.2}"), vec![game(efficiency)]))
        .into();
    for (variance, efficiencies) in
        [(0.025, &[0.50, 0.53, 0.55][..]), (0.05, &[0.50, 0.53, 0.55]), (0.25, &[0.50])]
    {
        for &efficiency in efficiencies {
            let name = format!("pairs of {efficiency:.2} with variance {variance}");
            settings.push((name, vec![pair(efficiency, variance)]));
        }
    }
    for nulls in [6, 20] {
        settings.push((format!("{nulls} of 0.50"), vec![game(0.5); nulls]));
        for good in [0.53, 0.55] {
            let mut arms = vec![game(0.5); nulls];
            arms.push(game(good));
            settings.push((format!("{nulls} of 0.50 and one of {good:.2}"), arms));
        }
    }
    let mut table = String::from("arms");
    for (_, rule) in RULES {
        for figure in ["wrong", "missed", "violated", "rewards", "error"] {
            write!(table, ",{rule}_{figure}")?;
        }
    }
    table.push('\n');
    for (name, arms) in &settings {
        table += name;
        for (rule, rule_name) in RULES {
            let figures = figures(arms, rule).map(|figure| format!("{figure:.0}")).join(",");
            println!("{name}: {rule_name}: {figures}");
            write!(table, ",{figures}")?;
        }
        table.push('\n');
    }
    std::fs::write(path, table)?;
    Ok(())
}
