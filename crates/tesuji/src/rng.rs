//! The random numbers of a search.

use rand_core::{Rng as _, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator of every random choice: xoshiro256++ seeded through SplitMix64.
///
/// The same seed gives the same numbers on every machine. It implements `rand_core`'s traits, so the
/// samplers of the `rand` family work on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The seed of part `index` (a thread, a game, an opening) of whatever `seed` rules: well mixed, and
    /// never `seed` itself.
    pub fn derive(seed: u64, index: u64) -> u64 {
        let mut state = Xoshiro256PlusPlus::seed_from_u64(
            seed ^ index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        );
        state.next_u64()
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `n - 1`, each exactly equally likely (Lemire 2019).
    ///
    /// # Panics
    /// In debug builds, if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "no number is below 0");
        let mut product = (self.bits() >> 32) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = (self.bits() >> 32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A number in [0, 1), a multiple of 2^-24.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / 16_777_216.0)
    }
}

impl TryRng for Rng {
    type Error = core::convert::Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.0.try_next_u32()
    }
    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0.try_next_u64()
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.0.try_fill_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_stable() {
        let mut rng = Rng::new(1);
        let first: [u32; 6] = core::array::from_fn(|_| rng.below(100));
        assert_eq!(first, [81, 74, 10, 74, 18, 59]);
    }
}
