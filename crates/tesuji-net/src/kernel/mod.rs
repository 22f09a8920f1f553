//! The arithmetic behind everything fast: eight numbers at a time, products of matrices, Winograd's
//! transforms.

mod images;
mod instructions;
mod lanes;
mod multiply;
mod norm;
mod pointwise;
mod scatter;
mod tile;
mod transforms;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use images::Images;
pub use instructions::Instructions;
pub(crate) use instructions::Job;
pub(crate) use lanes::{Block, LANES, Lanes, One, Strip, blocks, numbers, numbers_mut, zeros};
pub(crate) use multiply::{Multiply, Panel, Place, packed, panels};
pub(crate) use norm::{Mask, Measure, Moments, Normalize, NormalizeBack, Rows, Scale};
pub(crate) use pointwise::{Affine, Gate, Pool, Region, RootMeanSquare, Softmax};
pub(crate) use scatter::Scatter;
pub(crate) use transforms::{
    KernelGradient, KernelOrder, TransformGradient, TransformInput, TransformKernel, TransformOutput,
};
