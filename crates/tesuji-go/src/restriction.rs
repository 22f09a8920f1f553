//! Moves that a search leaves out.

use crate::zobrist::mix;
use tesuji::Player;

/// Moves that a search leaves out, each for one player and up to a depth, as the keys `avoid` and
/// `allow` of an analysis ask.
///
/// A search of a position with [`Go::restrict`](crate::Go::restrict) does not look at such a move.
/// If every move of a player would be left out, none is. Playouts are not restricted.
///
/// A move is given by its cell: the number of a point in rows from A1, or the number of points for
/// the pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restriction {
    /// For each player and cell, the depth from which on the move is looked at.
    until: [Vec<u32>; 2],
    /// The cells of each player that are looked at everywhere.
    free: [Vec<usize>; 2],
}

impl Restriction {
    /// Leaves out nothing, on a board of this size.
    pub fn new(size: usize) -> Restriction {
        let cells = size * size + 1;
        Restriction { until: [0, 1].map(|_| vec![0; cells]), free: [0, 1].map(|_| (0..cells).collect()) }
    }

    /// Leaves out these moves of a player in positions less than `depth` moves below the root; 1 is
    /// the root alone.
    ///
    /// # Panics
    /// If a cell is not on the board.
    pub fn avoid(&mut self, player: Player, cells: &[usize], depth: u32) {
        let until = &mut self.until[player.index()];
        for &cell in cells {
            until[cell] = depth.max(until[cell]);
        }
        self.free[player.index()].retain(|&cell| until[cell] == 0);
    }

    /// Leaves out all moves of a player but these, as [`Restriction::avoid`] does.
    pub fn allow(&mut self, player: Player, cells: &[usize], depth: u32) {
        let others: Vec<usize> = (0..self.until[0].len()).filter(|cell| !cells.contains(cell)).collect();
        self.avoid(player, &others, depth);
    }

    /// Whether the move is left out at this depth.
    #[inline]
    pub fn bars(&self, player: Player, cell: usize, depth: u32) -> bool {
        depth < self.until[player.index()][cell]
    }

    /// The cells that are looked at at this depth, those first that are looked at everywhere.
    pub(crate) fn open(&self, player: Player, depth: u32) -> impl Iterator<Item = usize> {
        let until = &self.until[player.index()];
        let later = until.iter().enumerate().filter(move |&(_, &until)| 0 < until && until <= depth);
        self.free[player.index()].iter().copied().chain(later.map(|(cell, _)| cell))
    }

    /// A fingerprint of everything that it leaves out.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.until.iter().flatten().fold(1, |hash, &until| mix(hash ^ mix(until.into())))
    }
}
