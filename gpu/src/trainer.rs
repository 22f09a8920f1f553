//! Training on a device.

use crate::Network;
use crate::network::{Statistics, numbers};
use burn::tensor::activation::log_softmax;
use burn::tensor::backend::AutodiffBackend;
use burn::tensor::{Tensor, TensorData};
use tesuji_net::reference::BATCH_SHARE;
use tesuji_net::{Batch, Losses, Sgd};

/// Trains a network on a device as [`tesuji_net::Trainer`] does on the CPU: the same losses and the
/// same [`Sgd`].
///
/// It begins where such a trainer stands and gives one back, whose files are the way in and out.
#[derive(Clone, Debug)]
pub struct Trainer<B: AutodiffBackend> {
    network: Network<B>,
    velocity: Network<B::InnerBackend>,
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
            sgd: trainer.sgd().clone(),
            value_weight: trainer.value_weight(),
            step: trainer.steps(),
        }
    }

    /// Takes the state back from the device.
    pub fn to_cpu(&self) -> tesuji_net::Trainer {
        let (parameters, velocity) = (self.network.parameters(), self.velocity.parameters());
        tesuji_net::Trainer::resume(parameters, velocity, self.sgd.clone(), self.step)
            .with_value_weight(self.value_weight)
    }

    /// The network as trained so far.
    pub fn network(&self) -> Network<B::InnerBackend> {
        self.network.inner()
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Takes a step. Gives the losses before it, of policy and value, with the batch's own
    /// statistics in batch norm; they stay on the device, so that nobody waits for the step until
    /// they are read with [`Trainer::losses`].
    ///
    /// # Panics
    /// If the batch is empty or for another network.
    pub fn step(&mut self, batch: &Batch) -> Tensor<B::InnerBackend, 1> {
        assert_eq!(batch.shape(), self.network.shape(), "the batch is for another network");
        assert!(!batch.is_empty(), "the batch is empty");
        let mut statistics = Statistics::Batch(Default::default());
        let (logits, values) = self.network.forward(batch.planes(), &mut statistics);
        let device = self.network.device();
        let policies = TensorData::new(batch.policies().to_vec(), logits.dims());
        let policies = Tensor::from_data(policies, &device);
        let wanted = Tensor::from_data(TensorData::from(batch.values()), &device);
        let policy = (log_softmax(logits, 1) * policies).sum() * (-1.0 / batch.len() as f64);
        let value = (values - wanted).square().mean();
        let losses = Tensor::cat(vec![policy.clone().inner(), value.clone().inner()], 0);
        let gradients = (policy + value * self.value_weight).backward();

        let Sgd { rate, momentum, decay } = &self.sgd;
        let rate = rate.rate(self.step);
        for (name, tensor) in &mut self.network.tensors {
            if is_statistic(name) {
                continue;
            }
            let gradient = tensor.grad(&gradients).expect("the losses depend on every learned parameter");
            let weight = tensor.clone().inner();
            let velocity = self.velocity.tensors.get_mut(name).expect("it has the network's names");
            *velocity = velocity.clone() * *momentum + gradient + weight.clone() * *decay;
            *tensor = Tensor::from_inner(weight - velocity.clone() * rate).require_grad();
        }
        if let Statistics::Batch(kept) = statistics {
            for (name, of_batch) in kept {
                let running = self.network.tensors.get_mut(&name).expect("it is named as the running one");
                let share = (of_batch.inner() - running.clone().inner()) * BATCH_SHARE;
                *running = Tensor::from_inner(running.clone().inner() + share);
            }
        }
        self.step += 1;
        losses
    }

    /// The losses that a step gave, or the mean of those of some; waits for the device.
    ///
    /// # Panics
    /// If there are none.
    pub fn losses(steps: Vec<Tensor<B::InnerBackend, 1>>) -> Losses {
        let mean = numbers(Tensor::stack::<2>(steps, 0).mean_dim(0));
        Losses { policy: mean[0].into(), value: mean[1].into(), ..Losses::default() }
    }
}

/// Whether a tensor of this name is a statistic of batch norm, not learned by descent.
fn is_statistic(name: &str) -> bool {
    name.contains(".running_")
}
