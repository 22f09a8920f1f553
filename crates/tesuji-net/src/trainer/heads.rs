//! The heads after their convolutions: linear layers and losses.

use super::linear::{cross_entropy, linear, linear_gradient, sum_columns};
use super::step::TrainingStep;
use crate::batch::Losses;
use crate::kernel::{Block, LANES, blocks, numbers, numbers_mut, zeros};
use std::ops::Range;

/// The linear layers of both heads for one thread's positions.
///
/// Features are those of one head, `[position][channel][y][x]`, in rows of whole blocks.
pub(super) struct HeadLayers<'a, 'b> {
    pub(super) step: &'a TrainingStep<'b>,
    pub(super) positions: Range<usize>,
}

impl HeadLayers<'_, '_> {
    /// The losses, and their derivatives by the weights of the linear layers and by what the
    /// convolutions made.
    pub(super) fn run(&self, made: &[Block], gradient: &mut [Block], derivatives: &mut [f32]) -> Losses {
        let shape = self.step.parameters.shape();
        let policy_channels = 0..shape.policy_filters;
        let value_channels = shape.policy_filters..shape.policy_filters + shape.value_filters;
        let (policy, by_policy) = self.policy(&self.features(made, policy_channels.clone()), derivatives);
        let (value, by_value) = self.value(&self.features(made, value_channels.clone()), derivatives);
        self.scatter(&by_policy, policy_channels, gradient);
        self.scatter(&by_value, value_channels, gradient);
        Losses { policy, value, ..Losses::default() }
    }

    /// The policy's loss and its derivatives by the features.
    fn policy(&self, features: &[Block], derivatives: &mut [f32]) -> (f64, Vec<Block>) {
        let (step, count) = (self.step, self.positions.len());
        let (moves, layer) = (step.parameters.shape().moves(), &step.parameters.layout.board().policy_out);
        let [_, weights, _] = step.prepared.heads.board();
        let bias = &step.parameters.learned[layer.bias.clone()];
        let mut logits = linear(step, weights, false, features, count);
        let width = logits.len() / count * LANES;
        let targets = step.batch.policies()[self.positions.start * moves..].chunks_exact(moves);
        let mut loss = 0.0;
        for (row, target) in numbers_mut(&mut logits).chunks_exact_mut(width).zip(targets) {
            let row = &mut row[..moves];
            row.iter_mut().zip(bias).for_each(|(logit, bias)| *logit += bias);
            loss += cross_entropy(row, target, step.batch.len() as f32);
        }
        linear_gradient(step, &logits, features, count, moves, &mut derivatives[layer.weight.clone()]);
        sum_columns(&logits, count, &mut derivatives[layer.bias.clone()]);
        (loss, linear(step, weights, true, &logits, count))
    }

    /// The value's loss and its derivatives by the features.
    fn value(&self, features: &[Block], derivatives: &mut [f32]) -> (f64, Vec<Block>) {
        let (step, count, total) = (self.step, self.positions.len(), self.step.batch.len() as f32);
        let (units, learned) = (step.parameters.shape().value_hidden, &step.parameters.learned);
        let layers = step.parameters.layout.board();
        let (layer, out) = (&layers.value_hidden, &layers.value_out);
        let [.., weights] = step.prepared.heads.board();
        let bias = &learned[layer.bias.clone()];
        let (out_weight, out_bias) = (&learned[out.weight.clone()], learned[out.bias.start]);
        let mut hidden = linear(step, weights, false, features, count);
        let width = hidden.len() / count * LANES;
        derivatives[out.weight.clone()].fill(0.0);
        derivatives[out.bias.start] = 0.0;
        let targets = &step.batch.values()[self.positions.clone()];
        let mut loss = 0.0;
        for (row, target) in numbers_mut(&mut hidden).chunks_exact_mut(width).zip(targets) {
            let row = &mut row[..units];
            row.iter_mut().zip(bias).for_each(|(x, bias)| *x = (*x + bias).max(0.0));
            let sum: f32 = row.iter().zip(out_weight).map(|(x, w)| x * w).sum();
            let value = (sum + out_bias).tanh();
            let error = value - target;
            loss += f64::from(error) * f64::from(error) / f64::from(total);
            let d = step.value_weight * 2.0 * error / total * (1.0 - value * value);
            derivatives[out.bias.start] += d;
            let to = &mut derivatives[out.weight.clone()];
            for ((x, &w), to) in row.iter_mut().zip(out_weight).zip(to) {
                *to += d * *x;
                *x = if *x > 0.0 { d * w } else { 0.0 };
            }
        }
        linear_gradient(step, &hidden, features, count, units, &mut derivatives[layer.weight.clone()]);
        sum_columns(&hidden, count, &mut derivatives[layer.bias.clone()]);
        (loss, linear(step, weights, true, &hidden, count))
    }

    /// Blocks of a position in what the convolutions made, `[position][group][y][x]`.
    fn image(&self) -> usize {
        let shape = self.step.parameters.shape();
        blocks(shape.policy_filters + shape.value_filters) * shape.points()
    }

    fn features(&self, made: &[Block], channels: Range<usize>) -> Vec<Block> {
        let points = self.step.parameters.shape().points();
        let width = blocks(channels.len() * points);
        let mut features = zeros(self.positions.len() * width);
        let rows = numbers_mut(&mut features).chunks_exact_mut(width * LANES);
        for (image, row) in made.chunks_exact(self.image()).zip(rows) {
            for (channel, to) in channels.clone().zip(row.chunks_exact_mut(points)) {
                let from = &image[channel / LANES * points..][..points];
                to.iter_mut().zip(from).for_each(|(x, block)| *x = block.0[channel % LANES]);
            }
        }
        features
    }

    fn scatter(&self, features: &[Block], channels: Range<usize>, to: &mut [Block]) {
        let points = self.step.parameters.shape().points();
        let width = blocks(channels.len() * points);
        let rows = numbers(features).chunks_exact(width * LANES);
        for (image, row) in to.chunks_exact_mut(self.image()).zip(rows) {
            for (channel, from) in channels.clone().zip(row.chunks_exact(points)) {
                let to = &mut image[channel / LANES * points..][..points];
                to.iter_mut().zip(from).for_each(|(block, x)| block.0[channel % LANES] = *x);
            }
        }
    }
}
