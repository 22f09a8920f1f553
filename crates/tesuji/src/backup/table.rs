//! Functions of a number of visits, tabulated.

use alloc::vec::Vec;

/// Values are stored for every number of visits up to this one, ...
pub(super) const EACH: u32 = 1 << EACH_BITS;
const EACH_BITS: u32 = 10;
/// ... and beyond it at this number of places, spaced evenly, between each power of two and the
/// next.
const PLACES: u32 = 1 << PLACES_BITS;
const PLACES_BITS: u32 = 6;
/// The most visits that a table reaches to, and whose weights are asked for.
pub(super) const REACH: u32 = 1 << 20;

/// A function of a number of visits: exact up to 1024, interpolated beyond.
#[derive(Clone, Default, Debug)]
pub(crate) struct LookupTable {
    values: Vec<f64>,
    /// The last place.
    end: u32,
}

impl LookupTable {
    /// Tabulates a function from 0 to `reach` or a little further, or to 2^20 if that is less; it
    /// is asked in rising order.
    pub(crate) fn new(reach: u32, mut f: impl FnMut(u32) -> f64) -> LookupTable {
        let mut end = 0;
        while end < reach.clamp(2, REACH) {
            end += gap(end);
        }
        let mut values = Vec::with_capacity(place(end) + 1);
        let mut n = 0;
        while n <= end {
            values.push(f(n));
            n += gap(n);
        }
        LookupTable { values, end }
    }

    /// The last number of visits that has a value; 0 in an empty table.
    #[inline]
    pub(crate) fn end(&self) -> u32 {
        self.end
    }

    /// The function at n, where it is exact.
    #[inline]
    pub(crate) fn exact(&self, n: u32) -> Option<f64> {
        if n < EACH { self.values.get(n as usize).copied() } else { None }
    }

    /// The function at n, which is not beyond the end.
    #[inline(never)]
    pub(crate) fn at(&self, n: u32) -> f64 {
        let (i, gap) = (place(n), gap(n));
        let part = f64::from(n & (gap - 1)) / f64::from(gap);
        let value = self.values[i];
        if part == 0.0 { value } else { value + (self.values[i + 1] - value) * part }
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<f64>()
    }
}

/// How far it is from the place at or before n to the next one.
fn gap(n: u32) -> u32 {
    if n < EACH { 1 } else { 1 << (n.ilog2() - PLACES_BITS) }
}

/// The number of the place at or before n.
fn place(n: u32) -> usize {
    if n < EACH {
        return n as usize;
    }
    let octave = n.ilog2();
    (EACH + (octave - EACH_BITS) * PLACES + (n >> (octave - PLACES_BITS)) - PLACES) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_exact_everywhere() {
        let table = LookupTable::new(100_000, |n| 3.0 * f64::from(n));
        for n in (0..2100).chain([4095, 4096, 4097, 65_535, 65_536, 99_999, table.end()]) {
            assert_eq!(table.at(n), 3.0 * f64::from(n));
            assert_eq!(table.exact(n), (n < EACH).then_some(3.0 * f64::from(n)));
        }
        assert_eq!(table.values.len(), table.values.capacity());
        assert!(table.end() >= 100_000 && table.values.len() < 1500);
    }
}
