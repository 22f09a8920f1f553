//! Layers and their weights.

/// A function of one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activation {
    /// x.
    Identity,
    /// max(x, 0).
    Relu,
    /// x tanh(ln(1 + e^x)) (Misra 2019).
    Mish,
    /// x / (1 + e^-x).
    Silu,
}

impl Activation {
    /// Its value at `x`.
    pub fn of(self, x: f32) -> f32 {
        match self {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            // tanh(ln(1 + n)) = n (n + 2) / (n (n + 2) + 2) with n = e^x, which above 20 is 1 in
            // every digit.
            Activation::Mish => {
                let n = x.min(20.0).exp();
                let n = n * (n + 2.0);
                x * (n / (n + 2.0))
            }
            Activation::Silu => x / (1.0 + (-x).exp()),
        }
    }
}

/// A square convolution without a bias, zero outside the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Convolution {
    /// Its name in the file.
    pub name: String,
    /// Rows and columns of the kernel, an odd number.
    pub size: usize,
    /// Channels that it reads.
    pub inputs: usize,
    /// Channels that it writes.
    pub outputs: usize,
    /// `[output, input, y, x]`.
    pub weight: Vec<f32>,
}

/// A linear layer.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear {
    /// Its name in the file.
    pub name: String,
    /// Numbers that it reads.
    pub inputs: usize,
    /// Numbers that it writes.
    pub outputs: usize,
    /// `[output, input]`.
    pub weight: Vec<f32>,
    /// For each output.
    pub bias: Vec<f32>,
}

/// Batch norm with fixed statistics, `x * scale + bias` for each channel, and an activation.
#[derive(Clone, PartialEq, Debug)]
pub struct Norm {
    /// Its name in the file.
    pub name: String,
    /// For each channel.
    pub scale: Vec<f32>,
    /// For each channel.
    pub bias: Vec<f32>,
    /// The activation that follows.
    pub activation: Activation,
}

/// `x * scale / sqrt(mean of x^2 + epsilon)` (Zhang and Sennrich 2019), the mean over the channels
/// of a point.
#[derive(Clone, PartialEq, Debug)]
pub struct RmsNorm {
    /// Its name in the file.
    pub name: String,
    /// Above 0.
    pub epsilon: f32,
    /// For each channel.
    pub scale: Vec<f32>,
}
