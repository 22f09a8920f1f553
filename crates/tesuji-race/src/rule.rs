//! Rules: bounds of an arm's efficiency around its mean reward.

use crate::betting::betting_bounds;
use crate::evidence::sequence_bounds;
use crate::rewards::Rewards;
use std::f64::consts::PI;

/// Hoeffding's bound: with probability at least 1 - `risk` the mean of n rewards in [0, 1] is
/// within sqrt(ln(2 / risk) / (2 n)) of the efficiency. Infinite for n = 0.
pub fn hoeffding(risk: f64, count: u64) -> f64 {
    ((2.0 / risk).ln() / (2.0 * count as f64)).sqrt()
}

/// The empirical Bernstein bound (Audibert, Munos & Szepesvári 2009): s sqrt(2 ln(3 / risk) / n) +
/// 3 ln(3 / risk) / n, with the variance s^2 in the rewards. Narrower than Hoeffding's where that
/// is small, as for pairs of games. Infinite for n = 0.
pub fn bernstein(risk: f64, rewards: &Rewards) -> f64 {
    if rewards.count() == 0 {
        return f64::INFINITY;
    }
    let (n, log) = (rewards.count() as f64, (3.0 / risk).ln());
    (rewards.variance() * 2.0 * log / n).sqrt() + 3.0 * log / n
}

/// The division of a risk over the members of an infinite series. The shares add up to the risk or
/// less.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Spending {
    /// 2^-t to the t-th (variant 1 of the bounds of Hoock & Teytaud).
    Geometric,
    /// 6 / (pi^2 t^2) to the t-th (their variant 2).
    #[default]
    Squares,
}

impl Spending {
    /// The share of the t-th, from 1.
    ///
    /// # Panics
    /// If `t` is 0.
    pub fn share(self, t: u64) -> f64 {
        assert!(t > 0, "shares are counted from 1");
        match self {
            Spending::Geometric => 0.5_f64.powi(t.min(2000) as i32),
            Spending::Squares => 6.0 / (PI * PI * (t as f64) * (t as f64)),
        }
    }
}

/// The division of a risk over successive races.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RiskBudget {
    /// Every race has the whole risk: of many races, some are wrong.
    PerRace,
    /// The k-th race has 6 / (pi^2 k^2) of the risk: with probability at least 1 - risk, none of
    /// any number of races is wrong.
    #[default]
    Total,
}

impl RiskBudget {
    /// The risk of the k-th race, from 1.
    ///
    /// # Panics
    /// If `k` is 0.
    pub fn of_race(self, risk: f64, k: u64) -> f64 {
        assert!(k > 0, "races are counted from 1");
        match self {
            RiskBudget::PerRace => risk,
            RiskBudget::Total => risk * Spending::Squares.share(k),
        }
    }
}

/// The rule that derives bounds of an efficiency from rewards.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Rule {
    /// [`hoeffding`]; batches double.
    Hoeffding,
    /// [`bernstein`]; batches double.
    Bernstein,
    /// A confidence sequence, [`sequence_bounds`]. You may look at it as often as you like, and it
    /// needs about half of the games.
    #[default]
    EProcess,
    /// A confidence sequence by betting, [`betting_bounds`]. You may look at it as often as you
    /// like. It needs fewer games than the other one, and far fewer if rewards vary little.
    Betting,
}

impl Rule {
    /// Whether bounds hold at all times together, so that tests are free.
    pub(crate) fn is_anytime(self) -> bool {
        matches!(self, Rule::EProcess | Rule::Betting)
    }

    /// The bounds of the efficiency after the t-th test, at this risk in all tests together, for
    /// thresholds with this gap.
    pub(crate) fn bounds(
        self,
        rewards: &Rewards,
        spending: Spending,
        t: u64,
        risk: f64,
        gap: f64,
    ) -> (f64, f64) {
        let risk_of_test = risk * spending.share(t);
        let deviation = match self {
            Rule::Hoeffding => hoeffding(risk_of_test, rewards.count()),
            Rule::Bernstein => bernstein(risk_of_test, rewards),
            Rule::EProcess => return sequence_bounds(rewards.count(), rewards.sums()[0], risk),
            Rule::Betting => return betting_bounds(rewards, gap, risk),
        };
        (rewards.mean() - deviation, rewards.mean() + deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_those_of_the_table() {
        // Risk .05, one arm, first batch 64: test, rewards, deviation by variant 1 and by
        // variant 2.
        for (t, count, geometric, squares) in [
            (1, 64, 0.185_025_898_4, 0.180_852_576_3),
            (2, 128, 0.140_800_915_2, 0.147_543_347_9),
            (5, 1024, 0.059_105_537_2, 0.060_132_729_1),
            (8, 8192, 0.023_740_305_5, 0.022_569_152_1),
            (10, 32768, 0.012_730_031_4, 0.011_582_377_0),
            (14, 524_288, 0.003_573_863_9, 0.003_004_369_5),
        ] {
            for (spending, expected) in [(Spending::Geometric, geometric), (Spending::Squares, squares)] {
                let found = hoeffding(0.05 * spending.share(t), count);
                assert!((found - expected).abs() < 1e-10, "{found} is not {expected}");
            }
        }
    }

    #[test]
    fn shares_sum_to_at_most_one() {
        for spending in [Spending::Geometric, Spending::Squares] {
            let sum: f64 = (1..100_000).map(|t| spending.share(t)).sum();
            assert!(sum <= 1.0 && sum > 0.999, "{sum}");
        }
    }

    #[test]
    fn a_total_budget_is_never_overspent() {
        let spent = |budget: RiskBudget| (1..10_000).map(|k| budget.of_race(0.05, k)).sum::<f64>();
        assert!(spent(RiskBudget::Total) <= 0.05 && spent(RiskBudget::PerRace) > 1.0);
        assert_eq!(RiskBudget::PerRace.of_race(0.05, 7), 0.05);
    }

    #[test]
    #[should_panic(expected = "races are counted from 1")]
    fn there_is_no_race_0() {
        RiskBudget::PerRace.of_race(0.05, 0);
    }

    #[test]
    fn bernstein_pays_where_the_variance_is_small() {
        let rewards = |variance: f64| {
            let wins = (20_000.0 * variance) as u64;
            Rewards::games([wins, 10_000 - 2 * wins, wins])
        };
        assert!(bernstein(0.05, &rewards(0.25)) > hoeffding(0.05, 10_000));
        assert!(bernstein(0.05, &rewards(0.06)) < hoeffding(0.05, 10_000));
        let exact = 0.25 * (2.0 * 60.0_f64.ln() / 1e4).sqrt() + 3.0 * 60.0_f64.ln() / 1e4;
        assert!((bernstein(0.05, &rewards(0.0625)) - exact).abs() < 1e-12);
        assert_eq!(bernstein(0.05, &Rewards::default()), f64::INFINITY);
    }
}
