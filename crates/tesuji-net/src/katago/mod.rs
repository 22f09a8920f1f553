//! KataGo's network files, `.bin.gz` and `.txt.gz`, of model versions 8 to 17 (the repository
//! `lightvector/KataGo`, `cpp/neuralnet/desc.cpp`).
//!
//! A file is a sequence of words between blanks; the numbers of a layer stand in it as words, or
//! after `@BIN@` as little-endian 32-bit floats.

mod blocks;
mod heads;
mod layers;
mod model;
mod words;

pub use model::{KataGoError, is_katago};
