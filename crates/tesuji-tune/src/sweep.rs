//! Draws of the parameters of a process by slice sampling.

use crate::hyper::{Hyper, Prior};
use crate::likelihood::Likelihood;
use crate::posterior::Observation;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

impl Hyper {
    /// The logarithm of the density of parameters and data together, up to a constant.
    pub fn log_density(&self, prior: &Prior, data: &[Observation]) -> f64 {
        Likelihood::new(prior, data, &self.widths).log_density(self)
    }

    /// One sweep of slice sampling: mean, variance and noise along a random direction, then the
    /// logarithm of each length by itself in random order (Neal 2003; the order and the direction
    /// as in Spearmint).
    pub fn sweep(&mut self, prior: &Prior, data: &[Observation], rng: &mut impl Rng) {
        self.step(&mut Likelihood::new(prior, data, &self.widths), rng);
    }

    /// [`Hyper::sweep`], with a likelihood that several sweeps share.
    pub(crate) fn step(&mut self, likelihood: &mut Likelihood<'_>, rng: &mut impl Rng) {
        let direction: [f64; 3] = std::array::from_fn(|_| StandardNormal.sample(rng));
        let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [m, a, s] = direction.map(|x| x / norm);
        let start = self.clone();
        let along = |step: f64| Hyper {
            mean: start.mean + step * m,
            variance: start.variance + step * a,
            noise: start.noise + step * s,
            ..start.clone()
        };
        let step = slice(|step| likelihood.log_density(&along(step)), rng);
        *self = along(step);

        let mut order: Vec<usize> = (0..self.lengths.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.random_range(0..=i));
        }
        for d in order {
            let start = self.clone();
            let along = |step: f64| {
                let mut hyper = start.clone();
                hyper.lengths[d] *= step.exp();
                hyper
            };
            let step = slice(|step| likelihood.log_density(&along(step)), rng);
            *self = along(step);
        }
    }
}

/// Most steps that a bracket grows to either side.
const STEPS: usize = 50;

/// A draw from a density along a line, of which `log_density` is the logarithm, from a draw at 0:
/// slice sampling with a bracket of width 1 that steps out and shrinks (Neal 2003, figures 3 and
/// 5).
pub(crate) fn slice(mut log_density: impl FnMut(f64) -> f64, rng: &mut impl Rng) -> f64 {
    let level = log_density(0.0) + rng.random::<f64>().max(f64::MIN_POSITIVE).ln();
    let mut low = -rng.random::<f64>();
    let mut high = low + 1.0;
    for _ in 0..STEPS {
        if log_density(low) <= level {
            break;
        }
        low -= 1.0;
    }
    for _ in 0..STEPS {
        if log_density(high) <= level {
            break;
        }
        high += 1.0;
    }
    // The bracket shrinks on 0, which is above the level.
    for _ in 0..200 {
        let step = low + rng.random::<f64>() * (high - low);
        if log_density(step) > level {
            return step;
        }
        *(if step < 0.0 { &mut low } else { &mut high }) = step;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The distance of Kolmogorov and Smirnov of values from the standard normal distribution.
    fn distance(mut values: Vec<f64>) -> f64 {
        values.sort_by(f64::total_cmp);
        let n = values.len() as f64;
        let gaps = values.iter().enumerate().map(|(i, &x)| {
            let f = distribution(x);
            (f - i as f64 / n).abs().max((f - (i + 1) as f64 / n).abs())
        });
        gaps.fold(0.0, f64::max)
    }

    #[test]
    fn slices_draw_from_their_density() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        // Of one number, and of two with correlation 0.8, of which either alone is standard normal.
        let (mut x, mut pair) = (3.0, [2.0, -1.0]);
        let (mut single, mut first, mut both) = (Vec::new(), Vec::new(), 0.0);
        for i in 0..100_000 {
            x += slice(|step| -0.5 * (x + step) * (x + step), &mut rng);
            for d in 0..2 {
                let log = |step: f64| {
                    let mut p = pair;
                    p[d] += step;
                    -(p[0] * p[0] - 1.6 * p[0] * p[1] + p[1] * p[1]) / (2.0 * 0.36)
                };
                pair[d] += slice(log, &mut rng);
            }
            if i % 20 == 19 {
                single.push(x);
                first.push(pair[0]);
                both += pair[0] * pair[1];
            }
        }
        let n = single.len() as f64;
        // p = 0.001 is at 1.95 / sqrt(n).
        assert!(distance(single) < 1.95 / n.sqrt());
        assert!(distance(first) < 1.95 / n.sqrt());
        assert!((both / n - 0.8).abs() < 0.08, "correlation {}", both / n);
    }

    #[test]
    fn a_chain_finds_which_dimension_matters() {
        // y depends on the first coordinate alone.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let data: Vec<Observation> = (0..30)
            .map(|_| {
                let x: Vec<f64> = (0..2).map(|_| rng.random()).collect();
                Observation { y: (6.0 * x[0]).sin() * 1.4, variance: 1e-4, x }
            })
            .collect();
        let prior = Prior::new(&data, 2);
        let mut hyper = Hyper::start(2);
        let (mut shorter, mut noise) = (0, 0.0);
        for sweep in 0..150 {
            hyper.sweep(&prior, &data, &mut rng);
            if sweep >= 50 {
                shorter += u32::from(hyper.lengths[0] < hyper.lengths[1]);
                noise += hyper.noise / 100.0;
            }
        }
        assert!(shorter >= 95, "{shorter} of 100");
        assert!(noise < 0.05, "{noise}");
    }
}
