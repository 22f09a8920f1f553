//! Convolutions with 3x3 kernels as products of matrices between Winograd's transforms.
//!
//! Each of the N x N products of a tile is an element of one matrix for all tiles and channels.

#![expect(clippy::needless_range_loop, reason = "indices name places in two or three arrays at a time")]

use super::tile::{F3, F4, Tile};
use super::{Block, Images, Job, LANES, Lanes, packed};

/// Calls a generic function for the tiles of `images`.
macro_rules! for_tiles {
    ($images:expr, $self:ident . $run:ident :: <$V:ident>()) => {
        match $images.tile {
            3 => $self.$run::<$V, F3, 3, 5>(),
            _ => $self.$run::<$V, F4, 4, 6>(),
        }
    };
}

/// B^T d B for each tile d of images, which overlap by two.
pub(crate) struct TransformInput<'a> {
    pub(crate) images: Images,
    pub(crate) groups: usize,
    /// Any number of images.
    pub(crate) from: &'a [Block],
    /// `[group][image and tile][product]`.
    pub(crate) to: &'a mut [Block],
}

impl Job for TransformInput<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        for_tiles!(self.images, self.go::<V>());
    }
}

impl TransformInput<'_> {
    #[inline(always)]
    fn go<V: Lanes, T: Tile<M, N>, const M: usize, const N: usize>(self) {
        let TransformInput { images, groups, from, to } = self;
        let (span, plane) = (images.span, images.plane());
        for_each_tile(images, groups, from.len(), N * N, |tile| {
            let corner = tile.group_at * plane + (tile.y * span + tile.x) * M;
            let from = &from[corner..corner + (N - 1) * span + N];
            let to = &mut to[tile.products..tile.products + N * N];
            let mut half = [[V::splat(0.0); N]; N];
            for x in 0..N {
                let mut column = [V::splat(0.0); N];
                for y in 0..N {
                    debug_assert!(y * span + x < from.len());
                    // SAFETY: y and x are below N, and the slice has (N - 1) * span + N blocks.
                    column[y] = V::load(unsafe { from.get_unchecked(y * span + x) });
                }
                let column = T::input(column);
                for y in 0..N {
                    half[y][x] = column[y];
                }
            }
            for y in 0..N {
                let row = T::input(half[y]);
                for x in 0..N {
                    row[x].store(&mut to[y * N + x]);
                }
            }
        });
    }
}

/// max(floor, A^T m A + bias (+ what is there)) for each tile m, onto the board of images.
pub(crate) struct TransformOutput<'a> {
    pub(crate) images: Images,
    pub(crate) groups: usize,
    /// `[group][image and tile][product]`.
    pub(crate) from: &'a [Block],
    /// For each group.
    pub(crate) bias: &'a [Block],
    pub(crate) accumulate: bool,
    pub(crate) floor: f32,
    /// Any number of images.
    pub(crate) to: &'a mut [Block],
}

impl Job for TransformOutput<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        for_tiles!(self.images, self.go::<V>());
    }
}

impl TransformOutput<'_> {
    #[inline(always)]
    fn go<V: Lanes, T: Tile<M, N>, const M: usize, const N: usize>(self) {
        let TransformOutput { images, groups, from, bias, accumulate, floor, to } = self;
        let (span, plane) = (images.span, images.plane());
        let floor = V::splat(floor);
        for_each_tile(images, groups, to.len(), N * N, |tile| {
            let from = &from[tile.products..tile.products + N * N];
            let bias = V::load(&bias[tile.group]);
            let mut half = [[V::splat(0.0); N]; M];
            for x in 0..N {
                let mut column = [V::splat(0.0); N];
                for y in 0..N {
                    column[y] = V::load(&from[y * N + x]);
                }
                let column = T::output(column);
                for y in 0..M {
                    half[y][x] = column[y];
                }
            }
            let (y0, x0) = (tile.y * M, tile.x * M);
            let (high, wide) = (M.min(images.board - y0), M.min(images.board - x0));
            let corner = tile.group_at * plane + images.at(y0, x0);
            let mut to = &mut to[corner..];
            for y in 0..high {
                let row = T::output(half[y]);
                let to_row = &mut to[..M];
                for x in 0..M {
                    if x < wide {
                        let mut value = row[x].add(bias);
                        if accumulate {
                            value = value.add(V::load(&to_row[x]));
                        }
                        value.max(floor).store(&mut to_row[x]);
                    }
                }
                to = &mut to[span..];
            }
        });
    }
}

/// A y A^T for each tile y of images: the derivative by the product, from the derivative by the
/// output.
pub(crate) struct TransformGradient<'a> {
    pub(crate) images: Images,
    pub(crate) groups: usize,
    /// Any number of images.
    pub(crate) from: &'a [Block],
    /// `[group][image and tile][product]`.
    pub(crate) to: &'a mut [Block],
}

impl Job for TransformGradient<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        for_tiles!(self.images, self.go::<V>());
    }
}

impl TransformGradient<'_> {
    #[inline(always)]
    fn go<V: Lanes, T: Tile<M, N>, const M: usize, const N: usize>(self) {
        let TransformGradient { images, groups, from, to } = self;
        let (span, plane) = (images.span, images.plane());
        for_each_tile(images, groups, from.len(), N * N, |tile| {
            let corner = tile.group_at * plane + images.at(tile.y * M, tile.x * M);
            let from = &from[corner..corner + (M - 1) * span + M];
            let to = &mut to[tile.products..tile.products + N * N];
            let mut half = [[V::splat(0.0); M]; N];
            for x in 0..M {
                let mut column = [V::splat(0.0); M];
                for y in 0..M {
                    column[y] = V::load(&from[y * span + x]);
                }
                let column = T::output_adjoint(column);
                for y in 0..N {
                    half[y][x] = column[y];
                }
            }
            for y in 0..N {
                let row = T::output_adjoint(half[y]);
                for x in 0..N {
                    row[x].store(&mut to[y * N + x]);
                }
            }
        });
    }
}

/// One group of one tile.
#[derive(Clone, Copy)]
struct TileAt {
    group: usize,
    /// The number of the group, all images' groups counted.
    group_at: usize,
    /// Row and column of the tile.
    y: usize,
    x: usize,
    /// The first of its products.
    products: usize,
}

/// Calls `f` for every group of every tile of images that have `blocks` blocks together.
#[inline(always)]
fn for_each_tile(images: Images, groups: usize, blocks: usize, products: usize, mut f: impl FnMut(TileAt)) {
    assert_eq!(images.products(), products);
    let count = blocks / (images.plane() * groups);
    for image in 0..count {
        for group in 0..groups {
            let mut at = (group * count + image) * images.count() * products;
            for y in 0..images.tiles {
                for x in 0..images.tiles {
                    f(TileAt { group, group_at: image * groups + group, y, x, products: at });
                    at += products;
                }
            }
        }
    }
}

/// Which way a kernel is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KernelOrder {
    /// As it is.
    Forward,
    /// Turned by half a turn, inputs and outputs exchanged: the convolution that takes derivatives
    /// back.
    Back,
}

/// G g G^T for each 3x3 kernel g of `[out, in, y, x]`.
pub(crate) struct TransformKernel<'a> {
    pub(crate) images: Images,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) order: KernelOrder,
    pub(crate) from: &'a [f32],
    /// For each product a packed matrix of inputs, filled up to whole groups, and outputs, or with
    /// the two exchanged.
    pub(crate) to: &'a mut [Block],
}

impl Job for TransformKernel<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        for_tiles!(self.images, self.go::<V>());
    }
}

impl TransformKernel<'_> {
    #[inline(always)]
    fn go<V: Lanes, T: Tile<M, N>, const M: usize, const N: usize>(self) {
        let TransformKernel { inputs, outputs, order, from, to, .. } = self;
        let (rows, columns, row_step, column_step) = match order {
            KernelOrder::Forward => (inputs, outputs, 9, 9 * inputs),
            KernelOrder::Back => (outputs, inputs, 9 * inputs, 9),
        };
        let groups = columns.div_ceil(LANES);
        let high = rows.next_multiple_of(LANES);
        let place = high * groups;
        assert!(from.len() == 9 * inputs * outputs && to.len() == N * N * place);
        for row in 0..rows {
            for group in 0..groups {
                let mut taps = [Block::default(); 9];
                for lane in 0..LANES.min(columns - group * LANES) {
                    let start = row * row_step + (group * LANES + lane) * column_step;
                    for (tap, &weight) in from[start..start + 9].iter().enumerate() {
                        taps[tap].0[lane] = weight;
                    }
                }
                if order == KernelOrder::Back {
                    taps.reverse();
                }
                let at = packed(high, groups, row, group);
                let mut half = [[V::splat(0.0); 3]; N];
                for x in 0..3 {
                    let column = T::kernel([0, 3, 6].map(|y| V::load(&taps[y + x])));
                    for y in 0..N {
                        half[y][x] = column[y];
                    }
                }
                for y in 0..N {
                    for (x, value) in T::kernel(half[y]).into_iter().enumerate() {
                        value.store(&mut to[(y * N + x) * place + at]);
                    }
                }
            }
        }
    }
}

/// G^T k G for each transformed kernel k: the derivative by the kernel, from that by the
/// transformed kernel.
pub(crate) struct KernelGradient<'a> {
    pub(crate) images: Images,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// `[product][input][group of outputs]`, inputs filled up to whole groups.
    pub(crate) from: &'a [Block],
    /// `[out, in, y, x]`.
    pub(crate) to: &'a mut [f32],
}

impl Job for KernelGradient<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        for_tiles!(self.images, self.go::<V>());
    }
}

impl KernelGradient<'_> {
    #[inline(always)]
    fn go<V: Lanes, T: Tile<M, N>, const M: usize, const N: usize>(self) {
        let KernelGradient { inputs, outputs, from, to, .. } = self;
        let groups = outputs.div_ceil(LANES);
        let place = inputs.next_multiple_of(LANES) * groups;
        assert!(to.len() == 9 * inputs * outputs && from.len() == N * N * place);
        for input in 0..inputs {
            for group in 0..groups {
                let mut half = [[V::splat(0.0); N]; 3];
                for x in 0..N {
                    let mut column = [V::splat(0.0); N];
                    for y in 0..N {
                        column[y] = V::load(&from[(y * N + x) * place + input * groups + group]);
                    }
                    let column = T::kernel_adjoint(column);
                    for y in 0..3 {
                        half[y][x] = column[y];
                    }
                }
                let mut taps = [Block::default(); 9];
                for y in 0..3 {
                    for (x, value) in T::kernel_adjoint(half[y]).into_iter().enumerate() {
                        value.store(&mut taps[3 * y + x]);
                    }
                }
                for lane in 0..LANES.min(outputs - group * LANES) {
                    let start = ((group * LANES + lane) * inputs + input) * 9;
                    for (to, tap) in to[start..start + 9].iter_mut().zip(&taps) {
                        *to = tap.0[lane];
                    }
                }
            }
        }
    }
}
