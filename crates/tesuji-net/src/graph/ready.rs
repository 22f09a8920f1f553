//! Shared parts of layers that are ready for evaluation: their scratch memory, and their numbers in
//! blocks.

use super::Linear;
use crate::kernel::{Block, blocks, numbers_mut, zeros};
use crate::network::Layer;

/// The most that the layers need of memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// Trunks inside each other, and the most groups of each.
    pub(super) depth: usize,
    pub(super) groups: usize,
    /// Groups of what attention and feed-forward layers keep at every point.
    pub(super) point_groups: usize,
    /// Blocks that attention looks at, and those of its packed keys and values.
    pub(super) scores: usize,
    pub(super) packed: usize,
    /// Groups of a layer for the whole position.
    pub(super) vector: usize,
}

impl Needs {
    pub(super) fn groups(&mut self, channels: usize) {
        self.groups = self.groups.max(blocks(channels));
    }

    pub(super) fn vector(&mut self, numbers: usize) {
        self.vector = self.vector.max(blocks(numbers));
    }
}

/// Numbers in whole blocks.
pub(super) fn row(x: &[f32]) -> Vec<Block> {
    let mut to = zeros(blocks(x.len()));
    numbers_mut(&mut to)[..x.len()].copy_from_slice(x);
    to
}

/// A linear layer.
pub(super) fn linear(layer: &Linear) -> Layer {
    Layer::new(layer.inputs, &layer.weight, &layer.bias)
}
