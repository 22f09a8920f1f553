//! Numbers of keys of files, for serde: defaults and ranges.

use serde::{Deserialize, Deserializer};
use std::num::NonZeroU64;

/// N.
pub(crate) fn count<const N: u64>() -> u64 {
    N
}

/// A number of at least 1.
pub(crate) fn positive<'de, D: Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    NonZeroU64::deserialize(value).map(NonZeroU64::get)
}

/// N, where a smaller number is kept.
pub(crate) fn small<const N: u32>() -> u32 {
    N
}
