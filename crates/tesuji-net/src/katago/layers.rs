//! Layers.

use super::words::{Fault, Words};
use crate::graph::{Activation, Convolution, Linear, Norm, RmsNorm};

/// The most channels of a layer.
pub(super) const MOST: usize = 1 << 13;

/// The most numbers of a layer.
const MOST_WEIGHTS: usize = 1 << 28;

/// Puts the name of a layer before what is wrong with it.
fn named<T>(name: &str, read: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    read().map_err(|Fault(fault)| Fault(format!("layer {name}: {fault}")))
}

/// Says where two layers do not fit.
pub(super) fn fits(what: &str, found: usize, wanted: usize) -> Result<(), Fault> {
    if found == wanted {
        Ok(())
    } else {
        Err(Fault(format!("{what} has {found} channels where {wanted} are wanted")))
    }
}

fn weights(words: &mut Words<'_>, dims: &[usize]) -> Result<Vec<f32>, Fault> {
    let count = dims.iter().try_fold(1, |product: usize, &dim| product.checked_mul(dim));
    match count.filter(|&count| count <= MOST_WEIGHTS) {
        Some(count) => words.numbers(count),
        None => Err(Fault(format!("{dims:?} weights; accepted: up to {MOST_WEIGHTS}"))),
    }
}

/// A convolution; the file has its weights as `[y, x, input, output]`.
pub(super) fn convolution(words: &mut Words<'_>) -> Result<Convolution, Fault> {
    let name = words.word()?;
    named(&name.clone(), || {
        let [size, columns] = [words.count("its rows", 1, 37)?, words.count("its columns", 1, 37)?];
        let inputs = words.count("its inputs", 1, MOST)?;
        let outputs = words.count("its outputs", 1, MOST)?;
        let dilation = [words.word()?, words.word()?];
        if size != columns || size % 2 == 0 {
            return Err(Fault(format!("a kernel of {size} by {columns}; accepted: square, of odd size")));
        }
        if dilation != ["1", "1"] {
            return Err(Fault(format!("a dilation of {} by {}; accepted: 1", dilation[0], dilation[1])));
        }
        let read = weights(words, &[size, size, inputs, outputs])?;
        let mut weight = vec![0.0; read.len()];
        for (at, x) in read.into_iter().enumerate() {
            let (output, rest) = (at % outputs, at / outputs);
            let (input, tap) = (rest % inputs, rest / inputs);
            weight[(output * inputs + input) * size * size + tap] = x;
        }
        Ok(Convolution { name, size, inputs, outputs, weight })
    })
}

/// A linear layer without a bias; the file has its weights as `[input, output]`.
pub(super) fn linear(words: &mut Words<'_>) -> Result<Linear, Fault> {
    let name = words.word()?;
    named(&name.clone(), || {
        let inputs = words.count("its inputs", 1, MOST)?;
        let outputs = words.count("its outputs", 1, MOST)?;
        let read = weights(words, &[inputs, outputs])?;
        let mut weight = vec![0.0; read.len()];
        for (at, x) in read.into_iter().enumerate() {
            weight[at % outputs * inputs + at / outputs] = x;
        }
        Ok(Linear { name, inputs, outputs, weight, bias: vec![0.0; outputs] })
    })
}

/// A linear layer and the bias behind it.
pub(super) fn biased(words: &mut Words<'_>) -> Result<Linear, Fault> {
    let linear = linear(words)?;
    let bias = bias(words, linear.outputs)?;
    Ok(Linear { bias, ..linear })
}

/// A bias for `channels` channels.
pub(super) fn bias(words: &mut Words<'_>, channels: usize) -> Result<Vec<f32>, Fault> {
    let name = words.word()?;
    named(&name, || {
        fits("the bias", words.count("its channels", 1, MOST)?, channels)?;
        words.numbers(channels)
    })
}

/// A batch norm and the activation behind it.
pub(super) fn norm(words: &mut Words<'_>, version: usize) -> Result<Norm, Fault> {
    let mut norm = batch_norm(words)?;
    norm.activation = activation(words, version)?;
    Ok(norm)
}

/// A batch norm, its statistics merged into scale and bias.
pub(super) fn batch_norm(words: &mut Words<'_>) -> Result<Norm, Fault> {
    let name = words.word()?;
    named(&name.clone(), || {
        let channels = words.count("its channels", 1, MOST)?;
        let epsilon = words.positive("its epsilon")?;
        let [has_scale, has_bias] = [words.flag("the mark of a scale")?, words.flag("the mark of a bias")?];
        let [mean, variance] = [words.numbers(channels)?, words.numbers(channels)?];
        let scale = if has_scale { words.numbers(channels)? } else { vec![1.0; channels] };
        let bias = if has_bias { words.numbers(channels)? } else { vec![0.0; channels] };
        let scale: Vec<f32> = scale.iter().zip(&variance).map(|(s, v)| s / (v + epsilon).sqrt()).collect();
        let bias: Vec<f32> =
            bias.iter().zip(scale.iter().zip(&mean)).map(|(b, (scale, mean))| b - scale * mean).collect();
        if scale.iter().chain(&bias).any(|x| !x.is_finite()) {
            return Err(Fault("a variance that is negative".into()));
        }
        Ok(Norm { name, scale, bias, activation: Activation::Identity })
    })
}

/// An activation, which has only a name before version 11.
pub(super) fn activation(words: &mut Words<'_>, version: usize) -> Result<Activation, Fault> {
    let name = words.word()?;
    if version < 11 {
        return Ok(Activation::Relu);
    }
    named(&name, || match words.word()?.as_str() {
        "ACTIVATION_IDENTITY" => Ok(Activation::Identity),
        "ACTIVATION_RELU" => Ok(Activation::Relu),
        "ACTIVATION_MISH" => Ok(Activation::Mish),
        "ACTIVATION_SILU" => Ok(Activation::Silu),
        other => Err(Fault(format!(
            "the activation is {other:?}; accepted: ACTIVATION_IDENTITY, _RELU, _MISH or _SILU"
        ))),
    })
}

/// The norm before attention and feed-forward layers.
pub(super) fn rms_norm(words: &mut Words<'_>) -> Result<RmsNorm, Fault> {
    let name = words.word()?;
    named(&name.clone(), || {
        let channels = words.count("its channels", 1, MOST)?;
        let epsilon = words.positive("its epsilon")?;
        Ok(RmsNorm { name, epsilon, scale: words.numbers(channels)? })
    })
}

/// The norm that may end the trunk: the norm, whether it is over the whole board, and a bias.
pub(super) fn tip_norm(words: &mut Words<'_>) -> Result<(RmsNorm, bool, Vec<f32>), Fault> {
    let name = words.word()?;
    named(&name.clone(), || {
        let channels = words.count("its channels", 1, MOST)?;
        let epsilon = words.positive("its epsilon")?;
        let board = words.flag("the mark of a norm over the board")?;
        words.unused(1)?;
        let [scale, bias] = [words.numbers(channels)?, words.numbers(channels)?];
        Ok((RmsNorm { name, epsilon, scale }, board, bias))
    })
}
