//! The posterior while evaluations are under way.

use crate::acquisition::Acquisition;
use crate::factor::{Factor, dot};
use crate::normal::{Gain, Normal};
use crate::posterior::{NotPositiveDefinite, Posterior};

/// A point whose observation is under way.
#[derive(Clone, PartialEq, Debug)]
pub struct Pending {
    /// The point, each coordinate in [0, 1].
    pub x: Vec<f64>,
    /// The variance of the noise that the observation will have.
    pub variance: f64,
}

/// The values that are assumed for observations under way.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Fantasy {
    /// Draws of the function, as in Spearmint (Snoek, Larochelle & Adams 2012).
    #[default]
    Latent,
    /// Draws of noisy observations of it.
    Noisy,
}

/// Over what an improvement is expected.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Incumbent {
    /// The highest posterior mean at a point that was observed or is being observed.
    #[default]
    Mean,
    /// The highest observation, which with noise is probably a lucky one.
    Observed,
}

/// A [`Posterior`] together with several joint draws of the observations under way, its fantasies.
/// Acquisitions are averages over them.
///
/// The variance is the same for all fantasies. Their means differ in one term per point under way
/// only, so an evaluation at a point costs O(n^2) for all fantasies together.
#[derive(Clone, Debug)]
pub struct FantasyPosterior {
    posterior: Posterior,
    /// How many points have been observed.
    known: usize,
    /// For each fantasy the rest of L^-1 (y - m), of the points under way.
    tails: Vec<Vec<f64>>,
    /// The incumbent of each fantasy.
    best: Vec<f64>,
    /// K^-1 (y - m) in the first fantasy.
    weights: Vec<f64>,
}

impl FantasyPosterior {
    /// The posterior while the points `pending` are under way. Each item of `draws` has a standard
    /// normal number for each of these points, and makes one fantasy; without points under way
    /// there is one fantasy, and `draws` are not used. `noise` is added to the variances of the
    /// points under way. `observed` is the highest observation.
    ///
    /// # Errors
    /// If the covariances are not positive definite.
    ///
    /// # Panics
    /// If a draw has fewer numbers than there are points under way.
    pub fn new(
        mut posterior: Posterior,
        pending: &[Pending],
        noise: f64,
        draws: &[Vec<f64>],
        fantasy: Fantasy,
        incumbent: Incumbent,
        observed: f64,
    ) -> Result<FantasyPosterior, NotPositiveDefinite> {
        let known = posterior.points().len();
        for point in pending {
            posterior.push_point(&point.x, point.variance + noise)?;
        }
        let factor = posterior.factor();
        // The rows of the points under way: the last ones of the factor, and of their own
        // covariance.
        let tail = |i: usize, j: usize| factor.row(known + i)[known + j];
        let latent = match fantasy {
            Fantasy::Noisy => None,
            Fantasy::Latent => {
                let mut latent = Factor::default();
                for (i, point) in pending.iter().enumerate() {
                    let covariance = |j: usize| (0..=j).map(|k| tail(i, k) * tail(j, k)).sum::<f64>();
                    let mut row: Vec<f64> = (0..=i).map(covariance).collect();
                    row[i] += 1e-9 * posterior.kernel().variance - (point.variance + noise);
                    // Points that repeat have nothing of their own left.
                    row[i] = row[i].max(f64::MIN_POSITIVE);
                    if !latent.push(&row) {
                        row[i] += 1e-6 * posterior.kernel().variance;
                        if !latent.push(&row) {
                            return Err(NotPositiveDefinite);
                        }
                    }
                }
                Some(latent)
            }
        };
        let fantasies = if pending.is_empty() { 1 } else { draws.len() };
        let mut tails = Vec::with_capacity(fantasies);
        let mut best = Vec::with_capacity(fantasies);
        let means: Vec<f64> = (0..pending.len())
            .map(|i| posterior.mean() + dot(&factor.row(known + i)[..known], posterior.whitened()))
            .collect();
        for draw in draws.iter().take(if pending.is_empty() { 0 } else { fantasies }) {
            // What is drawn above the means, and what remains of it beside the noise.
            let above: Vec<f64> = match &latent {
                Some(latent) => (0..pending.len()).map(|i| dot(latent.row(i), &draw[..=i])).collect(),
                None => (0..pending.len()).map(|i| (0..=i).map(|k| tail(i, k) * draw[k]).sum()).collect(),
            };
            let mut white = above.clone();
            for i in 0..white.len() {
                let before: f64 = (0..i).map(|k| tail(i, k) * white[k]).sum();
                white[i] = (white[i] - before) / tail(i, i);
            }
            let highest = means.iter().zip(&above).map(|(mean, above)| mean + above).fold(observed, f64::max);
            tails.push(white);
            best.push(highest);
        }
        if pending.is_empty() {
            tails.push(Vec::new());
            best.push(observed);
        }
        let mut outlook = FantasyPosterior { posterior, known, tails, best, weights: Vec::new() };
        outlook.weights = outlook.weights(0);
        if incumbent == Incumbent::Mean {
            outlook.best = outlook.best_means();
        }
        Ok(outlook)
    }

    /// K^-1 (y - m) in a fantasy.
    fn weights(&self, fantasy: usize) -> Vec<f64> {
        let mut weights = [self.posterior.whitened(), &self.tails[fantasy]].concat();
        self.posterior.factor().solve_upper(&mut weights);
        weights
    }

    /// The highest mean of each fantasy at a point that was or is being observed; minus infinity if
    /// there is none.
    fn best_means(&self) -> Vec<f64> {
        let highest = |fantasy| {
            let weights = self.weights(fantasy);
            self.means_with(fantasy, &weights).fold(f64::NEG_INFINITY, f64::max)
        };
        (0..self.tails.len()).map(highest).collect()
    }

    /// The means of a fantasy with these weights at the points that were or are being observed.
    fn means_with(&self, fantasy: usize, weights: &[f64]) -> impl Iterator<Item = f64> {
        let (known, tail) = (self.posterior.whitened(), &self.tails[fantasy]);
        let imagined = move |i: usize| {
            let (before, after) = self.posterior.factor().row(i).split_at(self.known);
            dot(before, known) + dot(after, &tail[..=i - self.known])
        };
        let observed = self.posterior.residuals().iter().copied();
        let residuals = observed.chain((self.known..self.posterior.points().len()).map(imagined));
        residuals
            .zip(weights)
            .enumerate()
            .map(|(i, (residual, weight))| self.posterior.mean_observed(i, residual, *weight))
    }

    /// The means of the first fantasy at the points that were observed.
    pub(crate) fn observed_means(&self) -> Vec<f64> {
        self.means_with(0, &self.weights).take(self.known).collect()
    }

    /// The mean of the first fantasy at a point, in O(n).
    pub(crate) fn mean_at(&self, x: &[f64]) -> f64 {
        let terms = self.posterior.points().iter().zip(&self.weights);
        self.posterior.mean()
            + terms.map(|(y, weight)| weight * self.posterior.kernel().at(x, y)).sum::<f64>()
    }

    /// The same, and in `gradient`, unless that is empty, its derivatives by the coordinates of x.
    fn mean_with_gradient(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        if gradient.is_empty() {
            return self.mean_at(x);
        }
        gradient.fill(0.0);
        let (mut mean, mut by_point) = (self.posterior.mean(), vec![0.0; gradient.len()]);
        for (y, weight) in self.posterior.points().iter().zip(&self.weights) {
            mean += weight * self.posterior.kernel().with_gradient(x, y, &mut by_point);
            gradient.iter_mut().zip(&by_point).for_each(|(sum, d)| *sum += weight * d);
        }
        mean
    }

    pub(crate) fn posterior(&self) -> &Posterior {
        &self.posterior
    }

    /// The number of fantasies.
    pub fn fantasies(&self) -> usize {
        self.tails.len()
    }

    /// The incumbent of a fantasy.
    pub fn best(&self, fantasy: usize) -> f64 {
        self.best[fantasy]
    }

    #[inline]
    pub(crate) fn mean(&self, white: &[f64], fantasy: usize) -> f64 {
        let (known, rest) = white.split_at(self.known);
        let rest: f64 = rest.iter().zip(&self.tails[fantasy]).map(|(a, b)| a * b).sum();
        self.posterior.mean() + dot(known, self.posterior.whitened()) + rest
    }

    /// The function at a point in a fantasy.
    pub fn at(&self, x: &[f64], fantasy: usize) -> Normal {
        let mut white = Vec::new();
        self.posterior.whiten(x, &mut white);
        let variance = (self.posterior.kernel().variance - dot(&white, &white)).max(0.0);
        Normal { mean: self.mean(&white, fantasy), variance }
    }

    /// The average of an acquisition over the first `fantasies` fantasies: the upper confidence
    /// bound itself, or the logarithm of the expected improvement, which also replaces the
    /// knowledge gradient here. Writes its derivatives by the coordinates of x to `gradient`,
    /// unless that is empty.
    pub fn acquisition(
        &self,
        acquisition: Acquisition,
        x: &[f64],
        fantasies: usize,
        gradient: &mut [f64],
    ) -> f64 {
        if acquisition == (Acquisition::UpperConfidenceBound { kappa: 0.0 }) && self.tails.len() == 1 {
            return self.mean_with_gradient(x, gradient);
        }
        let mut white = Vec::new();
        self.posterior.whiten(x, &mut white);
        let kernel = self.posterior.kernel();
        let variance = (kernel.variance - dot(&white, &white)).max(1e-14 * kernel.variance);
        let s = variance.sqrt();
        let n = fantasies.clamp(1, self.tails.len());
        let known = self.posterior.mean() + dot(&white[..self.known], self.posterior.whitened());
        let mean =
            |tail: &Vec<f64>| known + white[self.known..].iter().zip(tail).map(|(a, b)| a * b).sum::<f64>();
        let kappa = match acquisition {
            Acquisition::UpperConfidenceBound { kappa } => Some(kappa),
            _ => None,
        };

        // The logarithms of the improvements, and how the average depends on each mean and on s.
        let means: Vec<f64> = self.tails[..n].iter().map(mean).collect();
        let gains: Vec<Gain> = match kappa {
            Some(_) => Vec::new(),
            None => means.iter().zip(&self.best).map(|(mean, best)| Gain::at((mean - best) / s)).collect(),
        };
        let highest = gains.iter().map(|gain| gain.ln).fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = gains.iter().map(|gain| (gain.ln - highest).exp()).collect();
        let sum: f64 = shares.iter().sum();
        let value = match kappa {
            Some(kappa) => means.iter().sum::<f64>() / n as f64 + kappa * s,
            None => highest + (sum / n as f64).ln() + s.ln(),
        };
        if gradient.is_empty() {
            return value;
        }
        let by_mean: Vec<f64> = match kappa {
            Some(_) => vec![1.0 / n as f64; n],
            None => {
                gains.iter().zip(&shares).map(|(gain, share)| share / sum * gain.distribution / s).collect()
            }
        };
        let by_s = match kappa {
            Some(kappa) => kappa,
            None => gains.iter().zip(&shares).map(|(gain, share)| share / sum * gain.density / s).sum(),
        };
        // Both depend on x through L^-1 k(x).
        let mut slopes = vec![0.0; self.posterior.points().len()];
        slopes[..self.known].copy_from_slice(self.posterior.whitened());
        let total: f64 = by_mean.iter().sum();
        slopes[..self.known].iter_mut().for_each(|slope| *slope *= total);
        for (tail, by_mean) in self.tails.iter().zip(&by_mean) {
            slopes[self.known..].iter_mut().zip(tail).for_each(|(slope, tail)| *slope += by_mean * tail);
        }
        for (slope, white) in slopes.iter_mut().zip(&white) {
            *slope -= by_s * white / s;
        }
        self.posterior.factor().solve_upper(&mut slopes);
        gradient.fill(0.0);
        let mut by_point = vec![0.0; gradient.len()];
        for (point, slope) in self.posterior.points().iter().zip(&slopes) {
            kernel.with_gradient(x, point, &mut by_point);
            gradient.iter_mut().zip(&by_point).for_each(|(sum, d)| *sum += slope * d);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{POINTS, close, oracle, oracle_data};
    use crate::{Matern52, expected_improvement};

    /// One point under way, with the three nodes and weights of Gauss and Hermite for its outcome.
    fn one_pending(fantasy: Fantasy, incumbent: Incumbent) -> (FantasyPosterior, [f64; 3]) {
        let pending = [Pending { x: vec![0.5, 0.6], variance: 0.0 }];
        let draws = [vec![0.0], vec![3_f64.sqrt()], vec![-3_f64.sqrt()]];
        let outlook =
            FantasyPosterior::new(oracle(), &pending, 6.25e-4, &draws, fantasy, incumbent, 0.56).unwrap();
        (outlook, [2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0])
    }

    #[test]
    fn fantasies_agree_with_other_programs() {
        let variances = [
            2.410_439_855_318_183e-4,
            2.187_108_963_220_782e-4,
            9.792_260_417_365_401e-4,
            1.516_875_108_036_78e-3,
            4.080_275_167_734_808e-4,
            5.895_416_396_441_591e-4,
            4.394_565_494_163_34e-4,
            6.418_903_244_980_14e-4,
            2.213_382_764_136_001e-4,
            9.493_624_803_855_877e-4,
        ];
        let noisy = [
            1.403_131_695_349_493e-4,
            1.086_512_723_717_239e-4,
            5.002_186_564_203_224e-5,
            5.095_145_772_479_71e-5,
            3.265_875_998_793_656e-4,
            1.090_250_614_466_723e-3,
            2.510_381_739_973_582e-5,
            9.053_913_641_154_667e-5,
            1.320_924_502_396_782e-4,
            1.628_576_147_191_996e-3,
        ];
        let latent = [
            2.202_726_964_026_156e-4,
            1.945_034_317_856_442e-4,
            5.563_819_251_930_959e-5,
            5.362_453_795_945_744e-5,
            4.525_886_555_483_908e-4,
            1.428_591_801_468_009e-3,
            3.090_602_634_566_884e-5,
            1.004_922_636_990_74e-4,
            2.251_347_988_505_51e-4,
            1.990_336_221_238_479e-3,
        ];
        for (fantasy, expected) in [(Fantasy::Noisy, noisy), (Fantasy::Latent, latent)] {
            let (outlook, weights) = one_pending(fantasy, Incumbent::Observed);
            for (i, x) in POINTS.iter().enumerate() {
                let improvement: f64 = (0..3)
                    .map(|f| weights[f] * expected_improvement(outlook.at(x, f), outlook.best(f)))
                    .sum();
                assert!((improvement - expected[i]).abs() < 1e-10, "{improvement} is not {}", expected[i]);
                (0..3).for_each(|f| close(outlook.at(x, f).variance, variances[i]));
            }
        }
    }

    #[test]
    fn the_average_over_two_processes_agrees() {
        let expected = [
            1.136_725_645_277_857e-3,
            1.368_469_798_275_679e-3,
            3.534_365_172_524_17e-5,
            1.001_955_773_787_842e-4,
            5.239_495_168_029_695e-4,
            2.122_672_738_247_6e-3,
            1.777_277_286_635_769e-5,
            5.409_089_504_755_084e-5,
            1.550_283_120_246_276e-3,
            2.119_188_771_730_386e-3,
        ];
        let other = Matern52 { variance: 0.0025, lengths: vec![0.3, 1.5] };
        let other = Posterior::new(other, 0.505, 4e-4, &oracle_data()).unwrap();
        let outlooks = [oracle(), other].map(|posterior| {
            FantasyPosterior::new(posterior, &[], 0.0, &[], Fantasy::Latent, Incumbent::Observed, 0.56)
                .unwrap()
        });
        for (x, expected) in POINTS.iter().zip(expected) {
            let log = |outlook: &FantasyPosterior| {
                outlook.acquisition(Acquisition::ExpectedImprovement, x, 1, &mut [])
            };
            close((log(&outlooks[0]).exp() + log(&outlooks[1]).exp()) / 2.0, expected);
        }
    }

    #[test]
    fn gradients_are_those_of_the_averages() {
        let bound = Acquisition::UpperConfidenceBound { kappa: 2.0 };
        for incumbent in [Incumbent::Mean, Incumbent::Observed] {
            for acquisition in [Acquisition::ExpectedImprovement, bound] {
                let (outlook, _) = one_pending(Fantasy::Latent, incumbent);
                for x in [[0.3, 0.4], [0.05, 0.9], [0.8, 0.2]] {
                    let mut gradient = [0.0; 2];
                    outlook.acquisition(acquisition, &x, 3, &mut gradient);
                    for d in 0..2 {
                        let near = |step: f64| {
                            let mut x = x;
                            x[d] += step;
                            outlook.acquisition(acquisition, &x, 3, &mut [])
                        };
                        let slope = (near(1e-6) - near(-1e-6)) / 2e-6;
                        let error = (gradient[d] - slope).abs();
                        assert!(
                            error < 1e-6 * (1.0 + slope.abs()),
                            "{acquisition:?}: {} and {slope}",
                            gradient[d]
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_mean_alone_has_its_gradient() {
        let mean = Acquisition::UpperConfidenceBound { kappa: 0.0 };
        let outlook =
            FantasyPosterior::new(oracle(), &[], 0.0, &[], Fantasy::Latent, Incumbent::Mean, 0.56).unwrap();
        for x in [[0.3, 0.4], [0.05, 0.9], [0.8, 0.2]] {
            let mut gradient = [0.0; 2];
            close(outlook.acquisition(mean, &x, 1, &mut gradient), outlook.at(&x, 0).mean);
            for d in 0..2 {
                let near = |step: f64| {
                    let mut x = x;
                    x[d] += step;
                    outlook.acquisition(mean, &x, 1, &mut [])
                };
                let slope = (near(1e-6) - near(-1e-6)) / 2e-6;
                assert!(
                    (gradient[d] - slope).abs() < 1e-6 * (1.0 + slope.abs()),
                    "{} and {slope}",
                    gradient[d]
                );
            }
        }
    }

    #[test]
    fn means_by_weights_are_the_means() {
        for fantasy in [Fantasy::Latent, Fantasy::Noisy] {
            let (outlook, _) = one_pending(fantasy, Incumbent::Mean);
            POINTS.iter().for_each(|x| close(outlook.mean_at(x), outlook.at(x, 0).mean));
            let means = outlook.observed_means();
            assert_eq!(means.len(), oracle_data().len());
            oracle_data().iter().zip(means).for_each(|(o, mean)| close(mean, outlook.at(&o.x, 0).mean));
        }
    }

    #[test]
    fn the_incumbent_is_the_highest_mean() {
        let none =
            FantasyPosterior::new(oracle(), &[], 0.0, &[], Fantasy::Latent, Incumbent::Mean, 0.56).unwrap();
        close(none.best(0), 0.531_412_524_913_118_2);
        let (outlook, _) = one_pending(Fantasy::Latent, Incumbent::Mean);
        for f in 0..3 {
            let points = oracle_data().into_iter().map(|observation| observation.x).chain([vec![0.5, 0.6]]);
            let highest = points.map(|x| outlook.at(&x, f).mean).fold(f64::MIN, f64::max);
            close(outlook.best(f), highest);
        }
    }
}
