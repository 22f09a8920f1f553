//! The most likely parameters of a process.

use crate::hyper::{Hyper, Prior};
use crate::maximise::climb;
use crate::posterior::Observation;
use rand::{Rng, RngExt};

/// Where parameters are looked for: the logarithms of variance, noise and lengths.
const VARIANCE: (f64, f64) = (-7.0, 5.0);
const NOISE: (f64, f64) = (-18.0, 3.0);
const LENGTH: (f64, f64) = (-5.0, 5.0);

/// Random places from which is climbed, beside the one that is given.
const STARTS: usize = 4;

/// Steps of a climb.
const STEPS: usize = 60;

impl Hyper {
    /// The parameters with the highest density together with the data, found by climbs from these
    /// and from a few random ones. They replace draws, but do not show their own uncertainty.
    pub fn fit(&self, prior: &Prior, data: &[Observation], rng: &mut impl Rng) -> Hyper {
        let ranges = ranges(prior, self.lengths.len());
        let mut starts = vec![place(self, &ranges)];
        starts.extend((0..STARTS).map(|_| ranges.iter().map(|_| 0.2 + 0.6 * rng.random::<f64>()).collect()));
        let density = |x: &[f64], gradient: &mut [f64]| {
            log_density(&self.at(x, &ranges), prior, data, &ranges, gradient)
        };
        let climbed = starts.into_iter().map(|start| climb(start, STEPS, |_| {}, density));
        let best = climbed.max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(self.clone(), |(x, _)| self.at(&x, &ranges))
    }

    /// The parameters at a point of the unit cube.
    fn at(&self, x: &[f64], ranges: &[(f64, f64)]) -> Hyper {
        let value = |i: usize| ranges[i].0 + x[i] * (ranges[i].1 - ranges[i].0);
        Hyper {
            mean: value(0),
            variance: value(1).exp(),
            noise: value(2).exp(),
            lengths: (3..x.len()).map(|i| value(i).exp()).collect(),
            widths: self.widths.clone(),
        }
    }
}

/// The ranges of mean, variance, noise and lengths.
fn ranges(prior: &Prior, lengths: usize) -> Vec<(f64, f64)> {
    let mut ranges = vec![prior.mean, VARIANCE, NOISE];
    ranges.resize(3 + lengths, LENGTH);
    ranges
}

/// The point of the unit cube with these parameters, or the nearest one.
fn place(hyper: &Hyper, ranges: &[(f64, f64)]) -> Vec<f64> {
    let logs = [hyper.variance, hyper.noise].into_iter().chain(hyper.lengths.iter().copied()).map(f64::ln);
    let values = std::iter::once(hyper.mean).chain(logs);
    values.zip(ranges).map(|(value, (low, high))| ((value - low) / (high - low)).clamp(0.0, 1.0)).collect()
}

/// [`Hyper::log_density`], with its derivatives by the coordinates of the unit cube.
fn log_density(
    hyper: &Hyper,
    prior: &Prior,
    data: &[Observation],
    ranges: &[(f64, f64)],
    gradient: &mut [f64],
) -> f64 {
    let before = prior.log_density(hyper);
    let Ok(posterior) = hyper.posterior(data) else { return f64::NEG_INFINITY };
    let value = before + posterior.log_likelihood();
    if !value.is_finite() {
        return f64::NEG_INFINITY;
    }
    let by_logs = posterior.log_likelihood_gradient(hyper.noise);
    let (by_variance, by_lengths) = (by_logs[0], &by_logs[1..by_logs.len() - 1]);
    let t = (prior.noise / hyper.noise).powi(2);
    let (center, width) = prior.length;
    gradient[0] = posterior.weights().iter().sum();
    gradient[1] = by_variance - hyper.variance.ln();
    gradient[2] = by_logs[by_logs.len() - 1] - 2.0 * t / ((1.0 + t) * t.ln_1p());
    let mut rest = by_lengths;
    for (slot, (length, count)) in gradient[3..].iter_mut().zip(hyper.lengths.iter().zip(&hyper.widths)) {
        let (own, after) = rest.split_at(*count);
        rest = after;
        *slot = own.iter().sum::<f64>() - (length / center).ln() / (width * width);
    }
    gradient.iter_mut().zip(ranges).for_each(|(slot, (low, high))| *slot *= high - low);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn data(rng: &mut Xoshiro256PlusPlus) -> Vec<Observation> {
        let observe = |_| {
            let x: Vec<f64> = (0..2).map(|_| rng.random()).collect();
            Observation { y: (6.0 * x[0]).sin() * 1.4 + 0.1 * rng.random::<f64>(), variance: 1e-3, x }
        };
        (0..25).map(observe).collect()
    }

    #[test]
    fn the_gradient_is_that_of_the_density() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let data = data(&mut rng);
        let prior = Prior::new(&data, 2);
        // A length for each coordinate, and one for both.
        for widths in [vec![1, 1], vec![2]] {
            let chain = Hyper::sharing(widths);
            let ranges = ranges(&prior, chain.lengths.len());
            let n = ranges.len();
            let density =
                |x: &[f64]| log_density(&chain.at(x, &ranges), &prior, &data, &ranges, &mut vec![0.0; n]);
            for _ in 0..5 {
                let x: Vec<f64> = (0..n).map(|_| 0.3 + 0.4 * rng.random::<f64>()).collect();
                let mut gradient = vec![0.0; n];
                log_density(&chain.at(&x, &ranges), &prior, &data, &ranges, &mut gradient);
                for (d, found) in gradient.into_iter().enumerate() {
                    let near = |step: f64| {
                        let mut x = x.clone();
                        x[d] += step;
                        density(&x)
                    };
                    let slope = (near(1e-6) - near(-1e-6)) / 2e-6;
                    assert!((found - slope).abs() < 1e-4 * (1.0 + slope.abs()), "{d}: {found} {slope}");
                }
            }
        }
    }

    #[test]
    fn no_draw_is_more_likely() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let data = data(&mut rng);
        let prior = Prior::new(&data, 2);
        let mut chain = Hyper::start(2);
        let fitted = chain.fit(&prior, &data, &mut rng);
        let most = fitted.log_density(&prior, &data);
        for _ in 0..200 {
            chain.sweep(&prior, &data, &mut rng);
            assert!(chain.log_density(&prior, &data) <= most + 1e-6);
        }
        assert!(fitted.lengths[0] < fitted.lengths[1], "the second coordinate does not matter");
    }
}
