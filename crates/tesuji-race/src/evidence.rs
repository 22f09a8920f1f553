//! E-processes: evidence that stays valid if you look after every game.

use libm::lgamma;

/// ln M_n(p), the evidence of rewards with this sum against the efficiency p:
/// M_n(p) = B(k + 1/2, n - k + 1/2) / (B(1/2, 1/2) p^k (1 - p)^(n - k)), for n rewards of sum k.
///
/// It compares two predictions of the rewards: a mixture of all efficiencies, with weights
/// Beta(1/2, 1/2), against p. If p is the efficiency, M is a nonnegative supermartingale that
/// begins at 1. It ever reaches 1/d with probability at most d (Ville 1939), so you may look at it
/// after every reward. For rewards between 0 and 1 this follows from the case of 0 and 1, because
/// each factor is convex in the reward (Waudby-Smith & Ramdas 2024).
///
/// It is infinite for p = 0 or p = 1 if a reward contradicts p.
pub fn log_evidence(count: u64, sum: f64, p: f64) -> f64 {
    log_mixture(count, sum) - log_likelihood(count, sum, p)
}

/// ln of B(k + 1/2, n - k + 1/2) / B(1/2, 1/2); the latter is pi.
fn log_mixture(count: u64, sum: f64) -> f64 {
    let n = count as f64;
    lgamma(sum + 0.5) + lgamma(n - sum + 0.5) - lgamma(n + 1.0) - std::f64::consts::PI.ln()
}

/// ln of p^k (1 - p)^(n - k).
fn log_likelihood(count: u64, sum: f64, p: f64) -> f64 {
    let part = |weight: f64, p: f64| if weight > 0.0 { weight * p.ln() } else { 0.0 };
    part(sum, p) + part(count as f64 - sum, 1.0 - p)
}

/// The efficiencies against which the evidence is below 1 / `risk`: an interval that holds the
/// efficiency at all times together with probability at least 1 - `risk`. To within 1e-12.
pub fn sequence_bounds(count: u64, sum: f64, risk: f64) -> (f64, f64) {
    if count == 0 {
        return (0.0, 1.0);
    }
    let (mean, least) = (sum / count as f64, log_mixture(count, sum) + risk.ln());
    // The likelihood rises towards the mean from both sides.
    let is_inside = |p| log_likelihood(count, sum, p) > least;
    let edge = |mut inside: f64, mut outside: f64| {
        if is_inside(outside) {
            return outside;
        }
        while (inside - outside).abs() > 1e-12 {
            let middle = 0.5 * (inside + outside);
            *(if is_inside(middle) { &mut inside } else { &mut outside }) = middle;
        }
        outside
    };
    (edge(mean, 0.0), edge(mean, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_the_ratio_of_the_likelihoods() {
        // One reward of 1: B(3/2, 1/2) / B(1/2, 1/2) = 1/2, over p. Two, 1 and 0: B(3/2, 3/2) /
        // B(1/2, 1/2) = 1/8.
        assert!((log_evidence(1, 1.0, 0.25) - 2.0_f64.ln()).abs() < 1e-14);
        assert!((log_evidence(2, 1.0, 0.25) - (0.125_f64 / (0.25 * 0.75)).ln()).abs() < 1e-14);
        assert_eq!(log_evidence(0, 0.0, 0.3), 0.0);
        assert_eq!(log_evidence(3, 2.0, 0.0), f64::INFINITY);
    }

    #[test]
    fn bounds_are_where_the_evidence_suffices() {
        for (count, sum) in [(10, 3.0), (1000, 512.5), (64, 64.0), (64, 0.0)] {
            let (low, high) = sequence_bounds(count, sum, 0.05);
            let mean = sum / count as f64;
            assert!(low <= mean && mean <= high);
            for bound in [low, high] {
                assert!(bound == mean || (log_evidence(count, sum, bound) - 20.0_f64.ln()).abs() < 1e-6);
            }
        }
        assert_eq!(sequence_bounds(0, 0.0, 0.05), (0.0, 1.0));
    }

    #[test]
    fn the_mean_of_the_evidence_is_one() {
        // Over all sequences of 12 rewards, each with its probability: a martingale.
        let (n, p) = (12_u64, 0.3_f64);
        let mut mean = 0.0;
        let mut ways = 1.0;
        for wins in 0..=n {
            let probability = ways * p.powi(wins as i32) * (1.0 - p).powi((n - wins) as i32);
            mean += probability * log_evidence(n, wins as f64, p).exp();
            ways *= (n - wins) as f64 / (wins + 1) as f64;
        }
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
    }
}
