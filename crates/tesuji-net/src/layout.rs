//! Where each tensor of a network lies.

use crate::Shape;
use std::ops::Range;

/// A tensor's name and place in [`Parameters`](crate::Parameters).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    /// `[out, in, y, x]` of a convolution, `[out, in]` of a linear layer, `[channel]` otherwise.
    pub(crate) dims: Vec<usize>,
    /// Whether it is a statistic of batch norm, not learned by descent.
    pub(crate) is_statistic: bool,
    /// In the learned parameters, or in the statistics.
    pub(crate) range: Range<usize>,
}

/// A convolution and its batch norm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Convolution {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// Side of the kernel: 3, or 1.
    pub(crate) side: usize,
    pub(crate) weight: Range<usize>,
    pub(crate) gamma: Range<usize>,
    pub(crate) beta: Range<usize>,
    /// In the statistics, as the next.
    pub(crate) mean: Range<usize>,
    pub(crate) variance: Range<usize>,
}

/// A linear layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Linear {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) weight: Range<usize>,
    pub(crate) bias: Range<usize>,
}

/// The layers of a network with the places of their parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) tensors: Vec<Tensor>,
    pub(crate) learned: usize,
    pub(crate) statistics: usize,
    pub(crate) trunk: Convolution,
    pub(crate) blocks: Vec<[Convolution; 2]>,
    pub(crate) policy: Convolution,
    pub(crate) policy_out: Linear,
    pub(crate) value: Convolution,
    pub(crate) value_hidden: Linear,
    pub(crate) value_out: Linear,
}

impl Layout {
    pub(crate) fn new(shape: &Shape) -> Layout {
        let mut list = List::default();
        let filters = shape.filters;
        let trunk = list.convolution("trunk.conv", "trunk.bn", shape.planes, filters, 3);
        let blocks = (0..shape.blocks)
            .map(|block| {
                [1, 2].map(|i| {
                    let [conv, norm] = ["conv", "bn"].map(|part| format!("blocks.{block}.{part}{i}"));
                    list.convolution(&conv, &norm, filters, filters, 3)
                })
            })
            .collect();
        let policy = list.convolution("policy.conv", "policy.bn", filters, shape.policy_filters, 1);
        let policy_out = list.linear("policy.fc", shape.policy_filters * shape.points(), shape.moves());
        let value = list.convolution("value.conv", "value.bn", filters, shape.value_filters, 1);
        let value_hidden = list.linear("value.fc1", shape.value_filters * shape.points(), shape.value_hidden);
        let value_out = list.linear("value.fc2", shape.value_hidden, 1);
        let List { tensors, learned, statistics } = list;
        Layout {
            tensors,
            learned,
            statistics,
            trunk,
            blocks,
            policy,
            policy_out,
            value,
            value_hidden,
            value_out,
        }
    }

    /// The convolutions, from the input on, the heads' last.
    pub(crate) fn convolutions(&self) -> impl Iterator<Item = &Convolution> {
        let heads = [&self.policy, &self.value];
        std::iter::once(&self.trunk).chain(self.blocks.iter().flatten()).chain(heads)
    }

    /// The linear layers.
    pub(crate) fn linears(&self) -> [&Linear; 3] {
        [&self.policy_out, &self.value_hidden, &self.value_out]
    }
}

/// The tensors so far.
#[derive(Default)]
struct List {
    tensors: Vec<Tensor>,
    learned: usize,
    statistics: usize,
}

impl List {
    fn tensor(&mut self, name: String, dims: &[usize], is_statistic: bool) -> Range<usize> {
        let end = if is_statistic { &mut self.statistics } else { &mut self.learned };
        let range = *end..*end + dims.iter().product::<usize>();
        *end = range.end;
        self.tensors.push(Tensor { name, dims: dims.to_vec(), is_statistic, range: range.clone() });
        range
    }

    fn convolution(
        &mut self,
        conv: &str,
        norm: &str,
        inputs: usize,
        outputs: usize,
        side: usize,
    ) -> Convolution {
        Convolution {
            inputs,
            outputs,
            side,
            weight: self.tensor(format!("{conv}.weight"), &[outputs, inputs, side, side], false),
            gamma: self.tensor(format!("{norm}.weight"), &[outputs], false),
            beta: self.tensor(format!("{norm}.bias"), &[outputs], false),
            mean: self.tensor(format!("{norm}.running_mean"), &[outputs], true),
            variance: self.tensor(format!("{norm}.running_var"), &[outputs], true),
        }
    }

    fn linear(&mut self, name: &str, inputs: usize, outputs: usize) -> Linear {
        Linear {
            inputs,
            outputs,
            weight: self.tensor(format!("{name}.weight"), &[outputs, inputs], false),
            bias: self.tensor(format!("{name}.bias"), &[outputs], false),
        }
    }
}
