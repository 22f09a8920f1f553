//! The benchmark of 60 evaluations: 8 and then 13 batches of 4, each point proposed while the others of its batch are under way.
//! Prints the regret of what is recommended in the end for each problem, over seeds.

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::f64::consts::PI;
use std::time::Instant;
use tesuji_tune::{Optimizer, Pending, Settings, win_rate};

/// A problem: its name, how many coordinates it has, its greatest value, and its function.
struct Problem {
    name: &'static str,
    dimensions: usize,
    greatest: f64,
    noise: Noise,
    function: fn(&[f64]) -> f64,
}

enum Noise {
    None,
    /// Normal, of this standard deviation.
    Normal(f64),
    /// The share of so many games won.
    Games(u32),
}

fn branin(x: &[f64]) -> f64 {
    let (a, b) = (15.0 * x[0] - 5.0, 15.0 * x[1]);
    let bend = b - 5.1 / (4.0 * PI * PI) * a * a + 5.0 / PI * a - 6.0;
    -(bend * bend + 10.0 * (1.0 - 1.0 / (8.0 * PI)) * a.cos() + 10.0)
}

fn hartmann6(x: &[f64]) -> f64 {
    const ALPHA: [f64; 4] = [1.0, 1.2, 3.0, 3.2];
    const A: [[f64; 6]; 4] = [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ];
    const P: [[f64; 6]; 4] = [
        [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
        [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
        [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
        [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
    ];
    let bump = |i: usize| ALPHA[i] * (-(0..6).map(|j| A[i][j] * (x[j] - P[i][j]).powi(2)).sum::<f64>()).exp();
    (0..4).map(bump).sum()
}

fn win4(x: &[f64]) -> f64 {
    let (w, c) = ([8.0, 4.0, 2.0, 1.0], [0.3, 0.7, 0.5, 0.2]);
    let loss: f64 = (0..4).map(|i| w[i] * (x[i] - c[i]) * (x[i] - c[i])).sum();
    1.0 / (1.0 + (loss - 0.4).exp())
}

const PROBLEMS: [Problem; 4] = [
    Problem {
        name: "branin",
        dimensions: 2,
        greatest: -0.397_887_357_729_738,
        noise: Noise::None,
        function: branin,
    },
    Problem {
        name: "branin-noise",
        dimensions: 2,
        greatest: -0.397_887_357_729_738,
        noise: Noise::Normal(1.0),
        function: branin,
    },
    Problem {
        name: "hartmann6",
        dimensions: 6,
        greatest: 3.322_368_011_415_515,
        noise: Noise::None,
        function: hartmann6,
    },
    Problem {
        name: "win4",
        dimensions: 4,
        greatest: 0.598_687_660_112_452,
        noise: Noise::Games(64),
        function: win4,
    },
];

impl Problem {
    /// An observation, and the variance of its noise as far as it is known.
    fn observe(&self, x: &[f64], rng: &mut Xoshiro256PlusPlus) -> (f64, f64) {
        let value = (self.function)(x);
        match self.noise {
            Noise::None => (value, 0.0),
            Noise::Normal(deviation) => {
                let z: f64 = StandardNormal.sample(rng);
                (value + deviation * z, 0.0)
            }
            Noise::Games(games) => {
                let wins = (0..games).filter(|_| rng.random::<f64>() < value).count();
                let rate = win_rate(wins as f64, games.into());
                (rate.mean, rate.variance)
            }
        }
    }

    /// The regret after 60 evaluations, and seconds a suggestion.
    fn run(&self, seed: u64) -> (f64, f64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x5eed);
        let mut optimizer = Optimizer::new(self.dimensions, Settings::default(), seed);
        let mut seconds = 0.0;
        for batch in [8].into_iter().chain([4; 13]) {
            let mut pending: Vec<Pending> = Vec::new();
            for _ in 0..batch {
                let begun = Instant::now();
                let x = optimizer.ask(&pending);
                seconds += begun.elapsed().as_secs_f64() / 60.0;
                let variance = match self.noise {
                    Noise::Games(games) => 0.25 / f64::from(games),
                    _ => 0.0,
                };
                pending.push(Pending { x, variance });
            }
            for point in pending {
                let (y, variance) = self.observe(&point.x, &mut rng);
                optimizer.tell(point.x, y, variance);
            }
        }
        let recommended = match self.noise {
            Noise::None => {
                let best = optimizer.observations().iter().max_by(|a, b| a.y.total_cmp(&b.y));
                best.expect("60 observations").x.clone()
            }
            _ => optimizer.recommend().expect("60 observations").0,
        };
        (self.greatest - (self.function)(&recommended), seconds)
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seeds: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(20);
    let only = arguments.next();
    for problem in PROBLEMS.iter().filter(|problem| only.as_deref().is_none_or(|name| name == problem.name)) {
        let runs: Vec<(f64, f64)> = (0..seeds).map(|seed| problem.run(seed)).collect();
        let mut regrets: Vec<f64> = runs.iter().map(|run| run.0).collect();
        regrets.sort_by(f64::total_cmp);
        let n = regrets.len();
        let median = (regrets[(n - 1) / 2] + regrets[n / 2]) / 2.0;
        let mean = regrets.iter().sum::<f64>() / n as f64;
        let seconds = runs.iter().map(|run| run.1).sum::<f64>() / n as f64;
        println!(
            "{:14} median {median:.2e}  mean {mean:.2e}  max {:.2e}  {seconds:.3} s a suggestion",
            problem.name,
            regrets[n - 1]
        );
    }
}
