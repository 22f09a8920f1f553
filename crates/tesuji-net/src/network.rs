//! A network that is ready for evaluation.

use crate::file::{Problem, ask_for_memory};
use crate::kernel::{
    Block, Images, Instructions, KernelOrder, LANES, TransformKernel, blocks, numbers, numbers_mut, packed,
    zeros,
};
use crate::layout::{BatchNorm, Convolution, Kernel, Linear};
use crate::parameters::Parameters;
use crate::reference::EPSILON;
use crate::shape::Shape;

/// A network for evaluation: batch norm is folded into the convolutions, their kernels are
/// transformed (Lavin and Gray 2016, "Fast Algorithms for Convolutional Neural Networks").
///
/// It does not change. Threads share it, each with its own [`Evaluator`](crate::Evaluator).
#[derive(Clone, Debug)]
pub struct Network {
    shape: Shape,
    pub(crate) images: Images,
    pub(crate) trunk: Layer,
    pub(crate) blocks: Vec<[Layer; 2]>,
    /// Both heads' 1x1 convolutions side by side, the policy's channels first.
    pub(crate) heads: Layer,
    pub(crate) policy: Layer,
    pub(crate) hidden: Layer,
    /// Of the value, for each hidden unit.
    pub(crate) value: Vec<f32>,
    pub(crate) value_bias: f32,
}

/// Weights and bias of a layer.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// A packed matrix of inputs, filled up to whole groups, and outputs; for a 3x3 convolution one
    /// for each product.
    pub(crate) weight: Vec<Block>,
    pub(crate) bias: Vec<Block>,
}

impl Network {
    /// [`Network::new`] for parameters that someone names, such as those of a file.
    ///
    /// # Errors
    /// If there is no memory for it.
    ///
    /// # Panics
    /// As [`Network::new`].
    pub fn try_new(parameters: &Parameters) -> Result<Network, Problem> {
        let layout = parameters.layout.board();
        let products = Images::new(parameters.shape().board).products();
        let layer = |products: usize, inputs: usize, outputs: usize| {
            products * inputs.next_multiple_of(LANES) * blocks(outputs) * size_of::<Block>()
        };
        let wide: usize = layout.wide().map(|c| layer(products, c.kernel.inputs, c.kernel.outputs)).sum();
        let linear: usize = layout.linears().iter().map(|l| layer(1, l.inputs, l.outputs)).sum();
        // Beside it the weights of one layer at a time.
        ask_for_memory(wide + linear + parameters.count() * size_of::<f32>())?;
        Ok(Network::new(parameters))
    }

    /// The network of these parameters.
    ///
    /// # Panics
    /// If they are those of a pooling network, which [`Graph::of`](crate::graph::Graph::of) takes.
    pub fn new(parameters: &Parameters) -> Network {
        let shape = *parameters.shape();
        let layout = parameters.layout.board();
        let images = Images::new(shape.board);
        let wide = |c: &Convolution| {
            let (weight, bias) = folded(parameters, c);
            let Kernel { inputs, outputs, .. } = c.kernel;
            let products = images.products() * inputs.next_multiple_of(LANES) * blocks(outputs);
            let mut layer = Layer { weight: zeros(products), bias: zeros(blocks(outputs)) };
            numbers_mut(&mut layer.bias)[..outputs].copy_from_slice(&bias);
            Instructions::portable().run(TransformKernel {
                images,
                inputs,
                outputs,
                order: KernelOrder::Forward,
                from: &weight,
                to: &mut layer.weight,
            });
            layer
        };
        let heads = {
            let [policy, value] = [&layout.policy, &layout.value].map(|c| folded(parameters, c));
            let weight = [policy.0, value.0].concat();
            let bias = [policy.1, value.1].concat();
            Layer::new(shape.filters, &weight, &bias)
        };
        let linear = |l: &Linear| {
            let [weight, bias] = [&l.weight, &l.bias].map(|range| &parameters.learned[range.clone()]);
            Layer::new(l.inputs, weight, bias)
        };
        Network {
            shape,
            images,
            trunk: wide(&layout.trunk),
            blocks: layout.blocks.iter().map(|[first, second]| [wide(first), wide(second)]).collect(),
            heads,
            policy: linear(&layout.policy_out),
            hidden: linear(&layout.value_hidden),
            value: parameters.learned[layout.value_out.weight.clone()].to_vec(),
            value_bias: parameters.learned[layout.value_out.bias.start],
        }
    }

    /// The measures of the network.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether folding and transforming left finite numbers alone; ReLU would hide others.
    pub(crate) fn is_finite(&self) -> bool {
        let Network { trunk, blocks, heads, policy, hidden, .. } = self;
        let layers = blocks.iter().flatten().chain([trunk, heads, policy, hidden]);
        layers
            .flat_map(|layer| [&layer.weight, &layer.bias])
            .all(|part| numbers(part).iter().all(|x| x.is_finite()))
    }
}

impl Layer {
    /// From `[out, in]`.
    pub(crate) fn new(inputs: usize, weight: &[f32], bias: &[f32]) -> Layer {
        let groups = blocks(bias.len());
        let high = inputs.next_multiple_of(LANES);
        let mut layer = Layer { weight: zeros(high * groups), bias: zeros(groups) };
        numbers_mut(&mut layer.bias)[..bias.len()].copy_from_slice(bias);
        let to = numbers_mut(&mut layer.weight);
        for (output, row) in weight.chunks_exact(inputs).enumerate() {
            for (input, &w) in row.iter().enumerate() {
                to[packed(high, groups, input, output / LANES) * LANES + output % LANES] = w;
            }
        }
        layer
    }
}

/// What a batch norm comes to by its statistics: the scale and the bias of each channel.
pub(crate) fn scale_and_bias(parameters: &Parameters, norm: &BatchNorm) -> (Vec<f64>, Vec<f32>) {
    let [gamma, beta] = [&norm.gamma, &norm.beta].map(|range| &parameters.learned[range.clone()]);
    let [mean, variance] = [&norm.mean, &norm.variance].map(|range| &parameters.statistics[range.clone()]);
    let scale: Vec<f64> =
        gamma.iter().zip(variance).map(|(&g, &v)| f64::from(g) / (f64::from(v) + EPSILON).sqrt()).collect();
    let bias = (0..scale.len()).map(|o| (f64::from(beta[o]) - f64::from(mean[o]) * scale[o]) as f32);
    let bias = bias.collect();
    (scale, bias)
}

/// A convolution's weight and bias with its batch norm in them.
fn folded(parameters: &Parameters, c: &Convolution) -> (Vec<f32>, Vec<f32>) {
    let (scale, bias) = scale_and_bias(parameters, &c.norm);
    let weight = &parameters.learned[c.kernel.weight.clone()];
    let size = weight.len() / scale.len();
    let weight = weight.iter().enumerate().map(|(i, &w)| (f64::from(w) * scale[i / size]) as f32).collect();
    (weight, bias)
}
