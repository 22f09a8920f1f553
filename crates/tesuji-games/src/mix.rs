//! Mixing numbers into hashes.

/// A bijection whose every output bit depends on every input bit: the finalizer of SplitMix64
/// (Steele, Lea and Flood 2014).
#[inline]
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A hash of `numbers` in this order.
pub(crate) fn hash(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |hash, number| mix(hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ mix(number)))
}
