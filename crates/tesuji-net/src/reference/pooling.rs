//! Pooling networks forward, and their losses.

use super::layers::{self, BatchNorm, Frame};
use crate::batch::{Batch, Losses};
use crate::layout::{self, Kernel, Linear, PoolLayers, PoolingBlock};
use crate::parameters::Parameters;
use crate::real::Real;

/// The outputs of a pooling network for a batch.
#[derive(Clone, Debug)]
pub struct Said<T> {
    /// The policy's logits, `[position, move]`.
    pub policy: Vec<T>,
    /// The values.
    pub value: Vec<T>,
    /// The leads, in points.
    pub lead: Vec<T>,
    /// The ownership, `[position, y, x]`.
    pub ownership: Vec<T>,
    /// The logits of the opponent's reply, `[position, move]`; empty if the network has none.
    pub reply: Vec<T>,
    /// The values of the near future, `[position, horizon]`.
    pub soon: Vec<T>,
    /// The losses against the batch.
    pub losses: Losses,
    /// The mean and the unbiased variance of the batch, in place of the running statistics of batch
    /// norm.
    pub statistics: Parameters<T>,
}

/// The outputs of a pooling network for a batch, by the statistics of the batch or by the running
/// ones.
///
/// # Panics
/// If it is not a pooling network, or the batch is for another one.
pub fn pooling<T: Real>(parameters: &Parameters<T>, batch: &Batch, own_statistics: bool) -> Said<T> {
    assert_eq!(batch.shape(), parameters.shape(), "the batch is for another network");
    let cast = |from: &[f32]| -> Vec<T> { from.iter().map(|&x| T::of(x.into())).collect() };
    let shape = *parameters.shape();
    let frame = Frame { batch: batch.len(), board: shape.board };
    let mut pass = Forward { parameters, frame, own_statistics, statistics: Parameters::zeroed(shape) };
    let layers = parameters.layout.pooling().expect("the network pools");

    let mut x = pass.convolve(&layers.first, &cast(batch.planes()));
    pass.add(&mut x, &pass.matrix(&layers.global, &cast(batch.globals())));
    for PoolingBlock { pre, first, pool, mid, second } in &layers.blocks {
        let inner = pass.norm(pre, &x);
        let mut y = pass.convolve(first, &inner);
        if let Some(pool) = pool {
            let (bias, _) = pass.pool(pool, &inner);
            pass.add(&mut y, &bias);
        }
        let y = pass.norm(mid, &y);
        x = layers::add(&x, &pass.convolve(second, &y));
    }
    let x = pass.norm(&layers.tip, &x);

    let mut policy = pass.convolve(&layers.policy, &x);
    let (bias, pooled) = pass.pool(&layers.policy_pool, &x);
    pass.add(&mut policy, &bias);
    let policy = pass.norm(&layers.policy_norm, &policy);
    let [policy, reply] =
        [Some((&layers.policy_out, &layers.pass)), layers.reply.as_ref().map(|(o, p)| (o, p))].map(
            |outputs| outputs.map_or_else(Vec::new, |(out, last)| pass.logits(out, last, &policy, &pooled)),
        );

    let y = pass.convolve(&layers.value, &x);
    let y = pass.norm(&layers.value_norm, &y);
    let hidden = layers::relu(&pass.linear(&layers.value_hidden, &pass.means(&y)));
    let last = pass.linear(&layers.value_out, &hidden);
    let soon = layers.soon.as_ref().map_or_else(Vec::new, |soon| pass.linear(soon, &hidden));
    let soon: Vec<T> = soon.into_iter().map(T::tanh).collect();
    let value: Vec<T> = last.iter().step_by(2).map(|t| t.tanh()).collect();
    let scale = T::of(Losses::LEAD_SCALE.into());
    let lead: Vec<T> = last.iter().skip(1).step_by(2).map(|&x| x * scale).collect();
    let ownership: Vec<T> = pass.convolve(&layers.ownership, &y).into_iter().map(T::tanh).collect();

    let count = batch.len() as f64;
    let huber = |error: f64| if error < 1.0 { error * error / 2.0 } else { error - 0.5 };
    let known = |found: &[T], wanted: &[f32]| -> Vec<f64> {
        let pairs = found.iter().zip(wanted).filter(|(_, wanted)| wanted.is_finite());
        pairs.map(|(found, &wanted)| (found.wide() - f64::from(wanted)).abs()).collect()
    };
    let leads = known(&lead, batch.leads()).into_iter().map(|e| huber(e / f64::from(Losses::LEAD_SCALE)));
    let squares = |errors: Vec<f64>| errors.into_iter().map(|e| e * e).sum::<f64>() / count;
    let losses = Losses {
        policy: layers::cross_entropy(shape.moves(), &policy, &cast(batch.policies())).0.wide(),
        value: layers::squared_error(&value, &cast(batch.values())).0.wide(),
        lead: leads.sum::<f64>() / count,
        ownership: squares(known(&ownership, batch.ownerships())) / shape.points() as f64,
        reply: if reply.is_empty() {
            0.0
        } else {
            layers::cross_entropy(shape.moves(), &reply, &cast(batch.replies())).0.wide()
        },
        soon: squares(known(&soon, batch.soon())) / shape.horizons.max(1) as f64,
    };
    Said { policy, value, lead, ownership, reply, soon, losses, statistics: pass.statistics }
}

/// A pass forward.
struct Forward<'a, T> {
    parameters: &'a Parameters<T>,
    frame: Frame,
    own_statistics: bool,
    statistics: Parameters<T>,
}

impl<T: Real> Forward<'_, T> {
    fn points(&self) -> usize {
        self.frame.board * self.frame.board
    }

    fn convolve(&self, kernel: &Kernel, x: &[T]) -> Vec<T> {
        let weight = &self.parameters.learned[kernel.weight.clone()];
        layers::convolution(self.frame, kernel.side, [kernel.inputs, kernel.outputs], weight, x)
    }

    fn matrix(&self, kernel: &Kernel, x: &[T]) -> Vec<T> {
        let weight = &self.parameters.learned[kernel.weight.clone()];
        layers::linear(kernel.inputs, weight, &vec![T::zero(); kernel.outputs], x)
    }

    fn linear(&self, layer: &Linear, x: &[T]) -> Vec<T> {
        let [weight, bias] =
            [&layer.weight, &layer.bias].map(|range| &self.parameters.learned[range.clone()]);
        layers::linear(layer.inputs, weight, bias, x)
    }

    /// The logits of a policy, from the channels of its head and what is pooled.
    fn logits(&self, out: &Kernel, pass: &Linear, channels: &[T], pooled: &[T]) -> Vec<T> {
        let (at_points, passes) = (self.convolve(out, channels), self.linear(pass, pooled));
        let positions = at_points.chunks(self.points()).zip(&passes);
        positions.flat_map(|(points, pass)| points.iter().chain([pass]).copied()).collect()
    }

    /// Batch norm and ReLU.
    fn norm(&mut self, norm: &layout::BatchNorm, x: &[T]) -> Vec<T> {
        let points = self.points();
        let Parameters { learned, statistics, .. } = self.parameters;
        let [gamma, beta] = [&norm.gamma, &norm.beta].map(|range| &learned[range.clone()]);
        if !self.own_statistics {
            let [mean, variance] = [&norm.mean, &norm.variance].map(|range| &statistics[range.clone()]);
            return layers::relu(&layers::normalize(points, gamma, beta, mean, variance, x));
        }
        let of_batch = BatchNorm::of(points, gamma.len(), x);
        let count = T::of((self.frame.batch * points) as f64);
        let to = &mut self.statistics.statistics;
        to[norm.mean.clone()].copy_from_slice(&of_batch.mean);
        for (to, &v) in to[norm.variance.clone()].iter_mut().zip(&of_batch.variance) {
            *to = v * count / (count - T::one());
        }
        layers::relu(&of_batch.output(points, gamma, beta))
    }

    /// Adds a number for each channel at every point.
    fn add(&self, x: &mut [T], more: &[T]) {
        for (x, &more) in x.chunks_mut(self.points()).zip(more) {
            x.iter_mut().for_each(|x| *x += more);
        }
    }

    /// What is added to every point, and what is pooled.
    fn pool(&mut self, layers: &PoolLayers, x: &[T]) -> (Vec<T>, Vec<T>) {
        let y = self.convolve(&layers.kernel, x);
        let y = self.norm(&layers.norm, &y);
        let channels = layers.kernel.outputs;
        let mut pooled = self.means(&y);
        for (pooled, y) in pooled.chunks_mut(3 * channels).zip(y.chunks(channels * self.points())) {
            for (to, y) in pooled[2 * channels..].iter_mut().zip(y.chunks(self.points())) {
                *to = y.iter().copied().fold(T::neg_infinity(), T::max);
            }
        }
        (self.matrix(&layers.bias, &pooled), pooled)
    }

    /// The mean and its two multiples.
    fn means(&self, x: &[T]) -> Vec<T> {
        let points = self.points();
        let means: Vec<T> =
            x.chunks(points).map(|x| x.iter().copied().sum::<T>() / T::of(points as f64)).collect();
        let wide = (self.frame.board as f64 - 14.0) * 0.1;
        let factors = [1.0, wide, wide * wide - 0.1].map(T::of);
        let rows = means.chunks(means.len() / self.frame.batch);
        rows.flat_map(|row| factors.into_iter().flat_map(move |f| row.iter().map(move |&x| x * f))).collect()
    }
}
