//! The cells of ordered lists that are worth a look.

use crate::guide::Look;
use alloc::vec::Vec;

/// For each of several lists of cells, a bit for each place: whether the cell there is worth a look
/// in this playout.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Openings {
    bits: Vec<u64>,
    /// Words of each list.
    words: usize,
    /// Cells of each list.
    len: usize,
}

impl Openings {
    /// Heap bytes for `lists` lists of `len` cells.
    pub(crate) fn bytes(lists: usize, len: usize) -> usize {
        lists * len.div_ceil(64) * size_of::<u64>()
    }

    /// There are `lists` lists of `len` cells.
    pub(crate) fn reset(&mut self, lists: usize, len: usize) {
        (self.words, self.len) = (len.div_ceil(64), len);
        self.bits.clear();
        self.bits.reserve_exact(lists * self.words);
        self.bits.resize(lists * self.words, 0);
    }

    /// Makes all cells worth a look.
    #[inline]
    pub(crate) fn open_all(&mut self) {
        let last = self.len % 64;
        self.bits.fill(u64::MAX);
        if last > 0 {
            self.bits.chunks_mut(self.words).for_each(|bits| bits[bits.len() - 1] = (1 << last) - 1);
        }
    }

    /// Makes the cell at a place of a list worth a look.
    #[inline]
    pub(crate) fn open(&mut self, list: usize, place: usize) {
        if let Some(bits) = self.bits.get_mut(list * self.words + place / 64) {
            *bits |= 1 << (place % 64);
        }
    }

    /// The first cell of a list at which `look` finds something, and what. It is no longer worth a
    /// look, as is what was closed on the way.
    #[inline(always)]
    pub(crate) fn first<T>(
        &mut self,
        list: usize,
        cells: &[u32],
        mut look: impl FnMut(usize) -> Look<T>,
    ) -> Option<T> {
        let bits = self.bits.get_mut(list * self.words..)?.get_mut(..self.words)?;
        for (bits, cells) in bits.iter_mut().zip(cells.chunks(64)) {
            let mut left = *bits;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                match look(*cells.get(bit as usize)? as usize) {
                    Look::Closed => *bits &= !(1 << bit),
                    Look::NotNow => {}
                    Look::Found(found) => {
                        *bits &= !(1 << bit);
                        return Some(found);
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_closed_or_found_stays_so_until_it_is_opened() {
        let mut openings = Openings::default();
        openings.reset(2, 130);
        openings.open_all();
        let cells: Vec<u32> = (0..130).rev().collect();
        let at = |list: usize, openings: &mut Openings, found: &[usize]| {
            openings.first(list, &cells, |cell| match cell {
                cell if found.contains(&cell) => Look::Found(cell),
                5 => Look::NotNow,
                _ => Look::Closed,
            })
        };
        assert_eq!(at(1, &mut openings, &[64, 3]), Some(64));
        assert_eq!(at(1, &mut openings, &[129, 64, 5]), Some(5), "129 was closed, 64 is taken");
        assert_eq!(at(1, &mut openings, &[129, 64]), None);
        openings.open(1, 0);
        assert_eq!(at(1, &mut openings, &[129, 64]), Some(129));
        assert_eq!(at(0, &mut openings, &[129, 64]), Some(129), "another list");
        openings.open_all();
        assert_eq!(at(1, &mut openings, &[64]), Some(64));
    }
}
