//! A test for pairs of failures.

use super::beta_reg;
use serde::{Deserialize, Serialize};

/// McNemar's test of whether two agents fail equally often at the same problems (McNemar 1947).
///
/// Problems that both agents fail, or neither, carry no information. If the agents are equally
/// good, each other problem is as likely to be failed by the one as by the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct McNemar {
    /// Problems that the agent fails and the other solves.
    pub worse: u64,
    /// Problems that it solves and the other fails.
    pub better: u64,
}

impl McNemar {
    /// The counts of problems by the outcome: whether the agent failed, and whether the other one
    /// did.
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> McNemar {
        let mut counts = McNemar { worse: 0, better: 0 };
        for (fails, other_fails) in pairs {
            counts.worse += u64::from(fails && !other_fails);
            counts.better += u64::from(!fails && other_fails);
        }
        counts
    }

    /// z = (worse - better) / √(worse + better), without a correction for continuity: below 0 if
    /// the agent fails less often; 0 without any difference.
    pub fn z(&self) -> f64 {
        let (worse, better) = (self.worse as f64, self.better as f64);
        if self.worse + self.better == 0 { 0.0 } else { (worse - better) / (worse + better).sqrt() }
    }

    /// The exact two-sided p-value: min(1, 2 P(X ≤ min(worse, better))), X binomial with worse +
    /// better trials of probability 1/2 (Fagerland, Lydersen & Laake 2013, equation 3). It is valid
    /// for any number of differences.
    pub fn p(&self) -> f64 {
        let (least, most) = (self.worse.min(self.better), self.worse.max(self.better));
        // P(X ≤ k) = I_{1/2}(n - k, k + 1), I the regularised incomplete beta function.
        if least == most { 1.0 } else { (2.0 * beta_reg(most as f64, least as f64 + 1.0, 0.5)).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_from_the_agents_side() {
        let pairs = [(true, true), (true, false), (false, true), (false, true), (false, false)];
        assert_eq!(McNemar::of(pairs), McNemar { worse: 1, better: 2 });
    }

    #[test]
    fn the_sign_is_that_of_the_difference() {
        assert!(McNemar { worse: 3, better: 9 }.z() < 0.0 && McNemar { worse: 9, better: 3 }.z() > 0.0);
        for n in [0, 1, 50] {
            let even = McNemar { worse: n, better: n };
            assert_eq!((even.z(), even.p()), (0.0, 1.0));
        }
    }
}
