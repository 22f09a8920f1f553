//! Fast evaluation.

use super::board::{BoardGraph, Conv, Heads, NormLayer, Step, TipLayers};
use super::{Activation, Outputs, Scales};
use crate::evaluator::linear;
use crate::kernel::{
    Affine, Block, Images, Instructions, LANES, Multiply, Place, Pool, Region, RootMeanSquare, Scatter,
    TransformInput, TransformOutput, blocks, numbers, numbers_mut, zeros,
};
use crate::network::Layer;
use std::mem::take;
use std::sync::Arc;

/// Evaluates positions by a network for one size of the board, one at a time, without allocating memory.
///
/// A clone shares the network and has its own memory: one for each thread.
#[derive(Clone, Debug)]
pub struct GraphEvaluator {
    graph: Arc<BoardGraph>,
    /// The trunk and those inside it.
    trunks: Vec<Vec<Block>>,
    inside: Inside,
    work: Workspace,
    outputs: Outputs,
}

/// Images inside a block.
#[derive(Clone, Debug)]
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

/// What attention and feed-forward layers work with.
pub(super) struct Points<'a> {
    pub(super) instructions: Instructions,
    pub(super) images: Images,
    pub(super) memory: &'a mut [Block],
    pub(super) scores: &'a mut [Block],
    pub(super) packed_keys: &'a mut [Block],
    pub(super) packed_values: &'a mut [Block],
}

impl GraphEvaluator {
    /// An evaluator by the fastest instructions of this processor.
    pub fn new(graph: Arc<BoardGraph>) -> GraphEvaluator {
        GraphEvaluator::with_instructions(graph, Instructions::best())
    }

    /// An evaluator by these instructions.
    pub fn with_instructions(graph: Arc<BoardGraph>, instructions: Instructions) -> GraphEvaluator {
        let (images, needs) = (graph.images, graph.needs);
        let image = || zeros(images.plane() * needs.groups);
        let products = || zeros(images.products() * images.count() * needs.groups);
        let heads = graph.heads.spatial.bias.len() + 2;
        let vector = || zeros(needs.vector.max(blocks(graph.globals)).max(blocks(graph.channels)));
        let work = Workspace {
            instructions,
            images,
            inputs: products(),
            products: products(),
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
        GraphEvaluator {
            trunks: vec![image(); needs.depth],
            inside: Inside { pre: image(), inner: image(), side: image() },
            outputs: Outputs::new(images.board),
            work,
            graph,
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

    /// What it said last.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
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

    /// Whether what it says where all inputs are 1 is finite.
    pub fn is_finite(&mut self) -> bool {
        let (planes, globals) = (self.graph.planes, self.graph.globals);
        let points = self.graph.images.points();
        self.evaluate(&vec![1.0; planes * points], &vec![1.0; globals]).is_finite()
    }

    /// Evaluates a position given by its planes, `[plane, y, x]` with the highest row first, and the numbers for the whole position.
    ///
    /// # Panics
    /// If there are other planes or numbers than the network reads.
    pub fn evaluate(&mut self, planes: &[f32], globals: &[f32]) -> &Outputs {
        let graph = &*self.graph;
        let points = graph.images.points();
        assert_eq!(planes.len(), graph.planes * points, "the planes are for another network");
        assert_eq!(globals.len(), graph.globals, "the numbers are for another network");
        let GraphEvaluator { graph, trunks, inside, work, outputs } = self;
        work.begin(graph, planes, globals, &mut trunks[0]);
        work.run(&graph.blocks, trunks, inside);
        work.end(&graph.tip, graph.channels, &trunks[0], &mut inside.pre);
        work.heads(&graph.heads, &graph.scales, &inside.pre, outputs);
        outputs
    }
}

impl Workspace {
    /// The first convolution, and what is added to it at every point.
    fn begin(&mut self, graph: &BoardGraph, planes: &[f32], globals: &[f32], trunk: &mut [Block]) {
        let Workspace { instructions, images, pooled, vector, inputs: sums, .. } = self;
        let groups = graph.global.bias.len();
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
            to: trunk,
        });
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
                    self.convolve(first, x, &first.layer.bias, *mid, inner);
                    self.transform(second, inner);
                    self.add(second, inner, trunk);
                }
                Step::Pooling { pre, first, pooled, pool, bias, mid, second } => {
                    self.norm(pre, trunk, x);
                    self.transform(if first.is_wide { first } else { pooled }, x);
                    self.convolve(pooled, x, &pooled.layer.bias, *pool, side);
                    let region = Region::image(self.images, pooled.outputs);
                    self.instructions.run(Pool { from: side, region, to: &mut self.pooled });
                    full(self.instructions, bias, &self.pooled[..2 * pooled.outputs], &mut self.vector);
                    let mut sum = std::mem::take(&mut self.vector);
                    add_numbers(&mut sum, &first.layer.bias);
                    self.convolve(first, x, &sum, *mid, inner);
                    self.vector = sum;
                    self.transform(second, inner);
                    self.add(second, inner, trunk);
                }
                Step::Nested { pre, first, blocks, post, last } => {
                    self.norm(pre, trunk, x);
                    self.transform(first, x);
                    self.convolve(first, x, &first.layer.bias, Activation::Identity, &mut deeper[0]);
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
        let Workspace { instructions, images, points, scores, packed_keys, packed_values, .. } = self;
        Points {
            instructions: *instructions,
            images: *images,
            memory: points,
            scores,
            packed_keys,
            packed_values,
        }
    }

    /// The norm of one image, into another.
    fn norm(&mut self, norm: &NormLayer, from: &[Block], to: &mut [Block]) {
        let region = Region::image(self.images, norm.scale.len());
        let NormLayer { scale, bias, activation } = norm;
        let (from, activation) = (Some((from, region)), *activation);
        self.instructions.run(Affine { from, scale, bias, activation, to, region });
    }

    /// What a convolution and its like of the same image begin with.
    fn transform(&mut self, conv: &Conv, from: &[Block]) {
        if conv.is_wide {
            let Workspace { instructions, images, inputs, .. } = self;
            let from = &from[..conv.inputs * images.plane()];
            instructions.run(TransformInput { images: *images, groups: conv.inputs, from, to: inputs });
        }
    }

    /// A convolution of an image, transformed if that is needed, with a bias and an activation.
    fn convolve(
        &mut self,
        conv: &Conv,
        from: &[Block],
        bias: &[Block],
        activation: Activation,
        to: &mut [Block],
    ) {
        let (images, groups) = (self.images, conv.outputs);
        let done = if conv.is_wide {
            let floor = if activation == Activation::Relu { 0.0 } else { f32::NEG_INFINITY };
            self.multiply_tiles(conv);
            let to = &mut to[..groups * images.plane()];
            let from = &self.products;
            self.instructions.run(TransformOutput {
                images,
                groups,
                from,
                bias,
                accumulate: false,
                floor,
                to,
            });
            matches!(activation, Activation::Relu | Activation::Identity)
        } else {
            multiply_points(self.instructions, images, conv, from, false, to);
            false
        };
        if !done {
            let bias = if conv.is_wide { &self.zeros } else { bias };
            let (scale, region) = (&self.ones, Region::image(images, groups));
            self.instructions.run(Affine { from: None, scale, bias, activation, to, region });
        }
    }

    /// Adds a convolution of an image, transformed if that is needed, to another.
    fn add(&mut self, conv: &Conv, from: &[Block], to: &mut [Block]) {
        let (images, groups) = (self.images, conv.outputs);
        if conv.is_wide {
            self.multiply_tiles(conv);
            self.instructions.run(TransformOutput {
                images,
                groups,
                from: &self.products,
                bias: &self.zeros,
                accumulate: true,
                floor: f32::NEG_INFINITY,
                to: &mut to[..groups * images.plane()],
            });
        } else {
            multiply_points(self.instructions, images, conv, from, true, to);
        }
    }

    fn multiply_tiles(&mut self, conv: &Conv) {
        let Workspace { instructions, images, inputs, products, .. } = self;
        let (depth, groups) = (conv.inputs * LANES, conv.outputs);
        instructions.run(Multiply {
            matrices: images.products(),
            rows: images.count(),
            depth,
            groups,
            a: inputs,
            a_place: images.products_place(1),
            transposed: false,
            b: &conv.layer.weight,
            b_place: Place { matrix: depth * groups, row: groups, group: 1 },
            c: products,
            c_place: images.products_place(1),
            accumulate: false,
        });
    }

    /// What ends the trunk.
    fn end(&mut self, tip: &TipLayers, channels: usize, trunk: &[Block], to: &mut [Block]) {
        match tip {
            TipLayers::Norm(norm) => self.norm(norm, trunk, to),
            TipLayers::Rms { scale, epsilon, board, then } => {
                let region = Region::image(self.images, scale.len());
                self.instructions.run(RootMeanSquare {
                    from: trunk,
                    from_region: region,
                    channels,
                    epsilon: *epsilon,
                    board: *board,
                    scale,
                    to,
                    region,
                });
                let NormLayer { scale, bias, activation } = then;
                self.instructions.run(Affine {
                    from: None,
                    scale,
                    bias,
                    activation: *activation,
                    to,
                    region,
                });
            }
        }
    }

    /// The heads of what the trunk ends in.
    fn heads(&mut self, heads: &Heads, scales: &Scales, trunk: &[Block], outputs: &mut Outputs) {
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

/// A layer without a bias at every point of `[group][y][x]`.
pub(super) fn at_points(
    instructions: Instructions,
    layer: &Layer,
    points: usize,
    from: &[Block],
    to: &mut [Block],
) {
    let groups = layer.bias.len();
    instructions.run(Multiply {
        matrices: 1,
        rows: points,
        depth: from.len() / points * LANES,
        groups,
        a: from,
        a_place: Place { matrix: 0, row: 1, group: points },
        transposed: false,
        b: &layer.weight,
        b_place: Place { matrix: 0, row: groups, group: 1 },
        c: to,
        c_place: Place { matrix: 0, row: 1, group: points },
        accumulate: false,
    });
}

/// Adds a layer without a bias at every point of `[group][y][x]` to an image.
pub(super) fn add_to_image(
    instructions: Instructions,
    images: Images,
    layer: &Layer,
    from: &[Block],
    to: &mut [Block],
) {
    let (groups, points) = (layer.bias.len(), images.points());
    instructions.run(Multiply {
        matrices: images.board,
        rows: images.board,
        depth: from.len() / points * LANES,
        groups,
        a: from,
        a_place: Place { matrix: images.board, row: 1, group: points },
        transposed: false,
        b: &layer.weight,
        b_place: Place { matrix: 0, row: groups, group: 1 },
        c: &mut to[images.at(0, 0)..],
        c_place: Place { matrix: images.span, row: 1, group: images.plane() },
        accumulate: true,
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
