//! Weighted means of samples whose weights depend on the number of the visit alone.

use super::NodeMut;
use super::table::Table;

/// The steps of a weighted mean: v += (r - v) w(n) / S(n), where the n-th sample has weight w(n) > 0 and S(n)
/// is the sum of the weights so far (Softmax and Monotone MCTS, eq. 9).
///
/// Kept is u(n) = S(n) / w(n), the number of samples that n weighted ones amount to, by u(1) = 1,
/// u(n) = 1 + u(n-1) w(n-1) / w(n). Up to 1024 visits the table is exact, beyond it 64 values an octave are
/// interpolated. Beyond the table's end ln w rises or falls as in its last step. An update takes constant time.
#[derive(Clone, Debug)]
pub struct Steps {
    table: Table,
    /// u at the end of the table.
    last: f64,
    /// w(n-1) / w(n) beyond the end.
    ratio: f64,
}

impl Default for Steps {
    /// Equal weights.
    fn default() -> Steps {
        Steps { table: Table::default(), last: 0.0, ratio: 1.0 }
    }
}

impl Steps {
    /// The steps for weights with these logarithms, which are asked for 1, 2, ... to `reach` or a little further,
    /// at most 2^20.
    pub fn new(reach: u32, mut ln_weight: impl FnMut(u32) -> f64) -> Steps {
        let (mut at, mut u, mut before, mut ratio) = (0, 0.0, 0.0, 1.0);
        let table = Table::new(reach, |n| {
            while at < n {
                at += 1;
                let now = ln_weight(at);
                ratio = if at == 1 { 1.0 } else { libm::exp(before - now) };
                u = 1.0 + u * ratio;
                before = now;
            }
            u
        });
        Steps { table, last: u, ratio }
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
        if (1.0 - self.ratio).abs() < 1e-12 {
            return self.last + more;
        }
        // u = 1 + ratio u is where it goes, and the distance from there shrinks by the ratio each time.
        let limit = 1.0 / (1.0 - self.ratio);
        limit + (self.last - limit) * libm::exp((more * libm::log(self.ratio)).min(700.0))
    }

    /// Counts a visit of the node and renews its value.
    #[inline]
    pub fn update(&self, node: &mut impl NodeMut, sample: f64) {
        let n = node.visit();
        let value = node.value();
        node.set_value(value + (sample - value) / self.count(n));
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }
}
