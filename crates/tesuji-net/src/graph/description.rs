//! The description of a network: its blocks, layers and heads.

use super::{Activation, Convolution, Linear, Norm, RmsNorm, Scales};

/// A network for every size of the board.
///
/// Its inputs are planes of the board and numbers for the whole position. `first` of the planes and
/// `global` of the numbers are added, `blocks` change the sum, `tip` ends the trunk, and the heads
/// read it. Points are in rows from the top.
#[derive(Clone, PartialEq, Debug)]
pub struct Graph {
    /// The network's own name.
    pub name: String,
    /// Planes that it reads.
    pub planes: usize,
    /// Numbers for the whole position that it reads.
    pub globals: usize,
    /// Channels of the trunk.
    pub channels: usize,
    /// Of the planes.
    pub first: Convolution,
    /// The layer of the other numbers, whose output is added at every point.
    pub global: Linear,
    /// In order.
    pub blocks: Vec<Block>,
    /// The end of the trunk.
    pub tip: Tip,
    /// The policy.
    pub policy: PolicyHead,
    /// Value, score and ownership.
    pub value: ValueHead,
    /// The units of the outputs.
    pub scales: Scales,
    /// The rules by which it learned.
    pub rules: LearnedRules,
}

/// The rules of Go by which a network learned. Others must not be shown to it: what it says of
/// inputs that were always the same means nothing when they change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LearnedRules {
    /// Those of Tromp and Taylor without suicide, and any komi, as networks of this project.
    TrompTaylor,
    /// All that the inputs can show, as KataGo's networks.
    All {
        /// Whether the planes of unconditionally alive areas are computed as if suicide were legal
        /// under all rules.
        areas_as_with_suicide: bool,
    },
}

impl Graph {
    /// How many scores the network must give.
    pub(crate) const SCORES: usize = 3;
}

/// A block of the trunk; what it computes of x is added to x.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// `second(mid(first(pre(x))))` (He et al. 2016, with the norms first).
    Residual {
        /// Before `first`.
        pre: Norm,
        /// The first convolution.
        first: Convolution,
        /// Before `second`.
        mid: Norm,
        /// The second convolution.
        second: Convolution,
    },
    /// The same, except that the mid norm reads `first(pre(x)) +
    /// bias(pool(pool_norm(pooled(pre(x)))))`, so that every point gets information from the whole
    /// board (Wu 2019, section 4.1). On a board of b^2 points, pooling takes three numbers of each
    /// channel: the mean, the mean times (b - 14) / 10, and the maximum.
    Pooling {
        /// Before both convolutions.
        pre: Norm,
        /// The convolution that keeps its place.
        first: Convolution,
        /// The convolution whose outputs are pooled.
        pooled: Convolution,
        /// Before pooling.
        pool_norm: Norm,
        /// From what is pooled to what is added: all means, all scaled means, all maxima.
        bias: Linear,
        /// Before `second`.
        mid: Norm,
        /// The last convolution.
        second: Convolution,
    },
    /// `last(post(blocks(first(pre(x)))))` with narrower blocks inside.
    Nested {
        /// Before `first`.
        pre: Norm,
        /// Into the narrow trunk.
        first: Convolution,
        /// On the narrow trunk.
        blocks: Vec<Block>,
        /// Before `last`.
        post: Norm,
        /// Out of it.
        last: Convolution,
    },
    /// Every point looks at every other.
    Attention(Attention),
    /// Each point for itself.
    FeedForward(FeedForward),
}

/// Attention (Vaswani et al. 2017): with queries q, keys k and values v of each head at each point,
/// the sum of v weighted by softmax(q k / sqrt(key size)) over the board. Several neighbouring
/// heads may share keys and values.
#[derive(Clone, PartialEq, Debug)]
pub struct Attention {
    /// Heads, a multiple of `shared`.
    pub heads: usize,
    /// Heads of keys and values.
    pub shared: usize,
    /// Numbers of a query and of a key.
    pub key_size: usize,
    /// Numbers of a value.
    pub value_size: usize,
    /// Before the three.
    pub norm: RmsNorm,
    /// To the queries of all heads.
    pub query: Linear,
    /// To the keys.
    pub key: Linear,
    /// To the values.
    pub value: Linear,
    /// The layer after the weighted values of all heads.
    pub out: Linear,
    /// The rotation that gives queries and keys their positions.
    pub rotation: Option<Rotation>,
}

/// Rotary positions (Su et al. 2021): the pair of numbers 2p and 2p + 1 of queries and keys is
/// turned by an angle.
#[derive(Clone, PartialEq, Debug)]
pub enum Rotation {
    /// `x * a + y * b` with `[a, b]` learned, `[head of keys, pair]`.
    Learned(Vec<[f32; 2]>),
    /// With h half the number of pairs: `y * theta^(-p / h)` for the first h pairs, the same of x
    /// for the others.
    Fixed {
        /// The base, above 0.
        theta: f32,
    },
}

impl Rotation {
    /// The angle of one of the `pairs` pairs of a head at column `x` of row `y`.
    pub fn angle(&self, head: usize, pair: usize, pairs: usize, x: usize, y: usize) -> f32 {
        let (x, y) = (x as f32, y as f32);
        match self {
            Rotation::Learned(frequencies) => {
                let [a, b] = frequencies[head * pairs + pair];
                x * a + y * b
            }
            Rotation::Fixed { theta } => {
                let half = pairs / 2;
                let (at, number) = if pair < half { (y, pair) } else { (x, pair - half) };
                at / theta.powf((2 * number) as f32 / pairs as f32)
            }
        }
    }
}

/// `down(SiLU(up(norm(x))) * gate(norm(x)))` (Shazeer 2020).
#[derive(Clone, PartialEq, Debug)]
pub struct FeedForward {
    /// Before both.
    pub norm: RmsNorm,
    /// To the hidden numbers.
    pub up: Linear,
    /// To what they are multiplied by.
    pub gate: Linear,
    /// Back to the channels of the trunk.
    pub down: Linear,
}

/// The end of the trunk.
#[derive(Clone, PartialEq, Debug)]
pub enum Tip {
    /// A norm for each channel.
    Norm(Norm),
    /// By the root of a mean of squares.
    Rms {
        /// The norm.
        norm: RmsNorm,
        /// Whether the mean is over the whole board, not over one point.
        board: bool,
        /// For each channel.
        bias: Vec<f32>,
        /// What follows.
        activation: Activation,
    },
}

/// The head of the policy: `out(norm(spatial(x) + bias(g)))` at the points with g =
/// pool(pool_norm(pooled(x))), and for the pass a linear function of g, or `pass(hidden(g))`.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyHead {
    /// The convolution that keeps its place.
    pub spatial: Convolution,
    /// The convolution whose outputs are pooled.
    pub pooled: Convolution,
    /// Before pooling.
    pub pool_norm: Norm,
    /// The layer from the pooled numbers to those that are added.
    pub bias: Linear,
    /// Before `out`.
    pub norm: Norm,
    /// The layer to the logits of the points, with one channel.
    pub out: Convolution,
    /// The layer between the pooled numbers and `pass`, if there is one.
    pub hidden: Option<(Linear, Activation)>,
    /// The layer to the logit of the pass, with one output.
    pub pass: Linear,
}

/// The head of value, score and ownership: with y = norm(spatial(x)), `ownership(y)` at the points,
/// and linear functions of `hidden` of the pooled numbers of y. On a board of b^2 points these are
/// the mean, the mean times (b - 14) / 10, and the mean times ((b - 14)^2 / 100 - 1 / 10).
#[derive(Clone, PartialEq, Debug)]
pub struct ValueHead {
    /// The convolution.
    pub spatial: Convolution,
    /// After it.
    pub norm: Norm,
    /// The layer after the pooled numbers: all means, and the two multiples.
    pub hidden: Linear,
    /// After `hidden`.
    pub activation: Activation,
    /// The layer to the logits of win, loss and no result.
    pub value: Linear,
    /// The layer to mean and deviation of the score, to the lead, and to further outputs that
    /// [`Outputs`](super::Outputs) does not have.
    pub score: Linear,
    /// The layer to the ownership before tanh, with one channel.
    pub ownership: Convolution,
}
