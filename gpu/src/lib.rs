//! Training of `tesuji-net`'s policy-value networks on the devices of [burn](https://burn.dev): a
//! GPU by CUDA with the feature `cuda`, or the CPU.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`train()`] | a training by a file of `tesuji train`: games, labels of a teacher, steps |
//! | [`Network`] | a network on a device, as it is trained |
//! | [`Trainer`] | gradient descent on a device, from a [`tesuji_net::Trainer`] and back to one |
//! | [`Draw`], [`Batches`] | batches of a window, made ahead of the device |
//! | [`GraphNetwork`] | a network of any board size on a device, ours or KataGo's |
//! | [`SharedDevice`] | evaluates what many threads ask for, together |
//! | [`Play`] | games of self-play on many threads, and their labels |
//!
//! Everything else is `tesuji-net`'s and `tesuji-train`'s: parameters, files, searches, batches,
//! losses, windows and measures; the file is `tesuji-lab`'s.

mod batches;
mod course;
mod graph;
mod network;
mod self_play;
mod shared;
mod trainer;

pub use batches::{Batches, Draw};
pub use course::{Resources, train};
pub use graph::{GraphNetwork, Unsupported};
pub use network::Network;
pub use self_play::{Play, PlayError};
pub use shared::SharedDevice;
pub use trainer::Trainer;
