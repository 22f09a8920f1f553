//! Weighted means of samples whose weights depend on the number of the visit alone.

use super::table::{EACH, LookupTable, REACH};
use super::{Backup, NodeMut};
use crate::math::exp;
use alloc::vec::Vec;

/// The steps of a weighted mean: v += (r - v) w(n) / S(n), where the n-th sample has weight w(n) >
/// 0 and S(n) is the sum of the weights so far (Softmax and Monotone MCTS, eq. 9).
///
/// They store u(n) = S(n) / w(n), the number of equal samples that n weighted ones amount to: u(1)
/// = 1, u(n) = 1 + u(n-1) w(n-1) / w(n). Beyond the last weight ln w rises or falls as in its last
/// step. Steps are a backup by themselves, for weights given by any function.
///
/// Every step is exact. They take 8 bytes for each of the first 1024 visits. Beyond these they take
/// 12 bytes for each run of equal weights, and an update there takes time proportional to the
/// logarithm of the runs.
#[derive(Clone, Debug)]
pub struct Steps {
    table: LookupTable,
    runs: Runs,
    /// The last visit whose weight was given, and u there.
    end: u32,
    last: f64,
    /// ln w(n-1) - ln w(n) beyond the end, and where u goes there unless that is 0.
    fall: f64,
    limit: f64,
}

impl Default for Steps {
    /// Equal weights.
    fn default() -> Steps {
        Steps {
            table: LookupTable::default(),
            runs: Runs::default(),
            end: 0,
            last: 0.0,
            fall: 0.0,
            limit: 0.0,
        }
    }
}

impl Steps {
    /// The steps for weights with these logarithms: `ln_weight` is called for n = 1 to `reach`,
    /// which is at least 2 and at most 2^20.
    pub fn new(reach: u32, mut ln_weight: impl FnMut(u32) -> f64) -> Steps {
        let reach = reach.clamp(2, REACH);
        Steps::of_runs(reach, (1..=reach).map(|n| (1, ln_weight(n))))
    }

    /// The steps for runs of equal weights: the length of each, at least 1, and the logarithm of
    /// its weight. They have `reach` visits, at least 2, together.
    pub(super) fn of_runs(reach: u32, runs: impl Iterator<Item = (u32, f64)>) -> Steps {
        let near = reach.min(EACH);
        let mut runs = runs.peekable();
        let mut u = Recurrence::default();
        let table = LookupTable::new(near, |n| {
            if n > 0 {
                let (left, ln_weight) = runs.peek_mut().expect("the runs reach so far");
                u.next(*ln_weight);
                *left -= 1;
                if *left == 0 {
                    runs.next();
                }
            }
            u.count
        });
        let mut far = Runs::default();
        for (length, ln_weight) in runs {
            u.next(ln_weight);
            if u.fall != 0.0 || far.first.is_empty() {
                far.first.push(u.visits);
                far.count.push(u.count);
            }
            u.skip(length - 1);
        }
        far.first.shrink_to_fit();
        far.count.shrink_to_fit();
        Steps::from_parts(table, far, &u)
    }

    /// The steps for weights that change smoothly, which are asked for 1, 2, ... to `reach` or a
    /// little further, at most 2^20. Beyond 1024 visits 64 values of u an octave are kept, and
    /// others are interpolated.
    pub(super) fn interpolated(reach: u32, mut ln_weight: impl FnMut(u32) -> f64) -> Steps {
        let mut u = Recurrence::default();
        let table = LookupTable::new(reach.min(REACH), |n| {
            while u.visits < n {
                u.next(ln_weight(u.visits + 1));
            }
            u.count
        });
        Steps::from_parts(table, Runs::default(), &u)
    }

    fn from_parts(table: LookupTable, runs: Runs, u: &Recurrence) -> Steps {
        // Slopes so small make no difference within the reach of a search.
        let fall = if u.fall.abs() < 1e-13 { 0.0 } else { u.fall };
        Steps { table, runs, end: u.visits, last: u.count, fall, limit: -1.0 / libm::expm1(fall) }
    }

    /// u(n), at least 1 for n >= 1; weights that do not fall make it n or less.
    #[inline]
    pub fn count(&self, n: u32) -> f64 {
        self.table.exact(n).unwrap_or_else(|| self.far_count(n))
    }

    #[inline(never)]
    fn far_count(&self, n: u32) -> f64 {
        if n <= self.table.end() {
            return self.table.at(n);
        }
        if n <= self.end {
            return self.runs.count(n);
        }
        let more = f64::from(n - self.end);
        if self.fall == 0.0 {
            return self.last + more;
        }
        // u = 1 + e^fall u is the limit, and the distance from it changes by the factor e^fall each
        // time.
        self.limit + (self.last - self.limit) * exp((more * self.fall).clamp(-700.0, 600.0))
    }
}

/// u, computed from one visit to the next.
#[derive(Default)]
struct Recurrence {
    visits: u32,
    /// u.
    count: f64,
    /// The logarithm of the last weight, and how far it fell there.
    ln_weight: f64,
    fall: f64,
}

impl Recurrence {
    fn next(&mut self, ln_weight: f64) {
        self.fall = if self.visits == 0 { 0.0 } else { self.ln_weight - ln_weight };
        self.count = 1.0 + self.count * libm::exp(self.fall);
        self.ln_weight = ln_weight;
        self.visits += 1;
    }

    /// More samples of the last weight.
    fn skip(&mut self, visits: u32) {
        if visits > 0 {
            self.visits += visits;
            self.count += f64::from(visits);
            self.fall = 0.0;
        }
    }
}

/// Runs of equal weights, in which u grows by 1 with each visit.
#[derive(Clone, Default, Debug)]
struct Runs {
    /// The first visit of each.
    first: Vec<u32>,
    /// u there.
    count: Vec<f64>,
}

impl Runs {
    /// u at a visit that is not before the first run.
    fn count(&self, n: u32) -> f64 {
        let run = self.first.partition_point(|&first| first <= n) - 1;
        self.count[run] + f64::from(n - self.first[run])
    }

    /// Heap bytes held.
    fn bytes(&self) -> usize {
        self.first.capacity() * size_of::<u32>() + self.count.capacity() * size_of::<f64>()
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
        self.table.bytes() + self.runs.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_sums() {
        let weights: [fn(f64) -> f64; 5] = [
            |_| 0.0,
            |n| libm::log(n),
            |n| 3.0 * libm::log(n),
            |n| 0.01 * n,
            |n| 2.0 * libm::sin(n / 3000.0),
        ];
        for ln_weight in weights {
            let steps = Steps::new(20_000, |n| ln_weight(f64::from(n)));
            let mut sum = 0.0;
            for n in 1..=20_000 {
                let weight = libm::exp(ln_weight(f64::from(n)));
                sum += weight;
                let (found, expected) = (steps.count(n), sum / weight);
                assert!((found - expected).abs() <= 1e-11 * expected, "u({n}) = {found}, not {expected}");
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
