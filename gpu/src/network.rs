//! The network on a device.

use burn::tensor::activation::relu;
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::module::conv2d;
use burn::tensor::ops::ConvOptions;
use burn::tensor::{Tensor, TensorData};
use std::collections::BTreeMap;
use tesuji_net::reference::EPSILON;
use tesuji_net::{Parameters, Shape};

/// A network of `tesuji-net` on a device, by the names of its tensors.
///
/// burn's own batch norm is of no use here: its running variance is the biased one, that of
/// `tesuji-net`'s files is not.
#[derive(Clone, Debug)]
pub struct Network<B: Backend> {
    shape: Shape,
    /// Each flat, as the file has it; a layer gives it its dimensions.
    pub(crate) tensors: BTreeMap<String, Tensor<B, 1>>,
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

    /// The policy's logits and the values of `planes`, a batch of inputs, with the running
    /// statistics.
    ///
    /// # Panics
    /// If `planes` is not a multiple of [`Shape::inputs`].
    pub fn evaluate(&self, planes: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let (logits, values) = self.forward(planes, &mut Statistics::Running);
        (numbers(logits), numbers(values))
    }

    /// The policy's logits, `[position, move]`, and the values.
    pub(crate) fn forward(
        &self,
        planes: &[f32],
        statistics: &mut Statistics<B>,
    ) -> (Tensor<B, 2>, Tensor<B, 1>) {
        let Shape { board, planes: channels, .. } = self.shape;
        assert_eq!(planes.len() % self.shape.inputs(), 0, "the planes are for another network");
        let batch = planes.len() / self.shape.inputs();
        let x = TensorData::new(planes.to_vec(), [batch, channels, board, board]);
        let x = Tensor::from_data(x, &self.device());

        let mut x = relu(self.convolution("trunk", "", x, statistics));
        for block in 0..self.shape.blocks {
            let name = format!("blocks.{block}");
            let inner = relu(self.convolution(&name, "1", x.clone(), statistics));
            x = relu(self.convolution(&name, "2", inner, statistics) + x);
        }
        let policy = relu(self.convolution("policy", "", x.clone(), statistics));
        let logits = self.linear("policy.fc", policy.flatten(1, 3));
        let value = relu(self.convolution("value", "", x, statistics));
        let hidden = relu(self.linear("value.fc1", value.flatten(1, 3)));
        let value = self.linear("value.fc2", hidden).tanh().reshape([batch]);
        (logits, value)
    }

    /// A convolution with zeros around, and its batch norm.
    fn convolution(
        &self,
        part: &str,
        number: &str,
        x: Tensor<B, 4>,
        statistics: &mut Statistics<B>,
    ) -> Tensor<B, 4> {
        let weight = self.tensor(&format!("{part}.conv{number}.weight"));
        let norm = format!("{part}.bn{number}");
        let [batch, inputs, board, _] = x.dims();
        let [gamma, beta] = ["weight", "bias"].map(|name| self.tensor(&format!("{norm}.{name}")));
        let [outputs] = gamma.dims();
        let side = if weight.dims() == [outputs * inputs * 9] { 3 } else { 1 };
        let weight = weight.reshape([outputs, inputs, side, side]);
        let options = ConvOptions::new([1, 1], [side / 2, side / 2], [1, 1], 1);
        let x = conv2d(x, weight, None, options).reshape([batch, outputs, board * board]);

        let (mean, variance) = match statistics {
            Statistics::Running => {
                let [mean, variance] = ["mean", "var"]
                    .map(|name| self.tensor(&format!("{norm}.running_{name}")).reshape([1, outputs, 1]));
                (mean, variance)
            }
            Statistics::Batch(kept) => {
                let mean = x.clone().mean_dims(&[2, 0]);
                let variance = (x.clone() - mean.clone()).square().mean_dims(&[2, 0]);
                let count = (batch * board * board) as f64;
                let unbiased = variance.clone() * (count / (count - 1.0));
                for (name, statistic) in [("mean", mean.clone()), ("var", unbiased)] {
                    let statistic = statistic.detach().reshape([outputs]);
                    kept.insert(format!("{norm}.running_{name}"), statistic);
                }
                (mean, variance)
            }
        };
        let scale = gamma.reshape([1, outputs, 1]) / (variance + EPSILON).sqrt();
        let y = (x - mean) * scale + beta.reshape([1, outputs, 1]);
        y.reshape([batch, outputs, board, board])
    }

    fn linear(&self, part: &str, x: Tensor<B, 2>) -> Tensor<B, 2> {
        let [weight, bias] = ["weight", "bias"].map(|name| self.tensor(&format!("{part}.{name}")));
        let ([_, inputs], [outputs]) = (x.dims(), bias.dims());
        x.matmul(weight.reshape([outputs, inputs]).transpose()) + bias.reshape([1, outputs])
    }

    fn tensor(&self, name: &str) -> Tensor<B, 1> {
        self.tensors[name].clone()
    }
}

impl<B: AutodiffBackend> Network<B> {
    /// The same without what derivatives need.
    pub(crate) fn inner(&self) -> Network<B::InnerBackend> {
        let tensors = self.tensors.iter().map(|(name, tensor)| (name.clone(), tensor.clone().inner()));
        Network { shape: self.shape, tensors: tensors.collect() }
    }
}

/// The numbers of a tensor; waits for the device.
pub(crate) fn numbers<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().expect("they are of the type asked for")
}
