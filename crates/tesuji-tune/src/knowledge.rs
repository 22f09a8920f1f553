//! The knowledge gradient: the gain of the best decision by one more observation.

use crate::factor::dot;
use crate::fantasy_posterior::FantasyPosterior;

/// Points among which the best is looked for after one more observation, in one
/// [`FantasyPosterior`].
///
/// The knowledge gradient at x (Frazier, Powell & Dayanik 2009; for a continuous region Scott,
/// Frazier & Powell 2011) is by how much the highest posterior mean is expected to rise when x is
/// observed with noise of variance s2. An observation moves the mean at z by c(x, z) Z /
/// sqrt(v(x) + s2), with c and v the posterior covariance and variance and Z a standard normal
/// variable. The expected improvement counts what x itself gains; this counts what all points gain,
/// which under noise is most of it.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    points: Vec<Vec<f64>>,
    /// L^-1 k of each point.
    white: Vec<Vec<f64>>,
    /// For each fantasy the mean at each point.
    means: Vec<Vec<f64>>,
    /// The highest of them.
    best: Vec<f64>,
    /// The variance s2 of the noise of the next observation.
    noise: f64,
}

/// The medians of eight equally likely parts of the standard normal distribution, scaled to
/// variance 1.
const NODES: [f64; 8] = [
    -1.662_959_604,
    -0.961_651_218,
    -0.529_825_006,
    -0.170_522_007,
    0.170_522_007,
    0.529_825_006,
    0.961_651_218,
    1.662_959_604,
];

impl Knowledge {
    /// Of these points in the first `fantasies` fantasies of an outlook.
    pub(crate) fn new(
        outlook: &FantasyPosterior,
        points: Vec<Vec<f64>>,
        fantasies: usize,
        noise: f64,
    ) -> Knowledge {
        let whiten = |x: &Vec<f64>| {
            let mut white = Vec::new();
            outlook.posterior().whiten(x, &mut white);
            white
        };
        let white: Vec<Vec<f64>> = points.iter().map(whiten).collect();
        let count = fantasies.clamp(1, outlook.fantasies());
        let means: Vec<Vec<f64>> =
            (0..count).map(|f| white.iter().map(|white| outlook.mean(white, f)).collect()).collect();
        let highest = |means: &Vec<f64>| means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Knowledge { best: means.iter().map(highest).collect(), points, white, means, noise }
    }

    /// The knowledge gradient at x, averaged over the fantasies, with x among the points.
    pub(crate) fn gradient(&self, outlook: &FantasyPosterior, x: &[f64]) -> f64 {
        let (posterior, mut white) = (outlook.posterior(), Vec::new());
        posterior.whiten(x, &mut white);
        let kernel = posterior.kernel();
        let variance = (kernel.variance - dot(&white, &white)).max(1e-14 * kernel.variance);
        let root = (variance + self.noise).sqrt();
        let slope = |(z, other): (&Vec<f64>, &Vec<f64>)| (kernel.at(x, z) - dot(&white, other)) / root;
        let slopes: Vec<f64> = self.points.iter().zip(&self.white).map(slope).collect();
        let mut sum = 0.0;
        for (f, means) in self.means.iter().enumerate() {
            let own = outlook.mean(&white, f);
            let before = self.best[f].max(own);
            for node in NODES {
                sum += highest(means, &slopes, node).max(own + variance / root * node) - before;
            }
        }
        sum / (NODES.len() * self.means.len()) as f64
    }
}

/// The highest mean + slope z, eight at a time.
fn highest(means: &[f64], slopes: &[f64], z: f64) -> f64 {
    let (means, slopes) = (means.as_chunks::<8>(), slopes.as_chunks::<8>());
    let mut tops = [f64::NEG_INFINITY; 8];
    for (means, slopes) in means.0.iter().zip(slopes.0) {
        for i in 0..8 {
            let after = means[i] + slopes[i] * z;
            tops[i] = if after > tops[i] { after } else { tops[i] };
        }
    }
    let rest = means.1.iter().zip(slopes.1).map(|(mean, slope)| mean + slope * z);
    rest.chain(tops).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{POINTS, oracle};
    use crate::{Fantasy, Incumbent, Observation, Posterior};

    #[test]
    fn it_is_what_an_observation_brings() {
        let outlook =
            FantasyPosterior::new(oracle(), &[], 0.0, &[], Fantasy::Latent, Incumbent::Mean, 0.56).unwrap();
        let points: Vec<Vec<f64>> = POINTS.iter().map(|x| x.to_vec()).collect();
        let noise = 6.25e-4;
        let knowledge = Knowledge::new(&outlook, points.clone(), 1, noise);
        let highest = |posterior: &Posterior, x: &[f64]| {
            let points = points.iter().map(Vec::as_slice).chain([x]);
            points.map(|z| posterior.at(z).mean).fold(f64::MIN, f64::max)
        };
        for x in [[0.3, 0.4], [0.9, 0.8], [0.0, 0.0]] {
            // Observe it at each node of the predictive distribution, with a new process each time.
            let at = oracle().at(&x);
            let spread = (at.variance + noise).sqrt();
            let gains = NODES.map(|node| {
                let mut data = crate::testing::oracle_data();
                data.push(Observation { x: x.to_vec(), y: at.mean + spread * node, variance: 0.0 });
                let kernel = oracle().kernel().clone();
                highest(&Posterior::new(kernel, 0.5, noise, &data).unwrap(), &x)
            });
            let expected = gains.iter().sum::<f64>() / 8.0 - highest(&oracle(), &x);
            let found = knowledge.gradient(&outlook, &x);
            assert!(expected > 0.0 && (found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
    }

    #[test]
    fn nodes_have_mean_0_and_variance_1() {
        assert!(NODES.iter().sum::<f64>().abs() < 1e-12);
        assert!((NODES.iter().map(|x| x * x).sum::<f64>() / 8.0 - 1.0).abs() < 1e-8);
    }
}
