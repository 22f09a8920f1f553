//! The weights of a step in the forms that the kernel wants.

use crate::kernel::{
    Block, Images, Instructions, KernelOrder, LANES, TransformKernel, blocks, numbers_mut, packed, zeros,
};
use crate::layout::{Convolution, Linear};
use crate::network::Layer;
use crate::{Parameters, layout::Layout};

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
    fn convolution(images: &Images, c: &Convolution) -> Weights {
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
    /// The trunk's first convolution, then those of the blocks.
    pub(super) convolutions: Vec<Weights>,
    /// Both heads' 1x1 convolutions side by side, the policy's channels first.
    pub(super) heads: Weights,
    pub(super) policy: Weights,
    pub(super) hidden: Weights,
}

impl Prepared {
    /// Room for the weights of a network; call [`Prepared::update`].
    pub(super) fn new(images: &Images, layout: &Layout) -> Prepared {
        let none = || Weights { inputs: 0, outputs: 0, forward: Vec::new(), back: Vec::new() };
        let convolutions = wide(layout).map(|c| Weights::convolution(images, c)).collect();
        Prepared { convolutions, heads: none(), policy: none(), hidden: none() }
    }

    /// Takes the weights of these parameters, on so many threads.
    pub(super) fn update(
        &mut self,
        images: Images,
        instructions: Instructions,
        parameters: &Parameters,
        threads: usize,
    ) {
        let (layout, learned) = (&parameters.layout, &parameters.learned);
        let convert = |(weights, c): (&mut Weights, &Convolution)| {
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
        let mut pairs: Vec<_> = self.convolutions.iter_mut().zip(wide(layout)).collect();
        let share = pairs.len().div_ceil(threads);
        std::thread::scope(|scope| {
            while pairs.len() > share {
                let part = pairs.split_off(pairs.len() - share);
                scope.spawn(move || part.into_iter().for_each(convert));
            }
            pairs.into_iter().for_each(convert);
        });
        let heads = [&layout.policy, &layout.value].map(|c| &learned[c.weight.clone()]).concat();
        let channels = layout.policy.outputs + layout.value.outputs;
        self.heads = Weights::linear(layout.policy.inputs, channels, &heads);
        let linear = |l: &Linear| Weights::linear(l.inputs, l.outputs, &learned[l.weight.clone()]);
        self.policy = linear(&layout.policy_out);
        self.hidden = linear(&layout.value_hidden);
    }
}

/// The 3x3 convolutions.
pub(super) fn wide(layout: &Layout) -> impl Iterator<Item = &Convolution> {
    std::iter::once(&layout.trunk).chain(layout.blocks.iter().flatten())
}
