//! Networks with random weights.

use tesuji::Rng;
use tesuji_net::graph::{
    Activation, Attention, Block, Convolution, FeedForward, Graph, LearnedRules, Linear, Norm, PolicyHead,
    RmsNorm, Rotation, Scales, Tip, ValueHead,
};

/// Makes layers, each with a name of its own.
pub(crate) struct Maker {
    pub(crate) rng: Rng,
    /// The activation of all norms.
    pub(crate) activation: Activation,
    names: usize,
}

impl Maker {
    pub(crate) fn new(seed: u64, activation: Activation) -> Maker {
        Maker { rng: Rng::new(seed), activation, names: 0 }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("layer{}", self.names)
    }

    /// Numbers between -size and size.
    pub(crate) fn numbers(&mut self, count: usize, size: f32) -> Vec<f32> {
        (0..count).map(|_| size * (2.0 * self.rng.unit() - 1.0)).collect()
    }

    pub(crate) fn convolution(&mut self, size: usize, inputs: usize, outputs: usize) -> Convolution {
        let reach = (3.0 / (inputs * size * size) as f32).sqrt();
        let weight = self.numbers(inputs * outputs * size * size, reach);
        Convolution { name: self.name(), size, inputs, outputs, weight }
    }

    pub(crate) fn linear(&mut self, inputs: usize, outputs: usize) -> Linear {
        let weight = self.numbers(inputs * outputs, (3.0 / inputs as f32).sqrt());
        Linear { name: self.name(), inputs, outputs, weight, bias: vec![0.0; outputs] }
    }

    pub(crate) fn biased(&mut self, inputs: usize, outputs: usize) -> Linear {
        let bias = self.numbers(outputs, 0.5);
        Linear { bias, ..self.linear(inputs, outputs) }
    }

    pub(crate) fn norm(&mut self, channels: usize) -> Norm {
        let scale = self.numbers(channels, 1.5);
        let bias = self.numbers(channels, 0.5);
        Norm { name: self.name(), scale, bias, activation: self.activation }
    }

    pub(crate) fn rms(&mut self, channels: usize) -> RmsNorm {
        RmsNorm { name: self.name(), epsilon: 1e-5, scale: self.numbers(channels, 1.5) }
    }

    pub(crate) fn residual(&mut self, size: usize, channels: usize, inner: usize) -> Block {
        Block::Residual {
            pre: self.norm(channels),
            first: self.convolution(size, channels, inner),
            mid: self.norm(inner),
            second: self.convolution(size, inner, channels),
        }
    }

    pub(crate) fn pooling(&mut self, channels: usize, inner: usize, pooled: usize) -> Block {
        Block::Pooling {
            pre: self.norm(channels),
            first: self.convolution(3, channels, inner),
            pooled: self.convolution(3, channels, pooled),
            pool_norm: self.norm(pooled),
            bias: self.linear(3 * pooled, inner),
            mid: self.norm(inner),
            second: self.convolution(3, inner, channels),
        }
    }

    pub(crate) fn nested(&mut self, channels: usize, narrow: usize) -> Block {
        Block::Nested {
            pre: self.norm(channels),
            first: self.convolution(1, channels, narrow),
            blocks: vec![self.residual(3, narrow, narrow), self.pooling(narrow, narrow, 5)],
            post: self.norm(narrow),
            last: self.convolution(1, narrow, channels),
        }
    }

    pub(crate) fn attention(&mut self, channels: usize, is_learned: bool) -> Block {
        let (heads, shared, key_size, value_size) = if is_learned { (4, 2, 6, 5) } else { (3, 3, 12, 9) };
        let rotation = if is_learned {
            let pairs = shared * key_size / 2;
            Rotation::Learned((0..pairs).map(|_| [self.rng.unit(), self.rng.unit()]).collect())
        } else {
            Rotation::Fixed { theta: 50.0 }
        };
        Block::Attention(Attention {
            heads,
            shared,
            key_size,
            value_size,
            norm: self.rms(channels),
            query: self.linear(channels, heads * key_size),
            key: self.linear(channels, shared * key_size),
            value: self.linear(channels, shared * value_size),
            out: self.linear(heads * value_size, channels),
            rotation: Some(rotation),
        })
    }

    pub(crate) fn feed_forward(&mut self, channels: usize, hidden: usize) -> Block {
        Block::FeedForward(FeedForward {
            norm: self.rms(channels),
            up: self.linear(channels, hidden),
            gate: self.linear(channels, hidden),
            down: self.linear(hidden, channels),
        })
    }

    /// A network of these blocks, on a trunk of `channels` channels.
    pub(crate) fn graph(&mut self, first: usize, channels: usize, blocks: Vec<Block>, is_new: bool) -> Graph {
        let (spatial, pooled, wide, hidden) = (11, 6, 9, 13);
        Graph {
            name: "random".into(),
            planes: 22,
            globals: 19,
            channels,
            first: self.convolution(first, 22, channels),
            global: self.linear(19, channels),
            blocks,
            tip: if is_new {
                let bias = self.numbers(channels, 0.5);
                Tip::Rms { norm: self.rms(channels), board: true, bias, activation: self.activation }
            } else {
                Tip::Norm(self.norm(channels))
            },
            policy: PolicyHead {
                spatial: self.convolution(1, channels, spatial),
                pooled: self.convolution(1, channels, pooled),
                pool_norm: self.norm(pooled),
                bias: self.linear(3 * pooled, spatial),
                norm: self.norm(spatial),
                out: self.convolution(1, spatial, 1),
                hidden: is_new.then(|| (self.biased(3 * pooled, spatial), self.activation)),
                pass: self.linear(if is_new { spatial } else { 3 * pooled }, 1),
            },
            value: ValueHead {
                spatial: self.convolution(1, channels, wide),
                norm: self.norm(wide),
                hidden: self.biased(3 * wide, hidden),
                activation: self.activation,
                value: self.biased(hidden, 3),
                score: self.biased(hidden, 3),
                ownership: self.convolution(1, wide, 1),
            },
            scales: Scales { score: 20.0, deviation: 20.0, lead: 20.0 },
            rules: LearnedRules::All { areas_as_with_suicide: false },
        }
    }
}

/// A network with every kind of block.
pub(crate) fn every_kind(seed: u64, activation: Activation, first: usize, is_new: bool) -> Graph {
    let mut maker = Maker::new(seed, activation);
    let channels = 14;
    let mut blocks =
        vec![maker.residual(3, channels, 10), maker.pooling(channels, 9, 7), maker.nested(channels, 8)];
    if is_new {
        blocks.extend([maker.attention(channels, true), maker.feed_forward(channels, 21)]);
        blocks.extend([maker.attention(channels, false), maker.residual(1, channels, 17)]);
    }
    maker.graph(first, channels, blocks, is_new)
}
