//! The convolutions of a shard.

use super::prepared::Weights;
use super::step::TrainingStep;
use crate::kernel::{
    Block, Images, KernelGradient, LANES, Multiply, Place, TransformGradient, TransformInput,
    TransformOutput, blocks, numbers, zeros,
};

/// How many positions are transformed at a time: enough for products of some size, few enough for
/// the cache.
pub(super) fn chunk(images: &Images, positions: usize) -> usize {
    (40 / images.count()).clamp(1, positions.max(1))
}

/// 3x3 convolutions and their memory.
pub(super) struct Transforms<'a, 'b> {
    pub(super) step: &'a TrainingStep<'b>,
    pub(super) inputs: &'a mut [Block],
    pub(super) outputs: &'a mut [Block],
}

impl Transforms<'_, '_> {
    /// A convolution, added to what is in `to` if that is wanted.
    pub(super) fn convolve(
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
    pub(super) fn kernel_gradient(
        &mut self,
        [inputs, outputs]: [usize; 2],
        from: &[Block],
        gradient: &[Block],
        kernel: &mut [Block],
        to: &mut [f32],
    ) {
        let images = self.step.images;
        let run = self.step.instructions;
        let [in_groups, groups] = [inputs, outputs].map(blocks);
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
        run.run(KernelGradient { images, inputs, outputs, from: kernel, to });
    }
}

/// A 1x1 convolution of images into `[position][group][y][x]`.
pub(super) fn convolve_points(step: &TrainingStep, weights: &Weights, from: &[Block], to: &mut [Block]) {
    let images = step.images;
    let (points, groups) = (images.points(), blocks(weights.outputs));
    let image = images.plane() * blocks(weights.inputs);
    for (from, to) in from.chunks_exact(image).zip(to.chunks_exact_mut(groups * points)) {
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
}

/// Takes derivatives by what [`convolve_points`] made back to the images, and returns those by the
/// weight, `[output, input]`.
pub(super) fn convolve_points_back(
    step: &TrainingStep,
    weights: &Weights,
    from: &[Block],
    made: &[Block],
    gradient: &mut [Block],
    accumulate: bool,
) -> Vec<f32> {
    let images = step.images;
    let (points, groups) = (images.points(), blocks(weights.outputs));
    let filters = blocks(weights.inputs);
    let mut sum = zeros(filters * LANES * groups);
    let image = filters * images.plane();
    let pairs = from.chunks_exact(image).zip(made.chunks_exact(groups * points));
    for ((from, made), gradient) in pairs.zip(gradient.chunks_exact_mut(image)) {
        let in_image = Place { matrix: images.span, row: 1, group: images.plane() };
        let in_points = Place { matrix: images.board, row: 1, group: points };
        step.instructions.run(Multiply {
            matrices: images.board,
            rows: filters * LANES,
            depth: images.board,
            groups,
            a: &from[images.at(0, 0)..],
            a_place: in_image,
            transposed: true,
            b: made,
            b_place: in_points,
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
            a_place: in_points,
            transposed: false,
            b: &weights.back,
            b_place: Place { matrix: 0, row: 0, group: 0 },
            c: &mut gradient[images.at(0, 0)..],
            c_place: in_image,
            accumulate,
        });
    }
    let at = |output: usize, input: usize| numbers(&sum)[input * groups * LANES + output];
    (0..weights.outputs)
        .flat_map(|o| (0..weights.inputs).map(move |i| (o, i)))
        .map(|(o, i)| at(o, i))
        .collect()
}
