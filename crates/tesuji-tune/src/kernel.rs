//! Kernels: the similarity of two points.

/// The Matérn 5/2 kernel with a length for each dimension,
///
/// ```text
/// k(x, y) = a (1 + s + s^2 / 3) e^-s,   s^2 = 5 sum_d ((x_d - y_d) / l_d)^2
/// ```
///
/// (Rasmussen & Williams 2006, equation 4.17; as the kernel of Bayesian optimization Snoek,
/// Larochelle & Adams 2012).
#[derive(Clone, PartialEq, Debug)]
pub struct Matern52 {
    /// The variance a of the function, above 0.
    pub variance: f64,
    /// The length l_d of each dimension, above 0, in units of the points.
    pub lengths: Vec<f64>,
}

impl Matern52 {
    /// s at a pair of points.
    #[inline]
    fn distance(&self, x: &[f64], y: &[f64]) -> f64 {
        let squares = x.iter().zip(y).zip(&self.lengths).map(|((x, y), length)| ((x - y) / length).powi(2));
        (5.0 * squares.sum::<f64>()).sqrt()
    }

    /// k(x, y).
    #[inline]
    pub fn at(&self, x: &[f64], y: &[f64]) -> f64 {
        let s = self.distance(x, y);
        self.variance * (1.0 + s + s * s / 3.0) * (-s).exp()
    }

    /// k(x, y), and in `gradient` its derivatives by the coordinates of x.
    pub fn with_gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) -> f64 {
        let s = self.distance(x, y);
        let decay = self.variance * (-s).exp();
        let slope = -5.0 / 3.0 * decay * (1.0 + s);
        for (d, slot) in gradient.iter_mut().enumerate() {
            *slot = slope * (x[d] - y[d]) / (self.lengths[d] * self.lengths[d]);
        }
        decay * (1.0 + s + s * s / 3.0)
    }

    /// The derivative of k(x, y) by the logarithm of the length of dimension `d`.
    pub(crate) fn by_length(&self, x: &[f64], y: &[f64], d: usize) -> f64 {
        let s = self.distance(x, y);
        let step = (x[d] - y[d]) / self.lengths[d];
        5.0 / 3.0 * self.variance * (1.0 + s) * (-s).exp() * step * step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_that_of_the_kernel() {
        let kernel = Matern52 { variance: 1.3, lengths: vec![0.5, 0.8] };
        let (x, y) = ([0.3, 0.3], [0.4, 0.9]);
        let mut gradient = [0.0; 2];
        assert_eq!(kernel.with_gradient(&x, &y, &mut gradient), kernel.at(&x, &y));
        for d in 0..2 {
            let near = |step: f64| {
                let mut x = x;
                x[d] += step;
                kernel.at(&x, &y)
            };
            let slope = (near(1e-5) - near(-1e-5)) / 2e-5;
            assert!((gradient[d] - slope).abs() < 1e-8, "dimension {d}: {} and {slope}", gradient[d]);
        }
        let longer = |step: f64| {
            let mut kernel = kernel.clone();
            kernel.lengths[1] *= f64::exp(step);
            kernel.at(&x, &y)
        };
        let slope = (longer(1e-5) - longer(-1e-5)) / 2e-5;
        assert!((kernel.by_length(&x, &y, 1) - slope).abs() < 1e-8);
    }
}
