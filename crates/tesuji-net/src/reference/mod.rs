//! The network and its derivatives directly by the formulae: slow, in any precision. Tests compare
//! the fast code with it.

#[cfg(test)]
mod differences;
mod layers;
mod pooling;

use crate::batch::{Batch, Losses};
use crate::layout::{Convolution, Linear};
use crate::parameters::Parameters;
use crate::real::Real;
use layers::{BatchNorm, Frame};
pub use pooling::{Said, pooling};

/// Added to variances by batch norm.
pub const EPSILON: f64 = 1e-5;

/// The share of the batch in the running statistics of batch norm.
pub const BATCH_SHARE: f64 = 0.1;

/// The policy's logits and the values of `planes`, a batch of inputs, with the running statistics.
///
/// # Panics
/// If `planes` is not a multiple of [`Shape::inputs`](crate::Shape::inputs), or the network pools;
/// [`pooling`] is for those.
pub fn evaluate<T: Real>(parameters: &Parameters<T>, planes: &[T]) -> (Vec<T>, Vec<T>) {
    let frame = frame(parameters, planes.len());
    let statistic = |c: &Convolution, x: &[T]| {
        let Convolution { kernel: k, norm } = c;
        let weight = &parameters.learned[k.weight.clone()];
        let y = layers::convolution(frame, k.side, [k.inputs, k.outputs], weight, x);
        let [gamma, beta] = [&norm.gamma, &norm.beta].map(|range| &parameters.learned[range.clone()]);
        let [mean, variance] =
            [&norm.mean, &norm.variance].map(|range| &parameters.statistics[range.clone()]);
        layers::normalize(frame.board * frame.board, gamma, beta, mean, variance, &y)
    };
    let layout = parameters.layout.board();
    let mut x = layers::relu(&statistic(&layout.trunk, planes));
    for [first, second] in &layout.blocks {
        let inner = layers::relu(&statistic(first, &x));
        x = layers::relu(&layers::add(&statistic(second, &inner), &x));
    }
    let policy = linear(parameters, &layout.policy_out, &layers::relu(&statistic(&layout.policy, &x)));
    let value = layers::relu(&statistic(&layout.value, &x));
    let hidden = layers::relu(&linear(parameters, &layout.value_hidden, &value));
    let value = linear(parameters, &layout.value_out, &hidden);
    (policy, value.into_iter().map(T::tanh).collect())
}

/// The gradient of a network's losses on a batch.
#[derive(Clone, Debug)]
pub struct Gradient<T> {
    /// The losses, with the statistics of the batch.
    pub losses: Losses,
    /// The derivatives of the sum of the losses, each times its factor in [`Losses::weights`], with
    /// respect to the learned parameters. In place of the running statistics of batch norm it has
    /// the mean and the unbiased variance of the batch.
    pub derivatives: Parameters<T>,
}

/// The losses of a batch and their derivatives, with factor 1 of the value's loss.
///
/// # Panics
/// If the batch was made for another shape, or the network pools.
pub fn gradient<T: Real>(parameters: &Parameters<T>, batch: &Batch) -> Gradient<T> {
    assert_eq!(batch.shape(), parameters.shape(), "the batch is for another network");
    let cast = |from: &[f32]| -> Vec<T> { from.iter().map(|&x| T::of(x.into())).collect() };
    let mut pass = Pass {
        parameters,
        frame: frame(parameters, batch.planes().len()),
        derivatives: Parameters::zeroed(*parameters.shape()),
    };
    let layout = parameters.layout.board();

    let planes = cast(batch.planes());
    let trunk = pass.forward(&layout.trunk, &planes, None);
    let mut blocks: Vec<[Activated<T>; 2]> = Vec::new();
    for [first, second] in &layout.blocks {
        let x = blocks.last().map_or(&trunk, |[_, last]| last);
        let inner = pass.forward(first, &x.y, None);
        let outer = pass.forward(second, &inner.y, Some(&x.y));
        blocks.push([inner, outer]);
    }
    let x = &blocks.last().map_or(&trunk, |[_, last]| last).y;
    let policy = pass.forward(&layout.policy, x, None);
    let logits = linear(parameters, &layout.policy_out, &policy.y);
    let value = pass.forward(&layout.value, x, None);
    let hidden = layers::relu(&linear(parameters, &layout.value_hidden, &value.y));
    let output: Vec<T> = linear(parameters, &layout.value_out, &hidden).into_iter().map(T::tanh).collect();

    let (policy_loss, dlogits) =
        layers::cross_entropy(batch.shape().moves(), &logits, &cast(batch.policies()));
    let (value_loss, doutput) = layers::squared_error(&output, &cast(batch.values()));

    let dpolicy = pass.linear_back(&layout.policy_out, &policy.y, &dlogits);
    let dx = pass.back(&layout.policy, x, &policy, &dpolicy).0;
    let doutput: Vec<T> = output.iter().zip(doutput).map(|(&v, d)| d * (T::one() - v * v)).collect();
    let dhidden = pass.linear_back(&layout.value_out, &hidden, &doutput);
    let dvalue = pass.linear_back(&layout.value_hidden, &value.y, &layers::relu_back(&hidden, &dhidden));
    let mut dx = layers::add(&dx, &pass.back(&layout.value, x, &value, &dvalue).0);
    for (i, [first, second]) in layout.blocks.iter().enumerate().rev() {
        let x = if i == 0 { &trunk.y } else { &blocks[i - 1][1].y };
        let [inner, outer] = &blocks[i];
        let (dinner, skipped) = pass.back(second, &inner.y, outer, &dx);
        dx = layers::add(&skipped, &pass.back(first, x, inner, &dinner).0);
    }
    pass.back(&layout.trunk, &planes, &trunk, &dx);
    let losses = Losses { policy: policy_loss.wide(), value: value_loss.wide(), ..Losses::default() };
    Gradient { losses, derivatives: pass.derivatives }
}

fn frame<T: Real>(parameters: &Parameters<T>, numbers: usize) -> Frame {
    let inputs = parameters.shape().inputs();
    assert_eq!(numbers % inputs, 0, "the planes are not a multiple of {inputs}");
    Frame { batch: numbers / inputs, board: parameters.shape().board }
}

fn linear<T: Real>(parameters: &Parameters<T>, layer: &Linear, x: &[T]) -> Vec<T> {
    let [weight, bias] = [&layer.weight, &layer.bias].map(|range| &parameters.learned[range.clone()]);
    layers::linear(layer.inputs, weight, bias, x)
}

/// The output of a convolution, its batch norm, perhaps an addition, and ReLU.
struct Activated<T> {
    norm: BatchNorm<T>,
    y: Vec<T>,
}

/// A pass forward and back.
struct Pass<'a, T> {
    parameters: &'a Parameters<T>,
    frame: Frame,
    derivatives: Parameters<T>,
}

impl<T: Real> Pass<'_, T> {
    fn forward(&mut self, c: &Convolution, x: &[T], skip: Option<&[T]>) -> Activated<T> {
        let points = self.frame.board * self.frame.board;
        let learned = &self.parameters.learned;
        let (k, c) = (&c.kernel, &c.norm);
        let weight = &learned[k.weight.clone()];
        let z = layers::convolution(self.frame, k.side, [k.inputs, k.outputs], weight, x);
        let norm = BatchNorm::of(points, k.outputs, &z);
        let count = T::of((self.frame.batch * points) as f64);
        let unbiased = norm.variance.iter().map(|&v| v * count / (count - T::one())).collect::<Vec<T>>();
        self.derivatives.statistics[c.mean.clone()].copy_from_slice(&norm.mean);
        self.derivatives.statistics[c.variance.clone()].copy_from_slice(&unbiased);
        let y = norm.output(points, &learned[c.gamma.clone()], &learned[c.beta.clone()]);
        let y = layers::relu(&skip.map_or(y.clone(), |skip| layers::add(&y, skip)));
        Activated { norm, y }
    }

    /// The derivatives by the input and by what was added.
    fn back(&mut self, c: &Convolution, x: &[T], out: &Activated<T>, dy: &[T]) -> (Vec<T>, Vec<T>) {
        let points = self.frame.board * self.frame.board;
        let learned = &self.parameters.learned;
        let skipped = layers::relu_back(&out.y, dy);
        let (k, c) = (&c.kernel, &c.norm);
        let (dz, dgamma, dbeta) = out.norm.back(points, &learned[c.gamma.clone()], &skipped);
        let weight = &learned[k.weight.clone()];
        let (dx, dw) = layers::convolution_back(self.frame, k.side, [k.inputs, k.outputs], weight, x, &dz);
        let to = &mut self.derivatives.learned;
        to[k.weight.clone()].copy_from_slice(&dw);
        to[c.gamma.clone()].copy_from_slice(&dgamma);
        to[c.beta.clone()].copy_from_slice(&dbeta);
        (dx, skipped)
    }

    fn linear_back(&mut self, layer: &Linear, x: &[T], dy: &[T]) -> Vec<T> {
        let weight = &self.parameters.learned[layer.weight.clone()];
        let (dx, dw, db) = layers::linear_back(layer.inputs, weight, x, dy);
        self.derivatives.learned[layer.weight.clone()].copy_from_slice(&dw);
        self.derivatives.learned[layer.bias.clone()].copy_from_slice(&db);
        dx
    }
}
