//! Patterns as an advisor of a search.

use super::{Matcher, Pattern};
use crate::go::Go;
use tesuji::Advisor;

/// Most points of a board.
const POINTS: usize = 19 * 19;

/// Advises to play where good patterns match, and not to play where bad ones do.
///
/// The advice on a point is the sum of the weights of the patterns that match it, limited to [-127,
/// 127]. The pass gets no advice.
#[derive(Clone, Debug)]
pub struct PatternAdvisor {
    matcher: Matcher,
    weights: Vec<i8>,
}

impl PatternAdvisor {
    /// An advisor by these patterns and their weights, 127 h with h in [-1, 1], on boards of this
    /// size.
    ///
    /// # Panics
    /// If the size is not between 1 and 19.
    pub fn new(size: usize, patterns: &[(Pattern, i8)]) -> PatternAdvisor {
        let (patterns, weights): (Vec<Pattern>, Vec<i8>) = patterns.iter().cloned().unzip();
        PatternAdvisor { matcher: Matcher::new(size, &patterns), weights }
    }

    /// Reads the patterns.
    ///
    /// # Errors
    /// If one of them is none: the message names it by its number, counted from 1.
    pub(crate) fn parse(size: usize, patterns: &[(&str, i8)]) -> Result<PatternAdvisor, String> {
        let read = |(number, &(text, weight)): (usize, &(&str, i8))| match text.parse() {
            Ok(pattern) => Ok((pattern, weight)),
            Err(error) => Err(format!("pattern {number}, {text:?}: {error}")),
        };
        let patterns: Vec<(Pattern, i8)> = (1..).zip(patterns).map(read).collect::<Result<_, _>>()?;
        Ok(PatternAdvisor::new(size, &patterns))
    }
}

impl<const STRIDE: usize, const LEN: usize> Advisor<Go<STRIDE, LEN>> for PatternAdvisor {
    fn advise(&self, position: &Go<STRIDE, LEN>, advice: &mut [i8]) {
        let mut sums = [0_i16; POINTS];
        self.matcher.find(position, |pattern, point| {
            sums[point] = sums[point].saturating_add(self.weights[pattern].into());
        });
        for (advice, sum) in advice.iter_mut().zip(&sums[..position.size() * position.size()]) {
            *advice = (*sum).clamp(-127, 127) as i8;
        }
    }

    fn bytes(&self) -> usize {
        self.matcher.bytes() + self.weights.capacity()
    }
}
