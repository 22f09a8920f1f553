//! Orders of moves.

/// An order of the cells of a player: each has a place, and each place below the number of cells
/// has a cell.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The place of each cell.
    pub places: &'static [u16],
    /// The cell of each place.
    pub cells: &'static [u16],
}
