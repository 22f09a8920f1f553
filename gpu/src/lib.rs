//! Training of `tesuji-net`'s policy-value networks on the devices of [burn](https://burn.dev): a
//! GPU by CUDA with the feature `cuda`, or the CPU.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Network`] | the network on a device |
//! | [`Trainer`] | gradient descent on a device, from a [`tesuji_net::Trainer`] and back to one |
//! | [`Draw`], [`Batches`] | batches of a window, made ahead of the device |
//!
//! Everything else is `tesuji-net`'s and `tesuji-train`'s: parameters, files, batches, losses,
//! windows and measures.

mod batches;
mod network;
mod trainer;

pub use batches::{Batches, Draw};
pub use network::Network;
pub use trainer::Trainer;
