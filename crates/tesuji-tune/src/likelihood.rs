//! The likelihood of the observations as a function of the parameters of the process.

use crate::factor::{Factor, dot};
use crate::hyper::{Hyper, Prior};
use crate::posterior::Observation;

/// The density of fixed observations under changing parameters.
///
/// Distances are computed once. As long as lengths stay, correlations do too; so a look costs n^3 /
/// 6 multiplications and, where lengths change, n^2 / 2 exponentials.
pub(crate) struct Likelihood<'a> {
    data: &'a [Observation],
    prior: &'a Prior,
    /// For each length the squared distance of each pair of points in its coordinates, in packed
    /// rows without the diagonal.
    squares: Vec<Vec<f64>>,
    /// The correlation of each pair, for `lengths`.
    correlations: Vec<f64>,
    lengths: Vec<f64>,
    factor: Factor,
    whitened: Vec<f64>,
}

impl<'a> Likelihood<'a> {
    /// Of `data`, where each length holds for one of these numbers of coordinates.
    pub(crate) fn new(prior: &'a Prior, data: &'a [Observation], widths: &[usize]) -> Likelihood<'a> {
        let n = data.len();
        let pairs = || (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        let mut end = 0;
        let mut squares = |width: &usize| -> Vec<f64> {
            let own = end..end + width;
            end = own.end;
            let square = |i: usize, j: usize| {
                let (x, y) = (&data[i].x[own.clone()], &data[j].x[own.clone()]);
                x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum()
            };
            pairs().map(|(i, j)| square(i, j)).collect()
        };
        Likelihood {
            data,
            prior,
            squares: widths.iter().map(&mut squares).collect(),
            correlations: vec![0.0; n * n.saturating_sub(1) / 2],
            lengths: Vec::new(),
            factor: Factor::default(),
            whitened: Vec::with_capacity(n),
        }
    }

    /// The logarithm of the density of parameters and observations together, but for a constant.
    pub(crate) fn log_density(&mut self, hyper: &Hyper) -> f64 {
        let before = self.prior.log_density(hyper);
        if before == f64::NEG_INFINITY {
            return before;
        }
        if self.lengths != hyper.lengths {
            self.correlate(&hyper.lengths);
        }
        let likelihood = self.log_likelihood(hyper);
        if likelihood.is_nan() { f64::NEG_INFINITY } else { before + likelihood }
    }

    /// Learns the correlations for these lengths.
    fn correlate(&mut self, lengths: &[f64]) {
        self.lengths.clear();
        self.lengths.extend_from_slice(lengths);
        self.correlations.fill(0.0);
        for (squares, length) in self.squares.iter().zip(lengths) {
            let scale = 5.0 / (length * length);
            self.correlations.iter_mut().zip(squares).for_each(|(sum, square)| *sum += scale * square);
        }
        for correlation in &mut self.correlations {
            let square = *correlation;
            let s = square.sqrt();
            *correlation = (1.0 + s + square / 3.0) * (-s).exp();
        }
    }

    /// The logarithm of the density of the observations; minus infinity if their covariances are
    /// not positive definite.
    fn log_likelihood(&mut self, hyper: &Hyper) -> f64 {
        let noise = hyper.shared_noise();
        let mut correlations = &self.correlations[..];
        let is_definite = self.factor.set(self.data.len(), |i, rows| {
            let (own, rest) = correlations.split_at(i);
            correlations = rest;
            rows.extend(own.iter().map(|correlation| hyper.variance * correlation));
            rows.push(hyper.variance + self.data[i].variance + noise);
        });
        if !is_definite {
            return f64::NEG_INFINITY;
        }
        self.whitened.clear();
        self.whitened.extend(self.data.iter().map(|o| o.y - hyper.mean));
        self.factor.solve_lower(&mut self.whitened, 0);
        let n = self.data.len() as f64;
        -0.5 * dot(&self.whitened, &self.whitened)
            - self.factor.ln_diagonal()
            - 0.5 * n * (2.0 * std::f64::consts::PI).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{close, oracle_data};

    #[test]
    fn it_is_that_of_the_process() {
        let data = oracle_data();
        let prior = Prior::new(&data, 2);
        for widths in [vec![1, 1], vec![2]] {
            let mut likelihood = Likelihood::new(&prior, &data, &widths);
            let mut hyper = Hyper { mean: 0.5, noise: 1e-3, ..Hyper::sharing(widths) };
            for (variance, length) in [(0.0036, 0.5), (0.01, 0.5), (0.01, 0.8)] {
                hyper.variance = variance;
                hyper.lengths[0] = length;
                let process = hyper.posterior(&data).unwrap();
                close(likelihood.log_density(&hyper), prior.log_density(&hyper) + process.log_likelihood());
            }
            hyper.mean = 0.7;
            assert_eq!(likelihood.log_density(&hyper), f64::NEG_INFINITY);
        }
    }
}
