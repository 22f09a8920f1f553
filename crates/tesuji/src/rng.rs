//! The random numbers of a search.

use crate::archive::{Archive, ArchiveError};
use rand_core::TryRng;

/// The generator of every random choice: xoshiro256++ (Blackman & Vigna 2021), seeded through
/// SplitMix64.
///
/// The same seed gives the same numbers on every machine. It implements `rand_core`'s traits, so
/// the samplers of the `rand` family work on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    /// The generator of this seed.
    pub fn new(mut seed: u64) -> Rng {
        Rng(core::array::from_fn(|_| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        }))
    }

    /// The seed of part `index` (a thread, a game, an opening) of something whose seed is `seed`:
    /// well mixed, and never `seed` itself.
    pub fn derive(seed: u64, index: u64) -> u64 {
        Rng::new(seed ^ index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).bits()
    }

    /// Writes its state to a file, or reads it from there.
    ///
    /// # Errors
    /// If what is read is no state of a generator.
    pub fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        archive.numbers(&mut self.0)?;
        // From zeros alone it would not move on.
        archive.check(self.0 != [0; 4], "random numbers")
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        // In place: the compiler would put a new array together in vector registers.
        let state = &mut self.0;
        let bits = state[0].wrapping_add(state[3]).rotate_left(23).wrapping_add(state[0]);
        let shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = state[3].rotate_left(45);
        bits
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
        // The upper bits are the better ones.
        Ok((self.bits() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes
            .chunks_mut(8)
            .for_each(|chunk| chunk.copy_from_slice(&self.bits().to_le_bytes()[..chunk.len()]));
        Ok(())
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
