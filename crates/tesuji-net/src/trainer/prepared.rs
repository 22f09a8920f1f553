//! The weights of a step in the forms that the kernel needs.

use crate::kernel::{
    Block, Images, Instructions, KernelOrder, LANES, TransformKernel, blocks, numbers_mut, packed, zeros,
};
use crate::layout::{Kernel, Linear};
use crate::network::Layer;
use crate::parameters::Parameters;

/// A layer's weights, forward and back.
#[derive(Debug)]
pub(super) struct Weights {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// A packed matrix of inputs and outputs, or one for each product.
    pub(super) forward: Vec<Block>,
    /// The same with inputs and outputs exchanged.
    pub(super) back: Vec<Block>,
}

impl Weights {
    /// Room for the weights of a 3x3 convolution.
    fn wide(images: &Images, c: &Kernel) -> Weights {
        let [inputs, outputs] = [c.inputs, c.outputs].map(|n| n.next_multiple_of(LANES));
        let size = images.products() * inputs * outputs / LANES;
        Weights { inputs: c.inputs, outputs: c.outputs, forward: zeros(size), back: zeros(size) }
    }

    /// Of a linear layer or 1x1 convolution.
    fn linear(inputs: usize, outputs: usize, weight: &[f32]) -> Weights {
        let forward = Layer::new(inputs, weight, &vec![0.0; outputs]).weight;
        let (high, groups) = (outputs.next_multiple_of(LANES), blocks(inputs));
        let mut back = zeros(high * groups);
        for (output, row) in weight.chunks_exact(inputs).enumerate() {
            for (group, part) in row.chunks(LANES).enumerate() {
                let at = packed(high, groups, output, group) * LANES;
                numbers_mut(&mut back)[at..at + part.len()].copy_from_slice(part);
            }
        }
        Weights { inputs, outputs, forward, back }
    }
}

/// The weights of all layers.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The 3x3 convolutions, as [`Layout::wide`] has them.
    pub(super) convolutions: Vec<Weights>,
    pub(super) heads: HeadWeights,
}

/// The weights of the heads.
#[derive(Debug)]
pub(super) enum HeadWeights {
    /// Of a network for one board.
    Board {
        /// Both heads' 1x1 convolutions side by side, the policy's channels first.
        heads: Weights,
        policy: Weights,
        hidden: Weights,
    },
    /// Of a pooling network: the 1x1 convolutions of the policy, of what it pools, and of the
    /// value.
    Pooling([Weights; 3]),
}

impl Prepared {
    /// Room for the weights of a network; call [`Prepared::update`].
    pub(super) fn new(images: &Images, parameters: &Parameters) -> Prepared {
        let convolutions = parameters.layout.wide().into_iter().map(|c| Weights::wide(images, c)).collect();
        Prepared { convolutions, heads: HeadWeights::of(parameters) }
    }

    /// Takes the weights of these parameters, on `threads` threads.
    pub(super) fn update(
        &mut self,
        images: Images,
        instructions: Instructions,
        parameters: &Parameters,
        threads: usize,
    ) {
        let learned = &parameters.learned;
        let convert = |(weights, c): (&mut Weights, &Kernel)| {
            for (order, to) in
                [(KernelOrder::Forward, &mut weights.forward), (KernelOrder::Back, &mut weights.back)]
            {
                let from = &learned[c.weight.clone()];
                instructions.run(TransformKernel {
                    images,
                    inputs: c.inputs,
                    outputs: c.outputs,
                    order,
                    from,
                    to,
                });
            }
        };
        let mut pairs: Vec<_> = self.convolutions.iter_mut().zip(parameters.layout.wide()).collect();
        let share = pairs.len().div_ceil(threads);
        std::thread::scope(|scope| {
            while pairs.len() > share {
                let part = pairs.split_off(pairs.len() - share);
                scope.spawn(move || part.into_iter().for_each(convert));
            }
            pairs.into_iter().for_each(convert);
        });
        self.heads = HeadWeights::of(parameters);
    }
}

impl HeadWeights {
    fn of(parameters: &Parameters) -> HeadWeights {
        let (layout, learned) = (&parameters.layout, &parameters.learned);
        if let Some(layers) = layout.pooling() {
            let kernels = [&layers.policy, &layers.policy_pool.kernel, &layers.value];
            return HeadWeights::Pooling(
                kernels.map(|k| Weights::linear(k.inputs, k.outputs, &learned[k.weight.clone()])),
            );
        }
        let layers = layout.board();
        let [policy, value] = [&layers.policy.kernel, &layers.value.kernel];
        let heads = [policy, value].map(|k| &learned[k.weight.clone()]).concat();
        let linear = |l: &Linear| Weights::linear(l.inputs, l.outputs, &learned[l.weight.clone()]);
        HeadWeights::Board {
            heads: Weights::linear(policy.inputs, policy.outputs + value.outputs, &heads),
            policy: linear(&layers.policy_out),
            hidden: linear(&layers.value_hidden),
        }
    }

    /// Those of a network for one board.
    pub(super) fn board(&self) -> [&Weights; 3] {
        match self {
            HeadWeights::Board { heads, policy, hidden } => [heads, policy, hidden],
            HeadWeights::Pooling(_) => panic!("a pooling network is not one for one board"),
        }
    }

    /// Those of a pooling network.
    pub(super) fn pooling(&self) -> &[Weights; 3] {
        match self {
            HeadWeights::Board { .. } => panic!("a network for one board does not pool"),
            HeadWeights::Pooling(weights) => weights,
        }
    }
}
