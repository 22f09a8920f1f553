//! The heads.

use super::layers::{activation, biased, convolution, fits, linear, norm};
use super::words::{Fault, Words};
use crate::graph::{Convolution, Graph, Linear, PolicyHead, ValueHead};

/// How far the policy leans from the first that a network has to the second, which hopes for more
/// than is likely. KataGo leans so far at the root of its search.
const OPTIMISM: f32 = 0.2;

/// The head of the policy. Where a network has several policies, they become one.
pub(super) fn policy(words: &mut Words<'_>, version: usize, channels: usize) -> Result<PolicyHead, Fault> {
    words.word()?;
    let policies = match version {
        17.. => words.count("the number of policies", 2, 4)?,
        16 => 4,
        12..=15 => 2,
        _ => 1,
    };
    if version >= 17 {
        words.unused(3)?;
    }
    let spatial = convolution(words)?;
    let pooled = convolution(words)?;
    let pool_norm = norm(words, version)?;
    let bias = linear(words)?;
    let norm = norm(words, version)?;
    let out = convolution(words)?;
    let (hidden, pass) = if version >= 15 {
        let hidden = biased(words)?;
        fits(&hidden.name, hidden.inputs, 3 * pooled.outputs)?;
        let activation = activation(words, version)?;
        let pass = linear(words)?;
        fits(&pass.name, pass.inputs, hidden.outputs)?;
        (Some((hidden, activation)), pass)
    } else {
        let pass = linear(words)?;
        fits(&pass.name, pass.inputs, 3 * pooled.outputs)?;
        (None, pass)
    };
    fits(&spatial.name, spatial.inputs, channels)?;
    fits(&pooled.name, pooled.inputs, channels)?;
    fits(&pool_norm.name, pool_norm.scale.len(), pooled.outputs)?;
    fits(&bias.name, bias.inputs, 3 * pooled.outputs)?;
    fits(&bias.name, bias.outputs, spatial.outputs)?;
    fits(&norm.name, norm.scale.len(), spatial.outputs)?;
    fits(&out.name, out.inputs, spatial.outputs)?;
    fits(&out.name, out.outputs, policies)?;
    fits(&pass.name, pass.outputs, policies)?;
    let out = Convolution { weight: mixed(&out.weight, policies), outputs: 1, ..out };
    let pass = Linear { weight: mixed(&pass.weight, policies), bias: vec![0.0], outputs: 1, ..pass };
    Ok(PolicyHead { spatial, pooled, pool_norm, bias, norm, out, hidden, pass })
}

/// The head of value, score and ownership.
pub(super) fn value(words: &mut Words<'_>, version: usize, channels: usize) -> Result<ValueHead, Fault> {
    words.word()?;
    if version >= 17 {
        words.unused(3)?;
    }
    let spatial = convolution(words)?;
    let norm = norm(words, version)?;
    let hidden = biased(words)?;
    let activation = activation(words, version)?;
    let value = biased(words)?;
    let score = biased(words)?;
    let ownership = convolution(words)?;
    fits(&spatial.name, spatial.inputs, channels)?;
    fits(&norm.name, norm.scale.len(), spatial.outputs)?;
    fits(&hidden.name, hidden.inputs, 3 * spatial.outputs)?;
    fits(&value.name, value.inputs, hidden.outputs)?;
    fits(&value.name, value.outputs, 3)?;
    fits(&score.name, score.inputs, hidden.outputs)?;
    fits(&score.name, score.outputs, if version >= 9 { 6 } else { 4 })?;
    fits(&ownership.name, ownership.inputs, spatial.outputs)?;
    fits(&ownership.name, ownership.outputs, 1)?;
    let score = first_numbers(score, Graph::SCORES);
    Ok(ValueHead { spatial, norm, hidden, activation, value, score, ownership })
}

/// The weights of the mix of the first two outputs.
fn mixed(weight: &[f32], outputs: usize) -> Vec<f32> {
    let mut rows = weight.chunks_exact(weight.len() / outputs);
    match (rows.next(), rows.next()) {
        (Some(first), Some(second)) => {
            first.iter().zip(second).map(|(a, b)| a + OPTIMISM * (b - a)).collect()
        }
        _ => weight.to_vec(),
    }
}

fn first_numbers(mut layer: Linear, outputs: usize) -> Linear {
    layer.weight.truncate(outputs * layer.inputs);
    layer.bias.truncate(outputs);
    Linear { outputs, ..layer }
}
