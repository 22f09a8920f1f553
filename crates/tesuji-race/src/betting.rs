//! Evidence by betting, which is stronger if rewards vary little.

use crate::rewards::Rewards;

/// The greatest bet.
const GREATEST: f64 = 0.9;

/// The least of all bets, whatever the gap between the thresholds.
const LEAST: f64 = 0.002;

/// The largest ratio of a bet to the one before.
const RATIO: f64 = 1.5;

/// The bets of a race, as shares of the greatest one that cannot ruin the gambler, with their
/// weights, which sum to 1.
///
/// An efficiency may be as near to both thresholds as half of the `gap` between them. Against a
/// threshold that near, at the greatest variance of 1/4, the best bet is about the gap; greater
/// distances and smaller variances want greater bets. So bets are spread evenly on a logarithmic
/// scale from the gap to 0.9, with weights in inverse proportion to their roots, since small ones
/// need most rewards.
fn bets(gap: f64) -> impl Iterator<Item = (f64, f64)> + Clone {
    let least = gap.clamp(LEAST, GREATEST);
    let steps = ((GREATEST / least).ln() / RATIO.ln()).ceil().max(1.0);
    let bet = move |i: u32| least * (GREATEST / least).powf(f64::from(i) / steps);
    let range = 0..=steps as u32;
    let sum: f64 = range.clone().map(|i| bet(i).sqrt().recip()).sum();
    range.map(move |i| (bet(i), bet(i).sqrt().recip() / sum))
}

/// Sums of powers of the rewards' distances from 1/2, turned round for bets on low rewards.
#[derive(Clone, Copy)]
struct Moments {
    count: f64,
    sums: [f64; 3],
}

impl Moments {
    fn of(rewards: &Rewards) -> Moments {
        let (count, [sum, squares, cubes]) = (rewards.count() as f64, rewards.sums());
        let first = sum - 0.5 * count;
        let second = squares - sum + 0.25 * count;
        let third = cubes - 1.5 * squares + 0.75 * sum - 0.125 * count;
        Moments { count, sums: [first, second, third] }
    }

    fn turned(self) -> Moments {
        let [first, second, third] = self.sums;
        Moments { count: self.count, sums: [-first, second, -third] }
    }

    /// At most the logarithm of what 1 becomes by betting the share `bet` against a mean of `m` at
    /// every reward, the product of 1 + bet (x / m - 1).
    ///
    /// The sum over the cubic polynomial that equals each logarithm at x = 0, 1/2 and 1 and its
    /// slope at 1/2. Elsewhere in [0, 1] it is below, as the fourth derivative of a logarithm is
    /// negative.
    fn log_product(self, bet: f64, m: f64) -> f64 {
        let factor = |x: f64| 1.0 - bet + bet * x / m;
        let [low, middle, high] = [0.0, 0.5, 1.0].map(|x| factor(x).ln());
        let slope = bet / m / factor(0.5);
        let (square, cube) = (2.0 * (low + high - 2.0 * middle), 4.0 * (high - low - slope));
        let [first, second, third] = self.sums;
        self.count * middle + slope * first + square * second + cube * third
    }

    /// The logarithm of the mean of the products over the bets, by their weights.
    fn log_wealth(self, m: f64, bets: impl Iterator<Item = (f64, f64)>) -> f64 {
        let terms = bets.map(|(bet, weight)| weight.ln() + self.log_product(bet, m));
        // In one pass: the sum in units of the greatest so far.
        let (greatest, sum) = terms.fold((f64::NEG_INFINITY, 0.0), |(greatest, sum), term| {
            if term > greatest {
                (term, sum * (greatest - term).exp() + 1.0)
            } else {
                (greatest, sum + (term - greatest).exp())
            }
        });
        greatest + sum.ln()
    }

    /// The greatest mean, to within 1e-12, against which the wealth is at least e^`enough`; 0 if
    /// there is none.
    fn edge(self, mean: f64, enough: f64, bets: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
        let (mut low, mut high) = (0.0, mean);
        while high - low > 1e-12 {
            let middle = 0.5 * (low + high);
            // Every bet loses against a greater mean.
            *(if self.log_wealth(middle, bets.clone()) >= enough { &mut low } else { &mut high }) = middle;
        }
        low
    }
}

/// The logarithm of the wealth, beginning with 1, of bets that rewards are greater than
/// `efficiency` on average, in (0, 1).
///
/// Each bet is constant, a share of the greatest bet without ruin. With bet b and efficiency m, the
/// wealth is the product of 1 + b (x / m - 1) over the rewards x. The result is the mean over a
/// fixed set of bets that fits thresholds with this `gap` between them (diversified Kelly betting:
/// Waudby-Smith & Ramdas 2024). If the expected reward is at most m, it is a nonnegative
/// supermartingale, so it ever reaches 1/d with probability at most d (Ville 1939): it may be
/// looked at after every reward. The best bet is about m (mean - m) / variance, so the wealth grows
/// the faster the less rewards vary.
///
/// The order of the rewards does not matter. The value is exact for rewards of 0, 1/2 and 1, and
/// never too large for others.
pub fn log_wealth(rewards: &Rewards, efficiency: f64, gap: f64) -> f64 {
    Moments::of(rewards).log_wealth(efficiency, bets(gap))
}

/// The efficiencies against which neither bets on greater rewards nor bets on smaller ones have
/// reached the wealth 2 / `risk` ([`log_wealth`]): an interval that holds the efficiency at all
/// times together with probability at least 1 - `risk`.
pub fn betting_bounds(rewards: &Rewards, gap: f64, risk: f64) -> (f64, f64) {
    if rewards.count() == 0 {
        return (0.0, 1.0);
    }
    let (moments, mean, enough) = (Moments::of(rewards), rewards.mean(), (2.0 / risk).ln());
    let bets: Vec<(f64, f64)> = bets(gap).collect();
    let lower = moments.edge(mean, enough, bets.iter().copied());
    let upper = 1.0 - moments.turned().edge(1.0 - mean, enough, bets.iter().copied());
    (lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The wealth by its definition.
    fn wealth(rewards: &[f64], m: f64, gap: f64) -> f64 {
        let product = |bet: f64| rewards.iter().map(|x| 1.0 + bet * (x / m - 1.0)).product::<f64>();
        bets(gap).map(|(bet, weight)| weight * product(bet)).sum()
    }

    proptest! {
        #[test]
        fn the_wealth_is_that_of_the_bets(
            halves in proptest::collection::vec(0_u8..3, 1..40),
            m in 0.05..0.95_f64,
            gap in 0.0..0.2_f64,
        ) {
            let values: Vec<f64> = halves.into_iter().map(|h| f64::from(h) / 2.0).collect();
            let rewards: Rewards = values.iter().copied().collect();
            let (found, expected) = (log_wealth(&rewards, m, gap), wealth(&values, m, gap).ln());
            prop_assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }

        #[test]
        fn the_wealth_is_never_too_great(
            values in proptest::collection::vec(0.0..=1.0_f64, 1..40),
            m in 0.05..0.95_f64,
            gap in 0.0..0.2_f64,
        ) {
            let rewards: Rewards = values.iter().copied().collect();
            let (found, most) = (log_wealth(&rewards, m, gap), wealth(&values, m, gap).ln());
            prop_assert!(found <= most + 1e-9, "{found} is above {most}");
            // Both sides, as the bounds use them.
            let turned: Rewards = values.iter().map(|x| 1.0 - x).collect();
            let found = Moments::of(&rewards).turned().log_wealth(m, bets(gap));
            prop_assert!((found - log_wealth(&turned, m, gap)).abs() < 1e-9);
        }
    }

    #[test]
    fn the_mean_of_the_wealth_is_one() {
        // Over all counts of 10 rewards of 0, 1/2 and 1, each with its probability: a martingale
        // where m is the mean.
        let (p, n) = ([0.3_f64, 0.5, 0.2], 10_u32);
        let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
        let mut mean = 0.0;
        for wins in 0..=n {
            for draws in 0..=n - wins {
                let losses = n - wins - draws;
                let ways = factorial(n) / factorial(wins) / factorial(draws) / factorial(losses);
                let probability =
                    ways * p[0].powi(losses as i32) * p[1].powi(draws as i32) * p[2].powi(wins as i32);
                let values = [(0.0, losses), (0.5, draws), (1.0, wins)];
                let all = values.into_iter().flat_map(|(x, count)| std::iter::repeat_n(x, count as usize));
                mean += probability * log_wealth(&all.collect(), 0.45, 0.025).exp();
            }
        }
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
    }

    #[test]
    fn weights_sum_to_one_and_bets_fit_the_gap() {
        for gap in [0.0, 0.003, 0.025, 0.5, 0.99] {
            let all: Vec<(f64, f64)> = bets(gap).collect();
            assert!((all.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((all[0].0 - gap.clamp(LEAST, GREATEST)).abs() < 1e-12);
            assert!((all[all.len() - 1].0 - GREATEST).abs() < 1e-12);
            assert!(all.windows(2).all(|pair| pair[1].0 <= pair[0].0 * RATIO * (1.0 + 1e-12)));
        }
    }

    #[test]
    fn bounds_are_where_the_wealth_suffices() {
        for counts in [[7, 0, 3], [488, 0, 512], [50, 900, 50], [5, 90, 505]] {
            let rewards = Rewards::games(counts);
            let (low, high) = betting_bounds(&rewards, 0.025, 0.05);
            assert!(low <= rewards.mean() && rewards.mean() <= high);
            let turned = Rewards::games([counts[2], counts[1], counts[0]]);
            for wealth in [log_wealth(&rewards, low, 0.025), log_wealth(&turned, 1.0 - high, 0.025)] {
                assert!((wealth - 40.0_f64.ln()).abs() < 1e-6, "{counts:?}: {wealth}");
            }
        }
        assert_eq!(betting_bounds(&Rewards::default(), 0.025, 0.05), (0.0, 1.0));
        // Nothing but losses, or wins: one side is open.
        assert_eq!(betting_bounds(&Rewards::games([64, 0, 0]), 0.025, 0.05).0, 0.0);
        assert_eq!(betting_bounds(&Rewards::games([0, 0, 64]), 0.025, 0.05).1, 1.0);
        // Pairs that are mostly split tell much more than as many games.
        let width = |counts| {
            let (low, high) = betting_bounds(&Rewards::games(counts), 0.025, 0.05);
            high - low
        };
        assert!(width([50, 900, 50]) < 0.4 * width([500, 0, 500]));
    }
}
