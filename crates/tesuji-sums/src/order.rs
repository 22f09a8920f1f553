//! The order of games: which of two is better for Left, whatever they are added to.

use crate::dyadic::Dyadic;
use crate::graph::{Graph, PLAYERS, Position};
use crate::solution::{Solution, TooManyStates};
use std::cmp::Ordering;
use tesuji::Player;

/// What play ends with if both play well up to a number: the number, then whether Right is to move
/// there, who loses if the number is 0. The greater, the better for Left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Stop {
    value: Dyadic,
    is_right_to_move: bool,
}

impl Stop {
    fn number(value: Dyadic, first: Player) -> Stop {
        Stop { value, is_right_to_move: first == Player::SECOND }
    }

    fn plus(self, gain: i64) -> Stop {
        Stop { value: self.value + Dyadic::from(gain), ..self }
    }
}

/// What a position is worth to who plays it out.
#[derive(Clone, Copy, Debug)]
struct Worth {
    /// If it equals a number.
    number: Option<Dyadic>,
    /// With Left and with Right to move first.
    stops: [Stop; 2],
}

impl Worth {
    fn number(x: Dyadic) -> Worth {
        Worth { number: Some(x), stops: PLAYERS.map(|first| Stop::number(x, first)) }
    }
}

/// Games as values: negation, sums and their order (Kao, Wu, Yen and Shan 2013, equations 3 to 9;
/// Conway 1976). Two games are equal if no third game added to both tells them apart.
///
/// ```
/// use std::cmp::Ordering;
/// use tesuji_sums::{Graph, Tree};
///
/// let game = |text: &str| text.parse::<Tree>().unwrap().graph().clone();
/// assert_eq!(game("{3|1}").compare(&game("2"))?, None);
/// assert_eq!(game("{3|1}").compare(&game("0"))?, Some(Ordering::Greater));
/// assert_eq!(game("{0|}").compare(&game("1"))?, Some(Ordering::Equal));
/// # Ok::<(), tesuji_sums::TooManyStates>(())
/// ```
impl Graph {
    /// The game that is this number.
    pub fn number(x: Dyadic) -> Graph {
        Graph::new(vec![Position { end: Some(x), options: [Vec::new(), Vec::new()] }])
    }

    /// The game that begins at a position of this one.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn from_position(&self, position: usize) -> Graph {
        Graph::new(self.positions()[..=position].to_vec())
    }

    /// -G: Left's and Right's parts exchanged.
    #[must_use]
    pub fn negated(&self) -> Graph {
        let negate = |position: &Position| {
            let [left, right] = position.options.clone();
            Position { end: position.end.map(|x| -x), options: [right, left] }
        };
        Graph::new(self.positions().iter().map(negate).collect())
    }

    /// G + H, as one game: a position for each pair of positions.
    ///
    /// # Errors
    /// If these are more than [`Solution::LARGEST`].
    ///
    /// # Panics
    /// If a number leaves the range of [`Dyadic`]. That cannot happen if the sum's n + e + p, as
    /// [`Graph::thermographs`] has them, is at most 120.
    pub fn plus(&self, other: &Graph) -> Result<Graph, TooManyStates> {
        let (a, b) = (self.with_numbers(), other.with_numbers());
        let width = b.positions().len();
        let pairs = a.positions().len().checked_mul(width);
        if pairs.is_none_or(|pairs| pairs > Solution::LARGEST) {
            return Err(TooManyStates { states: pairs });
        }
        let pair = |i: usize, j: usize| {
            let (x, y) = (&a.positions()[i], &b.positions()[j]);
            if let (Some(x), Some(y)) = (x.end, y.end) {
                return Position { end: Some(x + y), options: [Vec::new(), Vec::new()] };
            }
            // A number waits until the other game is one: no player gains by a move in it.
            let options = PLAYERS.map(|player| {
                let first = x.options[player.index()].iter().map(|&(gain, i)| (gain, i * width + j));
                let second = y.options[player.index()].iter().map(|&(gain, j)| (gain, i * width + j));
                first.chain(second).collect()
            });
            Position { end: None, options }
        };
        let all = (0..a.positions().len()).flat_map(|i| (0..width).map(move |j| (i, j)));
        Ok(Graph::new(all.map(|(i, j)| pair(i, j)).collect()))
    }

    /// Whether G is greater than, equal to or less than H; none if they are confused: then either
    /// may be the better one, depending on the game that they are added to. G is at least H if
    /// Left, moving second, wins G - H.
    ///
    /// # Errors
    /// As [`Graph::plus`].
    ///
    /// # Panics
    /// As [`Graph::plus`].
    pub fn compare(&self, other: &Graph) -> Result<Option<Ordering>, TooManyStates> {
        let worths = self.plus(&other.negated())?.worths();
        let [left_first, right_first] = worths[worths.len() - 1].stops;
        let [left_first_loses, right_first_loses] = PLAYERS.map(|first| Stop::number(Dyadic::ZERO, first));
        Ok(match (right_first >= right_first_loses, left_first <= left_first_loses) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            (false, false) => None,
        })
    }

    /// The incentives of a player's options of a position, as games: G^L - G for Left, G - G^R for
    /// Right.
    ///
    /// # Errors
    /// As [`Graph::plus`].
    ///
    /// # Panics
    /// As [`Graph::plus`], or if there is no such position.
    pub fn incentives(&self, position: usize, player: Player) -> Result<Vec<Graph>, TooManyStates> {
        let whole = self.from_position(position);
        let incentive = |&(gain, after): &(i64, usize)| {
            let after = self.from_position(after);
            let (to, from) = match player {
                Player::FIRST => (after, whole.negated()),
                _ => (after.negated(), whole.clone()),
            };
            Graph::number(Dyadic::from(gain)).plus(&to)?.plus(&from)
        };
        self.positions()[position].options[player.index()].iter().map(incentive).collect()
    }

    /// The same game with ends wherever a position equals a number.
    fn with_numbers(&self) -> Graph {
        let end = |(position, worth): (&Position, Worth)| match worth.number {
            Some(x) => Position { end: Some(x), options: [Vec::new(), Vec::new()] },
            None => position.clone(),
        };
        Graph::new(self.positions().iter().zip(self.worths()).map(end).collect())
    }

    fn worths(&self) -> Vec<Worth> {
        let mut worths: Vec<Worth> = Vec::with_capacity(self.positions().len());
        for position in self.positions() {
            let worth = match position.end {
                Some(x) => Worth::number(x),
                None => {
                    let [left, right] = &position.options;
                    let best = left.iter().map(|&(gain, after)| worths[after].stops[1].plus(gain)).max();
                    let worst = right.iter().map(|&(gain, after)| worths[after].stops[0].plus(-gain)).min();
                    match (simplest(best, worst), best, worst) {
                        (None, Some(best), Some(worst)) => Worth { number: None, stops: [best, worst] },
                        (number, ..) => Worth::number(number.expect("there is room on an open side")),
                    }
                }
            };
            worths.push(worth);
        }
        worths
    }
}

/// The simplest number that neither player can reach or pass by a move, where these are the best
/// stops after one: the value of the position, by the simplicity theorem. None if there is no such
/// number; the position is hot or infinitesimally close to a number.
fn simplest(left: Option<Stop>, right: Option<Stop>) -> Option<Dyadic> {
    if left.zip(right).is_some_and(|(left, right)| left.value > right.value) {
        return None;
    }
    // Right, who moves first behind Left's option, must win it less the number; and so for Left.
    let is_above = |x| left.is_none_or(|stop| stop < Stop::number(x, Player::SECOND));
    let is_below = |x| right.is_none_or(|stop| stop > Stop::number(x, Player::FIRST));
    let fits = |x: &Dyadic| is_above(*x) && is_below(*x);
    let ends = left.iter().chain(&right).map(|stop| stop.value);
    // Between two numbers of at most this many binary places there is one of one place more.
    let places = ends.map(Dyadic::exponent).max().unwrap_or(0) + 1;
    (0..=places).find_map(|exponent| {
        // The multiples of the unit next to 0 on either side that may fit.
        let unit = |number: i128| Dyadic::new(number, exponent);
        let from = left.map(|stop| floor(stop.value, exponent));
        let to = right.map(|stop| floor(stop.value, exponent));
        let lowest = from.map_or(i128::MIN / 2, |from| from);
        let highest = to.map_or(i128::MAX / 2, |to| plus(to, 1));
        let near = 0.clamp(lowest.min(highest), highest.max(lowest));
        let around = [0, 1, -1, 2, -2].map(|more| plus(near, more));
        around.into_iter().map(unit).filter(fits).min_by_key(|x| (x.abs(), x.signum() < 0))
    })
}

/// The greatest multiple of 1 / 2^exponent that is not above x, in that unit.
fn floor(x: Dyadic, exponent: u32) -> i128 {
    if exponent >= x.exponent() {
        return x.scaled(exponent);
    }
    x.numerator() >> (x.exponent() - exponent).min(i128::BITS - 1)
}

fn plus(number: i128, more: i128) -> i128 {
    number.checked_add(more).expect("the number fits into 128 bits")
}
