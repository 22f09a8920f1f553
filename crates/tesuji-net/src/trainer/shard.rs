//! One thread's share of a batch: its way forward through the network and back.

use super::heads::HeadLayers;
use super::norm::{Norm, Turn};
use super::prepared::Prepared;
use super::team::Team;
use crate::kernel::{
    Block, Images, Instructions, KernelGradient, LANES, Moments, Multiply, Place, Rows, TransformGradient,
    TransformInput, TransformOutput, blocks, numbers, zeros,
};
use crate::layout::Convolution;
use crate::{Batch, Losses, Parameters};
use std::ops::Range;

/// What threads tell each other in a round.
#[derive(Debug)]
pub(super) enum Gift {
    Moments(Moments),
    Sums(Vec<f64>),
}

/// What all threads see in a step.
pub(super) struct Step<'a> {
    pub(super) images: Images,
    pub(super) instructions: Instructions,
    pub(super) parameters: &'a Parameters,
    pub(super) prepared: &'a Prepared,
    pub(super) batch: &'a Batch,
    pub(super) value_weight: f32,
    pub(super) team: &'a Team<Gift>,
}

impl Step<'_> {
    /// How often the threads meet.
    pub(super) fn rounds(convolutions: usize) -> usize {
        2 * (convolutions + 1)
    }
}

/// A thread's memory.
#[derive(Debug)]
pub(super) struct Shard {
    thread: usize,
    positions: Range<usize>,
    planes: Vec<Block>,
    /// For each 3x3 convolution.
    norms: Vec<Norm>,
    heads: Norm,
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

impl Shard {
    pub(super) fn new(
        thread: usize,
        positions: Range<usize>,
        images: &Images,
        parameters: &Parameters,
    ) -> Shard {
        let shape = parameters.shape();
        let count = positions.len();
        let [planes, filters] = [shape.planes, shape.filters].map(blocks);
        let heads = blocks(shape.policy_filters + shape.value_filters);
        let trunk = count * filters * images.plane();
        let features = count * heads * images.points();
        let transformed = chunk(images, count) * images.count() * images.products();
        let widest = planes.max(filters);
        Shard {
            thread,
            planes: zeros(count * planes * images.plane()),
            norms: (0..2 * shape.blocks + 1).map(|_| Norm::new(trunk)).collect(),
            heads: Norm::new(features),
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
    pub(super) fn run(&mut self, step: &Step) {
        let layout = &step.parameters.layout;
        let shape = *step.parameters.shape();
        let images = step.images;
        let rows = Rows::of(&images);
        let wide: Vec<&Convolution> = super::prepared::wide(layout).collect();

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
            let turn = Turn { thread: self.thread, round, rows, convolutions: &[wide[i]] };
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
            let turn = Turn { thread: self.thread, round, rows, convolutions: &[wide[i]] };
            self.norms[i].back(step, turn, gradient, &mut self.inner, &mut self.derivatives);
            round += 1;
            let from = if i == 0 { &self.planes } else { &self.norms[i - 1].out };
            let mut transforms = Transforms { step, inputs: &mut self.inputs, outputs: &mut self.outputs };
            let to = &mut self.derivatives.learned[wide[i].weight.clone()];
            transforms.kernel_gradient(wide[i], from, &self.inner, &mut self.kernel, to);
            let weights = &step.prepared.convolutions[i];
            if i > 0 {
                let to = if first { &mut self.gradient } else { &mut self.between };
                transforms.convolve(weights.outputs, weights.inputs, &weights.back, &self.inner, to, first);
            }
        }
    }

    /// The 1x1 convolutions of both heads.
    fn heads_forward(&mut self, step: &Step, round: &mut usize) {
        let (images, weights) = (step.images, &step.prepared.heads);
        let trunk = &self.norms.last().expect("there is the trunk's").out;
        let groups = blocks(weights.outputs);
        let points = images.points();
        let image = images.plane() * blocks(weights.inputs);
        for (from, to) in trunk.chunks_exact(image).zip(self.heads.normal.chunks_exact_mut(groups * points)) {
            step.instructions.run(Multiply {
                matrices: images.board,
                rows: images.board,
                depth: weights.inputs.next_multiple_of(LANES),
                groups,
                a: &from[images.at(0, 0)..],
                a_place: Place { matrix: images.span, row: 1, group: images.plane() },
                transposed: false,
                b: &weights.forward,
                b_place: Place { matrix: 0, row: 0, group: 0 },
                c: to,
                c_place: Place { matrix: images.board, row: 1, group: points },
                accumulate: false,
            });
        }
        let layout = &step.parameters.layout;
        let (rows, convolutions) = (Rows::dense(points), [&layout.policy, &layout.value]);
        let turn = Turn { thread: self.thread, round: *round, rows, convolutions: &convolutions };
        self.heads.forward(step, turn, None, &mut self.derivatives);
        *round += 1;
    }

    /// Derivatives by the heads' 1x1 convolutions and by the trunk.
    fn heads_back(&mut self, step: &Step, round: &mut usize) {
        let layout = &step.parameters.layout;
        let (images, weights) = (step.images, &step.prepared.heads);
        let (points, groups) = (images.points(), blocks(weights.outputs));
        let filters = blocks(weights.inputs);
        let (rows, convolutions) = (Rows::dense(points), [&layout.policy, &layout.value]);
        let turn = Turn { thread: self.thread, round: *round, rows, convolutions: &convolutions };
        let [gradient, made] = &mut self.heads_gradient;
        self.heads.back(step, turn, gradient, made, &mut self.derivatives);
        *round += 1;

        let trunk = &self.norms.last().expect("there is the trunk's").out;
        let mut sum = zeros(filters * LANES * groups);
        let image = filters * images.plane();
        let from = trunk.chunks_exact(image).zip(made.chunks_exact(groups * points));
        for ((trunk, made), gradient) in from.zip(self.gradient.chunks_exact_mut(image)) {
            let in_image = Place { matrix: images.span, row: 1, group: images.plane() };
            let in_heads = Place { matrix: images.board, row: 1, group: points };
            step.instructions.run(Multiply {
                matrices: images.board,
                rows: filters * LANES,
                depth: images.board,
                groups,
                a: &trunk[images.at(0, 0)..],
                a_place: in_image,
                transposed: true,
                b: made,
                b_place: in_heads,
                c: &mut sum,
                c_place: Place { matrix: 0, row: groups, group: 1 },
                accumulate: true,
            });
            step.instructions.run(Multiply {
                matrices: images.board,
                rows: images.board,
                depth: groups * LANES,
                groups: filters,
                a: made,
                a_place: in_heads,
                transposed: false,
                b: &weights.back,
                b_place: Place { matrix: 0, row: 0, group: 0 },
                c: &mut gradient[images.at(0, 0)..],
                c_place: in_image,
                accumulate: false,
            });
        }
        let mut channel = 0;
        for convolution in convolutions {
            let to = &mut self.derivatives.learned[convolution.weight.clone()];
            for row in to.chunks_exact_mut(convolution.inputs) {
                for (input, to) in row.iter_mut().enumerate() {
                    *to = numbers(&sum)[input * groups * LANES + channel];
                }
                channel += 1;
            }
        }
    }
}

/// How many positions are transformed at a time: enough for products of some size, few enough for the cache.
fn chunk(images: &Images, positions: usize) -> usize {
    (40 / images.count()).clamp(1, positions.max(1))
}

/// 3x3 convolutions and their memory.
struct Transforms<'a, 'b> {
    step: &'a Step<'b>,
    inputs: &'a mut [Block],
    outputs: &'a mut [Block],
}

impl Transforms<'_, '_> {
    /// A convolution, added to what is in `to` if that is wanted.
    fn convolve(
        &mut self,
        inputs: usize,
        outputs: usize,
        weight: &[Block],
        from: &[Block],
        to: &mut [Block],
        accumulate: bool,
    ) {
        let images = self.step.images;
        let [in_groups, groups] = [inputs, outputs].map(blocks);
        let [in_image, image] = [in_groups, groups].map(|groups| groups * images.plane());
        let bias = zeros(groups);
        let chunk = chunk(&images, to.len() / image);
        for (from, to) in from.chunks(chunk * in_image).zip(to.chunks_mut(chunk * image)) {
            let count = to.len() / image;
            let place = images.products_place(count);
            let run = self.step.instructions;
            run.run(TransformInput { images, groups: in_groups, from, to: self.inputs });
            run.run(Multiply {
                matrices: images.products(),
                rows: count * images.count(),
                depth: in_groups * LANES,
                groups,
                a: self.inputs,
                a_place: place,
                transposed: false,
                b: weight,
                b_place: Place { matrix: in_groups * LANES * groups, row: 0, group: 0 },
                c: self.outputs,
                c_place: place,
                accumulate: false,
            });
            let floor = f32::NEG_INFINITY;
            run.run(TransformOutput {
                images,
                groups,
                from: self.outputs,
                bias: &bias,
                accumulate,
                floor,
                to,
            });
        }
    }

    /// Derivatives by a kernel, from a convolution's input and derivatives by its output.
    fn kernel_gradient(
        &mut self,
        convolution: &Convolution,
        from: &[Block],
        gradient: &[Block],
        kernel: &mut [Block],
        to: &mut [f32],
    ) {
        let images = self.step.images;
        let run = self.step.instructions;
        let [in_groups, groups] = [convolution.inputs, convolution.outputs].map(blocks);
        let [in_image, image] = [in_groups, groups].map(|groups| groups * images.plane());
        let kernel = &mut kernel[..images.products() * in_groups * LANES * groups];
        let chunk = chunk(&images, gradient.len() / image);
        let chunks = from.chunks(chunk * in_image).zip(gradient.chunks(chunk * image));
        for (i, (from, gradient)) in chunks.enumerate() {
            let count = gradient.len() / image;
            let place = images.products_place(count);
            run.run(TransformInput { images, groups: in_groups, from, to: self.inputs });
            run.run(TransformGradient { images, groups, from: gradient, to: self.outputs });
            run.run(Multiply {
                matrices: images.products(),
                rows: in_groups * LANES,
                depth: count * images.count(),
                groups,
                a: self.inputs,
                a_place: place,
                transposed: true,
                b: self.outputs,
                b_place: place,
                c: kernel,
                c_place: Place { matrix: in_groups * LANES * groups, row: groups, group: 1 },
                accumulate: i > 0,
            });
        }
        let (inputs, outputs) = (convolution.inputs, convolution.outputs);
        run.run(KernelGradient { images, inputs, outputs, from: kernel, to });
    }
}
