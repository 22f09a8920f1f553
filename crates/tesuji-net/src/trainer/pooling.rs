//! One thread's share of a batch: its way forward through a pooling network and back.

use super::convolutions::{Transforms, chunk};
use super::norm::{Meetings, TrainingNorm};
use super::pooling_heads::PoolingHeads;
use super::pools::{Pools, add_to_points, sum_points};
use super::rows::{multiply, multiply_back};
use super::step::TrainingStep;
use crate::batch::Losses;
use crate::kernel::{Block, Images, LANES, Rows, blocks, numbers, numbers_mut, zeros};
use crate::layout::Kernel;
use crate::parameters::Parameters;
use crate::shape::Shape;
use std::ops::Range;

/// A thread's memory.
#[derive(Debug)]
pub(super) struct PoolingShard {
    thread: usize,
    positions: Range<usize>,
    planes: Vec<Block>,
    trunk: Vec<Block>,
    blocks: Vec<BlockMemory>,
    tip: TrainingNorm,
    heads: PoolingHeads,
    /// Derivatives by the trunk; by what is between the layers of a block; by what a norm reads.
    gradient: Vec<Block>,
    between: Vec<Block>,
    inner: Vec<Block>,
    /// The latter two for what is pooled.
    side: [Vec<Block>; 2],
    /// Transformed images of some positions.
    inputs: Vec<Block>,
    outputs: Vec<Block>,
    /// Derivatives by a transformed kernel.
    kernel: Vec<Block>,
    /// The derivatives found, and in place of the running statistics those of the batch.
    pub(super) derivatives: Parameters,
    pub(super) losses: Losses,
}

/// What is kept of a block for the way back.
#[derive(Debug)]
struct BlockMemory {
    pre: TrainingNorm,
    mid: TrainingNorm,
    pool: Option<(TrainingNorm, Pools)>,
}

impl PoolingShard {
    pub(super) fn new(
        thread: usize,
        positions: Range<usize>,
        images: &Images,
        parameters: &Parameters,
    ) -> PoolingShard {
        let shape = parameters.shape();
        let count = positions.len();
        let [planes, filters, pooled] = [shape.planes, shape.filters, shape.pooled_filters()].map(blocks);
        let image = |groups: usize| count * groups * images.plane();
        let transformed = chunk(images, count) * images.count() * images.products() * planes.max(filters);
        let norm = || TrainingNorm::new(image(filters));
        let block = |block: usize| BlockMemory {
            pre: norm(),
            mid: norm(),
            pool: Shape::pools_in(block).then(|| (TrainingNorm::new(image(pooled)), Pools::default())),
        };
        let trunk = || zeros(image(filters));
        PoolingShard {
            thread,
            planes: zeros(image(planes)),
            trunk: trunk(),
            blocks: (0..shape.blocks).map(block).collect(),
            tip: norm(),
            heads: PoolingHeads::new(count, images, shape),
            gradient: trunk(),
            between: trunk(),
            inner: trunk(),
            side: [(); 2].map(|()| zeros(image(pooled))),
            inputs: zeros(transformed),
            outputs: zeros(transformed),
            kernel: zeros(images.products() * planes.max(filters) * LANES * filters),
            derivatives: Parameters::zeroed(*shape),
            losses: Losses::default(),
            positions,
        }
    }

    /// Computes this share's losses and derivatives, together with the other threads.
    pub(super) fn run(&mut self, step: &TrainingStep) {
        let mut meetings = Meetings::of(self.thread);
        self.forward(step, &mut meetings);
        let PoolingShard { positions, tip, heads, gradient, derivatives, .. } = self;
        self.losses = heads.run(step, positions.clone(), &mut meetings, &tip.out, gradient, derivatives);
        self.back(step, &mut meetings);
    }

    /// The trunk.
    fn forward(&mut self, step: &TrainingStep, meetings: &mut Meetings) {
        let PoolingShard { positions, planes, trunk, derivatives, inputs, outputs, .. } = self;
        let layers = step.parameters.layout.pooling().expect("the network pools");
        let (shape, learned, images) = (step.batch.shape(), &step.parameters.learned, step.images);
        let rows = Rows::of(&images);
        let from = &step.batch.planes()[positions.start * shape.inputs()..];
        let size = images.plane() * blocks(shape.planes);
        for (from, image) in from.chunks_exact(shape.inputs()).zip(planes.chunks_exact_mut(size)) {
            images.write(from, image);
        }
        let mut transforms = Transforms { step, inputs, outputs };
        let mut weights = step.prepared.convolutions.iter();
        let mut convolve = |from: &[Block], to: &mut [Block], accumulate| {
            let weights = weights.next().expect("every 3x3 convolution has its weights");
            transforms.convolve(weights.inputs, weights.outputs, &weights.forward, from, to, accumulate);
        };
        convolve(planes, trunk, false);
        let globals =
            &step.batch.globals()[positions.start * shape.globals..][..positions.len() * shape.globals];
        let global = multiply(&learned[layers.global.weight.clone()], shape.globals, globals);
        add_to_points(rows, shape.filters, &global, trunk);
        for (block, memory) in layers.blocks.iter().zip(&mut self.blocks) {
            let BlockMemory { pre, mid, pool } = memory;
            pre.normal.copy_from_slice(trunk);
            pre.forward(step, meetings.turn(rows, &[&block.pre]), None, derivatives);
            convolve(&pre.out, &mut mid.normal, false);
            if let (Some(layers), Some((norm, pools))) = (&block.pool, pool) {
                convolve(&pre.out, &mut norm.normal, false);
                norm.forward(step, meetings.turn(rows, &[&layers.norm]), None, derivatives);
                *pools = Pools::of(rows, layers.kernel.outputs, &norm.out);
                let bias = &learned[layers.bias.weight.clone()];
                let bias = multiply(bias, layers.bias.inputs, &pools.features);
                add_to_points(rows, shape.filters, &bias, &mut mid.normal);
            }
            mid.forward(step, meetings.turn(rows, &[&block.mid]), None, derivatives);
            convolve(&mid.out, trunk, true);
        }
        self.tip.normal.copy_from_slice(trunk);
        self.tip.forward(step, meetings.turn(rows, &[&layers.tip]), None, derivatives);
    }

    /// From the derivatives by the tip, which are in `gradient`, to those by all of the trunk.
    fn back(&mut self, step: &TrainingStep, meetings: &mut Meetings) {
        let PoolingShard { positions, planes, gradient, between, inner, side, derivatives, .. } = self;
        let layers = step.parameters.layout.pooling().expect("the network pools");
        let (shape, learned) = (step.batch.shape(), &step.parameters.learned);
        let rows = Rows::of(&step.images);
        let (inputs, outputs) = (&mut self.inputs, &mut self.outputs);
        let mut transforms = Transforms { step, inputs, outputs };
        let by_transformed = &mut self.kernel;
        let mut by_kernel = |transforms: &mut Transforms,
                             kernel: &Kernel,
                             from: &[Block],
                             made: &[Block],
                             derivatives: &mut Parameters| {
            let to = &mut derivatives.learned[kernel.weight.clone()];
            transforms.kernel_gradient([kernel.inputs, kernel.outputs], from, made, by_transformed, to);
        };
        let mut weights = step.prepared.convolutions.iter().rev();
        let mut convolve_back =
            |transforms: &mut Transforms, made: &[Block], to: &mut [Block], accumulate| {
                let weights = weights.next().expect("every 3x3 convolution has its weights");
                transforms.convolve(weights.outputs, weights.inputs, &weights.back, made, to, accumulate);
            };

        self.tip.back(step, meetings.turn(rows, &[&layers.tip]), gradient, inner, derivatives);
        gradient.copy_from_slice(inner);
        for (block, memory) in layers.blocks.iter().zip(&mut self.blocks).rev() {
            let BlockMemory { pre, mid, pool } = memory;
            by_kernel(&mut transforms, &block.second, &mid.out, gradient, derivatives);
            convolve_back(&mut transforms, gradient, between, false);
            mid.back(step, meetings.turn(rows, &[&block.mid]), between, inner, derivatives);
            let is_pooled = pool.is_some();
            if let (Some(layers), Some((norm, pools))) = (&block.pool, pool) {
                let [by_out, by_normal] = &mut *side;
                let by_bias = sum_points(rows, shape.filters, inner);
                let range = layers.bias.weight.clone();
                let to = &mut derivatives.learned[range.clone()];
                let by_features =
                    multiply_back(&learned[range], layers.bias.inputs, &pools.features, &by_bias, to);
                by_out.fill(Block::default());
                pools.add_back(rows, layers.kernel.outputs, &by_features, by_out);
                norm.back(step, meetings.turn(rows, &[&layers.norm]), by_out, by_normal, derivatives);
                by_kernel(&mut transforms, &layers.kernel, &pre.out, by_normal, derivatives);
                convolve_back(&mut transforms, by_normal, between, false);
            }
            by_kernel(&mut transforms, &block.first, &pre.out, inner, derivatives);
            convolve_back(&mut transforms, inner, between, is_pooled);
            pre.back(step, meetings.turn(rows, &[&block.pre]), between, inner, derivatives);
            numbers_mut(gradient).iter_mut().zip(numbers(inner)).for_each(|(to, x)| *to += x);
        }
        by_kernel(&mut transforms, &layers.first, planes, gradient, derivatives);
        let globals =
            &step.batch.globals()[positions.start * shape.globals..][..positions.len() * shape.globals];
        let by_global = sum_points(rows, shape.filters, gradient);
        let range = layers.global.weight.clone();
        multiply_back(
            &learned[range.clone()],
            shape.globals,
            globals,
            &by_global,
            &mut derivatives.learned[range],
        );
    }
}
