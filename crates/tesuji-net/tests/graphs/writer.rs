//! Writes files as KataGo does, for tests of the reader.

use tesuji_net::graph::{
    Activation, Attention, Block, Convolution, FeedForward, Graph, LearnedRules, Linear, Norm, RmsNorm,
    Rotation, Tip,
};

/// A file in the making.
pub(crate) struct Writer {
    bytes: Vec<u8>,
    version: usize,
    is_text: bool,
}

/// The content of a file of this version with this network, numbers as words or binary.
pub(crate) fn write(graph: &Graph, version: usize, is_text: bool) -> Vec<u8> {
    let mut to = Writer { bytes: Vec::new(), version, is_text };
    to.words(&[&graph.name, &version.to_string(), "22", "19"]);
    if version >= 13 {
        let scales = &graph.scales;
        to.words(&["20.0"]);
        to.words(&[scales.score, scales.deviation, scales.lead].map(|x| x.to_string()));
        to.words(&["40", "0.25", "150"]);
    }
    if version >= 15 {
        let with_suicide = graph.rules == LearnedRules::All { areas_as_with_suicide: true };
        to.words(&["0", if with_suicide { "1" } else { "0" }]);
        to.words(&["0"; 6]);
    }
    to.words(&["trunk", &graph.blocks.len().to_string(), &graph.channels.to_string(), "9", "9", "9", "9"]);
    if version >= 15 {
        to.words(&[if matches!(graph.tip, Tip::Rms { .. }) { "1" } else { "0" }]);
        to.words(&["0"; 5]);
    }
    to.convolution(&graph.first, 1);
    to.linear(&graph.global, 1);
    graph.blocks.iter().for_each(|block| to.block(block));
    match &graph.tip {
        Tip::Norm(norm) => to.norm(norm),
        Tip::Rms { norm, board, bias, activation } => {
            to.words(&[&norm.name, &norm.scale.len().to_string(), &norm.epsilon.to_string()]);
            to.words(&[if *board { "1" } else { "0" }, "0"]);
            to.numbers(&norm.scale);
            to.numbers(bias);
            to.activation(*activation);
        }
    }

    let policy = &graph.policy;
    let policies = [1, 2, 4, 2][[12, 16, 17].iter().filter(|&&least| version >= least).count()];
    to.words(&["policyhead"]);
    if version >= 17 {
        to.words(&["2", "0", "0", "0"]);
    }
    to.convolution(&policy.spatial, 1);
    to.convolution(&policy.pooled, 1);
    to.norm(&policy.pool_norm);
    to.linear(&policy.bias, 1);
    to.norm(&policy.norm);
    to.convolution(&policy.out, policies);
    if let Some((hidden, activation)) = &policy.hidden {
        to.linear(hidden, 1);
        to.bias(hidden);
        to.activation(*activation);
    }
    to.linear(&policy.pass, policies);

    let value = &graph.value;
    to.words(&["valuehead"]);
    if version >= 17 {
        to.words(&["0"; 3]);
    }
    to.convolution(&value.spatial, 1);
    to.norm(&value.norm);
    to.linear(&value.hidden, 1);
    to.bias(&value.hidden);
    to.activation(value.activation);
    to.linear(&value.value, 1);
    to.bias(&value.value);
    // Scores that are not kept follow.
    let scores = if version >= 9 { 6 } else { 4 };
    let mut score = value.score.clone();
    score.weight.resize(scores * score.inputs, 0.5);
    score.bias.resize(scores, 0.5);
    score.outputs = scores;
    to.linear(&score, 1);
    to.bias(&score);
    to.convolution(&value.ownership, 1);
    to.bytes
}

impl Writer {
    fn words(&mut self, words: &[impl AsRef<str>]) {
        for word in words {
            self.bytes.extend_from_slice(word.as_ref().as_bytes());
            self.bytes.push(b'\n');
        }
    }

    fn numbers(&mut self, numbers: &[f32]) {
        if self.is_text {
            numbers.iter().for_each(|x| self.bytes.extend(format!("{x} ").into_bytes()));
        } else {
            self.bytes.extend_from_slice(b"@BIN@");
            numbers.iter().for_each(|x| self.bytes.extend(x.to_le_bytes()));
        }
        self.bytes.push(b'\n');
    }

    fn activation(&mut self, activation: Activation) {
        self.words(&["act"]);
        if self.version >= 11 {
            self.words(&[match activation {
                Activation::Identity => "ACTIVATION_IDENTITY",
                Activation::Relu => "ACTIVATION_RELU",
                Activation::Mish => "ACTIVATION_MISH",
                Activation::Silu => "ACTIVATION_SILU",
            }]);
        }
    }

    /// Writes a convolution that repeats its outputs `times` times.
    fn convolution(&mut self, layer: &Convolution, times: usize) {
        let Convolution { name, size, inputs, outputs, weight } = layer;
        self.words(&[name]);
        self.words(&[*size, *size, *inputs, outputs * times, 1, 1].map(|x| x.to_string()));
        let taps = size * size;
        let mut numbers = Vec::new();
        for tap in 0..taps {
            for input in 0..*inputs {
                for output in 0..outputs * times {
                    numbers.push(weight[(output % outputs * inputs + input) * taps + tap]);
                }
            }
        }
        self.numbers(&numbers);
    }

    fn linear(&mut self, layer: &Linear, times: usize) {
        let Linear { name, inputs, outputs, weight, .. } = layer;
        self.words(&[name, &inputs.to_string(), &(outputs * times).to_string()]);
        let at = |i: usize| weight[i % (outputs * times) % outputs * inputs + i / (outputs * times)];
        self.numbers(&(0..weight.len() * times).map(at).collect::<Vec<_>>());
    }

    fn bias(&mut self, layer: &Linear) {
        self.words(&["bias", &layer.outputs.to_string()]);
        self.numbers(&layer.bias);
    }

    /// A norm with a mean of 0, and a variance that is 1 with the epsilon.
    fn norm(&mut self, norm: &Norm) {
        let channels = norm.scale.len();
        self.words(&[&norm.name, &channels.to_string(), "1", "1", "1"]);
        self.numbers(&vec![0.0; channels]);
        self.numbers(&vec![0.0; channels]);
        self.numbers(&norm.scale);
        self.numbers(&norm.bias);
        self.activation(norm.activation);
    }

    fn rms(&mut self, norm: &RmsNorm) {
        self.words(&[&norm.name, &norm.scale.len().to_string(), &norm.epsilon.to_string()]);
        self.numbers(&norm.scale);
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Residual { pre, first, mid, second } => {
                self.words(&["ordinary_block", "block"]);
                self.norm(pre);
                self.convolution(first, 1);
                self.norm(mid);
                self.convolution(second, 1);
            }
            Block::Pooling { pre, first, pooled, pool_norm, bias, mid, second } => {
                self.words(&["gpool_block", "block"]);
                self.norm(pre);
                self.convolution(first, 1);
                self.convolution(pooled, 1);
                self.norm(pool_norm);
                self.linear(bias, 1);
                self.norm(mid);
                self.convolution(second, 1);
            }
            Block::Nested { pre, first, blocks, post, last } => {
                self.words(&["nested_bottleneck_block", "block", &blocks.len().to_string()]);
                self.norm(pre);
                self.convolution(first, 1);
                blocks.iter().for_each(|block| self.block(block));
                self.norm(post);
                self.convolution(last, 1);
            }
            Block::Attention(layer) => self.attention(layer),
            Block::FeedForward(FeedForward { norm, up, gate, down }) => {
                self.words(&["transformer_ffn_block", "block"]);
                self.words(&[up.inputs, up.outputs, 1].map(|x| x.to_string()));
                self.rms(norm);
                [up, gate, down].into_iter().for_each(|layer| self.linear(layer, 1));
            }
        }
    }

    fn attention(&mut self, layer: &Attention) {
        let Attention { heads, shared, key_size, value_size, rotation, .. } = layer;
        self.words(&["transformer_attention_block", "block"]);
        self.words(&[heads, shared, key_size, value_size].map(|x| x.to_string()));
        self.words(&match rotation {
            None => ["0", "0"],
            Some(Rotation::Fixed { .. }) => ["1", "0"],
            Some(Rotation::Learned(_)) => ["1", "1"],
        });
        self.rms(&layer.norm);
        for layer in [&layer.query, &layer.key, &layer.value, &layer.out] {
            self.linear(layer, 1);
        }
        match rotation {
            None => {}
            Some(Rotation::Fixed { theta }) => self.words(&["theta", &theta.to_string()]),
            Some(Rotation::Learned(angles)) => {
                self.words(&["rope", &shared.to_string(), &(key_size / 2).to_string(), "2"]);
                self.numbers(&angles.iter().flatten().copied().collect::<Vec<_>>());
            }
        }
    }
}
