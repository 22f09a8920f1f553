//! Scratch memory of layers that are computed at every point.

use crate::kernel::{Block, Images, Instructions, LANES, Multiply, Place};
use crate::network::Layer;

/// What attention and feed-forward layers work with.
pub(super) struct Points<'a> {
    pub(super) instructions: Instructions,
    pub(super) images: Images,
    /// Positions.
    pub(super) count: usize,
    pub(super) memory: &'a mut [Block],
    pub(super) scores: &'a mut [Block],
    pub(super) packed_keys: &'a mut [Block],
    pub(super) packed_values: &'a mut [Block],
}

/// A layer without a bias at every point of `[group][y][x]`.
pub(super) fn at_points(
    instructions: Instructions,
    layer: &Layer,
    points: usize,
    from: &[Block],
    to: &mut [Block],
) {
    let groups = layer.bias.len();
    instructions.run(Multiply {
        matrices: 1,
        rows: points,
        depth: from.len() / points * LANES,
        groups,
        a: from,
        a_place: Place { matrix: 0, row: 1, group: points },
        transposed: false,
        b: &layer.weight,
        b_place: Place { matrix: 0, row: groups, group: 1 },
        c: to,
        c_place: Place { matrix: 0, row: 1, group: points },
        accumulate: false,
    });
}

/// Adds a layer without a bias at every point of `[group][y][x]` to an image.
pub(super) fn add_to_image(
    instructions: Instructions,
    images: Images,
    layer: &Layer,
    from: &[Block],
    to: &mut [Block],
) {
    let (groups, points) = (layer.bias.len(), images.points());
    instructions.run(Multiply {
        matrices: images.board,
        rows: images.board,
        depth: from.len() / points * LANES,
        groups,
        a: from,
        a_place: Place { matrix: images.board, row: 1, group: points },
        transposed: false,
        b: &layer.weight,
        b_place: Place { matrix: 0, row: groups, group: 1 },
        c: &mut to[images.at(0, 0)..],
        c_place: Place { matrix: images.span, row: 1, group: images.plane() },
        accumulate: true,
    });
}
