//! To be filled.

pub mod sgf;
