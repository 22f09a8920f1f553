//! Fast evaluation.

use super::board::{BoardGraph, Conv, Heads, NormLayer, Step, TipLayers};
use super::points::{Points, at_points};
use super::{Activation, Outputs, Scales};
use crate::evaluator::{TOGETHER, linear};
use crate::kernel::{
    Affine, Block, Images, Instructions, LANES, Multiply, Place, Pool, Region, RootMeanSquare, Scatter,
    TransformInput, TransformOutput, blocks, numbers, numbers_mut, zeros,
};
use crate::network::Layer;
use std::mem::take;
use std::sync::Arc;

/// Evaluates positions by a network for one size of the board, one at a time or several together,
/// without allocating memory.
///
/// Together they cost less, because a layer's weights are read once for several positions. The
/// result for a position is the same, bit for bit. A clone shares the network and has its own
/// memory: one for each thread.
#[derive(Clone, Debug)]
pub struct GraphEvaluator {
    graph: Arc<BoardGraph>,
    /// The trunk and those inside it.
    trunks: Vec<Vec<Block>>,
    inside: Inside,
    work: Workspace,
    /// Positions for which there is memory.
    room: usize,
    outputs: Vec<Outputs>,
    /// How many of the outputs are of the last positions.
    evaluated: usize,
}

/// Images inside a block.
#[derive(Clone, Default, Debug)]
struct Inside {
    pre: Vec<Block>,
    inner: Vec<Block>,
    side: Vec<Block>,
}

/// The memory of layers.
#[derive(Clone, Debug)]
struct Workspace {
    instructions: Instructions,
    images: Images,
    /// Positions under evaluation.
    count: usize,
    /// Transformed inputs and outputs of a convolution.
    inputs: Vec<Block>,
    products: Vec<Block>,
    /// What attention, feed-forward layers and heads keep at every point.
    points: Vec<Block>,
    scores: Vec<Block>,
    packed_keys: Vec<Block>,
    packed_values: Vec<Block>,
    /// Numbers for the whole position.
    pooled: Vec<Block>,
    vector: Vec<Block>,
    hidden: Vec<Block>,
    /// For each group.
    ones: Vec<Block>,
    zeros: Vec<Block>,
}

impl GraphEvaluator {
    /// An evaluator by the fastest instructions of this processor.
    pub fn new(graph: Arc<BoardGraph>) -> GraphEvaluator {
        GraphEvaluator::with_instructions(graph, Instructions::best())
    }

    /// An evaluator by these instructions.
    pub fn with_instructions(graph: Arc<BoardGraph>, instructions: Instructions) -> GraphEvaluator {
        let (images, needs) = (graph.images, graph.needs);
        let heads = graph.heads.spatial.bias.len() + 2;
        let vector = || zeros(needs.vector.max(blocks(graph.globals)).max(blocks(graph.channels)));
        let work = Workspace {
            instructions,
            images,
            count: 0,
            inputs: Vec::new(),
            products: Vec::new(),
            points: zeros(images.points() * needs.point_groups.max(heads)),
            scores: zeros(needs.scores),
            packed_keys: zeros(needs.packed),
            packed_values: zeros(needs.packed),
            pooled: vector(),
            vector: vector(),
            hidden: vector(),
            ones: vec![Block([1.0; LANES]); needs.groups],
            zeros: zeros(needs.groups),
        };
        let (trunks, inside) = (vec![Vec::new(); needs.depth], Inside::default());
        let mut evaluator =
            GraphEvaluator { trunks, inside, work, room: 0, outputs: Vec::new(), evaluated: 0, graph };
        evaluator.reserve(1);
        evaluator
    }

    /// Makes room for `positions` positions together.
    pub fn reserve(&mut self, positions: usize) {
        let (images, groups) = (self.graph.images, self.graph.needs.groups);
        let missing = positions.saturating_sub(self.outputs.len());
        self.outputs.reserve_exact(missing);
        self.outputs.extend((0..missing).map(|_| Outputs::new(images.board)));
        let room = positions.min(TOGETHER);
        if room <= self.room {
            return;
        }
        self.room = room;
        let Inside { pre, inner, side } = &mut self.inside;
        for image in self.trunks.iter_mut().chain([pre, inner, side]) {
            *image = zeros(room * images.plane() * groups);
        }
        for products in [&mut self.work.inputs, &mut self.work.products] {
            *products = zeros(room * images.products() * images.count() * groups);
        }
    }

    /// The network.
    pub fn graph(&self) -> &Arc<BoardGraph> {
        &self.graph
    }

    /// The instructions in use.
    pub fn instructions(&self) -> Instructions {
        self.work.instructions
    }

    /// The last outputs, one for each position.
    pub fn outputs(&self) -> &[Outputs] {
        &self.outputs[..self.evaluated]
    }

    /// Heap bytes held, the network's apart.
    pub fn bytes(&self) -> usize {
        let Inside { pre, inner, side } = &self.inside;
        let Workspace { inputs, products, points, scores, .. } = &self.work;
        let Workspace { packed_keys, packed_values, pooled, vector, hidden, ones, zeros, .. } = &self.work;
        let images = [pre, inner, side, inputs, products, points, scores, packed_keys, packed_values];
        let all = images.into_iter().chain([pooled, vector, hidden, ones, zeros]).chain(&self.trunks);
        all.map(|blocks| blocks.capacity()).sum::<usize>() * size_of::<Block>()
    }

    /// Whether its outputs for inputs that are all 1 are finite.
    pub fn is_finite(&mut self) -> bool {
        let (planes, globals) = (self.graph.planes, self.graph.globals);
        let points = self.graph.images.points();
        self.evaluate(&vec![1.0; planes * points], &vec![1.0; globals]).is_finite()
    }

    /// Evaluates a position given by its planes, `[plane, y, x]` with the highest row first, and
    /// the numbers for the whole position.
    ///
    /// # Panics
    /// If there are other planes or numbers than the network reads.
    pub fn evaluate(&mut self, planes: &[f32], globals: &[f32]) -> &Outputs {
        &self.evaluate_many(1, planes, globals)[0]
    }

    /// Evaluates N positions, given by their planes, `[position, plane, y, x]`, and the numbers for
    /// each, `[position, number]`. The first call with more positions than there is
    /// [room](GraphEvaluator::reserve) makes it.
    ///
    /// # Panics
    /// If there are other planes or numbers than the network reads.
    pub fn evaluate_many(&mut self, positions: usize, planes: &[f32], globals: &[f32]) -> &[Outputs] {
        let inputs = self.graph.planes * self.graph.images.points();
        assert_eq!(planes.len(), positions * inputs, "the planes are for another network");
        assert_eq!(globals.len(), positions * self.graph.globals, "the numbers are for another network");
        self.reserve(positions);
        self.evaluated = positions;
        let GraphEvaluator { graph, trunks, inside, work, outputs, .. } = self;
        if let Some(device) = &graph.device {
            device.evaluate(planes, globals, &mut outputs[..positions]);
            return &outputs[..positions];
        }
        let planes = planes.chunks(TOGETHER * inputs);
        let globals = globals.chunks(TOGETHER * graph.globals);
        let outputs_made = &mut outputs[..positions];
        for ((planes, globals), outputs) in planes.zip(globals).zip(outputs_made.chunks_mut(TOGETHER)) {
            work.count = outputs.len();
            work.begin(graph, planes, globals, &mut trunks[0]);
            work.run(&graph.blocks, trunks, inside);
            work.end(&graph.tip, graph.channels, &trunks[0], &mut inside.pre);
            work.heads(&graph.heads, &graph.scales, &inside.pre, outputs);
        }
        &outputs[..positions]
    }
}

impl Workspace {
    /// The first convolution, and what is added to it at every point.
    fn begin(&mut self, graph: &BoardGraph, planes: &[f32], globals: &[f32], trunk: &mut [Block]) {
        let Workspace { instructions, images, pooled, vector, inputs: sums, .. } = self;
        let groups = graph.global.bias.len();
        let planes = planes.chunks_exact(graph.planes * images.points());
        let globals = globals.chunks_exact(graph.globals);
        for ((planes, globals), to) in
            planes.zip(globals).zip(trunk.chunks_exact_mut(groups * images.plane()))
        {
            let inputs = &mut pooled[..blocks(globals.len())];
            inputs.fill(Block::default());
            numbers_mut(inputs)[..globals.len()].copy_from_slice(globals);
            full(*instructions, &graph.global, inputs, vector);
            instructions.run(Scatter {
                images: *images,
                size: graph.first.size,
                groups,
                planes,
                weight: &graph.first.weight,
                bias: vector,
                sums: &mut sums[..groups * images.points()],
                to,
            });
        }
    }

    /// Adds blocks to the first of the trunks.
    fn run(&mut self, steps: &[Step], trunks: &mut [Vec<Block>], inside: &mut Inside) {
        let Some((trunk, deeper)) = trunks.split_first_mut() else { return };
        let Inside { pre: x, inner, side } = inside;
        for step in steps {
            match step {
                Step::Residual { pre, first, mid, second } => {
                    self.norm(pre, trunk, x);
                    self.transform(first, x);
                    self.convolve(first, x, *mid, inner);
                    self.transform(second, inner);
                    self.add(second, inner, trunk);
                }
                Step::Pooling { pre, first, pooled, pool, bias, mid, second } => {
                    self.norm(pre, trunk, x);
                    self.transform(if first.is_wide { first } else { pooled }, x);
                    self.convolve(pooled, x, *pool, side);
                    self.multiply(first, x, None, false, inner);
                    self.add_pools(pooled.outputs, side, bias, &first.layer.bias, *mid, inner);
                    self.transform(second, inner);
                    self.add(second, inner, trunk);
                }
                Step::Nested { pre, first, blocks, post, last } => {
                    self.norm(pre, trunk, x);
                    self.transform(first, x);
                    self.convolve(first, x, Activation::Identity, &mut deeper[0]);
                    let mut inside = Inside { pre: take(x), inner: take(inner), side: take(side) };
                    self.run(blocks, deeper, &mut inside);
                    (*x, *inner, *side) = (inside.pre, inside.inner, inside.side);
                    self.norm(post, &deeper[0], x);
                    self.transform(last, x);
                    self.add(last, x, trunk);
                }
                Step::Attention(layers) => layers.run(&mut self.points(), trunk),
                Step::FeedForward(layers) => layers.run(&mut self.points(), trunk),
            }
        }
    }

    fn points(&mut self) -> Points<'_> {
        let Workspace { instructions, images, count, points, scores, packed_keys, packed_values, .. } = self;
        Points {
            instructions: *instructions,
            images: *images,
            count: *count,
            memory: points,
            scores,
            packed_keys,
            packed_values,
        }
    }

    /// The norm of images, into others.
    fn norm(&mut self, norm: &NormLayer, from: &[Block], to: &mut [Block]) {
        let NormLayer { scale, bias, activation } = norm;
        let region = Region::image(self.images, scale.len());
        let size = scale.len() * self.images.plane();
        let images = from.chunks_exact(size).zip(to.chunks_exact_mut(size)).take(self.count);
        for (from, to) in images {
            let (from, activation) = (Some((from, region)), *activation);
            self.instructions.run(Affine { from, scale, bias, activation, to, region });
        }
    }

    /// Adds a bias to images, and an activation.
    fn activate(&self, bias: &[Block], activation: Activation, images: &mut [Block]) {
        let region = Region::image(self.images, bias.len());
        for to in images.chunks_exact_mut(bias.len() * self.images.plane()) {
            let scale = &self.ones;
            self.instructions.run(Affine { from: None, scale, bias, activation, to, region });
        }
    }

    /// What a convolution and its like of the same images begin with.
    fn transform(&mut self, conv: &Conv, from: &[Block]) {
        if conv.is_wide {
            let Workspace { instructions, images, count, inputs, .. } = self;
            let from = &from[..*count * conv.inputs * images.plane()];
            instructions.run(TransformInput { images: *images, groups: conv.inputs, from, to: inputs });
        }
    }

    /// A convolution of images, transformed if that is needed, with its bias and an activation.
    fn convolve(&mut self, conv: &Conv, from: &[Block], activation: Activation, to: &mut [Block]) {
        let bias = &conv.layer.bias;
        let is_simple = matches!(activation, Activation::Relu | Activation::Identity);
        if conv.is_wide && is_simple {
            self.multiply(conv, from, Some((bias, activation)), false, to);
        } else {
            self.multiply(conv, from, None, false, to);
            self.activate(bias, activation, &mut to[..self.count * conv.outputs * self.images.plane()]);
        }
    }

    /// Adds a convolution of images, transformed if that is needed, to others.
    fn add(&mut self, conv: &Conv, from: &[Block], to: &mut [Block]) {
        self.multiply(conv, from, None, true, to);
    }

    /// A convolution of images without its bias. A 3x3 kernel has its images transformed, and may
    /// add a bias and make an end with ReLU or nothing.
    fn multiply(
        &mut self,
        conv: &Conv,
        from: &[Block],
        end: Option<(&[Block], Activation)>,
        accumulate: bool,
        to: &mut [Block],
    ) {
        let Workspace { instructions, images, count, inputs, products, zeros, .. } = self;
        let (instructions, images, count, groups) = (*instructions, *images, *count, conv.outputs);
        let to = &mut to[..count * groups * images.plane()];
        if !conv.is_wide {
            let from = from.chunks_exact(conv.inputs * images.plane());
            for (from, to) in from.zip(to.chunks_exact_mut(groups * images.plane())) {
                multiply_points(instructions, images, conv, from, accumulate, to);
            }
            return;
        }
        let depth = conv.inputs * LANES;
        instructions.run(Multiply {
            matrices: images.products(),
            rows: count * images.count(),
            depth,
            groups,
            a: inputs,
            a_place: images.products_place(count),
            transposed: false,
            b: &conv.layer.weight,
            b_place: Place { matrix: depth * groups, row: groups, group: 1 },
            c: products,
            c_place: images.products_place(count),
            accumulate: false,
        });
        let (bias, activation) = end.unwrap_or((zeros, Activation::Identity));
        let floor = if activation == Activation::Relu { 0.0 } else { f32::NEG_INFINITY };
        instructions.run(TransformOutput { images, groups, from: products, bias, accumulate, floor, to });
    }

    /// Adds to images what a layer makes of the pools of others, and a bias, and ends them by an
    /// activation.
    fn add_pools(
        &mut self,
        pooled: usize,
        from: &[Block],
        layer: &Layer,
        bias: &[Block],
        activation: Activation,
        to: &mut [Block],
    ) {
        let (images, groups) = (self.images, bias.len());
        let region = Region::image(images, pooled);
        let from = from.chunks_exact(pooled * images.plane()).take(self.count);
        for (from, to) in from.zip(to.chunks_exact_mut(groups * images.plane())) {
            self.instructions.run(Pool { from, region, to: &mut self.pooled });
            full(self.instructions, layer, &self.pooled[..2 * pooled], &mut self.vector);
            add_numbers(&mut self.vector, bias);
            self.activate(&self.vector[..groups], activation, to);
        }
    }

    /// What ends the trunk.
    fn end(&mut self, tip: &TipLayers, channels: usize, trunk: &[Block], to: &mut [Block]) {
        match tip {
            TipLayers::Norm(norm) => self.norm(norm, trunk, to),
            TipLayers::Rms { scale, epsilon, board, then } => {
                let region = Region::image(self.images, scale.len());
                let size = scale.len() * self.images.plane();
                for (from, to) in trunk.chunks_exact(size).zip(to.chunks_exact_mut(size)).take(self.count) {
                    self.instructions.run(RootMeanSquare {
                        from,
                        from_region: region,
                        channels,
                        epsilon: *epsilon,
                        board: *board,
                        scale,
                        to,
                        region,
                    });
                    let NormLayer { scale, bias, activation } = then;
                    let activation = *activation;
                    self.instructions.run(Affine { from: None, scale, bias, activation, to, region });
                }
            }
        }
    }

    /// The heads of what the trunk ends in.
    fn heads(&mut self, heads: &Heads, scales: &Scales, trunk: &[Block], outputs: &mut [Outputs]) {
        let size = heads.depth * self.images.plane();
        for (trunk, outputs) in trunk.chunks_exact(size).zip(outputs) {
            self.heads_of_one(heads, scales, trunk, outputs);
        }
    }

    fn heads_of_one(&mut self, heads: &Heads, scales: &Scales, trunk: &[Block], outputs: &mut Outputs) {
        let Workspace { instructions, images, points, pooled, vector, hidden, .. } = self;
        let (instructions, images, count) = (*instructions, *images, images.points());
        let all = heads.spatial.bias.len();
        instructions.run(Multiply {
            matrices: images.board,
            rows: images.board,
            depth: heads.depth * LANES,
            groups: all,
            a: &trunk[images.at(0, 0)..],
            a_place: Place { matrix: images.span, row: 1, group: images.plane() },
            transposed: false,
            b: &heads.spatial.weight,
            b_place: Place { matrix: 0, row: all, group: 1 },
            c: points,
            c_place: Place { matrix: images.board, row: 1, group: count },
            accumulate: false,
        });
        let (spatial, rest) = points.split_at_mut(heads.groups[0] * count);
        let (side, rest) = rest.split_at_mut(heads.groups[1] * count);
        let (value, logits) = rest.split_at_mut(heads.groups[2] * count);
        let finish = |norm: &NormLayer, bias: &[Block], to: &mut [Block]| {
            let region = Region::compact(images, norm.scale.len());
            let NormLayer { scale, activation, .. } = norm;
            instructions.run(Affine { from: None, scale, bias, activation: *activation, to, region });
        };
        let [policy_norm, pool_norm, value_norm] = &heads.norms;

        finish(pool_norm, &pool_norm.bias, side);
        let region = Region::compact(images, heads.groups[1]);
        instructions.run(Pool { from: side, region, to: pooled });
        let pool = &pooled[..2 * heads.groups[1]];
        full(instructions, &heads.policy_bias, pool, vector);
        add_numbers(vector, &policy_norm.bias);
        finish(policy_norm, vector, spatial);
        at_points(instructions, &heads.policy, count, spatial, logits);
        let (points, pass) = outputs.policy.split_at_mut(count);
        points.iter_mut().zip(&*logits).for_each(|(to, x)| *to = x.0[0]);
        match &heads.hidden_pass {
            Some((layer, activation)) => {
                full(instructions, layer, pool, hidden);
                activate(hidden, *activation);
                full(instructions, &heads.pass, &hidden[..layer.bias.len()], vector);
            }
            None => full(instructions, &heads.pass, pool, vector),
        }
        pass[0] = vector[0].0[0];

        finish(value_norm, &value_norm.bias, value);
        at_points(instructions, &heads.ownership, count, value, logits);
        outputs.ownership.iter_mut().zip(&*logits).for_each(|(to, x)| *to = x.0[0].tanh());
        let region = Region::compact(images, heads.groups[2]);
        instructions.run(Pool { from: value, region, to: pooled });
        let (layer, activation) = &heads.hidden_value;
        full(instructions, layer, &pooled[..heads.groups[2]], hidden);
        activate(hidden, *activation);
        full(instructions, &heads.values, &hidden[..layer.bias.len()], vector);
        let values = numbers(vector);
        outputs.value.copy_from_slice(&values[..3]);
        outputs.set_scores(scales, &values[3..]);
    }
}

/// A 1x1 convolution from one image into another, or added to what is there.
fn multiply_points(
    instructions: Instructions,
    images: Images,
    conv: &Conv,
    from: &[Block],
    accumulate: bool,
    to: &mut [Block],
) {
    let place = Place { matrix: images.span, row: 1, group: images.plane() };
    instructions.run(Multiply {
        matrices: images.board,
        rows: images.board,
        depth: conv.inputs * LANES,
        groups: conv.outputs,
        a: &from[images.at(0, 0)..],
        a_place: place,
        transposed: false,
        b: &conv.layer.weight,
        b_place: Place { matrix: 0, row: conv.outputs, group: 1 },
        c: &mut to[images.at(0, 0)..],
        c_place: place,
        accumulate,
    });
}

/// A linear layer of numbers for the whole position, with its bias.
fn full(instructions: Instructions, layer: &Layer, from: &[Block], to: &mut [Block]) {
    linear(instructions, layer, from, 1, to);
    add_numbers(to, &layer.bias);
}

fn add_numbers(to: &mut [Block], more: &[Block]) {
    numbers_mut(to).iter_mut().zip(numbers(more)).for_each(|(to, x)| *to += x);
}

fn activate(x: &mut [Block], activation: Activation) {
    numbers_mut(x).iter_mut().for_each(|x| *x = activation.of(*x));
}
