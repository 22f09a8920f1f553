//! Features of moves as an advisor of a search.

use super::tactic::POINTS;
use super::{Feature, Matcher, Pattern, Tactic};
use crate::go::Go;
use tesuji::Advisor;

/// Advises to play moves of good features, and not to play those of bad ones.
///
/// The advice on a point is the sum of the weights of its features, the patterns that match it and
/// its tactics, limited to [-127, 127]. The pass gets no advice.
#[derive(Clone, Debug)]
pub struct FeatureAdvisor {
    matcher: Matcher,
    weights: Vec<i8>,
    tactics: Vec<(Tactic, i8)>,
}

impl FeatureAdvisor {
    /// An advisor by these features and their weights, 127 h with h in [-1, 1], on boards of this
    /// size.
    ///
    /// # Panics
    /// If the size is not between 1 and 19.
    pub fn new(size: usize, features: &[(Feature, i8)]) -> FeatureAdvisor {
        let (mut patterns, mut weights, mut tactics) = (Vec::<Pattern>::new(), Vec::new(), Vec::new());
        for (feature, weight) in features {
            match feature {
                Feature::Pattern(pattern) => {
                    patterns.push(pattern.clone());
                    weights.push(*weight);
                }
                Feature::Tactic(tactic) => tactics.push((*tactic, *weight)),
            }
        }
        FeatureAdvisor { matcher: Matcher::new(size, &patterns), weights, tactics }
    }

    /// Reads the features.
    ///
    /// # Errors
    /// If one of them is none: the message names it by its number, counted from 1.
    pub(crate) fn parse(size: usize, features: &[(&str, i8)]) -> Result<FeatureAdvisor, String> {
        let read = |(number, &(text, weight)): (usize, &(&str, i8))| match text.parse() {
            Ok(feature) => Ok((feature, weight)),
            Err(error) => Err(format!("pattern {number}, {text:?}: {error}")),
        };
        let features: Vec<(Feature, i8)> = (1..).zip(features).map(read).collect::<Result<_, _>>()?;
        Ok(FeatureAdvisor::new(size, &features))
    }
}

impl<const STRIDE: usize, const LEN: usize> Advisor<Go<STRIDE, LEN>> for FeatureAdvisor {
    fn advise(&self, position: &Go<STRIDE, LEN>, advice: &mut [i8]) {
        let mut sums = [0_i16; POINTS];
        self.matcher.find(position, |pattern, point| {
            sums[point] = sums[point].saturating_add(self.weights[pattern].into());
        });
        if !self.tactics.is_empty() {
            let with_ladders = self.tactics.iter().any(|&(tactic, _)| tactic == Tactic::Ladder);
            let marks = Tactic::of_points(position, with_ladders);
            for (sum, marks) in sums.iter_mut().zip(marks).filter(|&(_, marks)| marks != 0) {
                let done = self.tactics.iter().filter(|(tactic, _)| tactic.is_in(marks));
                *sum = done.fold(*sum, |sum, &(_, weight)| sum.saturating_add(weight.into()));
            }
        }
        for (advice, sum) in advice.iter_mut().zip(&sums[..position.size() * position.size()]) {
            *advice = (*sum).clamp(-127, 127) as i8;
        }
    }

    fn bytes(&self) -> usize {
        let tactics = self.tactics.capacity() * size_of::<(Tactic, i8)>();
        self.matcher.bytes() + self.weights.capacity() + tactics
    }
}
