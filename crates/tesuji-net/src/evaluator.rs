//! Evaluation of positions.

use crate::Network;
use crate::kernel::{
    Block, Images, Instructions, LANES, Multiply, Place, TransformInput, TransformOutput, blocks, numbers,
    numbers_mut, zeros,
};
use crate::network::Layer;
use std::sync::Arc;

/// Evaluates positions by a network, one at a time, without allocating memory.
///
/// A clone shares the network and has its own memory: one for each thread.
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
    /// The planes, as an image.
    planes: Vec<Block>,
    /// What the trunk has made of them.
    trunk: Vec<Block>,
    /// Inside a block.
    inner: Vec<Block>,
    /// Transformed inputs of a convolution.
    inputs: Vec<Block>,
    /// Transformed outputs of a convolution.
    outputs: Vec<Block>,
    /// What the heads' convolutions make, `[group][y][x]`.
    heads: Vec<Block>,
    /// The same for the policy's linear layer, `[channel][y][x]`.
    policy: Vec<Block>,
    /// The same for the value's.
    value: Vec<Block>,
    /// Outputs of a linear layer.
    linear: Vec<Block>,
}

impl Evaluator {
    /// An evaluator by the fastest instructions of this processor.
    pub fn new(network: Arc<Network>) -> Evaluator {
        Evaluator::with_instructions(network, Instructions::best())
    }

    /// An evaluator by these instructions.
    pub fn with_instructions(network: Arc<Network>, instructions: Instructions) -> Evaluator {
        let (shape, images) = (network.shape(), network.images);
        let (planes, filters) = (blocks(shape.planes), blocks(shape.filters));
        let products = images.products() * images.count();
        let head_channels = shape.policy_filters + shape.value_filters;
        Evaluator {
            instructions,
            planes: zeros(images.plane() * planes),
            trunk: zeros(images.plane() * filters),
            inner: zeros(images.plane() * filters),
            inputs: zeros(products * planes.max(filters)),
            outputs: zeros(products * filters),
            heads: zeros(images.points() * blocks(head_channels)),
            policy: zeros(blocks(images.points() * shape.policy_filters)),
            value: zeros(blocks(images.points() * shape.value_filters)),
            linear: zeros(blocks(shape.moves().max(shape.value_hidden))),
            network,
        }
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

    /// Whether its weights, made ready, are finite, and what it says where all planes are 1.
    pub fn is_finite(&mut self) -> bool {
        let shape = *self.network.shape();
        let mut logits = vec![0.0; shape.moves()];
        let value = self.evaluate(&vec![1.0; shape.inputs()], &mut logits);
        self.network.is_finite() && logits.iter().chain([&value]).all(|x| x.is_finite())
    }

    /// Evaluates a position given by its planes, `[plane, y, x]`: writes the logits of the policy and returns the value, in
    /// [-1, 1], for the player whose view the planes have.
    ///
    /// # Panics
    /// If a slice has another length than the network has inputs and moves.
    pub fn evaluate(&mut self, planes: &[f32], logits: &mut [f32]) -> f32 {
        let network = &*self.network;
        let (shape, images, instructions) = (network.shape(), network.images, self.instructions);
        assert_eq!(planes.len(), shape.inputs(), "the planes are for another network");
        assert_eq!(logits.len(), shape.moves(), "the logits are for another network");
        let mut convolution =
            Convolution { instructions, images, inputs: &mut self.inputs, outputs: &mut self.outputs };

        images.write(planes, &mut self.planes);
        convolution.run(&network.trunk, &self.planes, &mut self.trunk, false);
        for [first, second] in &network.blocks {
            convolution.run(first, &self.trunk, &mut self.inner, false);
            convolution.run(second, &self.inner, &mut self.trunk, true);
        }

        let (points, groups) = (images.points(), network.heads.bias.len());
        instructions.run(Multiply {
            matrices: images.board,
            rows: images.board,
            depth: shape.filters.next_multiple_of(LANES),
            groups,
            a: &self.trunk[images.at(0, 0)..],
            a_place: Place { matrix: images.span, row: 1, group: images.plane() },
            transposed: false,
            b: &network.heads.weight,
            b_place: Place { matrix: 0, row: groups, group: 1 },
            c: &mut self.heads,
            c_place: Place { matrix: images.board, row: 1, group: points },
            accumulate: false,
        });
        let policy = numbers_mut(&mut self.policy).chunks_exact_mut(points).take(shape.policy_filters);
        let value = numbers_mut(&mut self.value).chunks_exact_mut(points).take(shape.value_filters);
        for (channel, to) in policy.chain(value).enumerate() {
            let bias = numbers(&network.heads.bias)[channel];
            let from = &self.heads[channel / LANES * points..][..points];
            for (to, block) in to.iter_mut().zip(from) {
                *to = (block.0[channel % LANES] + bias).max(0.0);
            }
        }

        linear(instructions, &network.policy, &self.policy, &mut self.linear);
        for ((logit, &x), bias) in
            logits.iter_mut().zip(numbers(&self.linear)).zip(numbers(&network.policy.bias))
        {
            *logit = x + bias;
        }
        linear(instructions, &network.hidden, &self.value, &mut self.linear);
        let hidden = numbers(&self.linear).iter().zip(numbers(&network.hidden.bias));
        let total: f32 =
            hidden.zip(&network.value).map(|((&x, &bias), &weight)| (x + bias).max(0.0) * weight).sum();
        (total + network.value_bias).tanh()
    }
}

/// The product of one row of numbers with a layer's weight, without its bias.
pub(crate) fn linear(instructions: Instructions, layer: &Layer, x: &[Block], to: &mut [Block]) {
    let groups = layer.bias.len();
    instructions.run(Multiply {
        matrices: 1,
        rows: 1,
        depth: x.len() * LANES,
        groups,
        a: x,
        a_place: Place { matrix: 0, row: 0, group: 1 },
        transposed: false,
        b: &layer.weight,
        b_place: Place { matrix: 0, row: groups, group: 1 },
        c: to,
        c_place: Place { matrix: 0, row: 0, group: 1 },
        accumulate: false,
    });
}

/// The memory of a 3x3 convolution.
struct Convolution<'a> {
    instructions: Instructions,
    images: Images,
    inputs: &'a mut [Block],
    outputs: &'a mut [Block],
}

impl Convolution<'_> {
    /// The convolution of one image, added to what is in `to` if that is wanted, and ReLU.
    fn run(&mut self, layer: &Layer, from: &[Block], to: &mut [Block], accumulate: bool) {
        let images = self.images;
        let groups = layer.bias.len();
        let from_groups = from.len() / images.plane();
        let depth = from_groups * LANES;
        self.instructions.run(TransformInput { images, groups: from_groups, from, to: self.inputs });
        self.instructions.run(Multiply {
            matrices: images.products(),
            rows: images.count(),
            depth,
            groups,
            a: self.inputs,
            a_place: images.products_place(1),
            transposed: false,
            b: &layer.weight,
            b_place: Place { matrix: depth * groups, row: groups, group: 1 },
            c: self.outputs,
            c_place: images.products_place(1),
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
