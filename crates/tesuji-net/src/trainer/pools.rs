//! Pooling: from images to numbers for whole positions, and back.

use crate::kernel::{Block, LANES, Rows, blocks};
use crate::layout::POOLED;

/// What is pooled of images, `[image][group][...]`: with w = (b - 14) / 10 on a board of b^2 points
/// for each position the means of the channels, the means times w, and the maxima, or in the value
/// head the means times w^2 - 1/10.
#[derive(Debug, Default)]
pub(super) struct Pools {
    /// `[position][kind][channel]`.
    pub(super) features: Vec<f32>,
    /// Where the maxima are, in the images; none in the value head.
    places: Option<Vec<usize>>,
}

/// The factors of the means in the value head.
fn factors(rows: &Rows) -> [f32; POOLED] {
    let wide = ((rows.points() as f32).sqrt() - 14.0) * 0.1;
    [1.0, wide, wide * wide - 0.1]
}

impl Pools {
    /// What blocks and the policy's head pool.
    pub(super) fn of(rows: Rows, channels: usize, images: &[Block]) -> Pools {
        let mut pools = Pools::of_value(rows, channels, images);
        let image = blocks(channels) * rows.plane;
        let mut all = Vec::with_capacity(images.len() / image * channels);
        for (position, to) in pools.features.chunks_exact_mut(POOLED * channels).enumerate() {
            for group in 0..blocks(channels) {
                let lanes = LANES.min(channels - group * LANES);
                let (mut most, mut places) = ([f32::NEG_INFINITY; LANES], [0; LANES]);
                for at in rows.ranges(position * image + group * rows.plane).flatten() {
                    for (lane, x) in images[at].0.into_iter().enumerate() {
                        if x > most[lane] {
                            (most[lane], places[lane]) = (x, at);
                        }
                    }
                }
                to[2 * channels + group * LANES..][..lanes].copy_from_slice(&most[..lanes]);
                all.extend(&places[..lanes]);
            }
        }
        pools.places = Some(all);
        pools
    }

    /// What the value's head pools.
    pub(super) fn of_value(rows: Rows, channels: usize, images: &[Block]) -> Pools {
        let share = 1.0 / rows.points() as f32;
        let sums = sum_points(rows, channels, images);
        let mut features = Vec::with_capacity(POOLED * sums.len());
        for sums in sums.chunks_exact(channels) {
            features.extend(factors(&rows).iter().flat_map(|f| sums.iter().map(move |sum| sum * share * f)));
        }
        Pools { features, places: None }
    }

    /// Adds the derivatives by the images, from those by the features.
    pub(super) fn add_back(&self, rows: Rows, channels: usize, by_features: &[f32], images: &mut [Block]) {
        let share = 1.0 / rows.points() as f32;
        let [_, wide, wider] = factors(&rows);
        let wider = if self.places.is_some() { 0.0 } else { wider };
        let mut means = Vec::with_capacity(by_features.len() / POOLED);
        for (position, by) in by_features.chunks_exact(POOLED * channels).enumerate() {
            for channel in 0..channels {
                let third = by[2 * channels + channel];
                means.push(share * (by[channel] + wide * by[channels + channel] + wider * third));
                if let Some(places) = &self.places {
                    images[places[position * channels + channel]].0[channel % LANES] += third;
                }
            }
        }
        add_to_points(rows, channels, &means, images);
    }
}

/// Adds to every point of images a number for each position and channel.
pub(super) fn add_to_points(rows: Rows, channels: usize, numbers: &[f32], images: &mut [Block]) {
    let image = blocks(channels) * rows.plane;
    for (position, numbers) in numbers.chunks_exact(channels).enumerate() {
        for (group, numbers) in numbers.chunks(LANES).enumerate() {
            let mut more = [0.0; LANES];
            more[..numbers.len()].copy_from_slice(numbers);
            for range in rows.ranges(position * image + group * rows.plane) {
                for block in &mut images[range] {
                    block.0.iter_mut().zip(more).for_each(|(x, more)| *x += more);
                }
            }
        }
    }
}

/// The sum over the points for each position and channel.
pub(super) fn sum_points(rows: Rows, channels: usize, images: &[Block]) -> Vec<f32> {
    let image = blocks(channels) * rows.plane;
    let mut sums = Vec::with_capacity(images.len() / image * channels);
    for position in 0..images.len() / image {
        for group in 0..blocks(channels) {
            let mut sum = [0.0; LANES];
            for at in rows.ranges(position * image + group * rows.plane).flatten() {
                sum.iter_mut().zip(images[at].0).for_each(|(sum, x)| *sum += x);
            }
            sums.extend(&sum[..LANES.min(channels - group * LANES)]);
        }
    }
    sums
}
