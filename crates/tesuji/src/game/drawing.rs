//! Positions as data to draw.

use crate::player::Player;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A position as data: enough for text, pictures and pages to draw it without knowing the game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum Drawing {
    /// Pieces on a board.
    Board(Board),
    /// Heaps of pieces, each from top to bottom.
    Heaps(Vec<Vec<Piece>>),
}

/// A board of rows and columns.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize))]
pub struct Board {
    /// The places of the pieces.
    pub places: Places,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The names of the rows, from the first on; none where no move names one, as in Connect Four.
    pub rows: Vec<String>,
    /// Whether the first row is at the bottom.
    pub bottom_up: bool,
    /// The pieces on the places, row by row from the first on.
    pub pieces: Vec<Option<Piece>>,
}

/// The places of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum Places {
    /// On squares.
    Squares,
    /// On points where lines cross.
    Points,
    /// On hexagons in a rhombus, each row half a hexagon to the right of the one above.
    Hexagons,
}

/// A piece.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize))]
pub struct Piece {
    /// The owner of the piece; none for a piece of nobody, such as a blocked place. JSON counts
    /// players from 1.
    #[cfg_attr(feature = "recipe", serde(serialize_with = "number"))]
    pub owner: Option<Player>,
    /// The text on the piece; often empty.
    pub label: String,
}

#[cfg(feature = "recipe")]
fn number<S: serde::Serializer>(owner: &Option<Player>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&owner.map(|player| player.index() + 1), serializer)
}

impl Piece {
    /// A piece with nothing written on it.
    pub fn of(owner: Player) -> Piece {
        Piece { owner: Some(owner), label: String::new() }
    }

    /// A blocked place, which nobody owns and nobody can use.
    pub fn block() -> Piece {
        Piece { owner: None, label: String::new() }
    }
}

/// The name of a column, counted from 0: a to z, aa to az, ba, ...
fn column_name(column: usize) -> String {
    let mut name = if column < 26 { String::new() } else { column_name(column / 26 - 1) };
    name.push(char::from(b'a' + (column % 26) as u8));
    name
}

impl Board {
    /// A board of `columns` by `rows` places, columns called a to z, aa, ab, ... and rows 1, 2,
    /// ..., the first row at the top; `piece` says what is on a place, by column and row counted
    /// from 0.
    pub fn new(
        places: Places,
        columns: usize,
        rows: usize,
        mut piece: impl FnMut(usize, usize) -> Option<Piece>,
    ) -> Board {
        Board {
            places,
            columns: (0..columns).map(column_name).collect(),
            rows: (1..=rows).map(|row| row.to_string()).collect(),
            bottom_up: false,
            pieces: (0..rows * columns).map(|place| piece(place % columns, place / columns)).collect(),
        }
    }

    /// The same board with the first row at the bottom.
    #[must_use]
    pub fn bottom_up(self) -> Board {
        Board { bottom_up: true, ..self }
    }

    /// Writes the board as the planes of a network: [`Board::PLANES`] of as many numbers as there
    /// are places, row by row from the first row on. The first plane has 1 where a piece of the
    /// player to move stands, the second where any other piece stands, the third is 1 everywhere if
    /// the first player is to move. `out` holds zeros on entry.
    ///
    /// # Panics
    /// If `out` is too short.
    pub fn write_planes(&self, to_move: Player, out: &mut [f32]) {
        let places = self.pieces.len();
        for (place, piece) in self.pieces.iter().enumerate() {
            if let Some(piece) = piece {
                out[if piece.owner == Some(to_move) { place } else { places + place }] = 1.0;
            }
        }
        if to_move == Player::FIRST {
            out[2 * places..3 * places].fill(1.0);
        }
    }

    /// The number of planes that [`Board::write_planes`] writes.
    pub const PLANES: usize = 3;

    /// The same board with other names of the columns and none of the rows.
    #[must_use]
    pub fn with_columns_only(self, columns: Vec<String>) -> Board {
        Board { columns, rows: Vec::new(), ..self }
    }
}

/// `x` for a piece of the first player and `o` for one of the second, or what is written on it; `#`
/// for one of nobody.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.owner, &*self.label) {
            (Some(Player::FIRST), "") => f.write_str("x"),
            (Some(Player::SECOND), "") => f.write_str("o"),
            (Some(other), "") => write!(f, "{}", other.index() + 1),
            (None, "") => f.write_str("#"),
            (_, label) => f.write_str(label),
        }
    }
}

/// A line for each row, and one for the names of the columns beside the first row.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let across = self.columns.len();
        let rows = self.pieces.len() / across.max(1);
        let width = self.rows.iter().map(String::len).max().unwrap_or(0);
        let gap = if width > 0 { " " } else { "" };
        let is_slanted = self.places == Places::Hexagons;
        let names = |f: &mut fmt::Formatter<'_>| {
            let width = width + usize::from(is_slanted);
            write!(f, "{:width$}{}{}", "", if is_slanted { "" } else { gap }, self.columns.join(" "))
        };
        if !self.bottom_up {
            names(f)?;
            f.write_str("\n")?;
        }
        for line in 0..rows {
            let row = if self.bottom_up { rows - 1 - line } else { line };
            let name = self.rows.get(row).map_or("", String::as_str);
            let width = if is_slanted { width + line + 1 } else { width };
            write!(f, "{name:>width$}{gap}")?;
            for (column, piece) in self.pieces[row * across..][..across].iter().enumerate() {
                let space = if column == 0 { "" } else { " " };
                match piece {
                    Some(piece) => write!(f, "{space}{piece}")?,
                    None => write!(f, "{space}.")?,
                }
            }
            if line + 1 < rows || self.bottom_up {
                f.write_str("\n")?;
            }
        }
        if self.bottom_up { names(f) } else { Ok(()) }
    }
}

/// A board as [`Board`] prints itself; heaps on a line each.
impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Drawing::Board(board) => board.fmt(f),
            Drawing::Heaps(heaps) => {
                for (i, heap) in heaps.iter().enumerate() {
                    write!(f, "{}{}:", if i == 0 { "" } else { "\n" }, i + 1)?;
                    heap.iter().try_for_each(|piece| write!(f, " {piece}"))?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_name_of_its_own() {
        let board = Board::new(Places::Squares, 703, 1, |_, _| None);
        let names = [0, 25, 26, 27, 51, 52, 701, 702].map(|column| board.columns[column].as_str());
        assert_eq!(names, ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
        let board = Board::new(Places::Squares, 30, 2, |column, _| (column > 27).then(Piece::block));
        assert_eq!(board.to_string().lines().nth(2).unwrap().matches(['#', '.']).count(), 30);
    }
}
