//! One table, to be read.

use super::entry::{Amaf, Entry};
use crate::rng::Rng;
use crate::untried::TRIED;

/// Does the same with each kind of table.
macro_rules! each_kind {
    ($table:expr, $entries:ident => $body:expr) => {
        match $table {
            Table::Wide($entries) => $body,
            Table::Narrow($entries) => $body,
            Table::Byte($entries) => $body,
        }
    };
}
pub(crate) use each_kind;

/// The entries of one table, or of the keys of one player.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Table<'a> {
    Wide(&'a [u64]),
    Narrow(&'a [u32]),
    Byte(&'a [u16]),
}

impl<'a> From<&'a [u64]> for Table<'a> {
    #[inline(always)]
    fn from(entries: &'a [u64]) -> Table<'a> {
        Table::Wide(entries)
    }
}

impl<'a> From<&'a [u32]> for Table<'a> {
    #[inline(always)]
    fn from(entries: &'a [u32]) -> Table<'a> {
        Table::Narrow(entries)
    }
}

impl<'a> From<&'a [u16]> for Table<'a> {
    #[inline(always)]
    fn from(entries: &'a [u16]) -> Table<'a> {
        Table::Byte(entries)
    }
}

impl Table<'_> {
    #[inline(always)]
    pub(crate) fn read(&self, cell: usize) -> Amaf {
        each_kind!(self, entries => entries[cell].read())
    }

    /// What `find` finds by the cell with the highest mean among those that have no mark, if its
    /// mean is at least `bar`. One never seen comes before all others; ties are broken at random.
    /// `open` gives the cells among which there is anything to find, 64 at a time. Behind the marks
    /// of all cells there are seven more; all are used up.
    #[inline]
    pub(crate) fn best<T>(
        &self,
        bar: f32,
        rng: &mut Rng,
        marks: &mut [u8],
        open: impl FnMut(usize) -> u64,
        find: impl FnMut(usize) -> Option<T>,
    ) -> Option<(T, Amaf)> {
        let (cells, bar) = (marks.len() - 7, bar.clamp(0.0, 2.0));
        each_kind!(self, entries => best(&entries[..cells], bar, rng, marks, open, find))
    }

    /// Calls `hit` with the cells that have no mark and whose mean reaches the bar, less the advice
    /// on them times what a unit of it is worth up or down; or that were never seen. The marks are
    /// used up. Where many are left, those that are not `open` are left out.
    pub(crate) fn reaching(
        &self,
        advice: &[i8],
        (bar, (up, down)): (f32, (f32, f32)),
        marks: &mut [u8],
        mut open: impl FnMut(usize) -> u64,
        mut hit: impl FnMut(usize, Amaf),
    ) {
        // For rounding.
        let bar = bar.clamp(-1e6, 1e6) - 1e-4;
        each_kind!(self, entries => {
            let entries = &entries[..advice.len()];
            for ((mark, entry), &advice) in marks.iter_mut().zip(entries).zip(advice) {
                let advice = f32::from(advice);
                let bar = bar - (up * advice.max(0.0) + down * advice.min(0.0));
                *mark = u8::from(entry.reaches(bar)) & (*mark ^ TRIED);
            }
            for (first, &eight) in (0..).step_by(8).zip(marks[..entries.len() + 7].as_chunks().0) {
                let mut hits = u64::from_le_bytes(eight);
                let is_open = if is_few(hits) { u64::MAX } else { open(first / 64) >> (first % 64) };
                while hits != 0 {
                    let i = hits.trailing_zeros() as usize / 8;
                    hits &= hits - 1;
                    if is_open >> i & 1 != 0 {
                        hit(first + i, entries[first + i].read());
                    }
                }
            }
        });
    }
}

/// The cell of the highest mean, where one never seen comes before all others, and ties are broken
/// at random, one after the other. None if there are no cells.
#[inline(always)]
pub(crate) fn best_of_cells<E: Entry>(
    entries: &[E],
    cells: impl Iterator<Item = usize>,
    rng: &mut Rng,
) -> Option<(usize, Amaf)> {
    let (mut best, mut highest, mut ties) = (usize::MAX, f32::NEG_INFINITY, 0);
    for cell in cells {
        let amaf = entries[cell].read();
        let rank = if amaf.count == 0 { f32::INFINITY } else { amaf.mean() };
        if rank > highest {
            (best, highest, ties) = (cell, rank, 1);
        } else if rank == highest {
            ties += 1;
            if wins_tie(ties, rng) {
                best = cell;
            }
        }
    }
    entries.get(best).map(|entry| (best, entry.read()))
}

/// Whether the last of N equals wins.
#[inline(never)]
fn wins_tie(ties: u32, rng: &mut Rng) -> bool {
    rng.below(ties) == 0
}

/// Whether few of eight cells are marked, so that looking at them one by one is cheaper than asking
/// first which are open.
#[inline(always)]
fn is_few(marks: u64) -> bool {
    marks.wrapping_mul(0x0101_0101_0101_0101) >> 56 <= 3
}

/// [`Table::best`] for one kind of entry.
#[inline(always)]
fn best<E: Entry, T>(
    entries: &[E],
    bar: f32,
    rng: &mut Rng,
    marks: &mut [u8],
    mut open: impl FnMut(usize) -> u64,
    mut find: impl FnMut(usize) -> Option<T>,
) -> Option<(T, Amaf)> {
    // The marks go over to those that are not tried and whose mean is not below the bar, or that
    // are empty. Without branches, so that several are compared at once.
    for (mark, entry) in marks.iter_mut().zip(entries) {
        *mark = u8::from(entry.reaches(bar)) & (*mark ^ TRIED);
    }
    let (mut best, mut ties) = (None, 0);
    // The highest mean so far is sum / count; that of a key never seen is 1 / 0, infinite.
    let (mut sum, mut count) = (0, 1);
    let eights = marks[..entries.len() + 7].as_chunks().0;
    for (first, &eight) in (0..).step_by(8).zip(eights) {
        let mut hits = u64::from_le_bytes(eight);
        if hits == 0 {
            continue;
        }
        let open = if is_few(hits) { u64::MAX } else { open(first / 64) >> (first % 64) };
        while hits != 0 {
            let i = hits.trailing_zeros() as usize / 8;
            hits &= hits - 1;
            if open >> i & 1 == 0 {
                continue;
            }
            let entry = entries[first + i];
            let (n, s) = entry.parts();
            let s = s + u64::from(n == 0);
            if s * count < sum * n {
                continue;
            }
            let Some(m) = find(first + i) else { continue };
            ties = if s * count > sum * n { 1 } else { ties + 1 };
            if ties == 1 || rng.below(ties) == 0 {
                (sum, count) = (s, n);
                best = Some((m, entry.read()));
            }
        }
    }
    best
}
