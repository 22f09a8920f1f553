//! How images lie in memory.

use super::{Block, LANES, numbers_mut};

/// Images `[position][y][x][channel]` with a border of zeros, so that tiles of one size cover the board and all that
/// they look at. Channels are whole blocks, called groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Images {
    pub(crate) board: usize,
    /// Outputs in a row of a tile: 3 or 4.
    pub(crate) tile: usize,
    /// Tiles in a row.
    pub(crate) tiles: usize,
    /// Rows of an image with its border.
    pub(crate) span: usize,
}

impl Images {
    /// With the tiles that need the fewest products on this board.
    pub(crate) fn new(board: usize) -> Images {
        let products = |tile: usize| board.div_ceil(tile).pow(2) * (tile + 2).pow(2);
        let tile = if products(3) <= products(4) { 3 } else { 4 };
        let tiles = board.div_ceil(tile);
        Images { board, tile, tiles, span: tiles * tile + 2 }
    }

    /// The points of the board.
    pub(crate) fn points(&self) -> usize {
        self.board * self.board
    }

    /// The tiles of an image.
    pub(crate) fn count(&self) -> usize {
        self.tiles * self.tiles
    }

    /// Products for each tile and pair of channels.
    pub(crate) fn products(&self) -> usize {
        (self.tile + 2).pow(2)
    }

    /// The blocks of an image.
    pub(crate) fn len(&self, groups: usize) -> usize {
        self.span * self.span * groups
    }

    /// The place of row `y`, column `x` in an image.
    pub(crate) fn at(&self, groups: usize, y: usize, x: usize) -> usize {
        ((y + 1) * self.span + x + 1) * groups
    }

    /// The blocks of each row of the board in an image, from top to bottom.
    pub(crate) fn rows<'a>(&self, groups: usize, image: &'a [Block]) -> impl Iterator<Item = &'a [Block]> {
        let rows = image[self.at(groups, 0, 0)..].chunks(self.span * groups).take(self.board);
        let width = self.board * groups;
        rows.map(move |row| &row[..width])
    }

    /// [`Images::rows`], to be changed.
    pub(crate) fn rows_mut<'a>(
        &self,
        groups: usize,
        image: &'a mut [Block],
    ) -> impl Iterator<Item = &'a mut [Block]> {
        let start = self.at(groups, 0, 0);
        let width = self.board * groups;
        let rows = image[start..].chunks_mut(self.span * groups).take(self.board);
        rows.map(move |row| &mut row[..width])
    }

    /// Writes planes `[channel, y, x]` into an image.
    pub(crate) fn write(&self, groups: usize, planes: &[f32], image: &mut [Block]) {
        let channels = groups * LANES;
        let image = numbers_mut(image);
        for (channel, plane) in planes.chunks_exact(self.points()).enumerate() {
            for (y, row) in plane.chunks_exact(self.board).enumerate() {
                let start = self.at(channels, y, 0) + channel;
                for (x, &value) in row.iter().enumerate() {
                    image[start + x * channels] = value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_fit_the_board() {
        for board in 2..20 {
            let images = Images::new(board);
            assert!(images.tiles * images.tile >= board && (images.tiles - 1) * images.tile < board);
        }
        assert_eq!((Images::new(9).tile, Images::new(19).tile), (3, 4));
    }
}
