//! A position as bits, one plane for each class, seen from every place around each point.

use super::{Class, RADIUS};
use crate::Go;
use tesuji::Game;

/// Places around a point in a row, and in a column.
const SPAN: usize = 2 * RADIUS as usize + 1;

/// For each class and each place relative to a point: the points where what is at that place is of that class.
///
/// A point of an `n` x `n` board has the bit RADIUS + (row + RADIUS) (n + RADIUS) + column: so many bits lie between the
/// rows, below and above that no step of [`RADIUS`] leads from one edge to another.
#[derive(Clone, Debug)]
pub(super) struct Planes<const W: usize> {
    /// By class, then rows, then columns.
    shifted: Vec<[u64; W]>,
    size: usize,
}

/// The number of the plane in which a class is at a place.
pub(super) fn plane(class: Class, columns: i8, rows: i8) -> u16 {
    let along = |step: i8| (step + RADIUS) as usize;
    ((class as usize * SPAN + along(rows)) * SPAN + along(columns)) as u16
}

/// The words that a board needs.
pub(super) const fn words(size: usize) -> usize {
    let margin = RADIUS as usize;
    (margin + (size + 2 * margin) * (size + margin)).div_ceil(64)
}

impl<const W: usize> Planes<W> {
    pub(super) fn new(size: usize) -> Planes<W> {
        assert!(words(size) <= W, "a board of size {size} has more bits");
        Planes { shifted: vec![[0; W]; Class::ALL.len() * SPAN * SPAN], size }
    }

    /// The bits from one row to the next.
    fn stride(&self) -> usize {
        self.size + RADIUS as usize
    }

    /// The bit of a point.
    #[inline]
    pub(super) fn bit(&self, column: usize, row: usize) -> usize {
        RADIUS as usize + (row + RADIUS as usize) * self.stride() + column
    }

    /// Reads a position; only the planes in `wanted` can be asked for.
    pub(super) fn read<const STRIDE: usize, const LEN: usize>(
        &mut self,
        go: &Go<STRIDE, LEN>,
        wanted: &[u16],
    ) {
        let mut here = [[0; W]; 5];
        let mover = go.to_move().index() as u8;
        let board = &go.board;
        let mut points = board.points();
        for row in 0..self.size {
            for (bit, v) in (self.bit(0, row)..).zip(points.by_ref().take(self.size)) {
                let stone = board.stone(v);
                let class = if stone > 1 {
                    Class::Empty
                } else if stone == mover {
                    Class::Own
                } else {
                    Class::Enemy
                };
                here[class as usize][bit / 64] |= 1 << (bit % 64);
            }
        }
        let join = |a: [u64; W], b: [u64; W]| std::array::from_fn(|word| a[word] | b[word]);
        let stones = join(here[Class::Own as usize], here[Class::Enemy as usize]);
        let inside: [u64; W] = join(stones, here[Class::Empty as usize]);
        here[Class::Stone as usize] = stones;
        here[Class::Outside as usize] = inside.map(|word| !word);
        let stride = self.stride() as isize;
        for &plane in wanted {
            let (class, place) = (usize::from(plane) / (SPAN * SPAN), usize::from(plane) % (SPAN * SPAN));
            let along = |step: usize| step as isize - RADIUS as isize;
            let offset = along(place / SPAN) * stride + along(place % SPAN);
            self.shifted[usize::from(plane)] = shift(&here[class], offset);
        }
    }

    /// The points where this plane's class is at its place.
    #[inline(always)]
    pub(super) fn get(&self, plane: u16) -> &[u64; W] {
        &self.shifted[usize::from(plane)]
    }
}

/// The bits moved down by `offset`, or up if it is negative.
#[inline]
fn shift<const W: usize>(bits: &[u64; W], offset: isize) -> [u64; W] {
    let (words, rest) = (offset.div_euclid(64), offset.rem_euclid(64) as u32);
    let word = |i: isize| usize::try_from(i).ok().and_then(|i| bits.get(i)).copied().unwrap_or(0);
    std::array::from_fn(|i| {
        let low = i as isize + words;
        if rest == 0 { word(low) } else { word(low) >> rest | word(low + 1) << (64 - rest) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_move_across_words() {
        let bits = [1 << 63 | 5, 1, 1 << 40];
        for offset in -70..=70_isize {
            let moved = shift(&bits, offset);
            for i in 0..192_isize {
                let at = |bits: &[u64; 3], i: isize| {
                    (0..192).contains(&i) && bits[i as usize / 64] >> (i % 64) & 1 == 1
                };
                assert_eq!(at(&moved, i), at(&bits, i + offset), "{offset} {i}");
            }
        }
    }
}
