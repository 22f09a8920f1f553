//! Games whose initial position is drawn for each pair of games.

use crate::conditions::Conditions;
use crate::store::Ending;
use std::borrow::Cow;
use std::fmt;
use tesuji::Rng;

/// How a game draws its initial positions, and what their games are worth in points: both games of
/// a pair begin at the same position, so that a pair is fair whatever the position is worth.
pub struct Deal<G> {
    /// A position like this one, from a seed.
    pub draw: fn(&G, u64) -> G,
    /// The points of the first player less those of the second, at the end of a game.
    pub points: fn(&G) -> f64,
}

impl<G> Clone for Deal<G> {
    fn clone(&self) -> Deal<G> {
        *self
    }
}

impl<G> Copy for Deal<G> {}

impl<G> fmt::Debug for Deal<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Deal")
    }
}

impl<G: Clone> Deal<G> {
    /// The position before the opening with this number: `start`, or one that is drawn from the
    /// seed of the opening.
    pub(crate) fn start<'a>(
        deal: Option<Deal<G>>,
        start: &'a G,
        conditions: &Conditions,
        opening: u64,
    ) -> Cow<'a, G> {
        match deal {
            None => Cow::Borrowed(start),
            Some(Deal { draw, .. }) => {
                Cow::Owned(draw(start, Rng::derive(conditions.opening_seed(opening), 1)))
            }
        }
    }
}

/// A result with the margin of a game that ended by its rules with a winner: `B+` is `B+12`.
pub(crate) fn with_margin(result: String, ending: Ending, points: Option<f64>) -> String {
    match points {
        Some(points) if ending == Ending::Rules && points != 0.0 => format!("{result}{}", points.abs()),
        _ => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_win_by_the_rules_has_a_margin() {
        let result = |text: &str, ending, points| with_margin(text.to_owned(), ending, points);
        assert_eq!(result("B+", Ending::Rules, Some(12.5)), "B+12.5");
        assert_eq!(result("W+", Ending::Rules, Some(-3.0)), "W+3");
        assert_eq!(result("0", Ending::Rules, Some(0.0)), "0");
        assert_eq!(result("B+F", Ending::Forfeit, Some(4.0)), "B+F");
        assert_eq!(result("B+", Ending::Rules, None), "B+");
    }
}
