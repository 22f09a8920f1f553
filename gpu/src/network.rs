//! The network on a device.

use burn::tensor::activation::relu;
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::module::conv2d;
use burn::tensor::ops::ConvOptions;
use burn::tensor::{Tensor, TensorData};
use std::collections::BTreeMap;
use tesuji_net::reference::EPSILON;
use tesuji_net::{Batch, Parameters, Shape};

/// A network of `tesuji-net` on a device, by the names of its tensors.
///
/// burn's own batch norm is of no use here: its running variance is the biased one, that of
/// `tesuji-net`'s files is not.
#[derive(Clone, Debug)]
pub struct Network<B: Backend> {
    shape: Shape,
    /// Each flat, as the file has it.
    pub(crate) tensors: BTreeMap<String, Tensor<B, 1>>,
    /// The dimensions of each.
    pub(crate) dims: BTreeMap<String, Vec<usize>>,
}

/// The outputs of a network for a batch.
pub(crate) struct Said<B: Backend> {
    /// The policy's logits, `[position, move]`.
    pub(crate) policy: Tensor<B, 2>,
    /// The values.
    pub(crate) value: Tensor<B, 1>,
    /// Of a pooling network: the leads in units of
    /// [`Losses::LEAD_SCALE`](tesuji_net::Losses::LEAD_SCALE) points, and the ownership,
    /// `[position, point]`.
    pub(crate) score: Option<(Tensor<B, 1>, Tensor<B, 2>)>,
    /// The logits of the opponent's reply, if the network has them.
    pub(crate) reply: Option<Tensor<B, 2>>,
    /// The values of the near future, `[position, horizon]`, if it has them.
    pub(crate) soon: Option<Tensor<B, 2>>,
}

/// The statistics by which batch norm goes.
pub(crate) enum Statistics<B: Backend> {
    /// Those that were gathered in training.
    Running,
    /// Those of the batch, which are kept here: means and unbiased variances by the names of the
    /// running ones.
    Batch(BTreeMap<String, Tensor<B, 1>>),
}

impl<B: Backend> Network<B> {
    /// Takes a network to a device.
    pub fn new(parameters: &Parameters, device: &B::Device) -> Network<B> {
        let take = |name: &str| {
            let numbers = parameters.tensor(name).expect("a network has the tensors that it names");
            (name.to_owned(), Tensor::from_data(TensorData::from(numbers), device))
        };
        Network {
            shape: *parameters.shape(),
            tensors: parameters.names().map(|(name, _)| take(name)).collect(),
            dims: parameters.names().map(|(name, dims)| (name.to_owned(), dims.to_vec())).collect(),
        }
    }

    /// Takes it back.
    pub fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::zeroed(self.shape);
        for (name, tensor) in &self.tensors {
            let to = parameters.tensor_mut(name).expect("the names are those of the network");
            to.copy_from_slice(&numbers(tensor.clone()));
        }
        parameters
    }

    /// The measures of the network.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The device that it is on.
    pub fn device(&self) -> B::Device {
        self.tensors["trunk.conv.weight"].device()
    }

    /// The policy's logits and the values of a batch, with the running statistics.
    ///
    /// # Panics
    /// If the batch is for another network.
    pub fn evaluate(&self, batch: &Batch) -> (Vec<f32>, Vec<f32>) {
        let said = self.forward(batch, &mut Statistics::Running);
        (numbers(said.policy), numbers(said.value))
    }

    /// The outputs for a batch.
    pub(crate) fn forward(&self, batch: &Batch, statistics: &mut Statistics<B>) -> Said<B> {
        assert!(batch.is_for(&self.shape), "the batch is for another network");
        let Shape { board, planes, globals, .. } = *batch.shape();
        let x = TensorData::new(batch.planes().to_vec(), [batch.len(), planes, board, board]);
        let x = Tensor::from_data(x, &self.device());
        if !self.shape.pools() {
            return self.forward_board(x, statistics);
        }
        let globals = TensorData::new(batch.globals().to_vec(), [batch.len(), globals]);
        let globals = Tensor::from_data(globals, &self.device());
        self.forward_pooling(x, globals, statistics)
    }

    /// The outputs of a network for one board.
    fn forward_board(&self, x: Tensor<B, 4>, statistics: &mut Statistics<B>) -> Said<B> {
        let batch = x.dims()[0];
        let mut x = relu(self.normed_convolution("trunk", "", x, statistics));
        for block in 0..self.shape.blocks {
            let name = format!("blocks.{block}");
            let inner = relu(self.normed_convolution(&name, "1", x.clone(), statistics));
            x = relu(self.normed_convolution(&name, "2", inner, statistics) + x);
        }
        let policy = relu(self.normed_convolution("policy", "", x.clone(), statistics));
        let policy = self.linear("policy.fc", policy.flatten(1, 3));
        let value = relu(self.normed_convolution("value", "", x, statistics));
        let hidden = relu(self.linear("value.fc1", value.flatten(1, 3)));
        let value = self.linear("value.fc2", hidden).tanh().reshape([batch]);
        Said { policy, value, score: None, reply: None, soon: None }
    }

    /// The outputs of a pooling network.
    fn forward_pooling(
        &self,
        planes: Tensor<B, 4>,
        globals: Tensor<B, 2>,
        statistics: &mut Statistics<B>,
    ) -> Said<B> {
        let batch = planes.dims()[0];
        let add = |x: Tensor<B, 4>, more: Tensor<B, 2>| {
            let [count, channels] = more.dims();
            x + more.reshape([count, channels, 1, 1])
        };
        let mut x = add(self.convolution("trunk.conv", planes), self.matrix("trunk.global", globals));
        for block in 0..self.shape.blocks {
            let name = |part: &str| format!("blocks.{block}.{part}");
            let inner = relu(self.norm(&name("bn1"), x.clone(), statistics));
            let mut y = self.convolution(&name("conv1"), inner.clone());
            if self.tensors.contains_key(&name("pool.conv.weight")) {
                y = add(y, self.pool(&name("pool"), inner, statistics).0);
            }
            let y = relu(self.norm(&name("bn2"), y, statistics));
            x = x + self.convolution(&name("conv2"), y);
        }
        let x = relu(self.norm("trunk.bn", x, statistics));

        let (bias, pooled) = self.pool("policy.pool", x.clone(), statistics);
        let policy = add(self.convolution("policy.conv", x.clone()), bias);
        let policy = relu(self.norm("policy.bn", policy, statistics));
        let logits = |out: &str, pass: &str| {
            let at_points = self.convolution(out, policy.clone()).flatten(1, 3);
            Tensor::cat(vec![at_points, self.linear(pass, pooled.clone())], 1)
        };
        let reply = (self.shape.replies > 0).then(|| logits("reply.out", "reply.pass"));
        let policy = logits("policy.out", "policy.pass");

        let y = relu(self.norm("value.bn", self.convolution("value.conv", x), statistics));
        let hidden = relu(self.linear("value.fc1", value_pool(y.clone())));
        let soon = (self.shape.horizons > 0).then(|| self.linear("soon.fc", hidden.clone()).tanh());
        let last = self.linear("value.fc2", hidden);
        let value = last.clone().slice([0..batch, 0..1]).tanh().reshape([batch]);
        let lead = last.slice([0..batch, 1..2]).reshape([batch]);
        let ownership = self.convolution("ownership.conv", y).tanh().flatten(1, 3);
        Said { policy, value, score: Some((lead, ownership)), reply, soon }
    }

    /// What is added to every point, and what is pooled.
    fn pool(
        &self,
        part: &str,
        x: Tensor<B, 4>,
        statistics: &mut Statistics<B>,
    ) -> (Tensor<B, 2>, Tensor<B, 2>) {
        let y = self.convolution(&format!("{part}.conv"), x);
        let pooled = pool(relu(self.norm(&format!("{part}.bn"), y, statistics)));
        (self.matrix(&format!("{part}.fc"), pooled.clone()), pooled)
    }

    /// A convolution and its batch norm.
    fn normed_convolution(
        &self,
        part: &str,
        number: &str,
        x: Tensor<B, 4>,
        statistics: &mut Statistics<B>,
    ) -> Tensor<B, 4> {
        let x = self.convolution(&format!("{part}.conv{number}"), x);
        self.norm(&format!("{part}.bn{number}"), x, statistics)
    }

    /// A convolution with zeros around.
    fn convolution(&self, name: &str, x: Tensor<B, 4>) -> Tensor<B, 4> {
        let (weight, dims) = self.weight(name);
        let weight = weight.reshape(<[usize; 4]>::try_from(dims).expect("a kernel has four dimensions"));
        let reach = weight.dims()[3] / 2;
        conv2d(x, weight, None, ConvOptions::new([1, 1], [reach, reach], [1, 1], 1))
    }

    /// Batch norm.
    fn norm(&self, norm: &str, x: Tensor<B, 4>, statistics: &mut Statistics<B>) -> Tensor<B, 4> {
        let [batch, channels, board, _] = x.dims();
        let tensor = |name: &str| self.tensor(&format!("{norm}.{name}")).reshape([1, channels, 1]);
        let x = x.reshape([batch, channels, board * board]);
        let (mean, variance) = match statistics {
            Statistics::Running => (tensor("running_mean"), tensor("running_var")),
            Statistics::Batch(kept) => {
                let mean = x.clone().mean_dims(&[2, 0]);
                let variance = (x.clone() - mean.clone()).square().mean_dims(&[2, 0]);
                let count = (batch * board * board) as f64;
                let unbiased = variance.clone() * (count / (count - 1.0));
                for (name, statistic) in [("mean", mean.clone()), ("var", unbiased)] {
                    let statistic = statistic.detach().reshape([channels]);
                    kept.insert(format!("{norm}.running_{name}"), statistic);
                }
                (mean, variance)
            }
        };
        let scale = tensor("weight") / (variance + EPSILON).sqrt();
        let y = (x - mean) * scale + tensor("bias");
        y.reshape([batch, channels, board, board])
    }

    /// A linear layer without a bias.
    fn matrix(&self, part: &str, x: Tensor<B, 2>) -> Tensor<B, 2> {
        let (weight, dims) = self.weight(part);
        let dims = <[usize; 2]>::try_from(dims).expect("a matrix has two dimensions");
        x.matmul(weight.reshape(dims).transpose())
    }

    fn linear(&self, part: &str, x: Tensor<B, 2>) -> Tensor<B, 2> {
        let bias = self.tensor(&format!("{part}.bias"));
        let [outputs] = bias.dims();
        self.matrix(part, x) + bias.reshape([1, outputs])
    }

    /// The weight of a layer and its dimensions.
    fn weight(&self, part: &str) -> (Tensor<B, 1>, Vec<usize>) {
        let name = format!("{part}.weight");
        (self.tensor(&name), self.dims[&name].clone())
    }

    fn tensor(&self, name: &str) -> Tensor<B, 1> {
        self.tensors[name].clone()
    }
}

impl<B: AutodiffBackend> Network<B> {
    /// The same without what derivatives need.
    pub(crate) fn inner(&self) -> Network<B::InnerBackend> {
        let tensors = self.tensors.iter().map(|(name, tensor)| (name.clone(), tensor.clone().inner()));
        Network { shape: self.shape, tensors: tensors.collect(), dims: self.dims.clone() }
    }
}

/// The numbers of a tensor; waits for the device.
pub(crate) fn numbers<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().expect("they are of the type asked for")
}

/// The mean, its first multiple and the maximum of each channel.
pub(crate) fn pool<B: Backend>(x: Tensor<B, 4>) -> Tensor<B, 2> {
    let wide = wide(&x);
    let x = x.flatten::<3>(2, 3);
    let mean = x.clone().mean_dim(2).flatten::<2>(1, 2);
    let most = x.max_dim(2).flatten::<2>(1, 2);
    Tensor::cat(vec![mean.clone(), mean * wide, most], 1)
}

/// The mean of each channel and its two multiples.
pub(crate) fn value_pool<B: Backend>(x: Tensor<B, 4>) -> Tensor<B, 2> {
    let wide = wide(&x);
    let mean = x.flatten::<3>(2, 3).mean_dim(2).flatten::<2>(1, 2);
    Tensor::cat(vec![mean.clone(), mean.clone() * wide, mean * (wide * wide - 0.1)], 1)
}

/// By what means are multiplied, so that the size of the board counts.
fn wide<B: Backend>(x: &Tensor<B, 4>) -> f64 {
    (x.dims()[2] as f64 - 14.0) * 0.1
}
