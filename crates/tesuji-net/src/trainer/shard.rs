//! One thread's share of a batch: its way forward through the network and back.

use super::linear::{cross_entropy, linear, linear_gradient, sum_rows};
use super::prepared::Prepared;
use super::team::Team;
use crate::kernel::{
    Block, Images, Instructions, KernelGradient, LANES, Mask, Measure, Moments, Multiply, Normalise,
    NormaliseBack, Place, Rows, Scale, TransformGradient, TransformInput, TransformOutput, blocks, numbers,
    numbers_mut, zeros,
};
use crate::layout::Convolution;
use crate::reference::EPSILON;
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

/// A batch norm with what its derivative needs.
#[derive(Debug, Default)]
struct Norm {
    /// Its input in standard deviations.
    normal: Vec<Block>,
    /// Its output, after an addition and ReLU.
    out: Vec<Block>,
    scale: Option<Scale>,
    /// Values of a channel in the whole batch.
    count: f64,
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
        let trunk = || zeros(count * filters * images.plane());
        let norm = || Norm { normal: trunk(), out: trunk(), ..Norm::default() };
        let transformed = chunk(images, count) * images.count() * images.products();
        let widest = planes.max(filters);
        Shard {
            thread,
            planes: zeros(count * planes * images.plane()),
            norms: (0..2 * shape.blocks + 1).map(|_| norm()).collect(),
            heads: Norm {
                normal: zeros(count * heads * images.points()),
                out: zeros(count * heads * images.points()),
                ..Norm::default()
            },
            heads_gradient: [(); 2].map(|()| zeros(count * heads * images.points())),
            gradient: trunk(),
            inner: trunk(),
            between: trunk(),
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
        self.heads_loss(step);
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

    /// The linear layers of the heads, the losses, and all derivatives of these.
    fn heads_loss(&mut self, step: &Step) {
        let shape = *step.parameters.shape();
        let layout = &step.parameters.layout;
        let (count, total) = (self.positions.len(), step.batch.len() as f32);
        let (points, moves) = (shape.points(), shape.moves());
        let channels = shape.policy_filters + shape.value_filters;
        let plane = blocks(channels) * points;
        let heads = &self.heads.out;
        // The features of one head, [position][channel][y][x], rows of whole blocks.
        let features = |channels: Range<usize>| {
            let width = blocks(channels.len() * points);
            let mut to = zeros(count * width);
            for position in 0..count {
                let row = &mut numbers_mut(&mut to)[position * width * LANES..];
                for (channel, row) in channels.clone().zip(row.chunks_exact_mut(points)) {
                    let from = &heads[position * plane + channel / LANES * points..][..points];
                    row.iter_mut().zip(from).for_each(|(to, block)| *to = block.0[channel % LANES]);
                }
            }
            to
        };
        let policy = features(0..shape.policy_filters);
        let value = features(shape.policy_filters..channels);
        let learned = &step.parameters.learned;
        let derivatives = &mut self.derivatives.learned;
        self.losses = Losses::default();

        let bias = &learned[layout.policy_out.bias.clone()];
        let mut logits = linear(step, &step.prepared.policy, false, &policy, count);
        let width = logits.len() / count * LANES;
        let targets = step.batch.policies()[self.positions.start * moves..].chunks_exact(moves);
        for (row, target) in numbers_mut(&mut logits).chunks_exact_mut(width).zip(targets) {
            let row = &mut row[..moves];
            row.iter_mut().zip(bias).for_each(|(logit, bias)| *logit += bias);
            self.losses.policy += cross_entropy(row, target, total);
        }
        linear_gradient(
            step,
            &logits,
            &policy,
            count,
            moves,
            &mut derivatives[layout.policy_out.weight.clone()],
        );
        sum_rows(&logits, count, &mut derivatives[layout.policy_out.bias.clone()]);
        let policy = linear(step, &step.prepared.policy, true, &logits, count);

        let bias = &learned[layout.value_hidden.bias.clone()];
        let out = &learned[layout.value_out.weight.clone()];
        let out_bias = learned[layout.value_out.bias.start];
        let mut hidden = linear(step, &step.prepared.hidden, false, &value, count);
        let width = hidden.len() / count * LANES;
        derivatives[layout.value_out.weight.clone()].fill(0.0);
        derivatives[layout.value_out.bias.start] = 0.0;
        let targets = &step.batch.values()[self.positions.clone()];
        for (row, target) in numbers_mut(&mut hidden).chunks_exact_mut(width).zip(targets) {
            let row = &mut row[..shape.value_hidden];
            row.iter_mut().zip(bias).for_each(|(x, bias)| *x = (*x + bias).max(0.0));
            let sum: f32 = row.iter().zip(out).map(|(x, w)| x * w).sum();
            let value = (sum + out_bias).tanh();
            let error = value - target;
            self.losses.value += f64::from(error) * f64::from(error) / f64::from(total);
            let d = step.value_weight * 2.0 * error / total * (1.0 - value * value);
            derivatives[layout.value_out.bias.start] += d;
            let to = &mut derivatives[layout.value_out.weight.clone()];
            for ((x, &w), to) in row.iter_mut().zip(out).zip(to) {
                *to += d * *x;
                *x = if *x > 0.0 { d * w } else { 0.0 };
            }
        }
        let to = &mut derivatives[layout.value_hidden.weight.clone()];
        linear_gradient(step, &hidden, &value, count, shape.value_hidden, to);
        sum_rows(&hidden, count, &mut derivatives[layout.value_hidden.bias.clone()]);
        let value = linear(step, &step.prepared.hidden, true, &hidden, count);

        // Back to [position][group][y][x].
        let to = &mut self.heads_gradient[0];
        for position in 0..count {
            let mut scatter = |features: &[Block], channels: Range<usize>| {
                let width = features.len() / count * LANES;
                let row = &numbers(features)[position * width..];
                for (channel, row) in channels.zip(row.chunks_exact(points)) {
                    let to = &mut to[position * plane + channel / LANES * points..][..points];
                    to.iter_mut().zip(row).for_each(|(block, x)| block.0[channel % LANES] = *x);
                }
            };
            scatter(&policy, 0..shape.policy_filters);
            scatter(&value, shape.policy_filters..channels);
        }
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

/// A thread's part of one normalisation.
#[derive(Clone, Copy)]
struct Turn<'a> {
    thread: usize,
    /// Of the threads' meetings.
    round: usize,
    rows: Rows,
    /// Those that share the channels.
    convolutions: &'a [&'a Convolution],
}

impl Norm {
    /// Normalises `normal` by the moments of the whole batch.
    fn forward(
        &mut self,
        step: &Step,
        Turn { thread, round, rows, convolutions }: Turn,
        skip: Option<&[Block]>,
        derivatives: &mut Parameters,
    ) {
        let channels: usize = convolutions.iter().map(|c| c.outputs).sum();
        let groups = blocks(channels);
        let mut moments = Moments::new(groups * LANES);
        step.instructions.run(Measure { rows, images: &self.normal, moments: &mut moments });
        let mut all = Moments::new(groups * LANES);
        for gift in step.team.meet(round, thread, Gift::Moments(moments)) {
            if let Gift::Moments(moments) = gift {
                all.add(moments);
            }
        }
        self.count = all.count();
        let narrow = |numbers: &mut dyn Iterator<Item = f64>| {
            let mut to = zeros(groups);
            numbers_mut(&mut to).iter_mut().zip(numbers).for_each(|(to, x)| *to = x as f32);
            to
        };
        let learned = |range: fn(&Convolution) -> Range<usize>| {
            let all = convolutions.iter().flat_map(|c| &step.parameters.learned[range(c)]);
            narrow(&mut all.map(|&x| x.into()))
        };
        let scale = Scale {
            mean: narrow(&mut all.means().iter().copied()),
            inverse: narrow(&mut all.variances(0.0).map(|v| 1.0 / (v + EPSILON).sqrt())),
            gamma: learned(|c| c.gamma.clone()),
            beta: learned(|c| c.beta.clone()),
        };
        let (normal, out) = (&mut self.normal, &mut self.out);
        step.instructions.run(Normalise { rows, scale: &scale, normal, skip, out });
        self.scale = Some(scale);
        let mut statistics = all.means().iter().copied().zip(all.variances(1.0));
        for c in convolutions {
            for (i, (mean, variance)) in statistics.by_ref().take(c.outputs).enumerate() {
                derivatives.statistics[c.mean.start + i] = mean as f32;
                derivatives.statistics[c.variance.start + i] = variance as f32;
            }
        }
    }

    /// Takes `gradient` back through ReLU, in place, and through the normalisation to `to`.
    fn back(
        &mut self,
        step: &Step,
        Turn { thread, round, rows, convolutions }: Turn,
        gradient: &mut [Block],
        to: &mut [Block],
        derivatives: &mut Parameters,
    ) {
        let scale = self.scale.as_ref().expect("forward comes first");
        let groups = scale.mean.len();
        let channels = groups * LANES;
        let mut sums = vec![0.0; 2 * channels];
        let (out, normal) = (&self.out, &self.normal);
        step.instructions.run(Mask { rows, out, normal, gradient, sums: &mut sums });
        let mut all = vec![0.0; 2 * channels];
        for gift in step.team.meet(round, thread, Gift::Sums(sums)) {
            if let Gift::Sums(sums) = gift {
                all.iter_mut().zip(sums).for_each(|(all, x)| *all += x);
            }
        }
        let [mut by, mut beta, mut gamma] = [(); 3].map(|()| zeros(groups));
        for i in 0..channels {
            numbers_mut(&mut by)[i] = numbers(&scale.gamma)[i] * numbers(&scale.inverse)[i];
            numbers_mut(&mut beta)[i] = (all[i] / self.count) as f32;
            numbers_mut(&mut gamma)[i] = (all[channels + i] / self.count) as f32;
        }
        step.instructions.run(NormaliseBack {
            rows,
            by: &by,
            beta: &beta,
            gamma: &gamma,
            normal,
            gradient,
            to,
        });
        // The sums are the whole batch's: one thread has them.
        let share = if thread == 0 { 1.0 } else { 0.0 };
        let mut channel = 0;
        for c in convolutions {
            for i in 0..c.outputs {
                derivatives.learned[c.beta.start + i] = (share * all[channel]) as f32;
                derivatives.learned[c.gamma.start + i] = (share * all[channels + channel]) as f32;
                channel += 1;
            }
        }
    }
}
