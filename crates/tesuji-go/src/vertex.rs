//! Places to play: a point of the board, or the pass.

use crate::sgf::Point;
use core::fmt;
use tesuji::Move;

/// A point, or the pass, of the boards whose rows are `STRIDE` cells apart (the largest size plus
/// one).
///
/// Columns count from the left, rows from the bottom, both from 0: A1 is (0, 0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vertex<const STRIDE: usize>(u16);

impl<const STRIDE: usize> Move for Vertex<STRIDE> {
    type Code = u16;

    #[inline]
    fn code(self) -> u16 {
        self.0
    }

    #[inline]
    fn from_code(code: u16) -> Self {
        Vertex(code)
    }
}

impl<const STRIDE: usize> Vertex<STRIDE> {
    /// The pass.
    pub const PASS: Self = Vertex(0);

    /// The point at this column and row, or none if no board of this stride is so large.
    pub const fn new(column: usize, row: usize) -> Option<Self> {
        if column < STRIDE - 1 && row < STRIDE - 1 {
            Some(Vertex(((row + 1) * STRIDE + column + 1) as u16))
        } else {
            None
        }
    }

    /// The point with this index, which the board found on itself.
    #[inline]
    pub(crate) const fn from_index(index: u16) -> Self {
        Vertex(index)
    }

    /// The index of the cell; 0 for the pass.
    #[inline]
    pub(crate) const fn index(self) -> u16 {
        self.0
    }

    /// Whether this is the pass.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.0 == 0
    }

    /// The column, counted from the left from 0; none for the pass.
    pub const fn column(self) -> Option<usize> {
        if self.is_pass() { None } else { Some(self.0 as usize % STRIDE - 1) }
    }

    /// The row, counted from the bottom from 0; none for the pass.
    pub const fn row(self) -> Option<usize> {
        if self.is_pass() { None } else { Some(self.0 as usize / STRIDE - 1) }
    }

    /// The vertex that `text` names as in GTP (`D4`, `q16`, `pass`), or none if `text` is not a
    /// vertex of any board of this stride.
    ///
    /// ```
    /// use tesuji_go::Vertex;
    /// let v = Vertex::<20>::parse("k10").unwrap();
    /// assert_eq!((v.column(), v.row()), (Some(9), Some(9)));
    /// assert_eq!(v.to_string(), "K10");
    /// assert!(Vertex::<20>::parse("i10").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("pass") {
            return Some(Self::PASS);
        }
        let point = Point::parse(text, STRIDE - 1).ok()?;
        Self::new(point.column.into(), point.row.into())
    }

    /// The same point on a board of any size; none for the pass.
    pub(crate) fn point(self) -> Option<Point> {
        let (column, row) = self.column().zip(self.row())?;
        Some(Point { column: column as u8, row: row as u8 })
    }
}

/// As in GTP: `D4`, `PASS`.
impl<const STRIDE: usize> fmt::Display for Vertex<STRIDE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.point() {
            Some(point) => fmt::Display::fmt(&point, f),
            None => f.write_str("PASS"),
        }
    }
}

impl<const STRIDE: usize> fmt::Debug for Vertex<STRIDE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_both_ways() {
        for column in 0..19 {
            for row in 0..19 {
                let v = Vertex::<20>::new(column, row).unwrap();
                assert_eq!(Vertex::parse(&v.to_string()), Some(v));
                assert_eq!(Vertex::parse(&v.to_string().to_lowercase()), Some(v));
                assert_eq!((v.column(), v.row()), (Some(column), Some(row)));
            }
        }
        assert_eq!(Vertex::<10>::parse("Pass"), Some(Vertex::PASS));
        assert_eq!(Vertex::<10>::PASS.to_string(), "PASS");
        assert_eq!(Vertex::<10>::PASS.column(), None);
    }

    #[test]
    fn nonsense_is_no_vertex() {
        for text in
            ["", "A", "A0", "A10", "K1", "I3", "A1x", "5", "A-1", "A+1", "é1", "A99999999999999999999"]
        {
            assert_eq!(Vertex::<10>::parse(text), None, "{text}");
        }
    }
}
