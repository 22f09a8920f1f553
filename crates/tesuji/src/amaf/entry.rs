//! One entry of a table: a count and a sum of results in one word.

use crate::archive::Number;

/// The statistics of a move, for the player who makes it, over the simulations that played it after
/// the reference node.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Amaf {
    /// The number of these simulations.
    pub count: u32,
    /// The sum of their results, each in [0, 1].
    pub sum: f32,
}

impl Amaf {
    /// The mean result, or 0 if there was none.
    #[inline]
    pub fn mean(self) -> f32 {
        if self.count > 0 { self.sum / self.count as f32 } else { 0.0 }
    }
}

/// The storage of counts in an AMAF table.
///
/// If results are stored in halves, a result between two halves, such as a network's or a draw
/// among three players, becomes either of them at random. The mean of n results then has additional
/// noise, with a standard deviation of at most 1 / (4 sqrt(n)). If several results arrive as one
/// sum, from a two-level search without sharing, the sum is rounded to the nearest half.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum AmafCounts {
    /// 8 bytes an entry: 24 bits of count, results to within 2^-17.
    #[default]
    Wide,
    /// 4 bytes an entry: 15 bits of count, results in halves (win, draw, loss). When a table has
    /// learned from 32 767 simulations, its counts and sums are halved.
    Narrow,
    /// 2 bytes an entry: 7 bits of count, results in halves; halved after 127 simulations.
    Byte,
}

impl AmafCounts {
    /// Bytes an entry.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            AmafCounts::Wide => size_of::<u64>(),
            AmafCounts::Narrow => size_of::<u32>(),
            AmafCounts::Byte => size_of::<u16>(),
        }
    }
}

/// A count in the low bits and a sum of results in the high ones, so that one addition counts a
/// result.
pub(crate) trait Entry: Number + Default {
    /// The most results that fit.
    const MOST: u32;

    /// Whether results are kept in halves.
    const HALVES: bool;

    /// `count` results of this mean value.
    fn of(count: u32, value: f32) -> Self;

    fn plus(self, other: Self) -> Self;

    /// Whether it may be in a table that has learned from N simulations since counts were halved
    /// last.
    fn fits(self, samples: u32) -> bool {
        let (count, sum) = self.parts();
        let most = Self::of(1, 1.0).parts().1;
        // Each result is rounded by itself.
        count <= samples.into() && sum <= count * (most + 1)
    }

    /// Count and sum, the sum in units of the type's own.
    fn parts(self) -> (u64, u64);

    fn read(self) -> Amaf;

    /// Whether the mean is at least `bar`, or the count 0.
    fn reaches(self, bar: f32) -> bool;

    /// Half of the count, rounded up, with the same mean.
    fn halved(self) -> Self;
}

macro_rules! entry {
    ($word:ty, $signed:ty, $count_bits:expr, $unit:expr, $most:expr) => {
        impl Entry for $word {
            const MOST: u32 = $most;
            const HALVES: bool = $unit == 2.0;

            #[inline]
            fn of(count: u32, value: f32) -> $word {
                let sum = value * count as f32 * $unit + 0.5;
                (sum as $word) << $count_bits | count as $word
            }

            #[inline(always)]
            fn plus(self, other: $word) -> $word {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn parts(self) -> (u64, u64) {
                (u64::from(self & ((1 << $count_bits) - 1)), u64::from(self >> $count_bits))
            }

            #[inline]
            fn read(self) -> Amaf {
                let (count, sum) = self.parts();
                // Signed: the conversion is one instruction.
                Amaf { count: count as u32, sum: sum as i64 as f32 * (1.0 / $unit) }
            }

            #[inline(always)]
            fn reaches(self, bar: f32) -> bool {
                let (count, sum) = (self & ((1 << $count_bits) - 1), self >> $count_bits);
                sum as $signed as f32 >= bar * $unit * count as $signed as f32
            }

            #[inline]
            fn halved(self) -> $word {
                let (count, sum) = self.parts();
                let half = count.div_ceil(2);
                ((sum * half / count.max(1)) as $word) << $count_bits | half as $word
            }
        }
    };
}

entry!(u64, i64, 24, 65_536.0, (1 << 24) - 1);
entry!(u32, i32, 16, 2.0, (1 << 15) - 1);
entry!(u16, i16, 8, 2.0, (1 << 7) - 1);

#[cfg(test)]
mod tests {
    use super::*;

    fn counts<E: Entry>() {
        let mut entry = E::default();
        for value in [1.0, 0.5, 0.0, 1.0] {
            entry = entry.plus(E::of(1, value));
        }
        assert_eq!(entry.read(), Amaf { count: 4, sum: 2.5 });
        assert_eq!(entry.plus(E::of(6, 0.5)).read(), Amaf { count: 10, sum: 5.5 });
        assert_eq!(entry.halved().read().count, 2);
        let mut full = E::default();
        for _ in 0..E::MOST.min(40_000) {
            full = full.plus(E::of(1, 1.0));
        }
        let most = E::MOST.min(40_000);
        assert_eq!(full.read(), Amaf { count: most, sum: most as f32 });
        assert_eq!(full.halved().read().mean(), 1.0);
        for (mean, count) in [(1.0, 1), (0.5, 1), (1.0, 3), (0.0, 7)] {
            let half = E::of(count, mean).halved().read();
            assert_eq!((half.count, half.mean()), (count.div_ceil(2), mean));
        }
        for (mean, bar, reaches) in [(1.0, 1.0, true), (0.5, 0.51, false), (0.5, 0.5, true), (0.0, 0.0, true)]
        {
            assert_eq!(E::of(6, mean).reaches(bar), reaches);
        }
        assert!(E::default().reaches(2.0));
        assert_eq!(E::default().halved().read(), Amaf::default());
    }

    #[test]
    fn every_width_counts_the_same() {
        counts::<u64>();
        counts::<u32>();
        counts::<u16>();
    }
}
