//! Rising functions of one variable.

use crate::math::ln_sum;
use alloc::vec::Vec;

/// A rising function f(u) = f(0) + the integral of e^g from 0 to u, where g is piecewise linear
/// through K knots spaced evenly over [0, 1] and constant on either side (Softmax and Monotone
/// MCTS, Lemma 3.1).
///
/// Every continuously differentiable function with a positive derivative has this form, with g = ln
/// f'. All arithmetic is done on logarithms, so that no knot overflows. Evaluation takes constant
/// time.
///
/// ```
/// use tesuji::Monotone;
///
/// let line = Monotone::new(1.0, &[0.0, 0.0, 0.0]);
/// assert!((line.value(0.75) - 1.75).abs() < 1e-12);
/// assert_eq!(line.derivative(0.75), 1.0);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Monotone {
    start: f64,
    knots: Vec<f64>,
    /// ln of the integral up to each knot.
    integrals: Vec<f64>,
}

impl Monotone {
    /// The function with f(0) = `start`, at least 0, and these values of g; without any knot it is
    /// constant.
    pub fn new(start: f64, knots: &[f64]) -> Monotone {
        let mut f = Monotone { start, knots: knots.to_vec(), integrals: Vec::with_capacity(knots.len()) };
        let mut sum = f64::NEG_INFINITY;
        for (j, _) in knots.iter().enumerate() {
            f.integrals.push(sum);
            sum = ln_sum(sum, f.ln_segment(j, f.width()));
        }
        f
    }

    /// The values of g at the knots.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// f(u).
    pub fn value(&self, u: f64) -> f64 {
        self.start + libm::exp(self.ln_integral(u))
    }

    /// ln f(u); minus infinity where f is 0.
    pub fn ln_value(&self, u: f64) -> f64 {
        ln_sum(libm::log(self.start), self.ln_integral(u))
    }

    /// f'(u) = e^g(u), which is never negative.
    pub fn derivative(&self, u: f64) -> f64 {
        libm::exp(self.ln_derivative(u))
    }

    /// g(u) = ln f'(u).
    pub fn ln_derivative(&self, u: f64) -> f64 {
        let Some(&last) = self.knots.last() else { return f64::NEG_INFINITY };
        let j = self.segment(u);
        if j + 1 == self.knots.len() {
            return last;
        }
        self.knots[j] + self.slope(j) * (u.max(0.0) - j as f64 * self.width())
    }

    fn width(&self) -> f64 {
        1.0 / self.knots.len().saturating_sub(1).max(1) as f64
    }

    /// The last knot that is not right of u.
    fn segment(&self, u: f64) -> usize {
        let last = self.knots.len() - 1;
        ((u.max(0.0) * last as f64) as usize).min(last)
    }

    /// The slope of g right of a knot.
    fn slope(&self, j: usize) -> f64 {
        self.knots.get(j + 1).map_or(0.0, |next| (next - self.knots[j]) / self.width())
    }

    /// ln of the integral of e^g over the `h` right of a knot.
    fn ln_segment(&self, j: usize, h: f64) -> f64 {
        if h <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let rise = self.slope(j) * h;
        // ln((e^rise - 1) / rise)
        let mean = if rise.abs() < 1e-8 {
            rise / 2.0
        } else if rise > 40.0 {
            rise - libm::log(rise)
        } else {
            libm::log(libm::expm1(rise) / rise)
        };
        self.knots[j] + libm::log(h) + mean
    }

    fn ln_integral(&self, u: f64) -> f64 {
        if self.knots.is_empty() || u <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let j = self.segment(u);
        ln_sum(self.integrals[j], self.ln_segment(j, u - j as f64 * self.width()))
    }
}
