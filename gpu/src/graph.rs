//! Networks of any board size on a device.

use crate::network::{numbers, pool, value_pool};
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use burn::tensor::module::conv2d;
use burn::tensor::ops::ConvOptions;
use burn::tensor::{Tensor, TensorData};
use std::fmt;
use tesuji_net::graph::{self, Activation, Graph, Outputs, Scales, Tip};

/// A [`Graph`] on a device, for boards of one size: a pooling network of this project, or one of
/// KataGo's without attention. [`tesuji_net::graph`] has the formulae.
#[derive(Clone, Debug)]
pub struct GraphNetwork<B: Backend> {
    board: usize,
    planes: usize,
    globals: usize,
    scales: Scales,
    first: Convolution<B>,
    global: Linear<B>,
    blocks: Vec<Block<B>>,
    tip: Norm<B>,
    policy: PolicyHead<B>,
    value: ValueHead<B>,
    device: B::Device,
}

/// `[output, input, y, x]`.
#[derive(Clone, Debug)]
struct Convolution<B: Backend>(Tensor<B, 4>);

#[derive(Clone, Debug)]
struct Linear<B: Backend> {
    /// `[input, output]`.
    weight: Tensor<B, 2>,
    bias: Tensor<B, 2>,
}

#[derive(Clone, Debug)]
struct Norm<B: Backend> {
    scale: Tensor<B, 4>,
    bias: Tensor<B, 4>,
    activation: Activation,
}

#[derive(Clone, Debug)]
struct Pool<B: Backend> {
    kernel: Convolution<B>,
    norm: Norm<B>,
    bias: Linear<B>,
}

#[derive(Clone, Debug)]
enum Block<B: Backend> {
    Residual {
        pre: Norm<B>,
        first: Convolution<B>,
        pool: Option<Box<Pool<B>>>,
        mid: Norm<B>,
        second: Convolution<B>,
    },
    Nested {
        pre: Norm<B>,
        first: Convolution<B>,
        blocks: Vec<Block<B>>,
        post: Norm<B>,
        last: Convolution<B>,
    },
}

#[derive(Clone, Debug)]
struct PolicyHead<B: Backend> {
    spatial: Convolution<B>,
    pool: Pool<B>,
    norm: Norm<B>,
    out: Convolution<B>,
    hidden: Option<(Linear<B>, Activation)>,
    pass: Linear<B>,
}

#[derive(Clone, Debug)]
struct ValueHead<B: Backend> {
    spatial: Convolution<B>,
    norm: Norm<B>,
    hidden: Linear<B>,
    activation: Activation,
    value: Linear<B>,
    score: Linear<B>,
    ownership: Convolution<B>,
}

/// A network is not for a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupported(&'static str);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the network has {}; accepted: convolutions, pools and batch norms", self.0)
    }
}

impl std::error::Error for Unsupported {}

/// The scores that [`Outputs`] have.
const SCORES: usize = 3;

impl<B: Backend> GraphNetwork<B> {
    /// Takes a network to a device, for boards of this size.
    ///
    /// # Errors
    /// If it has attention, or ends its trunk by a root of a mean of squares.
    pub fn new(graph: &Graph, board: usize, device: &B::Device) -> Result<GraphNetwork<B>, Unsupported> {
        let Tip::Norm(tip) = &graph.tip else { return Err(Unsupported("a norm by squares")) };
        let take = Take(device);
        let (policy, value) = (&graph.policy, &graph.value);
        Ok(GraphNetwork {
            board,
            planes: graph.planes,
            globals: graph.globals,
            scales: graph.scales,
            first: take.convolution(&graph.first),
            global: take.linear(&graph.global),
            blocks: take.blocks(&graph.blocks)?,
            tip: take.norm(tip),
            policy: PolicyHead {
                spatial: take.convolution(&policy.spatial),
                pool: take.pool(&policy.pooled, &policy.pool_norm, &policy.bias),
                norm: take.norm(&policy.norm),
                out: take.convolution(&policy.out),
                hidden: policy.hidden.as_ref().map(|(layer, activation)| (take.linear(layer), *activation)),
                pass: take.linear(&policy.pass),
            },
            value: ValueHead {
                spatial: take.convolution(&value.spatial),
                norm: take.norm(&value.norm),
                hidden: take.linear(&value.hidden),
                activation: value.activation,
                value: take.linear(&value.value),
                score: take.linear(&value.score),
                ownership: take.convolution(&value.ownership),
            },
            device: device.clone(),
        })
    }

    /// Evaluates positions given by their planes, `[position, plane, y, x]`, and the numbers for
    /// each, `[position, number]`. [`GraphNetwork::read`] reads a row of the result.
    ///
    /// # Panics
    /// If there are other planes or numbers than the network reads.
    pub fn evaluate(&self, planes: Vec<f32>, globals: Vec<f32>) -> Vec<f32> {
        let GraphNetwork { board, device, .. } = self;
        let count = globals.len() / self.globals;
        let x = TensorData::new(planes, [count, self.planes, *board, *board]);
        let globals = TensorData::new(globals, [count, self.globals]);
        let x = Tensor::<B, 4>::from_data(x.convert::<B::FloatElem>(), device);
        let globals = Tensor::<B, 2>::from_data(globals.convert::<B::FloatElem>(), device);

        let mut x = add_at_all(self.first.of(x), self.global.of(globals));
        for block in &self.blocks {
            x = block.add_to(x);
        }
        let x = self.tip.of(x);

        let PolicyHead { spatial, pool, norm, out, hidden, pass } = &self.policy;
        let (bias, pooled) = pool.of(x.clone());
        let policy = out.of(norm.of(add_at_all(spatial.of(x.clone()), bias))).flatten::<2>(1, 3);
        let pass = match hidden {
            Some((layer, activation)) => pass.of(activate(*activation, layer.of(pooled))),
            None => pass.of(pooled),
        };

        let ValueHead { spatial, norm, hidden, activation, value, score, ownership } = &self.value;
        let y = norm.of(spatial.of(x));
        let owners = ownership.of(y.clone()).tanh().flatten::<2>(1, 3);
        let hidden = activate(*activation, hidden.of(value_pool(y)));
        let scores = score.of(hidden.clone()).slice([0..count, 0..SCORES]);
        numbers(Tensor::cat(vec![policy, pass, value.of(hidden), scores, owners], 1))
    }

    /// The numbers of a row of what [`GraphNetwork::evaluate`] returns.
    pub fn row(&self) -> usize {
        let points = self.board * self.board;
        points + 1 + 3 + SCORES + points
    }

    /// Planes of a position, and numbers for the whole of it.
    pub fn inputs(&self) -> [usize; 2] {
        [self.planes * self.board * self.board, self.globals]
    }

    /// What a row says.
    ///
    /// # Panics
    /// If the outputs are for another board.
    pub fn read(&self, row: &[f32], outputs: &mut Outputs) {
        let (policy, rest) = row.split_at(self.board * self.board + 1);
        let (value, rest) = rest.split_at(3);
        let (scores, owners) = rest.split_at(SCORES);
        outputs.policy.copy_from_slice(policy);
        outputs.value.copy_from_slice(value);
        outputs.set_scores(&self.scales, scores);
        outputs.ownership.copy_from_slice(owners);
    }
}

impl<B: Backend> Block<B> {
    fn add_to(&self, x: Tensor<B, 4>) -> Tensor<B, 4> {
        match self {
            Block::Residual { pre, first, pool, mid, second } => {
                let inner = pre.of(x.clone());
                let mut y = first.of(inner.clone());
                if let Some(pool) = pool {
                    y = add_at_all(y, pool.of(inner).0);
                }
                x + second.of(mid.of(y))
            }
            Block::Nested { pre, first, blocks, post, last } => {
                let narrow = first.of(pre.of(x.clone()));
                let narrow = blocks.iter().fold(narrow, |y, block| block.add_to(y));
                x + last.of(post.of(narrow))
            }
        }
    }
}

impl<B: Backend> Convolution<B> {
    fn of(&self, x: Tensor<B, 4>) -> Tensor<B, 4> {
        let reach = self.0.dims()[3] / 2;
        conv2d(x, self.0.clone(), None, ConvOptions::new([1, 1], [reach, reach], [1, 1], 1))
    }
}

impl<B: Backend> Linear<B> {
    fn of(&self, x: Tensor<B, 2>) -> Tensor<B, 2> {
        x.matmul(self.weight.clone()) + self.bias.clone()
    }
}

impl<B: Backend> Norm<B> {
    fn of(&self, x: Tensor<B, 4>) -> Tensor<B, 4> {
        activate(self.activation, x * self.scale.clone() + self.bias.clone())
    }
}

impl<B: Backend> Pool<B> {
    /// What is added to every point, and what is pooled.
    fn of(&self, x: Tensor<B, 4>) -> (Tensor<B, 2>, Tensor<B, 2>) {
        let pooled = pool(self.norm.of(self.kernel.of(x)));
        (self.bias.of(pooled.clone()), pooled)
    }
}

/// Adds a number for each channel at every point.
fn add_at_all<B: Backend>(x: Tensor<B, 4>, more: Tensor<B, 2>) -> Tensor<B, 4> {
    let [count, channels] = more.dims();
    x + more.reshape([count, channels, 1, 1])
}

fn activate<B: Backend, const D: usize>(activation: Activation, x: Tensor<B, D>) -> Tensor<B, D> {
    match activation {
        Activation::Identity => x,
        Activation::Relu => relu(x),
        Activation::Mish => {
            let n = x.clone().clamp_max(20.0).exp();
            let n = n.clone() * (n + 2.0);
            x * (n.clone() / (n + 2.0))
        }
        Activation::Silu => x.clone() / ((-x).exp() + 1.0),
    }
}

/// Takes layers to a device.
struct Take<'a, B: Backend>(&'a B::Device);

impl<B: Backend> Take<'_, B> {
    fn tensor<const D: usize>(&self, numbers: &[f32], dims: [usize; D]) -> Tensor<B, D> {
        let data = TensorData::new(numbers.to_vec(), dims).convert::<B::FloatElem>();
        Tensor::from_data(data, self.0)
    }

    fn convolution(&self, layer: &graph::Convolution) -> Convolution<B> {
        let graph::Convolution { size, inputs, outputs, .. } = *layer;
        Convolution(self.tensor(&layer.weight, [outputs, inputs, size, size]))
    }

    fn linear(&self, layer: &graph::Linear) -> Linear<B> {
        Linear {
            weight: self.tensor(&layer.weight, [layer.outputs, layer.inputs]).transpose(),
            bias: self.tensor(&layer.bias, [1, layer.outputs]),
        }
    }

    fn norm(&self, norm: &graph::Norm) -> Norm<B> {
        let dims = [1, norm.scale.len(), 1, 1];
        let [scale, bias] = [&norm.scale, &norm.bias].map(|numbers| self.tensor(numbers, dims));
        Norm { scale, bias, activation: norm.activation }
    }

    fn pool(&self, kernel: &graph::Convolution, norm: &graph::Norm, bias: &graph::Linear) -> Pool<B> {
        Pool { kernel: self.convolution(kernel), norm: self.norm(norm), bias: self.linear(bias) }
    }

    fn blocks(&self, blocks: &[graph::Block]) -> Result<Vec<Block<B>>, Unsupported> {
        blocks.iter().map(|block| self.block(block)).collect()
    }

    fn block(&self, block: &graph::Block) -> Result<Block<B>, Unsupported> {
        use graph::Block::{Attention, FeedForward, Nested, Pooling, Residual};
        let residual = |pre, first, pool, mid, second| Block::Residual {
            pre: self.norm(pre),
            first: self.convolution(first),
            pool,
            mid: self.norm(mid),
            second: self.convolution(second),
        };
        Ok(match block {
            Residual { pre, first, mid, second } => residual(pre, first, None, mid, second),
            Pooling { pre, first, pooled, pool_norm, bias, mid, second } => {
                let pool = Box::new(self.pool(pooled, pool_norm, bias));
                residual(pre, first, Some(pool), mid, second)
            }
            Nested { pre, first, blocks, post, last } => Block::Nested {
                pre: self.norm(pre),
                first: self.convolution(first),
                blocks: self.blocks(blocks)?,
                post: self.norm(post),
                last: self.convolution(last),
            },
            Attention(_) | FeedForward(_) => return Err(Unsupported("attention")),
        })
    }
}
