//! Fingerprints of 64 bits, the same on every machine.

/// A bijection whose every output bit depends on every input bit: the finalizer of SplitMix64
/// (Steele, Lea and Flood 2014).
#[inline]
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A hash of `numbers` in this order.
#[inline]
pub(crate) fn hash(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |hash, number| mix(hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ mix(number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Component, Heap, Tree};

    #[test]
    fn fingerprints_are_the_same_everywhere() {
        // b5, r5 and b3, twice the weight and 1 for red.
        assert_eq!(hash([10, 11, 6]), 0xedbe_f6d2_7f65_3c5d);
        assert_eq!("b3r5b5".parse::<Heap>().unwrap().game(), 0xedbe_f6d2_7f65_3c5d);
        assert_eq!("{3|-1}".parse::<Tree>().unwrap().game(), 0x47da_88ce_8a2d_412c);
    }
}
