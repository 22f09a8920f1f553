//! One thread's share of a batch: its way forward through a network for one board and back.

use super::convolutions::{Transforms, chunk, convolve_points, convolve_points_back};
use super::heads::HeadLayers;
use super::norm::{TrainingNorm, Turn};
use super::step::TrainingStep;
use crate::batch::Losses;
use crate::kernel::{Block, Images, LANES, Rows, blocks, zeros};
use crate::layout::Convolution;
use crate::parameters::Parameters;
use std::ops::Range;

/// A thread's memory.
#[derive(Debug)]
pub(super) struct BoardShard {
    thread: usize,
    positions: Range<usize>,
    planes: Vec<Block>,
    /// For each 3x3 convolution.
    norms: Vec<TrainingNorm>,
    heads: TrainingNorm,
    /// Derivatives by the heads' features, and by what their convolutions make.
    heads_gradient: [Vec<Block>; 2],
    /// Derivatives by what the trunk holds.
    gradient: Vec<Block>,
    /// Derivatives by what a convolution makes.
    inner: Vec<Block>,
    /// Derivatives by what is between the two convolutions of a block.
    between: Vec<Block>,
    /// Transformed images of some positions.
    inputs: Vec<Block>,
    outputs: Vec<Block>,
    /// Derivatives by a transformed kernel.
    kernel: Vec<Block>,
    /// The derivatives found, and in place of the running statistics those of the batch.
    pub(super) derivatives: Parameters,
    pub(super) losses: Losses,
}

impl BoardShard {
    pub(super) fn new(
        thread: usize,
        positions: Range<usize>,
        images: &Images,
        parameters: &Parameters,
    ) -> BoardShard {
        let shape = parameters.shape();
        let count = positions.len();
        let [planes, filters] = [shape.planes, shape.filters].map(blocks);
        let heads = blocks(shape.policy_filters + shape.value_filters);
        let trunk = count * filters * images.plane();
        let features = count * heads * images.points();
        let transformed = chunk(images, count) * images.count() * images.products();
        let widest = planes.max(filters);
        BoardShard {
            thread,
            planes: zeros(count * planes * images.plane()),
            norms: (0..2 * shape.blocks + 1).map(|_| TrainingNorm::new(trunk)).collect(),
            heads: TrainingNorm::new(features),
            heads_gradient: [(); 2].map(|()| zeros(features)),
            gradient: zeros(trunk),
            inner: zeros(trunk),
            between: zeros(trunk),
            inputs: zeros(transformed * widest),
            outputs: zeros(transformed * widest),
            kernel: zeros(images.products() * widest * LANES * filters),
            derivatives: Parameters::zeroed(*shape),
            losses: Losses::default(),
            positions,
        }
    }

    /// Computes this share's losses and derivatives, together with the other threads.
    pub(super) fn run(&mut self, step: &TrainingStep) {
        let layout = step.parameters.layout.board();
        let shape = *step.parameters.shape();
        let images = step.images;
        let rows = Rows::of(&images);
        let wide: Vec<&Convolution> = layout.wide().collect();

        let planes = &step.batch.planes()[self.positions.start * shape.inputs()..];
        let size = images.plane() * blocks(shape.planes);
        for (planes, image) in planes.chunks_exact(shape.inputs()).zip(self.planes.chunks_exact_mut(size)) {
            images.write(planes, image);
        }

        let mut round = 0;
        for i in 0..wide.len() {
            let (before, rest) = self.norms.split_at_mut(i);
            let from = if i == 0 { &self.planes } else { &before[i - 1].out };
            let mut transforms = Transforms { step, inputs: &mut self.inputs, outputs: &mut self.outputs };
            let weights = &step.prepared.convolutions[i];
            transforms.convolve(
                weights.inputs,
                weights.outputs,
                &weights.forward,
                from,
                &mut rest[0].normal,
                false,
            );
            let skip = (i > 0 && i % 2 == 0).then(|| before[i - 2].out.as_slice());
            let turn = Turn { thread: self.thread, round, rows, norms: &[&wide[i].norm] };
            rest[0].forward(step, turn, skip, &mut self.derivatives);
            round += 1;
        }

        self.heads_forward(step, &mut round);
        let layers = HeadLayers { step, positions: self.positions.clone() };
        self.losses = layers.run(&self.heads.out, &mut self.heads_gradient[0], &mut self.derivatives.learned);
        self.heads_back(step, &mut round);

        for i in (0..wide.len()).rev() {
            // Of a block's first convolution the derivatives are between the two.
            let first = i % 2 == 1;
            let gradient = if first { &mut self.between } else { &mut self.gradient };
            let turn = Turn { thread: self.thread, round, rows, norms: &[&wide[i].norm] };
            self.norms[i].back(step, turn, gradient, &mut self.inner, &mut self.derivatives);
            round += 1;
            let from = if i == 0 { &self.planes } else { &self.norms[i - 1].out };
            let mut transforms = Transforms { step, inputs: &mut self.inputs, outputs: &mut self.outputs };
            let kernel = &wide[i].kernel;
            let to = &mut self.derivatives.learned[kernel.weight.clone()];
            let channels = [kernel.inputs, kernel.outputs];
            transforms.kernel_gradient(channels, from, &self.inner, &mut self.kernel, to);
            let weights = &step.prepared.convolutions[i];
            if i > 0 {
                let to = if first { &mut self.gradient } else { &mut self.between };
                transforms.convolve(weights.outputs, weights.inputs, &weights.back, &self.inner, to, first);
            }
        }
    }

    /// The 1x1 convolutions of both heads.
    fn heads_forward(&mut self, step: &TrainingStep, round: &mut usize) {
        let [weights, ..] = step.prepared.heads.board();
        let trunk = &self.norms.last().expect("there is the trunk's").out;
        convolve_points(step, weights, trunk, &mut self.heads.normal);
        let layout = step.parameters.layout.board();
        let rows = Rows::dense(step.images.points());
        let turn = Turn {
            thread: self.thread,
            round: *round,
            rows,
            norms: &[&layout.policy.norm, &layout.value.norm],
        };
        self.heads.forward(step, turn, None, &mut self.derivatives);
        *round += 1;
    }

    /// Derivatives by the heads' 1x1 convolutions and by the trunk.
    fn heads_back(&mut self, step: &TrainingStep, round: &mut usize) {
        let layout = step.parameters.layout.board();
        let [weights, ..] = step.prepared.heads.board();
        let (rows, convolutions) = (Rows::dense(step.images.points()), [&layout.policy, &layout.value]);
        let norms = convolutions.map(|c| &c.norm);
        let turn = Turn { thread: self.thread, round: *round, rows, norms: &norms };
        let [gradient, made] = &mut self.heads_gradient;
        self.heads.back(step, turn, gradient, made, &mut self.derivatives);
        *round += 1;

        let trunk = &self.norms.last().expect("there is the trunk's").out;
        let by_weight = convolve_points_back(step, weights, trunk, made, &mut self.gradient, false);
        let mut by_weight = by_weight.as_slice();
        for kernel in convolutions.map(|c| &c.kernel) {
            let (own, rest) = by_weight.split_at(kernel.weight.len());
            self.derivatives.learned[kernel.weight.clone()].copy_from_slice(own);
            by_weight = rest;
        }
    }
}
