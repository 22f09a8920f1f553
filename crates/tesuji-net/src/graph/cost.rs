//! The cost of an evaluation.

use super::{Block, Convolution, Graph, Linear};

impl Graph {
    /// Floating-point operations of one evaluation on a board of this size by direct convolution, a
    /// multiply-add counted as two; norms and activations are left out.
    pub fn flops(&self, board: usize) -> u64 {
        let points = board * board;
        let (policy, value) = (&self.policy, &self.value);
        let heads = [&policy.spatial, &policy.pooled, &policy.out, &value.spatial, &value.ownership];
        let convolutions = heads.into_iter().chain([&self.first]).map(convolution).sum::<usize>();
        let vectors = [&policy.bias, &policy.pass, &value.hidden, &value.value, &value.score, &self.global];
        let hidden = policy.hidden.iter().map(|(layer, _)| layer);
        let vectors: usize = vectors.into_iter().chain(hidden).map(linear).sum();
        2 * (points * convolutions + vectors + blocks(&self.blocks, points)) as u64
    }
}

/// Multiply-adds for each point.
fn convolution(layer: &Convolution) -> usize {
    layer.weight.len()
}

fn linear(layer: &Linear) -> usize {
    layer.weight.len()
}

/// Multiply-adds of blocks.
fn blocks(of: &[Block], points: usize) -> usize {
    let block = |block: &Block| match block {
        Block::Residual { first, second, .. } => points * (convolution(first) + convolution(second)),
        Block::Pooling { first, pooled, bias, second, .. } => {
            points * (convolution(first) + convolution(pooled) + convolution(second)) + linear(bias)
        }
        Block::Nested { first, blocks: inner, last, .. } => {
            points * (convolution(first) + convolution(last)) + blocks(inner, points)
        }
        Block::Attention(layer) => {
            let layers = [&layer.query, &layer.key, &layer.value, &layer.out];
            let pairs = points * points * layer.heads * (layer.key_size + layer.value_size);
            points * layers.into_iter().map(linear).sum::<usize>() + pairs
        }
        Block::FeedForward(layers) => {
            points * [&layers.up, &layers.gate, &layers.down].into_iter().map(linear).sum::<usize>()
        }
    };
    of.iter().map(block).sum()
}
