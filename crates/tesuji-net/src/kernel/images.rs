//! The layout of images in memory.

use super::{Block, LANES, Place, numbers_mut};

/// Images `[position][group][y][x][channel of the group]` with a border of zeros, so that tiles of
/// one size cover the board and all that they look at. A group is a block of channels.
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

    /// The blocks of one group of an image.
    pub(crate) fn plane(&self) -> usize {
        self.span * self.span
    }

    /// The place of row `y`, column `x` in a group.
    pub(crate) fn at(&self, y: usize, x: usize) -> usize {
        (y + 1) * self.span + x + 1
    }

    /// Where transformed tiles of this many images lie: `[group][image and tile][product]`, a
    /// matrix for each product.
    pub(crate) fn products_place(&self, images: usize) -> Place {
        let row = self.products();
        Place { matrix: 1, row, group: row * self.count() * images }
    }

    /// Writes planes `[channel, y, x]` into an image.
    pub(crate) fn write(&self, planes: &[f32], image: &mut [Block]) {
        let image = numbers_mut(image);
        for (channel, plane) in planes.chunks_exact(self.points()).enumerate() {
            let group = channel / LANES * self.plane();
            for (y, row) in plane.chunks_exact(self.board).enumerate() {
                let start = (group + self.at(y, 0)) * LANES + channel % LANES;
                for (to, &value) in image[start..].iter_mut().step_by(LANES).zip(row) {
                    *to = value;
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
