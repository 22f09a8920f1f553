//! The rewards of an arm.

use std::ops::AddAssign;

/// Rewards in [0, 1], as their number and the sums of their first three powers.
///
/// ```
/// use tesuji_race::Rewards;
///
/// let games = Rewards::games([3, 2, 5]);
/// let listed: Rewards = [[0.0; 3].as_slice(), &[0.5; 2], &[1.0; 5]].concat().into_iter().collect();
/// assert_eq!((games, games.count(), games.mean()), (listed, 10, 0.6));
/// ```
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Rewards {
    count: u64,
    sums: [f64; 3],
}

impl Rewards {
    pub(crate) const NONE: Rewards = Rewards { count: 0, sums: [0.0; 3] };

    /// The rewards of this many losses, draws and wins: 0, 1/2 and 1 each.
    pub fn games(counts: [u64; 3]) -> Rewards {
        let [draws, wins] = [counts[1], counts[2]].map(|count| count as f64);
        Rewards { count: counts.iter().sum(), sums: [2.0, 4.0, 8.0].map(|share| wins + draws / share) }
    }

    /// The number.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sums of the rewards, of their squares and of their cubes.
    pub(crate) fn sums(&self) -> [f64; 3] {
        self.sums
    }

    /// The mean; 1/2 of none.
    pub fn mean(&self) -> f64 {
        if self.count > 0 { self.sums[0] / self.count as f64 } else { 0.5 }
    }

    /// The variance in these rewards, their mean squared distance from the mean; 0 of none.
    pub fn variance(&self) -> f64 {
        if self.count > 0 { (self.sums[1] / self.count as f64 - self.mean().powi(2)).max(0.0) } else { 0.0 }
    }
}

impl AddAssign for Rewards {
    fn add_assign(&mut self, more: Rewards) {
        self.count += more.count;
        for (sum, more) in self.sums.iter_mut().zip(more.sums) {
            *sum += more;
        }
    }
}

impl FromIterator<f64> for Rewards {
    /// # Panics
    /// If a reward is not in [0, 1]: no bound would hold.
    fn from_iter<I: IntoIterator<Item = f64>>(rewards: I) -> Rewards {
        let mut all = Rewards::NONE;
        for reward in rewards {
            assert!((0.0..=1.0).contains(&reward), "a reward is {reward}; accepted: 0 to 1");
            all += Rewards { count: 1, sums: [1, 2, 3].map(|power| reward.powi(power)) };
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance() {
        let rewards: Rewards = [1.0, 0.5, 0.0, 1.0].into_iter().collect();
        assert_eq!((rewards.count(), rewards.mean(), rewards.variance()), (4, 0.625, 0.171_875));
        assert_eq!((Rewards::default().mean(), Rewards::default().variance()), (0.5, 0.0));
    }

    #[test]
    #[should_panic(expected = "a reward is 1.5; accepted: 0 to 1")]
    fn rewards_are_at_most_one() {
        let _: Rewards = [1.0, 1.5].into_iter().collect();
    }
}
