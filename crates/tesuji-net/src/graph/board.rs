//! A network prepared for one board size.

use super::attention::{AttentionLayers, FeedForwardLayers};
use super::ready::{Needs, linear, row};
use super::{
    Activation, Block as Description, Convolution, Device, Graph, LearnedRules, Linear, Norm, PolicyHead,
    Scales, Tip,
};
use crate::kernel::{
    Block, Images, Instructions, KernelOrder, LANES, TransformKernel, blocks, numbers, zeros,
};
use crate::network::Layer;
use std::fmt;
use std::sync::Arc;

/// A [`Graph`] for evaluation on boards of one size: 3x3 kernels are transformed (Lavin and Gray
/// 2016), norms folded into convolutions where they follow them.
///
/// It does not change. Threads share it, each with its own
/// [`GraphEvaluator`](super::GraphEvaluator).
#[derive(Clone, Debug)]
pub struct BoardGraph {
    pub(super) images: Images,
    pub(super) planes: usize,
    pub(super) globals: usize,
    pub(super) channels: usize,
    pub(super) scales: Scales,
    pub(super) rules: LearnedRules,
    pub(super) first: First,
    pub(super) global: Layer,
    pub(super) blocks: Vec<Step>,
    pub(super) tip: TipLayers,
    pub(super) heads: Heads,
    pub(super) needs: Needs,
    pub(super) device: Option<Arc<dyn Device>>,
}

/// The convolution of the planes.
#[derive(Clone, Debug)]
pub(super) struct First {
    pub(super) size: usize,
    /// `[plane, y, x, group]`, turned by half a turn.
    pub(super) weight: Vec<Block>,
}

/// A block of the trunk.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Residual {
        pre: NormLayer,
        first: Conv,
        mid: Activation,
        second: Conv,
    },
    Pooling {
        pre: NormLayer,
        first: Conv,
        pooled: Conv,
        pool: Activation,
        bias: Layer,
        mid: Activation,
        second: Conv,
    },
    Nested {
        pre: NormLayer,
        first: Conv,
        blocks: Vec<Step>,
        post: NormLayer,
        last: Conv,
    },
    Attention(AttentionLayers),
    FeedForward(FeedForwardLayers),
}

/// A convolution inside the trunk, with the norm after it but the activation.
#[derive(Clone, Debug)]
pub(super) struct Conv {
    /// Whether its kernel is 3x3 and transformed; else it is 1x1.
    pub(super) is_wide: bool,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) layer: Layer,
}

/// Scale and bias for each group, and an activation.
#[derive(Clone, Debug)]
pub(super) struct NormLayer {
    pub(super) scale: Vec<Block>,
    pub(super) bias: Vec<Block>,
    pub(super) activation: Activation,
}

/// What ends the trunk.
#[derive(Clone, Debug)]
pub(super) enum TipLayers {
    Norm(NormLayer),
    Rms { scale: Vec<Block>, epsilon: f32, board: bool, then: NormLayer },
}

/// The heads.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    /// The 1x1 convolutions of the policy, of what it pools, and of the value, side by side in
    /// whole groups.
    pub(super) spatial: Layer,
    /// Groups that they read.
    pub(super) depth: usize,
    /// Groups that they write.
    pub(super) groups: [usize; 3],
    /// After each of them.
    pub(super) norms: [NormLayer; 3],
    pub(super) policy_bias: Layer,
    pub(super) policy: Layer,
    pub(super) hidden_pass: Option<(Layer, Activation)>,
    pub(super) pass: Layer,
    pub(super) hidden_value: (Layer, Activation),
    /// The values, then the scores.
    pub(super) values: Layer,
    pub(super) ownership: Layer,
}

impl BoardGraph {
    /// The network for boards of this size.
    ///
    /// # Errors
    /// If it has a convolution that is not read here: the first one may have any size up to 37x37,
    /// those of the trunk must be 1x1 or 3x3, those of the heads 1x1; or if numbers are too great.
    ///
    /// # Panics
    /// If the board is not of 2 to 19 rows.
    pub fn new(graph: &Graph, board: usize) -> Result<BoardGraph, Unsupported> {
        assert!((2..=19).contains(&board), "a board of {board} rows");
        let images = Images::new(board);
        let mut needs = Needs::default();
        needs.groups(graph.channels);
        let steps = steps(&graph.blocks, images, &mut needs, 1)?;
        let tip = match &graph.tip {
            Tip::Norm(norm) => TipLayers::Norm(NormLayer::new(norm)),
            Tip::Rms { norm, board, bias, activation } => {
                let then = NormLayer {
                    scale: row(&vec![1.0; bias.len()]),
                    bias: row(bias),
                    activation: *activation,
                };
                TipLayers::Rms { scale: row(&norm.scale), epsilon: norm.epsilon, board: *board, then }
            }
        };
        let made = BoardGraph {
            images,
            planes: graph.planes,
            globals: graph.globals,
            channels: graph.channels,
            scales: graph.scales,
            rules: graph.rules,
            first: First::new(&graph.first),
            global: linear(&graph.global),
            blocks: steps,
            tip,
            heads: Heads::new(graph, board, &mut needs)?,
            needs,
            device: None,
        };
        Ok(made)
    }

    /// The same network, evaluated by a device in place of the processor.
    pub fn on(self, device: Arc<dyn Device>) -> BoardGraph {
        BoardGraph { device: Some(device), ..self }
    }

    /// Rows of the board.
    pub fn board(&self) -> usize {
        self.images.board
    }

    /// Planes that it reads.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// Numbers for the whole position that it reads.
    pub fn globals(&self) -> usize {
        self.globals
    }

    /// Logits of its policy: one for each point, and the pass.
    pub fn moves(&self) -> usize {
        self.images.points() + 1
    }

    /// The rules by which it learned.
    pub fn rules(&self) -> LearnedRules {
        self.rules
    }
}

fn steps(
    descriptions: &[Description],
    images: Images,
    needs: &mut Needs,
    depth: usize,
) -> Result<Vec<Step>, Unsupported> {
    needs.depth = needs.depth.max(depth);
    let mut steps = Vec::new();
    for block in descriptions {
        steps.push(match block {
            Description::Residual { pre, first, mid, second } => {
                needs.groups(first.outputs);
                Step::Residual {
                    pre: NormLayer::new(pre),
                    first: Conv::new(first, Some(mid), images)?,
                    mid: mid.activation,
                    second: Conv::new(second, None, images)?,
                }
            }
            Description::Pooling { pre, first, pooled, pool_norm, bias, mid, second } => {
                needs.groups(first.outputs);
                needs.groups(pooled.outputs);
                needs.vector(2 * pooled.outputs.next_multiple_of(LANES));
                needs.vector(first.outputs);
                Step::Pooling {
                    pre: NormLayer::new(pre),
                    first: Conv::new(first, Some(mid), images)?,
                    pooled: Conv::new(pooled, Some(pool_norm), images)?,
                    pool: pool_norm.activation,
                    bias: pooling(bias, images.board, Some(&mid.scale), pooled.outputs),
                    mid: mid.activation,
                    second: Conv::new(second, None, images)?,
                }
            }
            Description::Nested { pre, first, blocks, post, last } => {
                needs.groups(first.outputs);
                Step::Nested {
                    pre: NormLayer::new(pre),
                    first: Conv::new(first, None, images)?,
                    blocks: self::steps(blocks, images, needs, depth + 1)?,
                    post: NormLayer::new(post),
                    last: Conv::new(last, None, images)?,
                }
            }
            Description::Attention(layer) => {
                for layer in [&layer.query, &layer.key, &layer.value, &layer.out] {
                    Unsupported::if_biased(layer)?;
                }
                Step::Attention(AttentionLayers::new(layer, images.board, needs))
            }
            Description::FeedForward(layers) => {
                for layer in [&layers.up, &layers.gate, &layers.down] {
                    Unsupported::if_biased(layer)?;
                }
                Step::FeedForward(FeedForwardLayers::new(layers, needs))
            }
        });
    }
    Ok(steps)
}

/// A linear layer of what [`Pool`](crate::kernel::Pool) writes, from one of means, scaled means and
/// maxima; its outputs times `scale`. For one board the scaled means are means.
fn pooling(layer: &Linear, board: usize, scale: Option<&[f32]>, channels: usize) -> Layer {
    let wide = (board as f32 - 14.0) * 0.1;
    let part = channels.next_multiple_of(LANES);
    let mut weight = Vec::with_capacity(layer.outputs * 2 * part);
    let mut bias = layer.bias.clone();
    for (output, from) in layer.weight.chunks_exact(3 * channels).enumerate() {
        let scale = scale.map_or(1.0, |scale| scale[output]);
        bias[output] *= scale;
        let mut to = vec![0.0; 2 * part];
        for c in 0..channels {
            to[c] = scale * (from[c] + wide * from[channels + c]);
            to[part + c] = scale * from[2 * channels + c];
        }
        weight.extend(to);
    }
    Layer::new(2 * part, &weight, &bias)
}

impl First {
    fn new(layer: &Convolution) -> First {
        let Convolution { size, inputs, outputs, .. } = *layer;
        let groups = blocks(outputs);
        let mut weight = zeros(inputs * size * size * groups);
        for (at, &x) in layer.weight.iter().enumerate() {
            let (tap, rest) = (size * size - 1 - at % (size * size), at / (size * size));
            let (input, output) = (rest % inputs, rest / inputs);
            weight[(input * size * size + tap) * groups + output / LANES].0[output % LANES] = x;
        }
        First { size, weight }
    }
}

impl Conv {
    /// A convolution and the norm that follows it.
    fn new(layer: &Convolution, norm: Option<&Norm>, images: Images) -> Result<Conv, Unsupported> {
        let Convolution { size, inputs, outputs, .. } = *layer;
        let mut weight = layer.weight.clone();
        let mut bias = vec![0.0; outputs];
        if let Some(norm) = norm {
            bias.copy_from_slice(&norm.bias);
            for (kernels, scale) in weight.chunks_exact_mut(inputs * size * size).zip(&norm.scale) {
                kernels.iter_mut().for_each(|w| *w *= scale);
            }
        }
        let made = match size {
            1 => Layer::new(inputs, &weight, &bias),
            3 => {
                let products = images.products() * inputs.next_multiple_of(LANES) * blocks(outputs);
                let mut made = Layer { weight: zeros(products), bias: row(&bias) };
                Instructions::best().run(TransformKernel {
                    images,
                    inputs,
                    outputs,
                    order: KernelOrder::Forward,
                    from: &weight,
                    to: &mut made.weight,
                });
                made
            }
            _ => return Err(Unsupported::size(layer, "1x1 or 3x3")),
        };
        if !numbers(&made.weight).iter().chain(numbers(&made.bias)).all(|x| x.is_finite()) {
            return Err(Unsupported { layer: layer.name.clone(), text: "its numbers are too large".into() });
        }
        Ok(Conv { is_wide: size == 3, inputs: blocks(inputs), outputs: blocks(outputs), layer: made })
    }
}

impl NormLayer {
    fn new(norm: &Norm) -> NormLayer {
        NormLayer { scale: row(&norm.scale), bias: row(&norm.bias), activation: norm.activation }
    }
}

impl Heads {
    fn new(graph: &Graph, board: usize, needs: &mut Needs) -> Result<Heads, Unsupported> {
        let (policy, value) = (&graph.policy, &graph.value);
        let PolicyHead { spatial, pooled, pool_norm, norm, .. } = policy;
        for layer in [spatial, pooled, &policy.out, &value.spatial, &value.ownership] {
            if layer.size != 1 {
                return Err(Unsupported::size(layer, "1x1"));
            }
        }
        let parts = [spatial, pooled, &value.spatial];
        let mut weight = Vec::new();
        for layer in parts {
            weight.extend_from_slice(&layer.weight);
            let filled = layer.outputs.next_multiple_of(LANES) - layer.outputs;
            weight.resize(weight.len() + filled * layer.inputs, 0.0);
        }
        let groups = parts.map(|layer| blocks(layer.outputs));
        let outputs = groups.iter().sum::<usize>() * LANES;
        needs.vector(2 * groups[1] * LANES);
        needs.vector(2 * groups[2] * LANES);
        needs.vector(spatial.outputs);
        needs.vector(value.hidden.outputs);
        if let Some((hidden, _)) = &policy.hidden {
            needs.vector(hidden.outputs);
        }

        // The three multiples of a mean are one on one board.
        let wide = (board as f32 - 14.0) * 0.1;
        let channels = value.spatial.outputs;
        let hidden: Vec<f32> = value
            .hidden
            .weight
            .chunks_exact(3 * channels)
            .flat_map(|from| {
                (0..channels).map(move |c| {
                    from[c] + wide * from[channels + c] + (wide * wide - 0.1) * from[2 * channels + c]
                })
            })
            .collect();
        let values = [&value.value, &value.score];
        let weights: Vec<f32> = values.iter().flat_map(|layer| layer.weight.iter().copied()).collect();
        let biases: Vec<f32> = values.iter().flat_map(|layer| layer.bias.iter().copied()).collect();
        let pass = match &policy.hidden {
            Some(_) => linear(&policy.pass),
            None => pooling(&policy.pass, board, None, pooled.outputs),
        };
        Ok(Heads {
            spatial: Layer::new(graph.channels, &weight, &vec![0.0; outputs]),
            depth: blocks(graph.channels),
            groups,
            norms: [norm, pool_norm, &value.norm].map(NormLayer::new),
            policy_bias: pooling(&policy.bias, board, Some(&norm.scale), pooled.outputs),
            policy: Layer::new(policy.out.inputs, &policy.out.weight, &[0.0]),
            hidden_pass: policy
                .hidden
                .as_ref()
                .map(|(hidden, activation)| (pooling(hidden, board, None, pooled.outputs), *activation)),
            pass,
            hidden_value: (Layer::new(channels, &hidden, &value.hidden.bias), value.activation),
            values: Layer::new(value.hidden.outputs, &weights, &biases),
            ownership: Layer::new(channels, &value.ownership.weight, &[0.0]),
        })
    }
}

/// A layer that cannot be computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    layer: String,
    text: String,
}

impl Unsupported {
    /// Layers that are computed at every point have no bias.
    fn if_biased(layer: &Linear) -> Result<(), Unsupported> {
        if layer.bias.iter().all(|&x| x == 0.0) {
            return Ok(());
        }
        Err(Unsupported { layer: layer.name.clone(), text: "a bias; accepted here: none".into() })
    }

    fn size(layer: &Convolution, accepted: &str) -> Unsupported {
        let text = format!("a kernel of {0}x{0}; accepted here: {accepted}", layer.size);
        Unsupported { layer: layer.name.clone(), text }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "layer {}: {}", self.layer, self.text)
    }
}

impl std::error::Error for Unsupported {}
