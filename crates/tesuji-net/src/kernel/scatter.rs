//! The convolution of planes that are mostly 0.

use super::{Block, Images, Job, Lanes};

/// Adds to every output what each input that is not 0 gives it. Planes of games have few such
/// inputs, so that this takes a fraction of the products of a whole convolution.
pub(crate) struct Scatter<'a> {
    pub(crate) images: Images,
    /// Rows of the kernel, an odd number.
    pub(crate) size: usize,
    pub(crate) groups: usize,
    /// `[plane, y, x]`.
    pub(crate) planes: &'a [f32],
    /// `[plane, y, x, group]`, turned by half a turn.
    pub(crate) weight: &'a [Block],
    /// What every point begins with, for each group.
    pub(crate) bias: &'a [Block],
    /// Memory for `[y][x][group]`.
    pub(crate) sums: &'a mut [Block],
    /// An image.
    pub(crate) to: &'a mut [Block],
}

impl Job for Scatter<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Scatter { images, size, groups, planes, weight, bias, sums, to } = self;
        let (board, reach) = (images.board, size / 2);
        for sums in sums.chunks_exact_mut(groups) {
            sums.copy_from_slice(&bias[..groups]);
        }
        let kernels = weight.chunks_exact(size * size * groups);
        for (plane, kernel) in planes.chunks_exact(images.points()).zip(kernels) {
            for (point, &x) in plane.iter().enumerate() {
                if x == 0.0 {
                    continue;
                }
                let (row, column, x) = (point / board, point % board, V::splat(x));
                let first = column.saturating_sub(reach);
                let columns = (column + reach + 1).min(board) - first;
                let rows = row.saturating_sub(reach)..(row + reach + 1).min(board);
                for at in rows {
                    let taps = ((at + reach - row) * size + first + reach - column) * groups;
                    let taps = &kernel[taps..][..columns * groups];
                    let sums = &mut sums[(at * board + first) * groups..][..columns * groups];
                    for (sum, tap) in sums.iter_mut().zip(taps) {
                        x.mul_add(V::load(tap), V::load(sum)).store(sum);
                    }
                }
            }
        }
        for group in 0..groups {
            for y in 0..board {
                let to = &mut to[group * images.plane() + images.at(y, 0)..][..board];
                let from = sums[y * board * groups + group..].iter().step_by(groups);
                to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            }
        }
    }
}
