//! The parameters of a Gaussian process, learned from the observations.

use crate::kernel::Matern52;
use crate::posterior::{NotPositiveDefinite, Observation, Posterior};

/// The parameters of a process.
#[derive(Clone, PartialEq, Debug)]
pub struct Hyper {
    /// The mean m far from all observations.
    pub mean: f64,
    /// The variance a of the function, above 0.
    pub variance: f64,
    /// The variance of the noise that all observations share, in addition to the known variance of
    /// each; at least 0.
    pub noise: f64,
    /// The lengths of the kernel, above 0.
    pub lengths: Vec<f64>,
    /// The number of consecutive coordinates that each length holds for, usually one.
    pub widths: Vec<usize>,
}

/// The prior of the parameters, before any observation. Observations are meant to have mean 0 and
/// standard deviation 1.
///
/// ```text
/// m uniform on the range of the observations,
/// a with density exp(-(ln a)^2 / 2), so ln a normal with mean 1 and standard deviation 1,
/// ln ln(1 + (0.1 / noise)^2), a horseshoe, of which very little noise and much noise are both likely,
/// ln l_d normal with mean ln(0.5 sqrt D) and standard deviation 1, in D dimensions
/// ```
///
/// The first three are those of Spearmint (Snoek, Larochelle & Adams 2012); its lengths are uniform
/// up to 2, which lets no dimension be irrelevant. Distances in a cube grow with sqrt D, and the
/// lengths with them (Hvarfner, Hellsten & Nardi 2024).
#[derive(Clone, PartialEq, Debug)]
pub struct Prior {
    /// The least and the greatest mean.
    pub mean: (f64, f64),
    /// The scale of the noise variance.
    pub noise: f64,
    /// The median of the lengths, and the standard deviation of their logarithms.
    pub length: (f64, f64),
}

impl Prior {
    /// The prior for these observations of a function of `dimensions` coordinates.
    pub fn new(data: &[Observation], dimensions: usize) -> Prior {
        let range = |(low, high): (f64, f64), o: &Observation| (low.min(o.y), high.max(o.y));
        let mean = data.iter().fold((f64::INFINITY, f64::NEG_INFINITY), range);
        Prior {
            mean: if mean.0 < mean.1 { mean } else { (-1.0, 1.0) },
            noise: 0.1,
            length: (0.5 * (dimensions as f64).sqrt(), 1.0),
        }
    }

    /// The logarithm of the density at some parameters, up to a constant; minus infinity if they
    /// are impossible.
    pub fn log_density(&self, hyper: &Hyper) -> f64 {
        let possible = self.mean.0 <= hyper.mean
            && hyper.mean <= self.mean.1
            && hyper.variance > 0.0
            && hyper.noise > 0.0
            && hyper.lengths.iter().all(|&length| length > 0.0);
        if !possible {
            return f64::NEG_INFINITY;
        }
        let square = |z: f64| -0.5 * z * z;
        let lengths = hyper.lengths.iter().map(|length| (length / self.length.0).ln() / self.length.1);
        square(hyper.variance.ln())
            + (self.noise / hyper.noise).powi(2).ln_1p().ln()
            + lengths.map(square).sum::<f64>()
    }
}

impl Hyper {
    /// The parameters with which a chain begins: mean and variance of standardised observations,
    /// little noise, and one length for each of `dimensions` coordinates.
    pub fn start(dimensions: usize) -> Hyper {
        Hyper::sharing(vec![1; dimensions])
    }

    /// [`Hyper::start`], with a length for each of these numbers of coordinates.
    pub fn sharing(widths: Vec<usize>) -> Hyper {
        Hyper { mean: 0.0, variance: 1.0, noise: 1e-3, lengths: vec![0.5; widths.len()], widths }
    }

    /// The process with these parameters, given `data`.
    ///
    /// # Errors
    /// If the covariances are not positive definite.
    pub fn posterior(&self, data: &[Observation]) -> Result<Posterior, NotPositiveDefinite> {
        let lengths = self.lengths.iter().zip(&self.widths);
        let lengths = lengths.flat_map(|(length, width)| std::iter::repeat_n(*length, *width)).collect();
        let kernel = Matern52 { variance: self.variance, lengths };
        Posterior::new(kernel, self.mean, self.shared_noise(), data)
    }

    /// The noise that all observations share, with a little more, so that repeated points do no
    /// harm.
    pub(crate) fn shared_noise(&self) -> f64 {
        self.noise + JITTER * self.variance
    }
}

/// What is added to the diagonal, as a share of the variance.
const JITTER: f64 = 1e-8;
