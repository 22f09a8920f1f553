//! The arithmetic behind everything fast: eight numbers at a time, products of matrices, Winograd's
//! transforms.

mod images;
mod lanes;
mod multiply;
mod norm;
mod pointwise;
mod scatter;
mod tile;
mod transforms;

pub(crate) use images::Images;
pub use lanes::Instructions;
pub(crate) use lanes::{Block, Job, LANES, Lanes, blocks, numbers, numbers_mut, zeros};
pub(crate) use multiply::{Multiply, Place, packed, panels};
pub(crate) use norm::{Mask, Measure, Moments, Normalise, NormaliseBack, Rows, Scale};
pub(crate) use pointwise::{Affine, Gate, Pool, Region, RootMeanSquare, Softmax};
pub(crate) use scatter::Scatter;
pub(crate) use transforms::{
    KernelGradient, KernelOrder, TransformGradient, TransformInput, TransformKernel, TransformOutput,
};
