//! KataGo's network files, `.bin.gz` and `.txt.gz`, of model versions 8 to 17 (the repository
//! `lightvector/KataGo`, `cpp/neuralnet/desc.cpp`).
//!
//! A file is a sequence of words separated by blanks. The numbers of a layer are words, too, or
//! little-endian 32-bit floats after `@BIN@`.

mod blocks;
mod heads;
mod layers;
mod model;
mod words;

pub use model::{KataGoError, is_katago};
