//! An intersection of a board of any size.

use std::fmt;

/// The letters of the columns in GTP notation: `I` is left out.
pub(crate) const COLUMNS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// An intersection of a board of any size to 25x25. As text it is written the way GTP and people
/// write it: `A1` is the lower left corner, and the letter `I` is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The column from the left, counted from 0.
    pub column: u8,
    /// The row from below, counted from 0.
    pub row: u8,
}

impl Point {
    /// Reads `D4`, in capitals or not.
    ///
    /// # Errors
    /// If the text is no point, or not one of a board with `size` lines.
    pub fn parse(text: &str, size: usize) -> Result<Point, PointError> {
        let error = || PointError { text: text.into(), size };
        let letter = text.bytes().next().ok_or_else(error)?.to_ascii_uppercase();
        let column = COLUMNS.iter().position(|&c| c == letter).ok_or_else(error)?;
        let digits = &text[1..];
        if digits.is_empty() || digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(error());
        }
        let row: usize = digits.parse().map_err(|_| error())?;
        if column >= size || row == 0 || row > size {
            return Err(error());
        }
        Ok(Point { column: column as u8, row: row as u8 - 1 })
    }

    /// Reads SGF's two letters: `aa` is the upper left corner.
    pub(crate) fn from_sgf(text: &str, size: usize) -> Option<Point> {
        let &[x, y] = text.as_bytes() else { return None };
        let (x, y) = (usize::from(x.wrapping_sub(b'a')), usize::from(y.wrapping_sub(b'a')));
        (x < size && y < size).then(|| Point { column: x as u8, row: (size - 1 - y) as u8 })
    }

    /// SGF's two letters on a board with `size` lines.
    pub fn to_sgf(self, size: usize) -> String {
        let letter = |i: usize| char::from(b'a' + i as u8);
        [letter(self.column.into()), letter(size - 1 - usize::from(self.row))].iter().collect()
    }
}

/// Points of a board, from one corner to the other.
///
/// A file can name many points in a few letters, so the points are stored in this short form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rectangle {
    low: Point,
    high: Point,
}

impl Rectangle {
    /// The points between two, whichever corners these are, both included.
    pub fn new(a: Point, b: Point) -> Rectangle {
        Rectangle {
            low: Point { column: a.column.min(b.column), row: a.row.min(b.row) },
            high: Point { column: a.column.max(b.column), row: a.row.max(b.row) },
        }
    }

    /// The points, row by row from below.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let Rectangle { low, high } = self;
        let row = move |row| (low.column..=high.column).map(move |column| Point { column, row });
        (low.row..=high.row).flat_map(row)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(COLUMNS[usize::from(self.column)]), self.row + 1)
    }
}

/// A text that names no intersection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointError {
    text: String,
    size: usize,
}

impl fmt::Display for PointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.size.clamp(1, COLUMNS.len());
        let letter = char::from(COLUMNS[last - 1]);
        write!(f, "`{}` is not a point of this board, whose points are A1 to {letter}{last}", self.text)
    }
}

impl std::error::Error for PointError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_agree() {
        for size in 1..=25 {
            for column in 0..size as u8 {
                for row in 0..size as u8 {
                    let point = Point { column, row };
                    assert_eq!(Point::parse(&point.to_string(), size), Ok(point));
                    assert_eq!(Point::from_sgf(&point.to_sgf(size), size), Some(point));
                }
            }
        }
        assert_eq!(Point::parse("j9", 9).unwrap().to_sgf(9), "ia");
        assert_eq!(Point::parse("A1", 19).unwrap().to_sgf(19), "as");
    }

    #[test]
    fn wrong_points_are_named() {
        for text in ["", "I5", "A0", "A10", "K1", "A", "5", "A+1", "é1", "A1 "] {
            assert!(Point::parse(text, 9).is_err(), "{text}");
        }
        let error = Point::parse("T19", 9).unwrap_err().to_string();
        assert_eq!(error, "`T19` is not a point of this board, whose points are A1 to J9");
    }
}
