//! The rewards of an arm.

use std::ops::AddAssign;

/// Rewards in [0, 1], as their number and the sums of their first three powers.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rewards {
    /// The number.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
    /// The sum of their cubes.
    pub cubes: f64,
}

impl Rewards {
    /// The mean; 1/2 of none.
    pub fn mean(&self) -> f64 {
        if self.count > 0 { self.sum / self.count as f64 } else { 0.5 }
    }

    /// The variance in these rewards, their mean squared distance from the mean; 0 of none.
    pub fn variance(&self) -> f64 {
        if self.count > 0 { (self.squares / self.count as f64 - self.mean().powi(2)).max(0.0) } else { 0.0 }
    }
}

impl AddAssign for Rewards {
    fn add_assign(&mut self, more: Rewards) {
        self.count += more.count;
        self.sum += more.sum;
        self.squares += more.squares;
        self.cubes += more.cubes;
    }
}

impl FromIterator<f64> for Rewards {
    fn from_iter<I: IntoIterator<Item = f64>>(rewards: I) -> Rewards {
        let mut all = Rewards::default();
        for reward in rewards {
            all += Rewards { count: 1, sum: reward, squares: reward.powi(2), cubes: reward.powi(3) };
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
        assert_eq!((rewards.count, rewards.mean(), rewards.variance()), (4, 0.625, 0.171_875));
        assert_eq!((Rewards::default().mean(), Rewards::default().variance()), (0.5, 0.0));
    }
}
