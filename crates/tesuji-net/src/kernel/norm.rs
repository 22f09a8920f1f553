//! Batch norm with the statistics of a batch, and its derivative (Ioffe and Szegedy 2015).

use super::{Block, Images, Job, LANES, Lanes};

/// Where the points of the board lie in a group of channels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// Blocks of a group.
    pub(crate) plane: usize,
    start: usize,
    rows: usize,
    stride: usize,
    width: usize,
}

impl Rows {
    /// In images with their border.
    pub(crate) fn of(images: &Images) -> Rows {
        let (plane, start) = (images.plane(), images.at(0, 0));
        Rows { plane, start, rows: images.board, stride: images.span, width: images.board }
    }

    /// One after the other.
    pub(crate) fn dense(points: usize) -> Rows {
        Rows { plane: points, start: 0, rows: 1, stride: points, width: points }
    }

    /// The points of a group.
    pub(crate) fn points(&self) -> usize {
        self.rows * self.width
    }

    /// The places of the points in the group that starts at `plane`, by rows.
    #[inline(always)]
    pub(crate) fn ranges(self, plane: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        (0..self.rows).map(move |row| {
            let start = plane + self.start + row * self.stride;
            start..start + self.width
        })
    }
}

/// Count, means and sums of squared deviations of channels.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Moments {
    count: f64,
    means: Vec<f64>,
    squares: Vec<f64>,
}

impl Moments {
    /// Of nothing.
    pub(crate) fn new(channels: usize) -> Moments {
        Moments { count: 0.0, means: vec![0.0; channels], squares: vec![0.0; channels] }
    }

    /// Adds those of other values (Chan, Golub and LeVeque 1983).
    pub(crate) fn add(&mut self, other: &Moments) {
        let count = self.count + other.count;
        for i in 0..self.means.len() {
            let difference = other.means[i] - self.means[i];
            self.means[i] += difference * other.count / count;
            self.squares[i] += other.squares[i] + difference * difference * self.count * other.count / count;
        }
        self.count = count;
    }

    /// How many values each channel has.
    pub(crate) fn count(&self) -> f64 {
        self.count
    }

    /// The mean of each channel.
    pub(crate) fn means(&self) -> &[f64] {
        &self.means
    }

    /// The variance of each channel, the sum of squares divided by the count less `less`.
    pub(crate) fn variances(&self, less: f64) -> impl Iterator<Item = f64> {
        self.squares.iter().map(move |squares| squares / (self.count - less))
    }
}

/// Adds the moments of every image to `moments`.
pub(crate) struct Measure<'a> {
    pub(crate) rows: Rows,
    /// `[image][group][...]`.
    pub(crate) images: &'a [Block],
    /// For whole groups of channels.
    pub(crate) moments: &'a mut Moments,
}

impl Job for Measure<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let channels = self.moments.means.len();
        let points = self.rows.points() as f32;
        let mut one = Moments::new(channels);
        one.count = points.into();
        for image in self.images.chunks_exact(self.rows.plane * channels / LANES) {
            for (group, plane) in image.chunks_exact(self.rows.plane).enumerate() {
                let mut sum = V::splat(0.0);
                for range in self.rows.ranges(0) {
                    for block in &plane[range] {
                        sum = sum.add(V::load(block));
                    }
                }
                let mean = sum.times(1.0 / points);
                let mut squares = V::splat(0.0);
                for range in self.rows.ranges(0) {
                    for block in &plane[range] {
                        let difference = V::load(block).sub(mean);
                        squares = difference.mul_add(difference, squares);
                    }
                }
                let mut block = Block::default();
                mean.store(&mut block);
                let to = group * LANES..(group + 1) * LANES;
                one.means[to.clone()].iter_mut().zip(block.0).for_each(|(to, x)| *to = x.into());
                squares.store(&mut block);
                one.squares[to].iter_mut().zip(block.0).for_each(|(to, x)| *to = x.into());
            }
            self.moments.add(&one);
        }
    }
}

/// What batch norm does to each channel, in whole groups.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    /// The mean of the batch.
    pub(crate) mean: Vec<Block>,
    /// One by the standard deviation of the batch.
    pub(crate) inverse: Vec<Block>,
    pub(crate) gamma: Vec<Block>,
    pub(crate) beta: Vec<Block>,
}

/// Puts values in standard deviations, and `max(0, gamma value + beta (+ skip))` into `out`.
pub(crate) struct Normalize<'a> {
    pub(crate) rows: Rows,
    pub(crate) scale: &'a Scale,
    /// `[image][group][...]`, as the next.
    pub(crate) normal: &'a mut [Block],
    pub(crate) skip: Option<&'a [Block]>,
    pub(crate) out: &'a mut [Block],
}

impl Job for Normalize<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Normalize { rows, scale, normal, skip, out } = self;
        let groups = scale.mean.len();
        let zero = V::splat(0.0);
        for plane in 0..normal.len() / rows.plane {
            let group = plane % groups;
            let [mean, inverse, gamma, beta] =
                [&scale.mean, &scale.inverse, &scale.gamma, &scale.beta].map(|of| V::load(&of[group]));
            for range in rows.ranges(plane * rows.plane) {
                let (normal, out) = (&mut normal[range.clone()], &mut out[range.clone()]);
                for (normal, out) in normal.iter_mut().zip(&mut *out) {
                    let x = V::load(normal).sub(mean).mul(inverse);
                    x.store(normal);
                    gamma.mul_add(x, beta).store(out);
                }
                if let Some(skip) = skip {
                    for (out, skip) in out.iter_mut().zip(&skip[range]) {
                        V::load(out).add(V::load(skip)).store(out);
                    }
                }
                for out in out {
                    V::load(out).max(zero).store(out);
                }
            }
        }
    }
}

/// Takes derivatives back through ReLU, in place, and sums them up for each channel.
pub(crate) struct Mask<'a> {
    pub(crate) rows: Rows,
    /// `[image][group][...]`, as the next.
    pub(crate) out: &'a [Block],
    pub(crate) normal: &'a [Block],
    pub(crate) gradient: &'a mut [Block],
    /// For each channel the sum of derivatives; then for each channel the sum of their products
    /// with `normal`.
    pub(crate) sums: &'a mut [f64],
}

impl Job for Mask<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Mask { rows, out, normal, gradient, sums } = self;
        let (betas, gammas) = sums.split_at_mut(sums.len() / 2);
        let groups = betas.len() / LANES;
        for plane in 0..gradient.len() / rows.plane {
            let (mut beta, mut gamma) = (V::splat(0.0), V::splat(0.0));
            for range in rows.ranges(plane * rows.plane) {
                let from = out[range.clone()].iter().zip(&normal[range.clone()]);
                for (gradient, (out, normal)) in gradient[range].iter_mut().zip(from) {
                    let g = V::load(gradient).where_positive(V::load(out));
                    g.store(gradient);
                    beta = beta.add(g);
                    gamma = g.mul_add(V::load(normal), gamma);
                }
            }
            let to = plane % groups * LANES..(plane % groups + 1) * LANES;
            let mut block = Block::default();
            beta.store(&mut block);
            betas[to.clone()].iter_mut().zip(block.0).for_each(|(to, x)| *to += f64::from(x));
            gamma.store(&mut block);
            gammas[to].iter_mut().zip(block.0).for_each(|(to, x)| *to += f64::from(x));
        }
    }
}

/// Takes derivatives back through batch norm: `by (g - beta - normal gamma)`.
pub(crate) struct NormalizeBack<'a> {
    pub(crate) rows: Rows,
    /// For each group: the scale, and the means of the sums of [`Mask`].
    pub(crate) by: &'a [Block],
    pub(crate) beta: &'a [Block],
    pub(crate) gamma: &'a [Block],
    /// `[image][group][...]`, as the next.
    pub(crate) normal: &'a [Block],
    pub(crate) gradient: &'a [Block],
    pub(crate) to: &'a mut [Block],
}

impl Job for NormalizeBack<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let NormalizeBack { rows, by, beta, gamma, normal, gradient, to } = self;
        for plane in 0..to.len() / rows.plane {
            let group = plane % by.len();
            let [by, beta, gamma] = [by, beta, gamma].map(|of| V::load(&of[group]));
            for range in rows.ranges(plane * rows.plane) {
                let from = gradient[range.clone()].iter().zip(&normal[range.clone()]);
                for (to, (gradient, normal)) in to[range].iter_mut().zip(from) {
                    let g = V::load(gradient).sub(beta).sub(V::load(normal).mul(gamma));
                    by.mul(g).store(to);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_parts_are_those_of_the_whole() {
        let moments = |values: &[f64]| {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let squares = values.iter().map(|v| (v - mean) * (v - mean)).sum();
            Moments { count, means: vec![mean], squares: vec![squares] }
        };
        let values = [1.0, 4.0, -2.0, 8.5, 3.0, 3.0, 7.0];
        let mut sum = Moments::new(1);
        [&values[..2], &values[2..3], &values[3..]].iter().for_each(|part| sum.add(&moments(part)));
        let whole = moments(&values);
        assert!((sum.means[0] - whole.means[0]).abs() < 1e-12);
        assert!((sum.squares[0] - whole.squares[0]).abs() < 1e-12);
        assert_eq!(sum.count(), 7.0);
    }
}
