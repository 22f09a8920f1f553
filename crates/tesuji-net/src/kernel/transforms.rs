//! Convolutions with 3x3 kernels as products of matrices between Winograd's transforms.
//!
//! The transformed input has one matrix `[tile][channel]` for each of the N x N places in a tile, the transformed kernel
//! `[input][output]`.

// Indices name places in two or three arrays at a time.
#![allow(clippy::needless_range_loop)]

use super::tile::{F3, F4, Tile};
use super::{Block, Images, Job, LANES, Lanes};

/// Calls a generic function for the tiles of `images`.
macro_rules! for_tiles {
    ($images:expr, $self:ident . $run:ident :: <$V:ident>()) => {
        match $images.tile {
            3 => $self.$run::<$V, F3, 3, 5>(),
            _ => $self.$run::<$V, F4, 4, 6>(),
        }
    };
}

/// Reads without a check in release builds.
///
/// # Safety
/// `index` must be below the length.
#[inline(always)]
unsafe fn load<V: Lanes>(from: &[Block], index: usize) -> V {
    debug_assert!(index < from.len());
    // SAFETY: the caller's promise.
    V::load(unsafe { from.get_unchecked(index) })
}

/// Writes without a check in release builds.
///
/// # Safety
/// `index` must be below the length.
#[inline(always)]
unsafe fn store<V: Lanes>(x: V, to: &mut [Block], index: usize) {
    debug_assert!(index < to.len());
    // SAFETY: the caller's promise.
    x.store(unsafe { to.get_unchecked_mut(index) });
}

/// B^T d B for each tile d of images, which overlap by two.
pub(crate) struct TransformInput<'a> {
    pub(crate) images: Images,
    pub(crate) groups: usize,
    /// Any number of images.
    pub(crate) from: &'a [Block],
    /// `[place][image and tile][group]`.
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
        let count = from.len() / images.len(groups);
        let place = count * images.count() * groups;
        assert!(to.len() >= N * N * place && images.tile == M);
        let mut out = 0;
        for image in from.chunks_exact(images.len(groups)) {
            for tile in 0..images.count() {
                let corner = (tile / images.tiles * images.span + tile % images.tiles) * M * groups;
                assert!(corner + (N - 1) * (images.span + 1) * groups + groups <= image.len());
                for group in 0..groups {
                    let mut half = [[V::splat(0.0); N]; N];
                    for x in 0..N {
                        let mut column = [V::splat(0.0); N];
                        for y in 0..N {
                            // SAFETY: below the bound asserted, as y, x < N and group < groups.
                            column[y] = unsafe {
                                load(image, corner + (y * images.span + x) * groups + group)
                            };
                        }
                        let column = T::input(column);
                        for y in 0..N {
                            half[y][x] = column[y];
                        }
                    }
                    for y in 0..N {
                        let row = T::input(half[y]);
                        for x in 0..N {
                            // SAFETY: out < place, and `to` has N * N places.
                            unsafe { store(row[x], to, (y * N + x) * place + out) };
                        }
                    }
                    out += 1;
                }
            }
        }
    }
}

/// max(floor, A^T m A + bias (+ what is there)) for each tile m, onto the board of images.
pub(crate) struct TransformOutput<'a> {
    pub(crate) images: Images,
    pub(crate) groups: usize,
    /// `[place][image and tile][group]`.
    pub(crate) from: &'a [Block],
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
        let count = to.len() / images.len(groups);
        let place = count * images.count() * groups;
        assert!(from.len() >= N * N * place && images.tile == M);
        let floor = V::splat(floor);
        let mut at = 0;
        for image in to.chunks_exact_mut(images.len(groups)) {
            for tile in 0..images.count() {
                let (y0, x0) = (tile / images.tiles * M, tile % images.tiles * M);
                let (high, wide) = (M.min(images.board - y0), M.min(images.board - x0));
                let corner = images.at(groups, y0, x0);
                assert!(corner + ((high - 1) * images.span + wide - 1) * groups + groups <= image.len());
                for (group, bias) in bias[..groups].iter().enumerate() {
                    let bias = V::load(bias);
                    let mut half = [[V::splat(0.0); N]; M];
                    for x in 0..N {
                        let mut column = [V::splat(0.0); N];
                        for y in 0..N {
                            // SAFETY: at < place, and `from` has N * N places.
                            column[y] = unsafe { load(from, (y * N + x) * place + at) };
                        }
                        let column = T::output(column);
                        for y in 0..M {
                            half[y][x] = column[y];
                        }
                    }
                    for y in 0..high {
                        let row = T::output(half[y]);
                        for x in 0..wide {
                            let index = corner + (y * images.span + x) * groups + group;
                            let mut value = row[x].add(bias);
                            // SAFETY: below the bound asserted, as y < high, x < wide and group < groups.
                            unsafe {
                                if accumulate {
                                    value = value.add(load(image, index));
                                }
                                store(value.max(floor), image, index);
                            }
                        }
                    }
                    at += 1;
                }
            }
        }
    }
}

/// A y A^T for each tile y of images: the derivative by the product, from the derivative by the output.
pub(crate) struct TransformGradient<'a> {
    pub(crate) images: Images,
    pub(crate) groups: usize,
    /// Any number of images.
    pub(crate) from: &'a [Block],
    /// `[place][image and tile][group]`.
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
        let count = from.len() / images.len(groups);
        let place = count * images.count() * groups;
        assert!(to.len() >= N * N * place && images.tile == M);
        let mut out = 0;
        for image in from.chunks_exact(images.len(groups)) {
            for tile in 0..images.count() {
                let corner = images.at(groups, tile / images.tiles * M, tile % images.tiles * M);
                assert!(corner + (M - 1) * (images.span + 1) * groups + groups <= image.len());
                for group in 0..groups {
                    let mut half = [[V::splat(0.0); M]; N];
                    for x in 0..M {
                        let mut column = [V::splat(0.0); M];
                        for y in 0..M {
                            // SAFETY: below the bound asserted, as y, x < M and group < groups.
                            column[y] = unsafe {
                                load(image, corner + (y * images.span + x) * groups + group)
                            };
                        }
                        let column = T::output_adjoint(column);
                        for y in 0..N {
                            half[y][x] = column[y];
                        }
                    }
                    for y in 0..N {
                        let row = T::output_adjoint(half[y]);
                        for x in 0..N {
                            // SAFETY: out < place, and `to` has N * N places.
                            unsafe { store(row[x], to, (y * N + x) * place + out) };
                        }
                    }
                    out += 1;
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
    /// Turned by half a turn, inputs and outputs exchanged: the convolution that takes derivatives back.
    Back,
}

/// G g G^T for each 3x3 kernel g of `[out, in, y, x]`.
pub(crate) struct TransformKernel<'a> {
    pub(crate) images: Images,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) order: KernelOrder,
    pub(crate) from: &'a [f32],
    /// `[place][input][group of outputs]` with inputs filled up to whole blocks, or with the two exchanged.
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
        let place = rows.next_multiple_of(LANES) * groups;
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
                let mut half = [[V::splat(0.0); 3]; N];
                for x in 0..3 {
                    let column = T::kernel([0, 3, 6].map(|y| V::load(&taps[y + x])));
                    for y in 0..N {
                        half[y][x] = column[y];
                    }
                }
                for y in 0..N {
                    for (x, value) in T::kernel(half[y]).into_iter().enumerate() {
                        value.store(&mut to[(y * N + x) * place + row * groups + group]);
                    }
                }
            }
        }
    }
}

/// G^T k G for each transformed kernel k: the derivative by the kernel, from that by the transformed kernel.
pub(crate) struct KernelGradient<'a> {
    pub(crate) images: Images,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// `[place][input][group of outputs]`, inputs filled up to whole blocks.
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
