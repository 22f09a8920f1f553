//! Training on a device.

use crate::Network;
use crate::network::{Said, Statistics, numbers};
use burn::tensor::activation::log_softmax;
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Tensor, TensorData};
use tesuji_net::reference::BATCH_SHARE;
use tesuji_net::{Batch, Losses, Muon, Sgd};

/// Trains a network on a device as [`tesuji_net::Trainer`] does on the CPU: the same losses and the
/// same [`Sgd`].
///
/// It begins where such a trainer stands and gives one back, whose files are the way in and out.
#[derive(Clone, Debug)]
pub struct Trainer<B: AutodiffBackend> {
    network: Network<B>,
    velocity: Network<B::InnerBackend>,
    /// The mean of the network over the steps, if it is kept, and its share.
    mean: Option<(Network<B::InnerBackend>, f32)>,
    sgd: Sgd,
    value_weight: f32,
    step: u64,
}

impl<B: AutodiffBackend> Trainer<B> {
    /// Takes a trainer's state to a device.
    pub fn new(trainer: &tesuji_net::Trainer, device: &B::Device) -> Trainer<B> {
        let mut network = Network::<B>::new(trainer.parameters(), device);
        for (name, tensor) in &mut network.tensors {
            if !is_statistic(name) {
                *tensor = tensor.clone().require_grad();
            }
        }
        Trainer {
            network,
            velocity: Network::new(trainer.velocity(), device),
            mean: trainer.mean().map(|(mean, share)| (Network::new(mean, device), share)),
            sgd: trainer.sgd().clone(),
            value_weight: trainer.value_weight(),
            step: trainer.steps(),
        }
    }

    /// Takes the state back from the device.
    pub fn to_cpu(&self) -> tesuji_net::Trainer {
        let (parameters, velocity) = (self.network.parameters(), self.velocity.parameters());
        let trainer = tesuji_net::Trainer::resume(parameters, velocity, self.sgd.clone(), self.step)
            .with_value_weight(self.value_weight);
        match &self.mean {
            Some((mean, share)) => trainer.with_mean(mean.parameters(), *share),
            None => trainer,
        }
    }

    /// The network that was trained: the mean over the steps, if one is kept.
    pub fn network(&self) -> Network<B::InnerBackend> {
        self.mean.as_ref().map_or_else(|| self.network.inner(), |(mean, _)| mean.clone())
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Takes a step. Gives the losses before it, those of [`Losses`] in order, with the batch's own
    /// statistics in batch norm; they stay on the device, so that nobody waits for the step until
    /// they are read with [`Trainer::losses`].
    ///
    /// # Panics
    /// If the batch is empty or for another network.
    pub fn step(&mut self, batch: &Batch) -> Tensor<B::InnerBackend, 1> {
        assert!(!batch.is_empty(), "the batch is empty");
        let mut statistics = Statistics::Batch(Default::default());
        let said = self.network.forward(batch, &mut statistics);
        let losses = losses(said, batch, &self.network.device());
        let weighted =
            losses.iter().zip(Losses::weights(self.value_weight)).map(|(loss, weight)| loss.clone() * weight);
        let total = weighted.reduce(|a, b| a + b).expect("there is a loss");
        let losses = Tensor::cat(losses.into_iter().map(Tensor::inner).collect(), 0);
        let gradients = total.backward();

        let Sgd { rate, momentum, decay, muon } = &self.sgd;
        let rate = rate.rate(self.step);
        for (name, tensor) in &mut self.network.tensors {
            if is_statistic(name) {
                continue;
            }
            let gradient = tensor.grad(&gradients).expect("the losses depend on every learned parameter");
            let weight = tensor.clone().inner();
            let velocity = self.velocity.tensors.get_mut(name).expect("it has the network's names");
            let moved = match (muon, &*self.network.dims[name]) {
                (Some(muon), &[rows, _, 3, 3]) => {
                    let rate = muon.rate * rate;
                    *velocity = velocity.clone() * muon.momentum + gradient.clone();
                    let columns = weight.dims()[0] / rows;
                    let ahead = (gradient + velocity.clone() * muon.momentum).reshape([rows, columns]);
                    let step = orthogonal(ahead) * Muon::scale(rows, columns);
                    weight * (1.0 - rate * muon.decay) - step.flatten(0, 1) * rate
                }
                _ => {
                    *velocity = velocity.clone() * *momentum + gradient + weight.clone() * *decay;
                    weight - velocity.clone() * rate
                }
            };
            *tensor = Tensor::from_inner(moved).require_grad();
        }
        if let Statistics::Batch(kept) = statistics {
            for (name, of_batch) in kept {
                let running = self.network.tensors.get_mut(&name).expect("it is named as the running one");
                let share = (of_batch.inner() - running.clone().inner()) * BATCH_SHARE;
                *running = Tensor::from_inner(running.clone().inner() + share);
            }
        }
        self.step += 1;
        if let Some((mean, share)) = &mut self.mean {
            let keep = share.min(self.step as f32 / (self.step + 9) as f32);
            for (name, mean) in &mut mean.tensors {
                let step = (self.network.tensors[name].clone().inner() - mean.clone()) * (1.0 - keep);
                *mean = mean.clone() + step;
            }
        }
        losses
    }

    /// The losses that a step gave, or the mean of those of some; waits for the device.
    ///
    /// # Panics
    /// If there are none.
    pub fn losses(steps: Vec<Tensor<B::InnerBackend, 1>>) -> Losses {
        let mean = numbers(Tensor::stack::<2>(steps, 0).mean_dim(0));
        let loss = |i: usize| mean.get(i).copied().unwrap_or_default().into();
        let [policy, value, lead, ownership, reply, soon] = [0, 1, 2, 3, 4, 5].map(loss);
        Losses { policy, value, lead, ownership, reply, soon }
    }
}

/// The losses of policy and value, and of a pooling network's lead and ownership, and of the reply
/// and the near future.
fn losses<B: AutodiffBackend>(said: Said<B>, batch: &Batch, device: &B::Device) -> Vec<Tensor<B, 1>> {
    let Said { policy, value, score, reply, soon } = said;
    let count = batch.len() as f64;
    let wanted = |numbers: Vec<f32>| Tensor::<B, 1>::from_data(TensorData::from(&*numbers), device);
    let entropy = |logits: Tensor<B, 2>, policies: &[f32]| {
        let policies = wanted(policies.to_vec()).reshape(logits.dims());
        (log_softmax(logits, 1) * policies).sum() * (-1.0 / count)
    };
    // The mean squared error of what is known; the rest counts 0.
    let squares = |found: Tensor<B, 2>, numbers: &[f32]| {
        let dims = found.dims();
        let known = wanted(numbers.iter().map(|x| x.is_finite().into()).collect()).reshape(dims);
        let finite = numbers.iter().map(|&x| if x.is_finite() { x } else { 0.0 }).collect();
        let error = (found - wanted(finite).reshape(dims)) * known;
        error.square().sum() / (count * dims[1] as f64)
    };
    let mut losses =
        vec![entropy(policy, batch.policies()), (value - wanted(batch.values().to_vec())).square().mean()];
    if let Some((lead, ownership)) = score {
        // What is not known counts 0.
        let known = |numbers: &[f32]| wanted(numbers.iter().map(|x| x.is_finite().into()).collect());
        let leads = batch.leads().iter();
        let leads = leads.map(|&x| if x.is_finite() { x / Losses::LEAD_SCALE } else { 0.0 }).collect();
        let error = (lead - wanted(leads)).abs() * known(batch.leads());
        // Huber's loss: with s the part of an error up to 1, s^2 / 2 + the rest.
        let small = error.clone().clamp_max(1.0);
        losses.push(((small.clone().square() * 0.5) + (error - small)).sum() / count);
        losses.push(squares(ownership, batch.ownerships()));
        let none = || Tensor::zeros([1], device);
        losses.push(reply.map_or_else(none, |reply| entropy(reply, batch.replies())));
        losses.push(soon.map_or_else(none, |soon| squares(soon, batch.soon())));
    }
    losses
}

/// A matrix with all singular values near 1, see [`Muon`].
fn orthogonal<B: Backend>(matrix: Tensor<B, 2>) -> Tensor<B, 2> {
    let [rows, columns] = matrix.dims();
    if rows > columns {
        return orthogonal(matrix.transpose()).transpose();
    }
    let norm = matrix.clone().square().sum().sqrt() + Muon::LEAST_NORM;
    let mut x = matrix / norm.unsqueeze();
    let [a, b, c] = Muon::FACTORS;
    for _ in 0..Muon::ITERATIONS {
        let square = x.clone().matmul(x.clone().transpose());
        let factor = square.clone() * b + square.clone().matmul(square) * c;
        x = x.clone() * a + factor.matmul(x);
    }
    x
}

/// Whether a tensor of this name is a statistic of batch norm, not learned by descent.
fn is_statistic(name: &str) -> bool {
    name.contains(".running_")
}
