//! Piecewise linear functions of the temperature.

use crate::dyadic::Dyadic;
use std::cmp::Ordering;

/// Where every function begins: integers freeze at -1, and nothing is colder.
pub(crate) const COLDEST: Dyadic = Dyadic::MINUS_ONE;

/// From `t` on the function is `x + slope * (u - t)`, up to the next piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) t: Dyadic,
    pub(crate) x: Dyadic,
    pub(crate) slope: i8,
}

impl Piece {
    pub(crate) fn at(&self, t: Dyadic) -> Dyadic {
        self.x + (t - self.t).times(self.slope)
    }
}

/// A continuous function of t >= -1 with small whole slopes, whose neighbouring pieces have
/// different slopes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piecewise(Vec<Piece>);

impl Piecewise {
    pub(crate) fn constant(x: Dyadic) -> Piecewise {
        Piecewise(vec![Piece { t: COLDEST, x, slope: 0 }])
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.0
    }

    pub(crate) fn at(&self, t: Dyadic) -> Dyadic {
        let after = self.0.partition_point(|piece| piece.t <= t);
        self.0[after.max(1) - 1].at(t)
    }

    /// The function plus `gain + slope * t`.
    pub(crate) fn tilted(&self, gain: i64, slope: i8) -> Piecewise {
        let tilt = |piece: &Piece| Piece {
            t: piece.t,
            x: piece.x + Dyadic::from(gain) + piece.t.times(slope),
            slope: piece.slope + slope,
        };
        Piecewise(self.0.iter().map(tilt).collect())
    }

    /// Lets the function go on from `piece`, which begins where it has come to.
    fn push(&mut self, piece: Piece) {
        if self.0.last().is_none_or(|last| last.slope != piece.slope) {
            self.0.push(piece);
        }
    }

    /// The function up to `t`, constant from there on.
    pub(crate) fn frozen_from(mut self, t: Dyadic) -> Piecewise {
        let x = self.at(t);
        self.0.retain(|piece| piece.t < t);
        self.push(Piece { t, x, slope: 0 });
        self
    }

    /// The larger of both functions everywhere if `side` is `Greater`, the smaller if it is `Less`,
    /// in time linear in their pieces.
    pub(crate) fn envelope(&self, other: &Piecewise, side: Ordering) -> Piecewise {
        let mut envelope = Piecewise(Vec::with_capacity(self.0.len() + other.0.len()));
        for (a, b, end) in Intervals::new(self, other) {
            let first = a.x.cmp(&b.x).then(a.slope.cmp(&b.slope));
            let (above, below) = if first == side.reverse() { (b, a) } else { (a, b) };
            envelope.push(above);
            if above.slope.cmp(&below.slope) == side.reverse()
                && let Some(t) = crossing(above, below, end)
            {
                envelope.push(Piece { t, x: below.at(t), slope: below.slope });
            }
        }
        envelope
    }

    /// The first t at which this function has come down to `other`, if it is not below from the
    /// beginning. Neither rises towards the other's side: the difference never grows.
    pub(crate) fn meets(&self, other: &Piecewise) -> Option<Dyadic> {
        Intervals::new(self, other).find_map(|(a, b, end)| match a.x.cmp(&b.x) {
            Ordering::Less => None,
            Ordering::Equal => Some(a.t),
            Ordering::Greater => crossing(a, b, end),
        })
    }
}

/// Where two lines that begin together meet before `end`. Slopes differ by at most 2.
fn crossing(a: Piece, b: Piece, end: Option<Dyadic>) -> Option<Dyadic> {
    let distance = (a.x - b.x).abs();
    let apart = match a.slope.abs_diff(b.slope) {
        0 => return None,
        1 => distance,
        _ => distance.half(),
    };
    let is_nearing = (a.x > b.x) == (a.slope < b.slope);
    let t = a.t + apart;
    (is_nearing && t > a.t && end.is_none_or(|end| t < end)).then_some(t)
}

/// The intervals in which two functions are both linear: their pieces from its beginning, and its
/// end.
struct Intervals<'a> {
    rest: [&'a [Piece]; 2],
    t: Option<Dyadic>,
}

impl<'a> Intervals<'a> {
    fn new(a: &'a Piecewise, b: &'a Piecewise) -> Intervals<'a> {
        Intervals { rest: [&a.0, &b.0], t: Some(COLDEST) }
    }
}

impl Iterator for Intervals<'_> {
    type Item = (Piece, Piece, Option<Dyadic>);

    fn next(&mut self) -> Option<Self::Item> {
        let t = self.t?;
        let [a, b] = self.rest.map(|pieces| Piece { t, x: pieces[0].at(t), slope: pieces[0].slope });
        let ends = self.rest.map(|pieces| pieces.get(1).map(|piece| piece.t));
        self.t = ends.into_iter().flatten().min();
        for (pieces, end) in self.rest.iter_mut().zip(ends) {
            if end.is_some() && end == self.t {
                *pieces = &pieces[1..];
            }
        }
        Some((a, b, self.t))
    }
}
