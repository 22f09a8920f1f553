//! Evaluation of positions.

use crate::kernel::{
    Block, Images, Instructions, LANES, Multiply, Place, TransformInput, TransformOutput, blocks, numbers,
    numbers_mut, zeros,
};
use crate::network::{Layer, Network};
use std::sync::Arc;

/// The most positions that go through a layer side by side. More would gain nothing, and leave the
/// processor's caches.
pub(crate) const TOGETHER: usize = 4;

/// Evaluates positions by a network, one at a time or several together, without allocating memory.
///
/// Together they cost less, because a layer's weights are read once for several positions. The
/// result for a position is the same, bit for bit. A clone shares the network and has its own
/// memory: one for each thread.
///
/// ```
/// use std::sync::Arc;
/// use tesuji_net::{Evaluator, Network, Parameters, Shape};
///
/// let shape = Shape { board: 5, filters: 8, blocks: 1, ..Shape::GO9 };
/// let network = Arc::new(Network::new(&Parameters::random(shape, 1)));
/// let mut evaluator = Evaluator::new(network);
/// let mut logits = vec![0.0; shape.moves()];
/// let value = evaluator.evaluate(&vec![0.0; shape.inputs()], &mut logits);
/// assert!((-1.0..=1.0).contains(&value));
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    network: Arc<Network>,
    instructions: Instructions,
    /// Positions for which there is memory.
    room: usize,
    /// The planes, as images.
    planes: Vec<Block>,
    /// What the trunk has made of them.
    trunk: Vec<Block>,
    /// Inside a block.
    inner: Vec<Block>,
    /// Transformed inputs of a convolution.
    inputs: Vec<Block>,
    /// Transformed outputs of a convolution.
    outputs: Vec<Block>,
    /// What the heads' convolutions make of one position, `[group][y][x]`.
    heads: Vec<Block>,
    /// The same for the policy's linear layer, `[position][channel][y][x]`, each position filled up
    /// to whole blocks.
    policy: Vec<Block>,
    /// The same for the value's.
    value: Vec<Block>,
    /// Outputs of a linear layer, `[position][output]`.
    linear: Vec<Block>,
}

impl Evaluator {
    /// An evaluator by the fastest instructions of this processor.
    pub fn new(network: Arc<Network>) -> Evaluator {
        Evaluator::with_instructions(network, Instructions::best())
    }

    /// An evaluator by these instructions.
    pub fn with_instructions(network: Arc<Network>, instructions: Instructions) -> Evaluator {
        let head_channels = network.shape().policy_filters + network.shape().value_filters;
        let heads = zeros(network.images.points() * blocks(head_channels));
        let none = Vec::new;
        let mut evaluator = Evaluator {
            network,
            instructions,
            room: 0,
            planes: none(),
            trunk: none(),
            inner: none(),
            inputs: none(),
            outputs: none(),
            heads,
            policy: none(),
            value: none(),
            linear: none(),
        };
        evaluator.reserve(1);
        evaluator
    }

    /// Makes room for evaluating `positions` positions together, up to the number at which more
    /// room stops making them cheaper.
    pub fn reserve(&mut self, positions: usize) {
        let room = positions.min(TOGETHER);
        if room <= self.room {
            return;
        }
        let (shape, images) = (self.network.shape(), self.network.images);
        let (planes, filters) = (blocks(shape.planes), blocks(shape.filters));
        let products = images.products() * images.count();
        self.room = room;
        self.planes = zeros(room * images.plane() * planes);
        self.trunk = zeros(room * images.plane() * filters);
        self.inner = zeros(room * images.plane() * filters);
        self.inputs = zeros(room * products * planes.max(filters));
        self.outputs = zeros(room * products * filters);
        self.policy = zeros(room * blocks(images.points() * shape.policy_filters));
        self.value = zeros(room * blocks(images.points() * shape.value_filters));
        self.linear = zeros(room * blocks(shape.moves().max(shape.value_hidden)));
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The instructions in use.
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Heap bytes held, the network's apart.
    pub fn bytes(&self) -> usize {
        let Evaluator { planes, trunk, inner, inputs, outputs, heads, policy, value, linear, .. } = self;
        let blocks = [planes, trunk, inner, inputs, outputs, heads, policy, value, linear];
        blocks.iter().map(|blocks| blocks.capacity()).sum::<usize>() * size_of::<Block>()
    }

    /// Whether its prepared weights are finite, and its outputs for planes that are all 1.
    pub fn is_finite(&mut self) -> bool {
        let shape = *self.network.shape();
        let mut logits = vec![0.0; shape.moves()];
        let value = self.evaluate(&vec![1.0; shape.inputs()], &mut logits);
        self.network.is_finite() && logits.iter().chain([&value]).all(|x| x.is_finite())
    }

    /// Evaluates a position given by its planes, `[plane, y, x]`: writes the logits of the policy
    /// and returns the value, in [-1, 1], for the player whose view the planes have.
    ///
    /// # Panics
    /// If a slice has another length than the network has inputs and moves.
    pub fn evaluate(&mut self, planes: &[f32], logits: &mut [f32]) -> f32 {
        let mut value = [0.0];
        self.evaluate_many(planes, logits, &mut value);
        value[0]
    }

    /// Evaluates as many positions as there are values, given by their planes,
    /// `[position, plane, y, x]`: writes logits, `[position, move]`, and values. The first call
    /// with more positions than there is [room](Evaluator::reserve) makes it.
    ///
    /// # Panics
    /// If a slice has another length than that many positions have inputs and moves.
    pub fn evaluate_many(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let (inputs, moves) = (self.network.shape().inputs(), self.network.shape().moves());
        assert_eq!(planes.len(), values.len() * inputs, "the planes are for another network");
        assert_eq!(logits.len(), values.len() * moves, "the logits are for another network");
        self.reserve(values.len());
        let planes = planes.chunks(TOGETHER * inputs);
        for ((planes, logits), values) in
            planes.zip(logits.chunks_mut(TOGETHER * moves)).zip(values.chunks_mut(TOGETHER))
        {
            self.evaluate_together(planes, logits, values);
        }
    }

    fn evaluate_together(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let network = &*self.network;
        let (shape, images, instructions) = (network.shape(), network.images, self.instructions);
        let count = values.len();
        let mut convolution =
            ConvolutionMemory { instructions, images, inputs: &mut self.inputs, outputs: &mut self.outputs };
        let plane = images.plane() * blocks(shape.planes);
        let image = images.plane() * blocks(shape.filters);
        let input = &mut self.planes[..count * plane];
        let [trunk, inner] = [&mut self.trunk, &mut self.inner].map(|images| &mut images[..count * image]);

        for (planes, image) in planes.chunks_exact(shape.inputs()).zip(input.chunks_exact_mut(plane)) {
            images.write(planes, image);
        }
        convolution.run(&network.trunk, input, trunk, false);
        for [first, second] in &network.blocks {
            convolution.run(first, trunk, inner, false);
            convolution.run(second, inner, trunk, true);
        }

        let (points, groups) = (images.points(), network.heads.bias.len());
        let [policy, value] =
            [shape.policy_filters, shape.value_filters].map(|filters| blocks(filters * points));
        let (policies, value_inputs) = (&mut self.policy[..count * policy], &mut self.value[..count * value]);
        for (number, trunk) in trunk.chunks_exact(image).enumerate() {
            instructions.run(Multiply {
                matrices: images.board,
                rows: images.board,
                depth: shape.filters.next_multiple_of(LANES),
                groups,
                a: &trunk[images.at(0, 0)..],
                a_place: Place { matrix: images.span, row: 1, group: images.plane() },
                transposed: false,
                b: &network.heads.weight,
                b_place: Place { matrix: 0, row: groups, group: 1 },
                c: &mut self.heads,
                c_place: Place { matrix: images.board, row: 1, group: points },
                accumulate: false,
            });
            let policy = numbers_mut(&mut policies[number * policy..]).chunks_exact_mut(points);
            let value = numbers_mut(&mut value_inputs[number * value..]).chunks_exact_mut(points);
            let channels = policy.take(shape.policy_filters).chain(value.take(shape.value_filters));
            for (channel, to) in channels.enumerate() {
                let bias = numbers(&network.heads.bias)[channel];
                let from = &self.heads[channel / LANES * points..][..points];
                for (to, block) in to.iter_mut().zip(from) {
                    *to = (block.0[channel % LANES] + bias).max(0.0);
                }
            }
        }

        linear(instructions, &network.policy, policies, count, &mut self.linear);
        let outputs = self.linear.chunks_exact(network.policy.bias.len());
        for (logits, outputs) in logits.chunks_exact_mut(shape.moves()).zip(outputs) {
            let sums = numbers(outputs).iter().zip(numbers(&network.policy.bias));
            logits.iter_mut().zip(sums).for_each(|(logit, (x, bias))| *logit = x + bias);
        }
        linear(instructions, &network.hidden, value_inputs, count, &mut self.linear);
        for (value, hidden) in values.iter_mut().zip(self.linear.chunks_exact(network.hidden.bias.len())) {
            let hidden = numbers(hidden).iter().zip(numbers(&network.hidden.bias));
            let total: f32 =
                hidden.zip(&network.value).map(|((&x, &bias), &weight)| (x + bias).max(0.0) * weight).sum();
            *value = (total + network.value_bias).tanh();
        }
    }
}

/// The products of rows of numbers with a layer's weight, without its bias.
pub(crate) fn linear(instructions: Instructions, layer: &Layer, x: &[Block], rows: usize, to: &mut [Block]) {
    let (groups, row) = (layer.bias.len(), x.len() / rows);
    instructions.run(Multiply {
        matrices: 1,
        rows,
        depth: row * LANES,
        groups,
        a: x,
        a_place: Place { matrix: 0, row, group: 1 },
        transposed: false,
        b: &layer.weight,
        b_place: Place { matrix: 0, row: groups, group: 1 },
        c: to,
        c_place: Place { matrix: 0, row: groups, group: 1 },
        accumulate: false,
    });
}

/// The memory of a 3x3 convolution.
struct ConvolutionMemory<'a> {
    instructions: Instructions,
    images: Images,
    inputs: &'a mut [Block],
    outputs: &'a mut [Block],
}

impl ConvolutionMemory<'_> {
    /// The convolution of images, added to what is in `to` if that is wanted, and ReLU.
    fn run(&mut self, layer: &Layer, from: &[Block], to: &mut [Block], accumulate: bool) {
        let images = self.images;
        let groups = layer.bias.len();
        let count = to.len() / (groups * images.plane());
        let from_groups = from.len() / (count * images.plane());
        let depth = from_groups * LANES;
        self.instructions.run(TransformInput { images, groups: from_groups, from, to: self.inputs });
        self.instructions.run(Multiply {
            matrices: images.products(),
            rows: count * images.count(),
            depth,
            groups,
            a: self.inputs,
            a_place: images.products_place(count),
            transposed: false,
            b: &layer.weight,
            b_place: Place { matrix: depth * groups, row: groups, group: 1 },
            c: self.outputs,
            c_place: images.products_place(count),
            accumulate: false,
        });
        self.instructions.run(TransformOutput {
            images,
            groups,
            from: self.outputs,
            bias: &layer.bias,
            accumulate,
            floor: 0.0,
            to,
        });
    }
}
