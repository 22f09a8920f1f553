//! Attention and feed-forward layers, prepared for evaluation.

use super::points::{Points, add_to_image, at_points};
use super::ready::{Needs, linear, row};
use super::{Attention, FeedForward, Linear};
use crate::kernel::{
    Block, Gate, Images, Instructions, LANES, Multiply, Panel, Place, Region, RootMeanSquare, Softmax,
    blocks, numbers_mut, panels,
};
use crate::network::Layer;

/// An attention layer for one size of the board. The numbers of a head are filled up to whole
/// groups.
#[derive(Clone, Debug)]
pub(super) struct AttentionLayers {
    heads: usize,
    shared: usize,
    /// Groups of a key and of a value of a head.
    key: usize,
    value: usize,
    norm: PreNorm,
    /// Queries, divided by the root of their size, keys and values.
    queries: Layer,
    keys: Layer,
    values: Layer,
    out: Layer,
    /// For each group of keys and each point: the cosines, and the sines as they are added to the
    /// first of a pair and to the second.
    turns: Vec<[Block; 2]>,
}

/// What goes before attention and feed-forward layers.
#[derive(Clone, Debug)]
struct PreNorm {
    channels: usize,
    epsilon: f32,
    scale: Vec<Block>,
}

/// Feed-forward layers.
#[derive(Clone, Debug)]
pub(super) struct FeedForwardLayers {
    norm: PreNorm,
    up: Layer,
    gate: Layer,
    down: Layer,
}

/// A layer whose outputs are heads of `size` numbers, each filled up to whole groups.
fn headed(layer: &Linear, size: usize, factor: f32) -> Layer {
    let filled = size.next_multiple_of(LANES);
    let mut weight = Vec::with_capacity(layer.outputs / size * filled * layer.inputs);
    for head in layer.weight.chunks_exact(size * layer.inputs) {
        weight.extend(head.iter().map(|w| w * factor));
        weight.resize(weight.len() + (filled - size) * layer.inputs, 0.0);
    }
    let bias = vec![0.0; weight.len() / layer.inputs];
    Layer::new(layer.inputs, &weight, &bias)
}

impl AttentionLayers {
    pub(super) fn new(layer: &Attention, board: usize, needs: &mut Needs) -> AttentionLayers {
        let points = board * board;
        let Attention { heads, shared, key_size, value_size, .. } = *layer;
        let [key, value] = [key_size, value_size].map(blocks);
        let mut out = Vec::new();
        for row in layer.out.weight.chunks_exact(value_size) {
            out.extend_from_slice(row);
            out.resize(out.len() + value * LANES - value_size, 0.0);
        }
        let mut turns = Vec::new();
        if let Some(rotation) = &layer.rotation {
            for (head, group) in (0..shared).flat_map(|head| (0..key).map(move |group| (head, group))) {
                for point in 0..points {
                    let mut turn = [Block([1.0; LANES]), Block::default()];
                    for lane in 0..LANES.min(key_size - group * LANES) {
                        let pair = (group * LANES + lane) / 2;
                        let angle = rotation.angle(head, pair, key_size / 2, point % board, point / board);
                        turn[0].0[lane] = angle.cos();
                        turn[1].0[lane] = if lane % 2 == 0 { -angle.sin() } else { angle.sin() };
                    }
                    turns.push(turn);
                }
            }
        }
        let keys = blocks(points);
        needs.point_groups = needs
            .point_groups
            .max(blocks(layer.norm.scale.len()) + heads * (key + value) + shared * (key + value));
        needs.scores = needs.scores.max(points * keys);
        needs.packed = needs.packed.max((keys * key * LANES).max(keys * LANES * value));
        AttentionLayers {
            heads,
            shared,
            key,
            value,
            norm: PreNorm::new(&layer.norm),
            queries: headed(&layer.query, key_size, 1.0 / (key_size as f32).sqrt()),
            keys: headed(&layer.key, key_size, 1.0),
            values: headed(&layer.value, value_size, 1.0),
            out: Layer::new(heads * value * LANES, &out, &layer.out.bias),
            turns,
        }
    }

    /// Adds the layer's outputs to a trunk.
    pub(super) fn run(&self, points: &mut Points<'_>, trunk: &mut [Block]) {
        let size = self.norm.scale.len() * points.images.plane();
        trunk.chunks_exact_mut(size).take(points.count).for_each(|trunk| self.run_one(points, trunk));
    }

    fn run_one(&self, points: &mut Points<'_>, trunk: &mut [Block]) {
        let AttentionLayers { heads, shared, key, value, .. } = *self;
        let count = points.images.points();
        let x_groups = self.norm.scale.len();
        let (x, rest) = points.memory.split_at_mut(x_groups * count);
        let (queries, rest) = rest.split_at_mut(heads * key * count);
        let (keys, rest) = rest.split_at_mut(shared * key * count);
        let (values, rest) = rest.split_at_mut(shared * value * count);
        let weighted = &mut rest[..heads * value * count];
        let (images, instructions) = (points.images, points.instructions);
        self.norm.run(points.images, instructions, trunk, x);
        at_points(instructions, &self.queries, count, x, queries);
        at_points(instructions, &self.keys, count, x, keys);
        at_points(instructions, &self.values, count, x, values);
        if !self.turns.is_empty() {
            turn(queries, &self.turns, heads / shared, key * count);
            turn(keys, &self.turns, 1, key * count);
        }
        let key_groups = blocks(count);
        let scores = &mut points.scores[..count * key_groups];
        for head in 0..heads {
            let of = head / (heads / shared);
            if head % (heads / shared) == 0 {
                pack_keys(&keys[of * key * count..][..key * count], count, &mut points.packed_keys[..]);
                pack_values(
                    &values[of * value * count..][..value * count],
                    count,
                    &mut points.packed_values[..],
                );
            }
            instructions.run(Multiply {
                matrices: 1,
                rows: count,
                depth: key * LANES,
                groups: key_groups,
                a: &queries[head * key * count..],
                a_place: Place { matrix: 0, row: 1, group: count },
                transposed: false,
                b: &*points.packed_keys,
                b_place: Place { matrix: 0, row: key_groups, group: 1 },
                c: scores,
                c_place: Place { matrix: 0, row: key_groups, group: 1 },
                accumulate: false,
            });
            instructions.run(Softmax { rows: scores, count });
            instructions.run(Multiply {
                matrices: 1,
                rows: count,
                depth: key_groups * LANES,
                groups: value,
                a: scores,
                a_place: Place { matrix: 0, row: key_groups, group: 1 },
                transposed: false,
                b: &*points.packed_values,
                b_place: Place { matrix: 0, row: value, group: 1 },
                c: &mut weighted[head * value * count..],
                c_place: Place { matrix: 0, row: 1, group: count },
                accumulate: false,
            });
        }
        add_to_image(instructions, images, &self.out, weighted, trunk);
    }
}

impl PreNorm {
    fn new(norm: &super::RmsNorm) -> PreNorm {
        PreNorm { channels: norm.scale.len(), epsilon: norm.epsilon, scale: row(&norm.scale) }
    }

    fn run(&self, images: Images, instructions: Instructions, from: &[Block], to: &mut [Block]) {
        let groups = self.scale.len();
        instructions.run(RootMeanSquare {
            from,
            from_region: Region::image(images, groups),
            channels: self.channels,
            epsilon: self.epsilon,
            board: false,
            scale: &self.scale,
            to,
            region: Region::compact(images, groups),
        });
    }
}

impl FeedForwardLayers {
    pub(super) fn new(layers: &FeedForward, needs: &mut Needs) -> FeedForwardLayers {
        let hidden = blocks(layers.up.outputs);
        needs.point_groups = needs.point_groups.max(blocks(layers.norm.scale.len()) + 2 * hidden);
        FeedForwardLayers {
            norm: PreNorm::new(&layers.norm),
            up: linear(&layers.up),
            gate: linear(&layers.gate),
            down: linear(&layers.down),
        }
    }

    /// Adds the layers' outputs to a trunk.
    pub(super) fn run(&self, points: &mut Points<'_>, trunk: &mut [Block]) {
        let size = self.norm.scale.len() * points.images.plane();
        trunk.chunks_exact_mut(size).take(points.count).for_each(|trunk| self.run_one(points, trunk));
    }

    fn run_one(&self, points: &mut Points<'_>, trunk: &mut [Block]) {
        let count = points.images.points();
        let (images, instructions) = (points.images, points.instructions);
        let hidden = self.up.bias.len() * count;
        let (x, rest) = points.memory.split_at_mut(self.norm.scale.len() * count);
        let (up, rest) = rest.split_at_mut(hidden);
        let gate = &mut rest[..hidden];
        self.norm.run(images, instructions, trunk, x);
        at_points(instructions, &self.up, count, x, up);
        at_points(instructions, &self.gate, count, x, gate);
        instructions.run(Gate { gate, x: up });
        add_to_image(instructions, images, &self.down, up, trunk);
    }
}

/// Turns the pairs of heads, of which `group` share one rotation; a head has `head` blocks.
fn turn(x: &mut [Block], turns: &[[Block; 2]], group: usize, head: usize) {
    for (number, x) in x.chunks_exact_mut(head).enumerate() {
        let turns = &turns[number / group * head..][..head];
        for (x, [cos, sin]) in x.iter_mut().zip(turns) {
            let from = x.0;
            for (lane, to) in x.0.iter_mut().enumerate() {
                *to = from[lane] * cos.0[lane] + from[lane ^ 1] * sin.0[lane];
            }
        }
    }
}

/// The keys of a head as the packed second factor of a product: a row for each number, a column for
/// each point.
fn pack_keys(keys: &[Block], points: usize, to: &mut [Block]) {
    let rows = keys.len() / points * LANES;
    for Panel { first, groups: wide } in panels(blocks(points)) {
        let to = numbers_mut(&mut to[first * rows..][..rows * wide]);
        for column in 0..wide * LANES {
            let point = first * LANES + column;
            for row in 0..rows {
                let key =
                    if point < points { keys[row / LANES * points + point].0[row % LANES] } else { 0.0 };
                to[row * wide * LANES + column] = key;
            }
        }
    }
}

/// The values of a head as the packed second factor of a product: a row for each point, and zeros
/// to whole blocks.
fn pack_values(values: &[Block], points: usize, to: &mut [Block]) {
    let (rows, groups) = (blocks(points) * LANES, values.len() / points);
    for Panel { first, groups: wide } in panels(groups) {
        let to = &mut to[first * rows..][..rows * wide];
        to.fill(Block::default());
        for (row, to) in to.chunks_exact_mut(wide).take(points).enumerate() {
            for (group, to) in to.iter_mut().enumerate() {
                *to = values[(first + group) * points + row];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{numbers, zeros};

    #[test]
    fn softmax_of_rows_of_any_length() {
        for count in 1..20 {
            let wide = blocks(count);
            let mut rows = zeros(3 * wide);
            numbers_mut(&mut rows).iter_mut().enumerate().for_each(|(i, x)| *x = (i * 7 % 11) as f32 - 3.0);
            let before = rows.clone();
            for &instructions in Instructions::all() {
                let mut rows = before.clone();
                instructions.run(Softmax { rows: &mut rows, count });
                for (row, before) in rows.chunks(wide).zip(before.chunks(wide)) {
                    let (row, before) = (numbers(row), &numbers(before)[..count]);
                    let total: f32 = before.iter().map(|x| x.exp()).sum();
                    assert!(row[count..].iter().all(|&x| x == 0.0));
                    assert!(
                        row.iter().zip(before).all(|(x, b)| (x - b.exp() / total).abs() < 1e-6),
                        "{count}"
                    );
                }
            }
        }
    }
}
