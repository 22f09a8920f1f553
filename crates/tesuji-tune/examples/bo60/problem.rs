//! Functions whose greatest value is known.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::f64::consts::PI;
use tesuji_tune::{Curve, Group, Region, win_rate};

/// A function on the unit cube and what is seen of it.
pub(crate) struct Problem {
    /// Its name in the table.
    pub(crate) name: &'static str,
    /// The number of coordinates.
    pub(crate) dimensions: usize,
    /// Whether the coordinates are knots of a rising function of which the logarithm is seen,
    /// rather than seen themselves.
    pub(crate) is_curve: bool,
    /// Its greatest value.
    pub(crate) greatest: f64,
    /// The noise of what is seen.
    pub(crate) noise: Noise,
    /// The function.
    pub(crate) function: fn(&[f64]) -> f64,
}

/// The noise of an observation.
pub(crate) enum Noise {
    /// None.
    None,
    /// Normal, of this standard deviation.
    Normal(f64),
    /// The share of N games won.
    Games(u32),
}

impl Problem {
    /// Where its points lie, and what is seen of them.
    pub(crate) fn region(&self) -> Region {
        if self.is_curve {
            let [low, high] = SLOPES;
            let curve = Curve { knots: self.dimensions, low, high, start: 0.0 };
            return Region::new(vec![Group::Curve(curve)]);
        }
        Region::cube(self.dimensions)
    }

    /// An observation, and the variance of its noise as far as it is known.
    pub(crate) fn observe(&self, x: &[f64], rng: &mut Xoshiro256PlusPlus) -> (f64, f64) {
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

/// A chance to win that falls off from .5987 with the squares of the distances.
fn win4(x: &[f64]) -> f64 {
    let (w, c) = ([8.0, 4.0, 2.0, 1.0], [0.3, 0.7, 0.5, 0.2]);
    let loss: f64 = (0..4).map(|i| w[i] * (x[i] - c[i]) * (x[i] - c[i])).sum();
    1.0 / (1.0 + (loss - 0.4).exp())
}

/// The least and the greatest logarithm of a slope.
const SLOPES: [f64; 2] = [-3.0, 6.0];

/// A chance to win that depends on a rising function f of u in [0, 1] with f(0) = 0 and the slope
/// exp(g(u)), where g is piecewise linear through five knots in [-3, 6]: it falls off from .5987
/// with the mean square of ln f - ln f* over u = 0.05, 0.10, ..., 1, where f* has the knots 1, 2,
/// 0, 3, 4.
fn rising5(x: &[f64]) -> f64 {
    let profile = |knots: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let mut sum = 0.0;
        (0..200)
            .map(|i| {
                let at = 4.0 * (f64::from(i) + 0.5) / 200.0;
                let j = at as usize;
                let g = knots(j) + (at - j as f64) * (knots(j + 1) - knots(j));
                sum += g.exp() / 200.0;
                sum.ln()
            })
            .skip(9)
            .step_by(10)
            .collect()
    };
    let best = profile(&|j| [1.0, 2.0, 0.0, 3.0, 4.0][j]);
    let this = profile(&|j| SLOPES[0] + (SLOPES[1] - SLOPES[0]) * x[j]);
    let loss = best.iter().zip(&this).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / best.len() as f64;
    1.0 / (1.0 + (0.3 * loss - 0.4).exp())
}

/// The problems of the benchmark.
pub(crate) const PROBLEMS: [Problem; 6] = [
    Problem {
        name: "branin",
        dimensions: 2,
        is_curve: false,
        greatest: -0.397_887_357_729_738,
        noise: Noise::None,
        function: branin,
    },
    Problem {
        name: "branin-noise",
        dimensions: 2,
        is_curve: false,
        greatest: -0.397_887_357_729_738,
        noise: Noise::Normal(1.0),
        function: branin,
    },
    Problem {
        name: "hartmann6",
        dimensions: 6,
        is_curve: false,
        greatest: 3.322_368_011_415_515,
        noise: Noise::None,
        function: hartmann6,
    },
    Problem {
        name: "win4",
        dimensions: 4,
        is_curve: false,
        greatest: 0.598_687_660_112_452,
        noise: Noise::Games(64),
        function: win4,
    },
    Problem {
        name: "rising5",
        dimensions: 5,
        is_curve: true,
        greatest: 0.598_687_660_112_452,
        noise: Noise::Games(64),
        function: rising5,
    },
    Problem {
        name: "rising5-knots",
        dimensions: 5,
        is_curve: false,
        greatest: 0.598_687_660_112_452,
        noise: Noise::Games(64),
        function: rising5,
    },
];
