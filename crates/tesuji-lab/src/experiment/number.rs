//! Numbers that keys of files have by default, for serde.

/// N.
pub(crate) fn count<const N: u64>() -> u64 {
    N
}

/// N, where a smaller number is kept.
pub(crate) fn small<const N: u32>() -> u32 {
    N
}
