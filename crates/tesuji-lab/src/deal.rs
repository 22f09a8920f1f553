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

/// The points of the first player less those of the second; none if the result has no margin.
pub(crate) fn points_of(result: &str) -> Option<f64> {
    match result.split_at_checked(2) {
        Some(("B+", margin)) => margin.parse().ok(),
        Some(("W+", margin)) => margin.parse().ok().map(|margin: f64| -margin),
        _ => (result == "0").then_some(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_read_as_they_are_written() {
        for (result, ending, points, expected) in [
            ("B+", Ending::Rules, 12.5, "B+12.5"),
            ("W+", Ending::Rules, -3.0, "W+3"),
            ("0", Ending::Rules, 0.0, "0"),
        ] {
            let written = with_margin(result.to_owned(), ending, Some(points));
            assert_eq!((written.as_str(), points_of(&written)), (expected, Some(points)));
        }
        let forfeit = with_margin("B+F".to_owned(), Ending::Forfeit, Some(4.0));
        assert_eq!((forfeit.as_str(), points_of(&forfeit)), ("B+F", None));
        assert_eq!(with_margin("B+".to_owned(), Ending::Rules, None), "B+");
        assert_eq!((points_of("B+"), points_of(""), points_of("W+R")), (None, None, None));
    }
}
