//! The policy that a position trains.

/// What all weights of a policy would sum to but for rounding.
const WHOLE: f32 = 4095.0;

/// Probabilities of moves in steps of 1/4095. Those below half a step are left out.
///
/// Moves are numbered as in a network's policy: the points row by row from A1, then the pass.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Policy {
    /// Moves in rising order, each with its weight, at least 1.
    weights: Vec<(u16, u16)>,
}

impl Policy {
    /// From a probability for each move.
    pub fn of(probabilities: &[f32]) -> Policy {
        let weight = |p: f32| (p.clamp(0.0, 1.0) * WHOLE).round() as u16;
        let weights = probabilities.iter().enumerate().map(|(m, &p)| (m as u16, weight(p)));
        Policy { weights: weights.filter(|&(_, weight)| weight > 0).collect() }
    }

    /// All on one move.
    pub fn sure(m: u16) -> Policy {
        Policy { weights: vec![(m, WHOLE as u16)] }
    }

    /// From moves in rising order with their weights; none if they are something else, or there are
    /// none.
    pub(crate) fn from_weights(weights: Vec<(u16, u16)>) -> Option<Policy> {
        let rises = weights.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let is_policy = rises && !weights.is_empty() && weights.iter().all(|&(_, weight)| weight > 0);
        is_policy.then_some(Policy { weights })
    }

    /// Moves in rising order with their weights, which are shares of their sum.
    pub fn weights(&self) -> &[(u16, u16)] {
        &self.weights
    }

    /// Moves with their probabilities, which sum to 1.
    pub fn probabilities(&self) -> impl Iterator<Item = (usize, f32)> {
        let sum: f32 = self.weights.iter().map(|&(_, weight)| f32::from(weight)).sum();
        self.weights.iter().map(move |&(m, weight)| (m.into(), f32::from(weight) / sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_come_back() {
        let given = [0.5, 0.0, 0.25, 0.1, 0.1499, 0.0001];
        let policy = Policy::of(&given);
        assert_eq!(policy.weights().len(), 4, "the last one is too small");
        for (m, p) in policy.probabilities() {
            assert!((p - given[m]).abs() < 3e-4, "{m}: {p}");
        }
        assert!((policy.probabilities().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(Policy::sure(3).probabilities().collect::<Vec<_>>(), [(3, 1.0)]);
    }
}
