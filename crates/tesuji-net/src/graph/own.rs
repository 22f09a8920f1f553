//! Pooling networks of this project as graphs.

use super::{
    Activation, Block, Convolution, Graph, LearnedRules, Linear, Norm, PolicyHead, Scales, Tip, ValueHead,
};
use crate::batch::Losses;
use crate::layout;
use crate::layout::{BatchNorm, Kernel, PoolLayers, PoolingBlock, VALUE_OUTPUTS};
use crate::network::scale_and_bias;
use crate::parameters::Parameters;

impl Graph {
    /// The pooling network of these parameters; none if they are those of a network for one board.
    ///
    /// Its value does not include games without a result, and its score is its lead.
    pub fn of(parameters: &Parameters) -> Option<Graph> {
        let layers = parameters.layout.pooling()?;
        let (shape, own) = (parameters.shape(), Own(parameters));
        Some(Graph {
            name: "tesuji".to_owned(),
            planes: shape.planes,
            globals: shape.globals,
            channels: shape.filters,
            first: own.convolution(&layers.first),
            global: own.matrix(&layers.global),
            blocks: layers.blocks.iter().map(|block| own.block(block)).collect(),
            tip: Tip::Norm(own.norm(&layers.tip)),
            policy: PolicyHead {
                spatial: own.convolution(&layers.policy),
                pooled: own.convolution(&layers.policy_pool.kernel),
                pool_norm: own.norm(&layers.policy_pool.norm),
                bias: own.matrix(&layers.policy_pool.bias),
                norm: own.norm(&layers.policy_norm),
                out: own.convolution(&layers.policy_out),
                hidden: None,
                pass: own.linear(&layers.pass),
            },
            value: own.value(layers),
            scales: Scales { score: Losses::LEAD_SCALE, deviation: 1.0, lead: Losses::LEAD_SCALE },
            rules: LearnedRules::TrompTaylor,
        })
    }
}

/// The logit of no result, and the deviation before softplus: both come to 0.
const NEVER: f32 = -100.0;

struct Own<'a>(&'a Parameters);

impl Own<'_> {
    fn numbers(&self, range: &std::ops::Range<usize>) -> Vec<f32> {
        self.0.learned[range.clone()].to_vec()
    }

    fn name(&self, range: &std::ops::Range<usize>) -> String {
        let tensor = self.0.layout.tensors.iter().find(|t| !t.is_statistic && t.range == *range);
        tensor.map_or_else(String::new, |tensor| tensor.name.clone())
    }

    fn convolution(&self, kernel: &Kernel) -> Convolution {
        let Kernel { inputs, outputs, side, ref weight } = *kernel;
        Convolution { name: self.name(weight), size: side, inputs, outputs, weight: self.numbers(weight) }
    }

    fn matrix(&self, kernel: &Kernel) -> Linear {
        let Kernel { inputs, outputs, ref weight, .. } = *kernel;
        let bias = vec![0.0; outputs];
        Linear { name: self.name(weight), inputs, outputs, weight: self.numbers(weight), bias }
    }

    fn linear(&self, layer: &layout::Linear) -> Linear {
        Linear {
            name: self.name(&layer.weight),
            inputs: layer.inputs,
            outputs: layer.outputs,
            weight: self.numbers(&layer.weight),
            bias: self.numbers(&layer.bias),
        }
    }

    fn norm(&self, norm: &BatchNorm) -> Norm {
        let (scale, bias) = scale_and_bias(self.0, norm);
        let scale = scale.into_iter().map(|x| x as f32).collect();
        Norm { name: self.name(&norm.gamma), scale, bias, activation: Activation::Relu }
    }

    fn block(&self, block: &PoolingBlock) -> Block {
        let PoolingBlock { pre, first, pool, mid, second } = block;
        let (pre, mid) = (self.norm(pre), self.norm(mid));
        let [first, second] = [first, second].map(|kernel| self.convolution(kernel));
        match pool {
            None => Block::Residual { pre, first, mid, second },
            Some(PoolLayers { kernel, norm, bias }) => {
                let (pooled, pool_norm) = (self.convolution(kernel), self.norm(norm));
                Block::Pooling { pre, first, pooled, pool_norm, bias: self.matrix(bias), mid, second }
            }
        }
    }

    /// The last layer says t, where the value is tanh t = 2 sigmoid(2 t) - 1, and the lead.
    fn value(&self, layers: &layout::PoolingLayers) -> ValueHead {
        let last = self.linear(&layers.value_out);
        let inputs = last.inputs;
        let [t, lead] = [0, VALUE_OUTPUTS - 1].map(|row| &last.weight[row * inputs..][..inputs]);
        let none = vec![0.0; inputs];
        let win: Vec<f32> = t.iter().map(|w| 2.0 * w).collect();
        let layer = |rows: [&[f32]; 3], bias: [f32; 3]| Linear {
            name: last.name.clone(),
            inputs,
            outputs: 3,
            weight: rows.concat(),
            bias: bias.to_vec(),
        };
        ValueHead {
            spatial: self.convolution(&layers.value),
            norm: self.norm(&layers.value_norm),
            hidden: self.linear(&layers.value_hidden),
            activation: Activation::Relu,
            value: layer([&win, &none, &none], [2.0 * last.bias[0], 0.0, NEVER]),
            score: layer([lead, &none, lead], [last.bias[1], NEVER, last.bias[1]]),
            ownership: self.convolution(&layers.ownership),
        }
    }
}
