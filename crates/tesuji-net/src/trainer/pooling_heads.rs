//! The heads of a pooling network and its losses.

use super::convolutions::{convolve_points, convolve_points_back};
use super::linear::cross_entropy;
use super::norm::{Meetings, TrainingNorm};
use super::pools::{Pools, add_to_points, sum_points};
use super::rows::{add_bias, multiply, multiply_back, sum_columns};
use super::step::TrainingStep;
use crate::batch::Losses;
use crate::kernel::{Block, Images, Rows, blocks, numbers, numbers_mut, zeros};
use crate::layout::{Kernel, Linear, PoolingLayers, VALUE_OUTPUTS};
use crate::parameters::Parameters;
use crate::shape::Shape;
use std::ops::Range;

/// A thread's memory of the heads: of the policy, of what it pools, and of the value,
/// `[position][group][y][x]`.
#[derive(Debug)]
pub(super) struct PoolingHeads {
    norms: [TrainingNorm; 3],
    /// Derivatives by what the norms make, and by what they read.
    by_out: [Vec<Block>; 3],
    by_normal: [Vec<Block>; 3],
}

/// A 1x1 convolution to one channel.
struct ToOne<'a> {
    points: usize,
    weight: Vec<Block>,
    kernel: &'a Kernel,
}

impl PoolingHeads {
    pub(super) fn new(count: usize, images: &Images, shape: &Shape) -> PoolingHeads {
        let sizes = [shape.policy_filters, shape.policy_filters, shape.value_filters]
            .map(|channels| count * blocks(channels) * images.points());
        PoolingHeads {
            norms: sizes.map(TrainingNorm::new),
            by_out: sizes.map(zeros),
            by_normal: sizes.map(zeros),
        }
    }

    /// The losses, their derivatives by the heads' layers, and those by the trunk.
    pub(super) fn run(
        &mut self,
        step: &TrainingStep,
        positions: Range<usize>,
        meetings: &mut Meetings,
        trunk: &[Block],
        gradient: &mut [Block],
        derivatives: &mut Parameters,
    ) -> Losses {
        let layers = step.parameters.layout.pooling().expect("the network pools");
        let learned = &step.parameters.learned;
        let weights = step.prepared.heads.pooling();
        let rows = Rows::dense(step.images.points());
        let PoolingHeads { norms, by_out, by_normal } = self;
        for (weights, norm) in weights.iter().zip(&mut *norms) {
            convolve_points(step, weights, trunk, &mut norm.normal);
        }
        let [policy, pool, value] = norms;
        pool.forward(step, meetings.turn(rows, &[&layers.policy_pool.norm]), None, derivatives);
        let pools = Pools::of(rows, layers.policy_pool.kernel.outputs, &pool.out);
        let bias = &layers.policy_pool.bias;
        let numbers = multiply(&learned[bias.weight.clone()], bias.inputs, &pools.features);
        add_to_points(rows, bias.outputs, &numbers, &mut policy.normal);
        policy.forward(step, meetings.turn(rows, &[&layers.policy_norm]), None, derivatives);
        value.forward(step, meetings.turn(rows, &[&layers.value_norm]), None, derivatives);

        by_out.iter_mut().for_each(|by_out| by_out.fill(Block::default()));
        let [by_policy, by_pool, by_value] = by_out;
        let mut losses = Losses::default();
        let loss = Loss { step, positions };
        let mut by_features = vec![0.0; pools.features.len()];
        let mut policies =
            vec![(&layers.policy_out, &layers.pass, step.batch.policies(), 1.0, &mut losses.policy)];
        if let Some((out, pass)) = &layers.reply {
            policies.push((out, pass, step.batch.replies(), Losses::REPLY_WEIGHT, &mut losses.reply));
        }
        for (out, pass, targets, weight, to) in policies {
            let head = Policy { out, pass, targets, weight };
            let more;
            (*to, more) = loss.policy(&head, &policy.out, &pools.features, by_policy, derivatives);
            by_features.iter_mut().zip(more).for_each(|(to, x)| *to += x);
        }
        (losses.value, losses.lead, losses.soon) = loss.value(&value.out, by_value, derivatives);
        losses.ownership = loss.ownership(&value.out, by_value, derivatives);

        let [policy_normal, pool_normal, value_normal] = by_normal;
        value.back(step, meetings.turn(rows, &[&layers.value_norm]), by_value, value_normal, derivatives);
        policy.back(step, meetings.turn(rows, &[&layers.policy_norm]), by_policy, policy_normal, derivatives);
        let by_bias = sum_points(rows, bias.outputs, policy_normal);
        let to = &mut derivatives.learned[bias.weight.clone()];
        let weight = &learned[bias.weight.clone()];
        let mut more = multiply_back(weight, bias.inputs, &pools.features, &by_bias, to);
        more.iter_mut().zip(by_features).for_each(|(more, x)| *more += x);
        pools.add_back(rows, layers.policy_pool.kernel.outputs, &more, by_pool);
        pool.back(step, meetings.turn(rows, &[&layers.policy_pool.norm]), by_pool, pool_normal, derivatives);

        let kernels = [&layers.policy, &layers.policy_pool.kernel, &layers.value];
        for (i, ((kernel, weights), made)) in kernels.into_iter().zip(weights).zip(by_normal).enumerate() {
            let by_weight = convolve_points_back(step, weights, trunk, made, gradient, i > 0);
            derivatives.learned[kernel.weight.clone()].copy_from_slice(&by_weight);
        }
        losses
    }
}

/// The losses of a thread's positions.
struct Loss<'a, 'b> {
    step: &'a TrainingStep<'b>,
    positions: Range<usize>,
}

/// The last layers of a policy, its targets and the factor of its loss.
struct Policy<'a> {
    out: &'a Kernel,
    pass: &'a Linear,
    targets: &'a [f32],
    weight: f32,
}

impl Loss<'_, '_> {
    /// A policy's loss, and its derivatives by what is pooled; those by the channels are added to
    /// `by`.
    fn policy(
        &self,
        head: &Policy<'_>,
        out: &[Block],
        pooled: &[f32],
        by: &mut [Block],
        derivatives: &mut Parameters,
    ) -> (f64, Vec<f32>) {
        let Policy { pass: last, targets, weight, .. } = *head;
        let learned = &self.step.parameters.learned;
        let batch = self.step.batch;
        let moves = batch.shape().moves();
        let to_points = ToOne::new(self.step, head.out);
        let mut passes = multiply(&learned[last.weight.clone()], last.inputs, pooled);
        add_bias(&learned[last.bias.clone()], &mut passes);
        let mut by_weight = to_points.no_derivatives();
        let targets = targets[self.positions.start * moves..].chunks_exact(moves);
        let mut loss = 0.0;
        let images = to_points.images(out).zip(to_points.images_mut(by));
        for (((out, by), pass), target) in images.zip(&mut passes).zip(targets) {
            let mut logits = to_points.forward(out);
            logits.push(*pass);
            loss += cross_entropy(&mut logits, target, batch.len() as f32);
            logits.iter_mut().for_each(|x| *x *= weight);
            *pass = logits.pop().expect("there is the pass");
            to_points.back(out, &logits, by, &mut by_weight);
        }
        to_points.keep(&by_weight, derivatives);
        sum_columns(&passes, &mut derivatives.learned[last.bias.clone()]);
        let range = last.weight.clone();
        let to = &mut derivatives.learned[range.clone()];
        (loss, multiply_back(&learned[range], last.inputs, pooled, &passes, to))
    }

    /// The losses of value, lead and near future; their derivatives by the channels are added to
    /// `by`.
    fn value(&self, out: &[Block], by: &mut [Block], derivatives: &mut Parameters) -> (f64, f64, f64) {
        let layers = self.layers();
        let (learned, batch) = (&self.step.parameters.learned, self.step.batch);
        let (hidden, last) = (&layers.value_hidden, &layers.value_out);
        let rows = Rows::dense(self.step.images.points());
        let channels = layers.value.outputs;
        let pools = Pools::of_value(rows, channels, out);
        let mut units = multiply(&learned[hidden.weight.clone()], hidden.inputs, &pools.features);
        add_bias(&learned[hidden.bias.clone()], &mut units);
        units.iter_mut().for_each(|x| *x = x.max(0.0));
        let mut said = multiply(&learned[last.weight.clone()], last.inputs, &units);
        add_bias(&learned[last.bias.clone()], &mut said);

        let total = batch.len() as f32;
        let (mut value_loss, mut lead_loss) = (0.0, 0.0);
        let targets =
            batch.values()[self.positions.clone()].iter().zip(&batch.leads()[self.positions.clone()]);
        for (said, (&value, &lead)) in said.chunks_exact_mut(VALUE_OUTPUTS).zip(targets) {
            let found = said[0].tanh();
            let error = found - value;
            value_loss += f64::from(error) * f64::from(error) / f64::from(total);
            said[0] = self.step.value_weight * 2.0 * error / total * (1.0 - found * found);
            let error = said[1] - lead / Losses::LEAD_SCALE;
            if lead.is_infinite() {
                said[1] = 0.0;
                continue;
            }
            let size = f64::from(error.abs());
            lead_loss += if size < 1.0 { size * size / 2.0 } else { size - 0.5 } / f64::from(total);
            said[1] = Losses::LEAD_WEIGHT * error.clamp(-1.0, 1.0) / total;
        }

        sum_columns(&said, &mut derivatives.learned[last.bias.clone()]);
        let range = last.weight.clone();
        let to = &mut derivatives.learned[range.clone()];
        let mut by_units = multiply_back(&learned[range], last.inputs, &units, &said, to);
        let (soon_loss, more) = self.soon(&units, derivatives);
        by_units.iter_mut().zip(more).for_each(|(to, x)| *to += x);
        by_units.iter_mut().zip(&units).for_each(|(by, &x)| *by = if x > 0.0 { *by } else { 0.0 });
        sum_columns(&by_units, &mut derivatives.learned[hidden.bias.clone()]);
        let range = hidden.weight.clone();
        let to = &mut derivatives.learned[range.clone()];
        let by_features = multiply_back(&learned[range], hidden.inputs, &pools.features, &by_units, to);
        pools.add_back(rows, channels, &by_features, by);
        (value_loss, lead_loss, soon_loss)
    }

    /// The loss of the values of the near future, and its derivatives by the hidden units.
    fn soon(&self, units: &[f32], derivatives: &mut Parameters) -> (f64, Vec<f32>) {
        let Some(layer) = &self.layers().soon else { return (0.0, Vec::new()) };
        let (learned, batch) = (&self.step.parameters.learned, self.step.batch);
        let mut said = multiply(&learned[layer.weight.clone()], layer.inputs, units);
        add_bias(&learned[layer.bias.clone()], &mut said);
        let share = 1.0 / (batch.len() * layer.outputs) as f32;
        let mut loss = 0.0;
        for (x, target) in said.iter_mut().zip(&batch.soon()[self.positions.start * layer.outputs..]) {
            let (found, error) = (x.tanh(), x.tanh() - target);
            if target.is_infinite() {
                *x = 0.0;
                continue;
            }
            loss += f64::from(error) * f64::from(error) * f64::from(share);
            *x = Losses::SOON_WEIGHT * 2.0 * error * share * (1.0 - found * found);
        }
        sum_columns(&said, &mut derivatives.learned[layer.bias.clone()]);
        let range = layer.weight.clone();
        let to = &mut derivatives.learned[range.clone()];
        (loss, multiply_back(&learned[range], layer.inputs, units, &said, to))
    }

    /// The ownership's loss; its derivatives by the channels are added to `by`.
    fn ownership(&self, out: &[Block], by: &mut [Block], derivatives: &mut Parameters) -> f64 {
        let batch = self.step.batch;
        let to_points = ToOne::new(self.step, &self.layers().ownership);
        let points = to_points.points;
        let share = 1.0 / (batch.len() * points) as f32;
        let mut by_weight = to_points.no_derivatives();
        let targets = batch.ownerships()[self.positions.start * points..].chunks_exact(points);
        let mut loss = 0.0;
        for ((out, by), target) in to_points.images(out).zip(to_points.images_mut(by)).zip(targets) {
            if target[0].is_infinite() {
                continue;
            }
            let mut owners = to_points.forward(out);
            for (x, target) in owners.iter_mut().zip(target) {
                let found = x.tanh();
                let error = found - target;
                loss += f64::from(error) * f64::from(error) * f64::from(share);
                *x = Losses::OWNERSHIP_WEIGHT * 2.0 * error * share * (1.0 - found * found);
            }
            to_points.back(out, &owners, by, &mut by_weight);
        }
        to_points.keep(&by_weight, derivatives);
        loss
    }

    fn layers(&self) -> &PoolingLayers {
        self.step.parameters.layout.pooling().expect("the network pools")
    }
}

impl<'a> ToOne<'a> {
    fn new(step: &TrainingStep, kernel: &'a Kernel) -> ToOne<'a> {
        let mut weight = zeros(blocks(kernel.inputs));
        let learned = &step.parameters.learned[kernel.weight.clone()];
        numbers_mut(&mut weight)[..kernel.inputs].copy_from_slice(learned);
        ToOne { points: step.images.points(), weight, kernel }
    }

    fn images<'b>(&self, images: &'b [Block]) -> impl Iterator<Item = &'b [Block]> + use<'b> {
        images.chunks_exact(self.weight.len() * self.points)
    }

    fn images_mut<'b>(&self, images: &'b mut [Block]) -> impl Iterator<Item = &'b mut [Block]> + use<'b> {
        images.chunks_exact_mut(self.weight.len() * self.points)
    }

    /// The one channel of an image.
    fn forward(&self, image: &[Block]) -> Vec<f32> {
        let mut to = vec![0.0; self.points];
        for (group, w) in image.chunks_exact(self.points).zip(&self.weight) {
            for (to, x) in to.iter_mut().zip(group) {
                *to += x.0.iter().zip(w.0).map(|(x, w)| x * w).sum::<f32>();
            }
        }
        to
    }

    fn no_derivatives(&self) -> Vec<Block> {
        zeros(self.weight.len())
    }

    /// Adds the derivatives by an image and by the weight, from those by the one channel.
    fn back(&self, image: &[Block], by_one: &[f32], by: &mut [Block], by_weight: &mut [Block]) {
        let groups = image.chunks_exact(self.points).zip(by.chunks_exact_mut(self.points));
        for ((group, by), (w, by_weight)) in groups.zip(self.weight.iter().zip(by_weight)) {
            for ((x, by), d) in group.iter().zip(by).zip(by_one) {
                by.0.iter_mut().zip(w.0).for_each(|(by, w)| *by += d * w);
                by_weight.0.iter_mut().zip(x.0).for_each(|(by, x)| *by += d * x);
            }
        }
    }

    fn keep(&self, by_weight: &[Block], derivatives: &mut Parameters) {
        let own = &numbers(by_weight)[..self.kernel.inputs];
        derivatives.learned[self.kernel.weight.clone()].copy_from_slice(own);
    }
}
