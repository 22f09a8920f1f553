//! Thermographs: the value of a game for either player under a tax on moves.

use crate::dyadic::Dyadic;
use crate::piecewise::{COLDEST, Piecewise};
use std::cmp::Ordering;
use std::collections::HashMap;
use tesuji::Player;

/// The thermograph of a game: the exact left and right walls over the temperature t >= -1, up to
/// the mast.
///
/// Suppose that every move costs its mover t. The left wall is the score of the game if Left moves
/// first, the right wall if Right does, and each player stops as soon as a move does not pay
/// (Conway 1976; Berlekamp, Conway and Guy 1982, chapter 6):
///
/// * left scaffold l(t): the largest of (right wall of a left option)(t) + gain - t;
/// * right scaffold r(t): the smallest of (left wall of a right option)(t) - gain + t;
/// * temperature: the first t >= -1 with l(t) = r(t); mean: their common value there, and of both
///   walls from there on; below it the walls are the scaffolds.
///
/// Below zero the convention is that of Siegel (*Combinatorial Game Theory*, 2013, chapter II.5).
/// If l(-1) <= r(-1), the game is the whole number nearest to 0 between them, and its temperature
/// -1; a player without options sets no bound. A number with denominator 2^k has temperature
/// -1/2^k, an infinitesimal has 0, and in everything hotter a move pays. At t >= 0 the walls are
/// always those of the usual thermograph.
///
/// ```
/// use tesuji_sums::{Dyadic, Tree};
///
/// let graph = "{{5|2}|-1}".parse::<Tree>()?;
/// let thermograph = graph.thermograph();
/// assert_eq!(thermograph.mean().to_string(), "5/4");
/// assert_eq!(thermograph.temperature().to_string(), "9/4");
/// assert_eq!(thermograph.left_stop(), Dyadic::from(2));
/// # Ok::<(), tesuji_sums::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thermograph {
    left: Piecewise,
    right: Piecewise,
    temperature: Dyadic,
    mean: Dyadic,
}

impl Thermograph {
    /// The thermograph of a number.
    ///
    /// # Panics
    /// If its denominator is above 2^126, or a number leaves the range of [`Dyadic`].
    pub fn number(x: Dyadic) -> Thermograph {
        assert!(x.exponent() < 127, "the temperature of {x} fits into 128 bits");
        Thermograph::number_from(x, &mut HashMap::new())
    }

    /// A number with denominator 2^k is the game `{x - 1/2^k | x + 1/2^k}`; of its ancestors there
    /// are only two a denominator.
    fn number_from(x: Dyadic, known: &mut HashMap<Dyadic, Thermograph>) -> Thermograph {
        if x.exponent() == 0 {
            return Thermograph::mast(x, COLDEST);
        }
        if let Some(thermograph) = known.get(&x) {
            return thermograph.clone();
        }
        let step = Dyadic::new(1, x.exponent());
        let [below, above] = [x - step, x + step].map(|parent| Thermograph::number_from(parent, known));
        let thermograph = Thermograph::of_options([(0, &below)], [(0, &above)]);
        known.insert(x, thermograph.clone());
        thermograph
    }

    fn mast(mean: Dyadic, temperature: Dyadic) -> Thermograph {
        let wall = Piecewise::constant(mean);
        Thermograph { left: wall.clone(), right: wall, temperature, mean }
    }

    /// The thermograph of a game from those of its options, each with what its mover gains by
    /// moving there.
    ///
    /// Takes time linear in the breakpoints of all options, times the number of options.
    ///
    /// # Panics
    /// If a number leaves the range of [`Dyadic`].
    pub fn of_options<'a>(
        left: impl IntoIterator<Item = (i64, &'a Thermograph)>,
        right: impl IntoIterator<Item = (i64, &'a Thermograph)>,
    ) -> Thermograph {
        let left = left.into_iter().map(|(gain, option)| option.right.tilted(gain, -1));
        let left = left.reduce(|l, option| l.envelope(&option, Ordering::Greater));
        let right = right.into_iter().map(|(gain, option)| option.left.tilted(-gain, 1));
        let right = right.reduce(|r, option| r.envelope(&option, Ordering::Less));
        let whole = |low: Dyadic, high: Dyadic| Thermograph::mast(low.max(Dyadic::ZERO.min(high)), COLDEST);
        match (left, right) {
            (None, None) => whole(Dyadic::ZERO, Dyadic::ZERO),
            (Some(l), None) => whole(l.at(COLDEST), l.at(COLDEST).max(Dyadic::ZERO)),
            (None, Some(r)) => whole(r.at(COLDEST).min(Dyadic::ZERO), r.at(COLDEST)),
            (Some(l), Some(r)) => match l.at(COLDEST) <= r.at(COLDEST) {
                true => whole(l.at(COLDEST), r.at(COLDEST)),
                false => {
                    let t = l.meets(&r).expect("scaffolds that differ come together at last");
                    let mean = l.at(t);
                    let (left, right) = (l.frozen_from(t), r.frozen_from(t));
                    Thermograph { left, right, temperature: t, mean }
                }
            },
        }
    }

    /// The mean value: the average value of a copy of the game if many copies are played together.
    pub fn mean(&self) -> Dyadic {
        self.mean
    }

    /// The temperature, at least -1: about the gain of a move. Numbers have negative temperatures.
    pub fn temperature(&self) -> Dyadic {
        self.temperature
    }

    /// The score if Left moves first and both play this game alone to its first number.
    pub fn left_stop(&self) -> Dyadic {
        self.left.at(Dyadic::ZERO)
    }

    /// The score if Right moves first and both play this game alone to its first number.
    pub fn right_stop(&self) -> Dyadic {
        self.right.at(Dyadic::ZERO)
    }

    /// The wall of the player who moves first, at temperature `t`, which is at least -1.
    pub fn wall(&self, first: Player, t: Dyadic) -> Dyadic {
        if first == Player::FIRST { self.left.at(t) } else { self.right.at(t) }
    }

    /// The points `(t, x)` of the wall of the player who moves first: where it begins, at t = 0,
    /// where it bends, and where it freezes, at the temperature. It is straight between them and
    /// constant above. A number or infinitesimal has one, `(0, mean)`.
    pub fn breakpoints(&self, first: Player) -> Vec<(Dyadic, Dyadic)> {
        let wall = if first == Player::FIRST { &self.left } else { &self.right };
        let top = self.temperature.max(Dyadic::ZERO);
        let between = wall.pieces().iter().filter(|piece| piece.t > Dyadic::ZERO && piece.t < top);
        let mut points = vec![(Dyadic::ZERO, wall.at(Dyadic::ZERO))];
        points.extend(between.map(|piece| (piece.t, piece.x)));
        if top > Dyadic::ZERO {
            points.push((top, self.mean));
        }
        points
    }

    /// Whether no move gains anything: the temperature is at most 0, and the game is a number up to
    /// an infinitesimal.
    pub fn is_cold(&self) -> bool {
        self.temperature <= Dyadic::ZERO
    }
}
