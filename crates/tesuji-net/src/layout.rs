//! The layout of a network: the place of each tensor.

use crate::shape::Shape;
use std::ops::Range;

/// A tensor's name and place in [`Parameters`](crate::Parameters).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    /// `[out, in, y, x]` of a convolution, `[out, in]` of a linear layer, `[channel]` otherwise.
    pub(crate) dims: Vec<usize>,
    /// Whether it is a statistic of batch norm, not learned by descent.
    pub(crate) is_statistic: bool,
    /// In the learned parameters, or in the statistics.
    pub(crate) range: Range<usize>,
}

impl Tensor {
    /// Whether it is a 3x3 kernel.
    pub(crate) fn is_wide(&self) -> bool {
        matches!(*self.dims, [_, _, 3, 3])
    }
}

/// The weight of a convolution or of a linear layer, without a bias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Kernel {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// Side of the kernel: 3, or 1, as of a linear layer.
    pub(crate) side: usize,
    pub(crate) weight: Range<usize>,
}

/// A batch norm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BatchNorm {
    pub(crate) gamma: Range<usize>,
    pub(crate) beta: Range<usize>,
    /// In the statistics, as the next.
    pub(crate) mean: Range<usize>,
    pub(crate) variance: Range<usize>,
}

impl BatchNorm {
    pub(crate) fn channels(&self) -> usize {
        self.gamma.len()
    }
}

/// A convolution and its batch norm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Convolution {
    pub(crate) kernel: Kernel,
    pub(crate) norm: BatchNorm,
}

/// A linear layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Linear {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) weight: Range<usize>,
    pub(crate) bias: Range<usize>,
}

/// The layers of a network with the places of their parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) tensors: Vec<Tensor>,
    pub(crate) learned: usize,
    pub(crate) statistics: usize,
    layers: Layers,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Layers {
    Board(Box<BoardLayers>),
    Pooling(Box<PoolingLayers>),
}

/// The layers of a network for one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoardLayers {
    pub(crate) trunk: Convolution,
    pub(crate) blocks: Vec<[Convolution; 2]>,
    pub(crate) policy: Convolution,
    pub(crate) policy_out: Linear,
    pub(crate) value: Convolution,
    pub(crate) value_hidden: Linear,
    pub(crate) value_out: Linear,
}

/// The layers of a pooling network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PoolingLayers {
    pub(crate) first: Kernel,
    /// Of the numbers for the whole position.
    pub(crate) global: Kernel,
    pub(crate) blocks: Vec<PoolingBlock>,
    pub(crate) tip: BatchNorm,
    pub(crate) policy: Kernel,
    pub(crate) policy_pool: PoolLayers,
    pub(crate) policy_norm: BatchNorm,
    pub(crate) policy_out: Kernel,
    pub(crate) pass: Linear,
    pub(crate) value: Kernel,
    pub(crate) value_norm: BatchNorm,
    pub(crate) value_hidden: Linear,
    /// To the value before tanh, and to the lead.
    pub(crate) value_out: Linear,
    pub(crate) ownership: Kernel,
    /// The policy of the opponent's reply, and of a pass as one.
    pub(crate) reply: Option<(Kernel, Linear)>,
    /// To the values of the near future before tanh.
    pub(crate) soon: Option<Linear>,
}

/// A block of a pooling network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PoolingBlock {
    pub(crate) pre: BatchNorm,
    pub(crate) first: Kernel,
    pub(crate) pool: Option<PoolLayers>,
    pub(crate) mid: BatchNorm,
    pub(crate) second: Kernel,
}

/// A convolution whose outputs are pooled, and what that adds to every point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PoolLayers {
    pub(crate) kernel: Kernel,
    pub(crate) norm: BatchNorm,
    pub(crate) bias: Kernel,
}

/// Numbers that the value head's last layer says: the value before tanh, and the lead.
pub(crate) const VALUE_OUTPUTS: usize = 2;

impl Shape {
    /// Floating-point operations of one evaluation by direct convolution, a multiply-add counted as
    /// two.
    pub fn flops(&self) -> u64 {
        let layout = Layout::new(self);
        let weights = layout.tensors.iter().filter(|tensor| tensor.dims.len() > 1);
        let at_points = |tensor: &Tensor| if tensor.dims.len() == 4 { self.points() } else { 1 };
        2 * weights.map(|tensor| (at_points(tensor) * tensor.range.len()) as u64).sum::<u64>()
    }

    /// The number of learned numbers.
    pub fn parameters(&self) -> usize {
        Layout::new(self).learned
    }
}

impl Layout {
    pub(crate) fn new(shape: &Shape) -> Layout {
        let mut list = List::default();
        let layers = match shape.pools() {
            false => Layers::Board(Box::new(BoardLayers::new(shape, &mut list))),
            true => Layers::Pooling(Box::new(PoolingLayers::new(shape, &mut list))),
        };
        let List { tensors, learned, statistics } = list;
        Layout { tensors, learned, statistics, layers }
    }

    /// The layers of a network for one board.
    ///
    /// # Panics
    /// If it is a pooling network.
    pub(crate) fn board(&self) -> &BoardLayers {
        match &self.layers {
            Layers::Board(layers) => layers,
            Layers::Pooling(_) => panic!("a pooling network is not one for one board"),
        }
    }

    /// The layers of a pooling network, if it is one.
    pub(crate) fn pooling(&self) -> Option<&PoolingLayers> {
        match &self.layers {
            Layers::Board(_) => None,
            Layers::Pooling(layers) => Some(layers),
        }
    }

    /// The 3x3 kernels, from the input on.
    pub(crate) fn wide(&self) -> Vec<&Kernel> {
        match &self.layers {
            Layers::Board(layers) => layers.wide().map(|c| &c.kernel).collect(),
            Layers::Pooling(layers) => {
                let blocks = layers.blocks.iter().flat_map(|block| {
                    let pooled = block.pool.as_ref().map(|pool| &pool.kernel);
                    [Some(&block.first), pooled, Some(&block.second)].into_iter().flatten()
                });
                std::iter::once(&layers.first).chain(blocks).collect()
            }
        }
    }

    /// The scales and variances of all norms.
    pub(crate) fn ones(&self) -> impl Iterator<Item = &Tensor> {
        let is_one = |tensor: &&Tensor| tensor.dims.len() == 1 && !tensor.name.ends_with("bias");
        self.tensors.iter().filter(is_one).filter(|tensor| !tensor.name.ends_with("running_mean"))
    }

    /// The number of norms.
    pub(crate) fn norms(&self) -> usize {
        self.tensors.iter().filter(|tensor| tensor.name.ends_with("running_mean")).count()
    }
}

impl BoardLayers {
    fn new(shape: &Shape, list: &mut List) -> BoardLayers {
        let filters = shape.filters;
        let trunk = list.convolution("trunk.conv", "trunk.bn", shape.planes, filters, 3);
        let blocks = (0..shape.blocks)
            .map(|block| {
                [1, 2].map(|i| {
                    let [conv, norm] = ["conv", "bn"].map(|part| format!("blocks.{block}.{part}{i}"));
                    list.convolution(&conv, &norm, filters, filters, 3)
                })
            })
            .collect();
        BoardLayers {
            trunk,
            blocks,
            policy: list.convolution("policy.conv", "policy.bn", filters, shape.policy_filters, 1),
            policy_out: list.linear("policy.fc", shape.policy_filters * shape.points(), shape.moves()),
            value: list.convolution("value.conv", "value.bn", filters, shape.value_filters, 1),
            value_hidden: list.linear("value.fc1", shape.value_filters * shape.points(), shape.value_hidden),
            value_out: list.linear("value.fc2", shape.value_hidden, 1),
        }
    }

    /// The 3x3 convolutions.
    pub(crate) fn wide(&self) -> impl Iterator<Item = &Convolution> {
        std::iter::once(&self.trunk).chain(self.blocks.iter().flatten())
    }

    /// The convolutions, from the input on, the heads' last.
    pub(crate) fn convolutions(&self) -> impl Iterator<Item = &Convolution> {
        self.wide().chain([&self.policy, &self.value])
    }

    /// The linear layers.
    pub(crate) fn linears(&self) -> [&Linear; 3] {
        [&self.policy_out, &self.value_hidden, &self.value_out]
    }
}

impl PoolingLayers {
    fn new(shape: &Shape, list: &mut List) -> PoolingLayers {
        let Shape { planes, filters, policy_filters, value_filters, value_hidden, globals, .. } = *shape;
        let first = list.kernel("trunk.conv", planes, filters, 3);
        let global = list.matrix("trunk.global", globals, filters);
        let block = |block: usize| {
            let name = |part: &str| format!("blocks.{block}.{part}");
            PoolingBlock {
                pre: list.norm(&name("bn1"), filters),
                first: list.kernel(&name("conv1"), filters, filters, 3),
                pool: Shape::pools_in(block)
                    .then(|| list.pool(&name("pool"), [filters, shape.pooled_filters(), filters], 3)),
                mid: list.norm(&name("bn2"), filters),
                second: list.kernel(&name("conv2"), filters, filters, 3),
            }
        };
        PoolingLayers {
            first,
            global,
            blocks: (0..shape.blocks).map(block).collect(),
            tip: list.norm("trunk.bn", filters),
            policy: list.kernel("policy.conv", filters, policy_filters, 1),
            policy_pool: list.pool("policy.pool", [filters, policy_filters, policy_filters], 1),
            policy_norm: list.norm("policy.bn", policy_filters),
            policy_out: list.kernel("policy.out", policy_filters, 1, 1),
            pass: list.linear("policy.pass", POOLED * policy_filters, 1),
            value: list.kernel("value.conv", filters, value_filters, 1),
            value_norm: list.norm("value.bn", value_filters),
            value_hidden: list.linear("value.fc1", POOLED * value_filters, value_hidden),
            value_out: list.linear("value.fc2", value_hidden, VALUE_OUTPUTS),
            ownership: list.kernel("ownership.conv", value_filters, 1, 1),
            reply: (shape.replies > 0).then(|| {
                let out = list.kernel("reply.out", policy_filters, 1, 1);
                (out, list.linear("reply.pass", POOLED * policy_filters, 1))
            }),
            soon: (shape.horizons > 0).then(|| list.linear("soon.fc", value_hidden, shape.horizons)),
        }
    }
}

/// Numbers that are pooled of a channel.
pub(crate) const POOLED: usize = 3;

/// The tensors so far.
#[derive(Default)]
struct List {
    tensors: Vec<Tensor>,
    learned: usize,
    statistics: usize,
}

impl List {
    fn tensor(&mut self, name: String, dims: &[usize], is_statistic: bool) -> Range<usize> {
        let end = if is_statistic { &mut self.statistics } else { &mut self.learned };
        let range = *end..*end + dims.iter().product::<usize>();
        *end = range.end;
        self.tensors.push(Tensor { name, dims: dims.to_vec(), is_statistic, range: range.clone() });
        range
    }

    fn kernel(&mut self, name: &str, inputs: usize, outputs: usize, side: usize) -> Kernel {
        let weight = self.tensor(format!("{name}.weight"), &[outputs, inputs, side, side], false);
        Kernel { inputs, outputs, side, weight }
    }

    fn matrix(&mut self, name: &str, inputs: usize, outputs: usize) -> Kernel {
        let weight = self.tensor(format!("{name}.weight"), &[outputs, inputs], false);
        Kernel { inputs, outputs, side: 1, weight }
    }

    fn norm(&mut self, name: &str, channels: usize) -> BatchNorm {
        BatchNorm {
            gamma: self.tensor(format!("{name}.weight"), &[channels], false),
            beta: self.tensor(format!("{name}.bias"), &[channels], false),
            mean: self.tensor(format!("{name}.running_mean"), &[channels], true),
            variance: self.tensor(format!("{name}.running_var"), &[channels], true),
        }
    }

    fn convolution(
        &mut self,
        conv: &str,
        norm: &str,
        inputs: usize,
        outputs: usize,
        side: usize,
    ) -> Convolution {
        Convolution { kernel: self.kernel(conv, inputs, outputs, side), norm: self.norm(norm, outputs) }
    }

    /// From some channels over those that are pooled to others.
    fn pool(&mut self, name: &str, [inputs, pooled, outputs]: [usize; 3], side: usize) -> PoolLayers {
        PoolLayers {
            kernel: self.kernel(&format!("{name}.conv"), inputs, pooled, side),
            norm: self.norm(&format!("{name}.bn"), pooled),
            bias: self.matrix(&format!("{name}.fc"), POOLED * pooled, outputs),
        }
    }

    fn linear(&mut self, name: &str, inputs: usize, outputs: usize) -> Linear {
        Linear {
            inputs,
            outputs,
            weight: self.tensor(format!("{name}.weight"), &[outputs, inputs], false),
            bias: self.tensor(format!("{name}.bias"), &[outputs], false),
        }
    }
}
