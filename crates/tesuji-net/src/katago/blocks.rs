//! Blocks of the trunk.

use super::layers::{MOST, activation, convolution, fits, linear, norm, rms_norm};
use super::words::{Fault, Words};
use crate::graph::{Attention, Block, FeedForward, Linear, Norm, Rotation};

/// The most blocks in a row.
pub(super) const MOST_BLOCKS: usize = 1000;

/// How deep blocks may be nested.
const DEEPEST: usize = 8;

/// Reads `count` blocks on a trunk of `channels` channels.
pub(super) fn blocks(
    words: &mut Words<'_>,
    version: usize,
    count: usize,
    channels: usize,
    depth: usize,
) -> Result<Vec<Block>, Fault> {
    let mut blocks = Vec::new();
    for _ in 0..count {
        let kind = words.word()?;
        let name = words.word()?;
        let block = match kind.as_str() {
            "ordinary_block" => residual(words, version, channels),
            "gpool_block" => pooling(words, version, channels),
            "nested_bottleneck_block" if depth < DEEPEST => nested(words, version, channels, depth),
            "nested_bottleneck_block" => Err(Fault(format!("nested deeper than {DEEPEST} times"))),
            "transformer_attention_block" => attention(words, channels).map(Block::Attention),
            "transformer_ffn_block" => feed_forward(words, channels).map(Block::FeedForward),
            _ => Err(Fault(format!(
                "its kind is {kind:?}; accepted: ordinary_block, gpool_block, nested_bottleneck_block, \
                 transformer_attention_block, transformer_ffn_block"
            ))),
        };
        blocks.push(block.map_err(|Fault(fault)| Fault(format!("block {name}: {fault}")))?);
    }
    Ok(blocks)
}

fn residual(words: &mut Words<'_>, version: usize, channels: usize) -> Result<Block, Fault> {
    let pre = trunk_norm(words, version, channels)?;
    let first = convolution(words)?;
    let mid = norm(words, version)?;
    let second = convolution(words)?;
    fits(&first.name, first.inputs, channels)?;
    fits(&mid.name, mid.scale.len(), first.outputs)?;
    fits(&second.name, second.inputs, first.outputs)?;
    fits(&second.name, second.outputs, channels)?;
    Ok(Block::Residual { pre, first, mid, second })
}

fn pooling(words: &mut Words<'_>, version: usize, channels: usize) -> Result<Block, Fault> {
    let pre = trunk_norm(words, version, channels)?;
    let first = convolution(words)?;
    let pooled = convolution(words)?;
    let pool_norm = norm(words, version)?;
    let bias = linear(words)?;
    let mid = norm(words, version)?;
    let second = convolution(words)?;
    fits(&first.name, first.inputs, channels)?;
    fits(&pooled.name, pooled.inputs, channels)?;
    fits(&pool_norm.name, pool_norm.scale.len(), pooled.outputs)?;
    fits(&bias.name, bias.inputs, 3 * pooled.outputs)?;
    fits(&bias.name, bias.outputs, first.outputs)?;
    fits(&mid.name, mid.scale.len(), first.outputs)?;
    fits(&second.name, second.inputs, first.outputs)?;
    fits(&second.name, second.outputs, channels)?;
    Ok(Block::Pooling { pre, first, pooled, pool_norm, bias, mid, second })
}

fn nested(words: &mut Words<'_>, version: usize, channels: usize, depth: usize) -> Result<Block, Fault> {
    let count = words.count("the number of blocks inside", 1, MOST_BLOCKS)?;
    let pre = trunk_norm(words, version, channels)?;
    let first = convolution(words)?;
    fits(&first.name, first.inputs, channels)?;
    let blocks = blocks(words, version, count, first.outputs, depth + 1)?;
    let post = trunk_norm(words, version, first.outputs)?;
    let last = convolution(words)?;
    fits(&last.name, last.inputs, first.outputs)?;
    fits(&last.name, last.outputs, channels)?;
    Ok(Block::Nested { pre, first, blocks, post, last })
}

fn trunk_norm(words: &mut Words<'_>, version: usize, channels: usize) -> Result<Norm, Fault> {
    let mut norm = super::layers::batch_norm(words)?;
    fits(&norm.name, norm.scale.len(), channels)?;
    norm.activation = activation(words, version)?;
    Ok(norm)
}

fn attention(words: &mut Words<'_>, channels: usize) -> Result<Attention, Fault> {
    let heads = words.count("the number of heads", 1, MOST)?;
    let shared = words.count("the number of heads of keys", 1, heads)?;
    let key_size = words.count("the size of a key", 1, MOST)?;
    let value_size = words.count("the size of a value", 1, MOST)?;
    let is_rotated = words.flag("the mark of rotary positions")?;
    let is_learned = words.flag("the mark of learned positions")?;
    if heads % shared != 0 {
        return Err(Fault(format!("{heads} heads share {shared} keys; accepted: a divisor")));
    }
    if is_rotated && key_size % 2 == 1 {
        return Err(Fault(format!("the size of a key is {key_size}; accepted with rotary positions: even")));
    }
    let norm = rms_norm(words)?;
    fits(&norm.name, norm.scale.len(), channels)?;
    let mut next = |inputs: usize, outputs: Option<usize>| -> Result<Linear, Fault> {
        let layer = linear(words)?;
        fits(&layer.name, layer.inputs, inputs)?;
        fits(&layer.name, layer.outputs, outputs.unwrap_or(channels))?;
        Ok(layer)
    };
    let query = next(channels, Some(heads * key_size))?;
    let key = next(channels, Some(shared * key_size))?;
    let value = next(channels, Some(shared * value_size))?;
    let out = next(heads * value_size, None)?;
    let rotation = match (is_rotated, is_learned) {
        (false, _) => None,
        (true, false) => {
            words.word()?;
            Some(Rotation::Fixed { theta: words.positive("theta")? })
        }
        (true, true) => {
            words.word()?;
            fits("the rotation", words.count("heads", 1, MOST)?, shared)?;
            fits("the rotation", words.count("pairs", 1, MOST)?, key_size / 2)?;
            fits("the rotation", words.count("directions", 1, MOST)?, 2)?;
            let numbers = words.numbers(shared * key_size)?;
            Some(Rotation::Learned(numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()))
        }
    };
    Ok(Attention { heads, shared, key_size, value_size, norm, query, key, value, out, rotation })
}

fn feed_forward(words: &mut Words<'_>, channels: usize) -> Result<FeedForward, Fault> {
    fits("the block", words.count("the number of channels", 1, MOST)?, channels)?;
    let hidden = words.count("the number of hidden channels", 1, MOST)?;
    if !words.flag("the mark of a gate")? {
        return Err(Fault("it has no gate; accepted: SwiGLU".into()));
    }
    let norm = rms_norm(words)?;
    let [up, gate, down] = [linear(words)?, linear(words)?, linear(words)?];
    fits(&norm.name, norm.scale.len(), channels)?;
    for layer in [&up, &gate] {
        fits(&layer.name, layer.inputs, channels)?;
        fits(&layer.name, layer.outputs, hidden)?;
    }
    fits(&down.name, down.inputs, hidden)?;
    fits(&down.name, down.outputs, channels)?;
    Ok(FeedForward { norm, up, gate, down })
}
