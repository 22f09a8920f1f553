//! The boards on which a report shows games.

use serde::Serialize;

/// The shape of a game's board and how a move as text changes it: what a report needs to draw a
/// game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "board", rename_all = "kebab-case")]
pub enum Board {
    /// Go, with captures.
    Go {
        /// Lines.
        size: usize,
    },
    /// Pieces on cells that are called `a1`, `b1`, ... by column and row.
    Cells {
        /// The shape of a cell.
        shape: Cells,
        /// Columns.
        columns: usize,
        /// Rows.
        rows: usize,
        /// What a move does.
        moves: Moves,
        /// Whether row 1 is at the bottom.
        #[serde(rename = "bottomUp")]
        bottom_up: bool,
        /// The rows of the start from row 1 on: `x` a piece of the first player, `o` of the second,
        /// `.` none. No rows: no pieces.
        start: Vec<String>,
    },
    /// Heaps of Heap-Go, such as `b3r5b5`, whose moves are called `heap.height`.
    Heaps {
        /// From top to bottom each.
        heaps: Vec<String>,
    },
}

/// The shape of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cells {
    /// Rows and columns at right angles.
    Squares,
    /// A rhombus of hexagons, each row half a cell to the right of the one above. The first
    /// player's sides are above and below.
    Hexagons,
}

/// The effect of a move on cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moves {
    /// `c3` puts a piece there; `swap` mirrors the first piece and gives it to the second player.
    Place,
    /// `3` drops a piece into the third column.
    Drop,
    /// `b2c4` moves a piece from one cell to another and captures there.
    Step,
    /// `c3` puts a domino there and on the cell below, for the first player, or to the right, for
    /// the second.
    Domino,
}

impl Board {
    /// Square cells without pieces, row 1 at the top.
    pub fn squares(columns: usize, rows: usize, moves: Moves) -> Board {
        Board::Cells { shape: Cells::Squares, columns, rows, moves, bottom_up: false, start: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use crate::game_spec::GameSpec;

    #[test]
    fn a_board_is_told_as_the_page_reads_it() {
        let json = |game: &str| serde_json::to_string(&GameSpec::parse(game, None).unwrap().board()).unwrap();
        assert_eq!(json("go9"), r#"{"board":"go","size":9}"#);
        assert_eq!(json("heap-go:b3r5,r2"), r#"{"board":"heaps","heaps":["b3r5","r2"]}"#);
        assert_eq!(
            json("domineering:4x5"),
            r#"{"board":"cells","shape":"squares","columns":5,"rows":4,"moves":"domino","bottomUp":false,"start":[]}"#
        );
        assert_eq!(json("p-game:2,10"), "null");
    }
}
