//! Functions of each number, or of the numbers of one point or one channel.

use super::{Block, Images, Job, LANES, Lanes};
use crate::graph::Activation;

/// Where the points of some groups of channels lie, in blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    /// Of the first point.
    pub(crate) first: usize,
    pub(crate) groups: usize,
    /// From one group to the next.
    pub(crate) group: usize,
    pub(crate) rows: usize,
    /// From one row to the next.
    pub(crate) row: usize,
    /// Points of a row, which are neighbours.
    pub(crate) columns: usize,
}

impl Region {
    /// The board in an image of `groups` groups.
    pub(crate) fn image(images: Images, groups: usize) -> Region {
        let (rows, columns) = (images.board, images.board);
        Region { first: images.at(0, 0), groups, group: images.plane(), rows, row: images.span, columns }
    }

    /// `[group][y][x]` without a border.
    pub(crate) fn compact(images: Images, groups: usize) -> Region {
        let (rows, columns) = (images.board, images.board);
        Region { first: 0, groups, group: images.points(), rows, row: images.board, columns }
    }

    #[inline(always)]
    fn at(&self, group: usize, row: usize) -> usize {
        self.first + group * self.group + row * self.row
    }
}

/// `activation(x * scale + bias)`, into another place or the same.
pub(crate) struct Affine<'a> {
    /// Where x is; none: where the result goes.
    pub(crate) from: Option<(&'a [Block], Region)>,
    /// For each group.
    pub(crate) scale: &'a [Block],
    /// For each group.
    pub(crate) bias: &'a [Block],
    pub(crate) activation: Activation,
    pub(crate) to: &'a mut [Block],
    pub(crate) region: Region,
}

impl Job for Affine<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        match self.activation {
            Activation::Identity => self.go::<V, Identity>(),
            Activation::Relu => self.go::<V, Relu>(),
            Activation::Mish => self.go::<V, Mish>(),
            Activation::Silu => self.go::<V, Silu>(),
        }
    }
}

/// A function of each number. It is no closure, because a closure that is not inlined has none of
/// the instructions of its caller: then each of them is a call.
trait Function {
    fn of<V: Lanes>(x: V) -> V;
}

struct Identity;
struct Relu;
struct Mish;
struct Silu;

impl Function for Identity {
    #[inline(always)]
    fn of<V: Lanes>(x: V) -> V {
        x
    }
}

impl Function for Relu {
    #[inline(always)]
    fn of<V: Lanes>(x: V) -> V {
        x.max(V::splat(0.0))
    }
}

/// x tanh(ln(1 + e^x)), by n (n + 2) / (n (n + 2) + 2) with n = e^x.
impl Function for Mish {
    #[inline(always)]
    fn of<V: Lanes>(x: V) -> V {
        let (zero, two) = (V::splat(0.0), V::splat(2.0));
        let n = zero.sub(V::splat(-20.0).max(zero.sub(x))).exp();
        let n = n.mul(n.add(two));
        x.mul(n.div(n.add(two)))
    }
}

impl Function for Silu {
    #[inline(always)]
    fn of<V: Lanes>(x: V) -> V {
        x.div(V::splat(1.0).add(V::splat(0.0).sub(x).exp()))
    }
}

impl Affine<'_> {
    #[inline(always)]
    fn go<V: Lanes, F: Function>(self) {
        let Affine { from, scale, bias, to, region, .. } = self;
        for group in 0..region.groups {
            let (scale, bias) = (V::load(&scale[group]), V::load(&bias[group]));
            for row in 0..region.rows {
                let to = &mut to[region.at(group, row)..][..region.columns];
                match from {
                    Some((from, at)) => {
                        let from = &from[at.at(group, row)..][..region.columns];
                        for (to, from) in to.iter_mut().zip(from) {
                            F::of(V::load(from).mul_add(scale, bias)).store(to);
                        }
                    }
                    None => {
                        for to in to {
                            F::of(V::load(to).mul_add(scale, bias)).store(to);
                        }
                    }
                }
            }
        }
    }
}

/// The mean and the maximum of each channel.
pub(crate) struct Pool<'a> {
    pub(crate) from: &'a [Block],
    pub(crate) region: Region,
    /// For each group the means, then for each the maxima.
    pub(crate) to: &'a mut [Block],
}

impl Job for Pool<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Pool { from, region, to } = self;
        let share = V::splat(1.0 / (region.rows * region.columns) as f32);
        let (means, most) = to.split_at_mut(region.groups);
        for group in 0..region.groups {
            let (mut sum, mut highest) = (V::splat(0.0), V::splat(f32::NEG_INFINITY));
            for row in 0..region.rows {
                for x in &from[region.at(group, row)..][..region.columns] {
                    let x = V::load(x);
                    sum = sum.add(x);
                    highest = highest.max(x);
                }
            }
            sum.mul(share).store(&mut means[group]);
            highest.store(&mut most[group]);
        }
    }
}

/// `x * scale / sqrt(mean of x^2 + epsilon)`, the mean over the channels of each point, or of all.
pub(crate) struct RootMeanSquare<'a> {
    pub(crate) from: &'a [Block],
    pub(crate) from_region: Region,
    /// Channels that are counted; the others must be 0.
    pub(crate) channels: usize,
    pub(crate) epsilon: f32,
    /// Whether the mean is over all points.
    pub(crate) board: bool,
    /// For each group.
    pub(crate) scale: &'a [Block],
    pub(crate) to: &'a mut [Block],
    pub(crate) region: Region,
}

impl Job for RootMeanSquare<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let RootMeanSquare { from, from_region, channels, epsilon, board, scale, to, region } = self;
        let squares = |row: usize, column: usize| {
            let mut sum = V::splat(0.0);
            for group in 0..region.groups {
                let x = V::load(&from[from_region.at(group, row) + column]);
                sum = x.mul_add(x, sum);
            }
            let mut block = Block::default();
            sum.store(&mut block);
            block.0.iter().sum::<f32>()
        };
        let factor = |squares: f32, count: usize| 1.0 / (squares / count as f32 + epsilon).sqrt();
        let points = region.rows * region.columns;
        let of_board = if board {
            let all = (0..points).map(|point| squares(point / region.columns, point % region.columns));
            factor(all.sum(), points * channels)
        } else {
            0.0
        };
        for row in 0..region.rows {
            for column in 0..region.columns {
                let factor = if board { of_board } else { factor(squares(row, column), channels) };
                let factor = V::splat(factor);
                for group in 0..region.groups {
                    let x = V::load(&from[from_region.at(group, row) + column]);
                    let scale = V::load(&scale[group]);
                    x.mul(factor).mul(scale).store(&mut to[region.at(group, row) + column]);
                }
            }
        }
    }
}

/// e^x over their sum for the first `count` numbers of each row, and 0 for the others.
pub(crate) struct Softmax<'a> {
    /// Rows of as many blocks as hold the numbers.
    pub(crate) rows: &'a mut [Block],
    pub(crate) count: usize,
}

impl Job for Softmax<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Softmax { rows, count } = self;
        let rest = count % LANES;
        let mut is_in = Block([1.0; LANES]);
        if rest > 0 {
            is_in.0[rest..].fill(0.0);
        }
        for row in rows.chunks_exact_mut(count.div_ceil(LANES)) {
            let Some((last, full)) = row.split_last_mut() else { return };
            let mut highest = V::splat(f32::NEG_INFINITY);
            for x in full.iter() {
                highest = highest.max(V::load(x));
            }
            let mut block = Block::default();
            highest.store(&mut block);
            let in_last = &last.0[..if rest > 0 { rest } else { LANES }];
            let most = block.0.iter().chain(in_last).copied().fold(f32::NEG_INFINITY, f32::max);
            // What does not count may be anything.
            if rest > 0 {
                last.0[rest..].fill(most);
            }
            let (most, mut sum) = (V::splat(most), V::splat(0.0));
            for x in full.iter_mut() {
                let power = V::load(x).sub(most).exp();
                sum = sum.add(power);
                power.store(x);
            }
            let power = V::load(last).sub(most).exp().mul(V::load(&is_in));
            power.store(last);
            sum.add(power).store(&mut block);
            let share = V::splat(1.0 / block.0.iter().sum::<f32>());
            for x in row {
                V::load(x).mul(share).store(x);
            }
        }
    }
}

/// `SiLU(x) * gate`, in the place of x.
pub(crate) struct Gate<'a> {
    pub(crate) gate: &'a [Block],
    pub(crate) x: &'a mut [Block],
}

impl Job for Gate<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        for (x, gate) in self.x.iter_mut().zip(self.gate) {
            Silu::of(V::load(x)).mul(V::load(gate)).store(x);
        }
    }
}
