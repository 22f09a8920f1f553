//! The posterior: an estimate of a function after some noisy observations.

use crate::factor::{Factor, dot};
use crate::kernel::Matern52;
use crate::normal::Normal;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use std::fmt;
use std::sync::Arc;

/// A noisy value of the function.
#[derive(Clone, PartialEq, Debug)]
pub struct Observation {
    /// The point of the observation, each coordinate in [0, 1].
    pub x: Vec<f64>,
    /// The observed value.
    pub y: f64,
    /// The known part of the variance of its noise, at least 0. For a win rate, for example, it is
    /// that of [`win_rate`](crate::win_rate).
    pub variance: f64,
}

/// A Gaussian process with constant mean, given observations with normal noise (Rasmussen &
/// Williams 2006, algorithm 2.1).
///
/// With K the matrix of the kernel plus the noise on its diagonal, L its Cholesky factor and k the
/// kernel of x with the observed points, the function at x is normal with mean m + k K^-1 (y - m)
/// and variance k(x, x) - |L^-1 k|^2. Building it takes time in O(n^3), an evaluation at a point
/// O(n^2).
#[derive(Clone, Debug)]
pub struct Posterior {
    kernel: Matern52,
    mean: f64,
    points: Vec<Arc<[f64]>>,
    /// The noise of each point.
    noises: Vec<f64>,
    factor: Factor,
    /// y - m.
    residuals: Vec<f64>,
    /// L^-1 (y - m).
    whitened: Vec<f64>,
}

/// The covariance matrix has no Cholesky factor: observations repeat without noise, or a number is
/// NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotPositiveDefinite;

impl fmt::Display for NotPositiveDefinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the covariances of the observations are not positive definite: give them noise")
    }
}

impl std::error::Error for NotPositiveDefinite {}

impl Posterior {
    /// The process with this kernel and mean, given `data`, to whose variances `noise` is added.
    ///
    /// # Errors
    /// If the covariances are not positive definite.
    ///
    /// # Panics
    /// If a point has fewer coordinates than the kernel has lengths.
    pub fn new(
        kernel: Matern52,
        mean: f64,
        noise: f64,
        data: &[Observation],
    ) -> Result<Posterior, NotPositiveDefinite> {
        let mut posterior = Posterior {
            points: data.iter().map(|observation| observation.x.as_slice().into()).collect(),
            noises: data.iter().map(|observation| observation.variance + noise).collect(),
            factor: Factor::default(),
            residuals: data.iter().map(|observation| observation.y - mean).collect(),
            whitened: Vec::new(),
            kernel,
            mean,
        };
        let Posterior { kernel, points, noises, factor, .. } = &mut posterior;
        let is_definite = factor.set(data.len(), |i, rows| {
            rows.extend(points[..i].iter().map(|point| kernel.at(point, &points[i])));
            rows.push(kernel.variance + noises[i]);
        });
        if !is_definite {
            return Err(NotPositiveDefinite);
        }
        posterior.whitened.clone_from(&posterior.residuals);
        posterior.factor.solve_lower(&mut posterior.whitened, 0);
        Ok(posterior)
    }

    /// Adds a point, at which something will have been observed with noise of this variance.
    pub(crate) fn push_point(&mut self, x: &[f64], variance: f64) -> Result<(), NotPositiveDefinite> {
        let mut row: Vec<f64> = self.points.iter().map(|point| self.kernel.at(point, x)).collect();
        row.push(self.kernel.variance + variance);
        if !self.factor.push(&row) {
            return Err(NotPositiveDefinite);
        }
        self.points.push(x.into());
        self.noises.push(variance);
        Ok(())
    }

    /// The kernel.
    pub fn kernel(&self) -> &Matern52 {
        &self.kernel
    }

    /// The mean far from all observations.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The points with observations.
    pub(crate) fn points(&self) -> &[Arc<[f64]>] {
        &self.points
    }

    pub(crate) fn factor(&self) -> &Factor {
        &self.factor
    }

    /// y - m.
    pub(crate) fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// L^-1 (y - m).
    pub(crate) fn whitened(&self) -> &[f64] {
        &self.whitened
    }

    /// The logarithm of the density of the observations.
    pub fn log_likelihood(&self) -> f64 {
        let n = self.whitened.len() as f64;
        -0.5 * dot(&self.whitened, &self.whitened)
            - self.factor.ln_diagonal()
            - 0.5 * n * (2.0 * std::f64::consts::PI).ln()
    }

    /// K^-1 (y - m).
    pub fn weights(&self) -> Vec<f64> {
        let mut weights = self.whitened.clone();
        self.factor.solve_upper(&mut weights);
        weights
    }

    /// L^-1 k(x), in `out`.
    pub(crate) fn whiten(&self, x: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.points.iter().map(|point| self.kernel.at(point, x)));
        self.factor.solve_lower(out, 0);
    }

    /// The function at a point, without the noise of observations.
    pub fn at(&self, x: &[f64]) -> Normal {
        let mut white = Vec::new();
        self.whiten(x, &mut white);
        Normal {
            mean: self.mean + dot(&white, &self.whitened),
            variance: (self.kernel.variance - dot(&white, &white)).max(0.0),
        }
    }

    /// Joint draws of the function at some points, each with its values in their order. Takes time
    /// in O(m^3) for m points.
    ///
    /// # Panics
    /// If points have no covariances: a coordinate or a parameter of the kernel is not finite, or
    /// the kernel's variance is 0.
    pub fn draw(&self, points: &[Vec<f64>], count: usize, rng: &mut impl Rng) -> Vec<Vec<f64>> {
        let mut factor = Factor::default();
        let (mut white, mut means): (Vec<Vec<f64>>, Vec<f64>) = (Vec::new(), Vec::new());
        for (i, x) in points.iter().enumerate() {
            let mut own = Vec::new();
            self.whiten(x, &mut own);
            means.push(self.mean + dot(&own, &self.whitened));
            let covariance = |j: usize| self.kernel.at(x, &points[j]) - dot(&own, &white[j]);
            let mut row: Vec<f64> = (0..i).map(covariance).collect();
            row.push(self.kernel.variance - dot(&own, &own) + 1e-6 * self.kernel.variance);
            while !factor.push(&row) {
                let is_possible = self.kernel.variance > 0.0 && row.iter().all(|x| x.is_finite());
                assert!(is_possible, "the function has no covariances at {x:?}");
                // A point that repeats: rounding alone keeps it from having the same value.
                row[i] = row[i].abs() * 2.0 + 1e-6 * self.kernel.variance;
            }
            white.push(own);
        }
        let draw = |_| {
            let z: Vec<f64> = points.iter().map(|_| StandardNormal.sample(rng)).collect();
            (0..points.len()).map(|i| means[i] + dot(factor.row(i), &z[..=i])).collect()
        };
        (0..count).map(draw).collect()
    }

    /// The highest mean at a point with an observation; none without observations.
    #[cfg(test)]
    fn best_mean(&self) -> Option<f64> {
        let weights = self.weights();
        let means = (0..weights.len()).map(|i| self.mean_observed(i, self.residuals[i], weights[i]));
        means.max_by(f64::total_cmp)
    }

    /// The mean at point `i` where `residual` above m was observed, if that has this weight in K^-1
    /// (y - m): the observation less the noise in it, noise times weight.
    pub(crate) fn mean_observed(&self, i: usize, residual: f64, weight: f64) -> f64 {
        self.mean + residual - self.noises[i] * weight
    }

    /// The derivatives of [`Posterior::log_likelihood`] by the logarithms of the kernel's variance,
    /// of its lengths, and of `noise`, the part of the noise that all observations share; in this
    /// order. Time in O(n^3).
    pub fn log_likelihood_gradient(&self, noise: f64) -> Vec<f64> {
        let n = self.points.len();
        let weights = self.weights();
        let lengths = self.kernel.lengths.len();
        let mut gradient = vec![0.0; lengths + 2];
        let mut column = vec![0.0; n];
        for j in 0..n {
            // Column j of K^-1.
            column.fill(0.0);
            column[j] = 1.0;
            self.factor.solve_lower(&mut column, j);
            self.factor.solve_upper(&mut column);
            for i in 0..n {
                // d LML = 1/2 trace((w w' - K^-1) dK).
                let half = 0.5 * (weights[i] * weights[j] - column[i]);
                let (x, y) = (&self.points[i], &self.points[j]);
                gradient[0] += half * self.kernel.at(x, y);
                for d in 0..lengths {
                    gradient[1 + d] += half * self.kernel.by_length(x, y, d);
                }
                if i == j {
                    gradient[1 + lengths] += half * noise;
                }
            }
        }
        gradient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expected_improvement;
    use crate::testing::{close, oracle, oracle_data};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Without noise but for rounding: a variance that were below 0 would be found.
        #[test]
        fn covariances_are_positive_definite(
            points in proptest::collection::vec(proptest::collection::vec(0.0..1.0_f64, 3), 1..40),
            lengths in proptest::collection::vec(-3.0..2.0_f64, 3),
        ) {
            let lengths = lengths.into_iter().map(f64::exp).collect();
            let kernel = Matern52 { variance: 1.0, lengths };
            let data: Vec<Observation> =
                points.into_iter().map(|x| Observation { x, y: 0.0, variance: 0.0 }).collect();
            prop_assert!(Posterior::new(kernel, 0.0, 1e-9, &data).is_ok());
        }
    }

    #[test]
    fn draws_have_the_mean_and_the_variance() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let posterior = oracle();
        let points = vec![vec![0.3, 0.5], vec![0.8, 0.4], vec![0.3, 0.5]];
        let draws = posterior.draw(&points, 20_000, &mut rng);
        for (i, x) in points.iter().enumerate() {
            let at = posterior.at(x);
            let mean = draws.iter().map(|draw| draw[i]).sum::<f64>() / 20_000.0;
            let variance = draws.iter().map(|draw| (draw[i] - mean).powi(2)).sum::<f64>() / 20_000.0;
            assert!((mean - at.mean).abs() < 5.0 * at.deviation() / 20_000_f64.sqrt());
            assert!((variance / at.variance - 1.0).abs() < 0.06, "{variance}, {at:?}");
        }
        // The same point has the same value, but for what keeps the covariances positive definite.
        assert!(draws.iter().all(|draw| (draw[0] - draw[2]).abs() < 1e-3));
    }

    #[test]
    #[should_panic(expected = "no covariances at [NaN, 0.5]")]
    fn draws_need_finite_points() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        oracle().draw(&[vec![0.3, 0.5], vec![f64::NAN, 0.5]], 1, &mut rng);
    }

    #[test]
    fn it_agrees_with_other_programs() {
        let kernel = Matern52 { variance: 0.0036, lengths: vec![0.5, 0.8] };
        let data = oracle_data();
        close(kernel.at(&data[0].x, &data[2].x), 0.002_172_633_341_452_352_7);
        close(kernel.at(&data[1].x, &data[5].x), 0.001_919_033_481_763_001);
        let posterior = oracle();
        close(posterior.log_likelihood(), 9.339_822_798_206_978);
        let gradient = posterior.log_likelihood_gradient(6.25e-4);
        let expected = [
            -0.550_506_371_197_487_4,
            -1.185_027_012_761_955_3,
            -0.287_869_310_037_919_55,
            0.568_906_057_997_579_5,
        ];
        gradient.iter().zip(expected).for_each(|(&g, e)| close(g, e));
        let weights = [
            -18.941_825_249_239_76,
            1.898_829_247_575_055,
            45.739_960_139_010_954,
            21.258_022_797_047_75,
            -14.930_220_085_561_961,
            -45.136_725_677_750_945,
        ];
        posterior.weights().iter().zip(weights).for_each(|(&w, e)| close(w, e));
        close(posterior.best_mean().unwrap(), 0.531_412_524_913_118_2);
        for (x, mean, variance) in [
            ([0.4, 0.7], 0.531_412_524_913_118, 3.169_699_394_423_332e-4),
            ([0.5, 0.6], 0.531_450_416_793_288, 3.364_459_173_624_819e-4),
            ([0.0, 0.0], 0.481_008_274_281_624, 9.795_750_290_900_688e-4),
            ([1.0, 1.0], 0.458_251_869_268_552, 1.525_758_300_642_483e-3),
            ([0.3, 0.5], 0.527_242_530_889_785, 4.696_411_448_736_194e-4),
            ([0.55, 0.3], 0.531_152_206_704_591, 6.885_560_807_639_553e-4),
            ([0.8, 0.4], 0.506_020_135_901_503, 4.459_100_215_545_042e-4),
            ([0.1, 0.9], 0.502_857_651_069_520, 6.421_772_000_013_174e-4),
            ([0.45, 0.65], 0.532_426_788_364_167, 3.248_537_777_511_473e-4),
            ([0.6, 0.1], 0.525_414_585_180_052, 1.000_735_709_578_946e-3),
        ] {
            close(posterior.at(&x).mean, mean);
            close(posterior.at(&x).variance, variance);
        }
    }

    #[test]
    fn noise_may_differ_from_point_to_point() {
        let points = [
            ([0.1, 0.2], 0.3, 0.01),
            ([0.4, 0.9], -0.5, 0.02),
            ([0.8, 0.3], 0.8, 0.01),
            ([0.5, 0.5], 0.1, 0.05),
            ([0.9, 0.95], -0.2, 0.03),
        ];
        let data = points.map(|(x, y, variance)| Observation { x: x.to_vec(), y, variance });
        let kernel = Matern52 { variance: 1.3, lengths: vec![0.5, 0.8] };
        let posterior = Posterior::new(kernel, 0.1, 0.0, &data).unwrap();
        assert!((posterior.log_likelihood() + 4.680_500_309_5).abs() < 1e-8);
        let best = posterior.best_mean().unwrap();
        for (x, mean, variance, improvement) in [
            ([0.3, 0.3], 0.239_978_257_9, 0.103_774_352_3, 0.005_928_040_1),
            ([0.6, 0.8], -0.246_771_237_6, 0.098_215_085_8, 0.000_040_192_0),
        ] {
            let at = posterior.at(&x);
            assert!((expected_improvement(at, best) - improvement).abs() < 1e-9);
            assert!((at.mean - mean).abs() < 1e-8 && (at.variance - variance).abs() < 1e-8, "{at:?}");
        }
        assert!((best - 0.786_793_046_8).abs() < 1e-8);
    }

    #[test]
    fn without_noise_it_goes_through_the_observations() {
        let data: Vec<Observation> = oracle_data()
            .into_iter()
            .map(|observation| Observation { variance: 1e-14, ..observation })
            .collect();
        let kernel = Matern52 { variance: 1.0, lengths: vec![0.5, 0.8] };
        let posterior = Posterior::new(kernel.clone(), 0.5, 0.0, &data).unwrap();
        for observation in &data {
            assert!((posterior.at(&observation.x).mean - observation.y).abs() < 1e-9);
        }
        let twice = [data[0].clone(), Observation { variance: 0.0, ..data[0].clone() }];
        let twice = twice.map(|observation| Observation { variance: 0.0, ..observation });
        assert_eq!(Posterior::new(kernel, 0.5, 0.0, &twice).unwrap_err(), NotPositiveDefinite);
    }
}
