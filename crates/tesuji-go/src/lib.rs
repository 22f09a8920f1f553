//! To be filled.

pub mod gtp;
pub mod sgf;
