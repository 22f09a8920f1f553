//! Weighted means of samples whose weights depend on the number of the visit alone.

use super::table::Table;
use super::{Backup, NodeMut};
use crate::math::exp;

/// The steps of a weighted mean: v += (r - v) w(n) / S(n), where the n-th sample has weight w(n) > 0 and S(n)
/// is the sum of the weights so far (Softmax and Monotone MCTS, eq. 9).
///
/// Kept is u(n) = S(n) / w(n), the number of samples that n weighted ones amount to, by u(1) = 1,
/// u(n) = 1 + u(n-1) w(n-1) / w(n). Up to 1024 visits the table is exact, beyond it 64 values an octave are
/// interpolated. Beyond the table's end ln w rises or falls as in its last step. An update takes constant time.
/// Steps are a backup by themselves, for weights given by any function.
#[derive(Clone, Debug)]
pub struct Steps {
    table: Table,
    /// u at the end of the table.
    last: f64,
    /// ln w(n-1) - ln w(n) beyond the end, and where u goes there unless that is 0.
    fall: f64,
    limit: f64,
}

impl Default for Steps {
    /// Equal weights.
    fn default() -> Steps {
        Steps { table: Table::default(), last: 0.0, fall: 0.0, limit: 0.0 }
    }
}

impl Steps {
    /// The steps for weights with these logarithms, which are asked for 1, 2, ... to `reach` or a little further,
    /// at most 2^20.
    pub fn new(reach: u32, mut ln_weight: impl FnMut(u32) -> f64) -> Steps {
        let (mut at, mut u, mut before, mut fall) = (0, 0.0, 0.0, 0.0);
        let table = Table::new(reach, |n| {
            while at < n {
                at += 1;
                let now = ln_weight(at);
                fall = if at == 1 { 0.0 } else { before - now };
                u = 1.0 + u * libm::exp(fall);
                before = now;
            }
            u
        });
        // Slopes so small make no difference within the reach of a search.
        let fall = if fall.abs() < 1e-13 { 0.0 } else { fall };
        Steps { table, last: u, fall, limit: -1.0 / libm::expm1(fall) }
    }

    /// u(n), at least 1 for n >= 1; weights that do not fall make it n or less.
    #[inline]
    pub fn count(&self, n: u32) -> f64 {
        self.table.exact(n).unwrap_or_else(|| self.far_count(n))
    }

    #[inline(never)]
    fn far_count(&self, n: u32) -> f64 {
        let Some(more) = n.checked_sub(self.table.end()).filter(|&more| more > 0) else {
            return self.table.at(n);
        };
        let more = f64::from(more);
        if self.fall == 0.0 {
            return self.last + more;
        }
        // u = 1 + e^fall u is the limit, and the distance from it changes by the factor e^fall each time.
        self.limit + (self.last - self.limit) * exp((more * self.fall).clamp(-700.0, 600.0))
    }
}

impl Backup for Steps {
    #[inline]
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        let n = node.visit();
        let value = node.value();
        node.set_value(value + (sample - value) / self.count(n));
        sample
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_sums() {
        type Weight = fn(f64) -> f64;
        let weights: [(Weight, f64); 5] = [
            (|_| 0.0, 0.0),
            (|n| libm::log(n), 1e-12),
            (|n| 3.0 * libm::log(n), 2e-3),
            (|n| 0.01 * n, 2e-3),
            (|n| 2.0 * libm::sin(n / 3000.0), 1e-2),
        ];
        for (ln_weight, error) in weights {
            let steps = Steps::new(20_000, |n| ln_weight(f64::from(n)));
            let mut sum = 0.0;
            for n in 1..=20_000 {
                let weight = libm::exp(ln_weight(f64::from(n)));
                sum += weight;
                let (found, expected) = (steps.count(n), sum / weight);
                let error = if n <= 1024 { 1e-11 } else { error };
                assert!((found - expected).abs() <= error * expected, "u({n}) = {found}, not {expected}");
            }
        }
    }

    #[test]
    fn beyond_the_table_logarithms_go_on_as_they_did() {
        for slope in [0.0, 1e-3, 0.5, -1e-5] {
            let short = Steps::new(10, |n| slope * f64::from(n));
            let mut expected = 0.0;
            for n in 1..=200_000 {
                expected = 1.0 + expected * libm::exp(-slope);
                let found = short.count(n);
                assert!(
                    (found - expected).abs() <= 1e-9 * expected,
                    "{slope}: u({n}) = {found}, not {expected}"
                );
            }
            assert!(short.count(u32::MAX).is_finite());
        }
    }
}
