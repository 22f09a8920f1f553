//! Tables of one kind of entry.

use super::entry::{AmafCounts, Entry};
use crate::archive::{Archive, ArchiveError};
use crate::game::Played;
use crate::outcome::Outcome;
use crate::player::Player;
use crate::rng::Rng;
use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ops::Range;

/// Tables one after the other.
#[derive(Debug)]
pub(crate) struct EntryPool<E> {
    /// Those of a table have values from its first [wiping](EntryPool::wipe) on.
    entries: Vec<UnsafeCell<MaybeUninit<E>>>,
    keys: usize,
}

// SAFETY: whoever reads or writes entries holds their table
// ([`Tables::hold`](super::Tables::hold)), unless no other thread has the tree.
unsafe impl<E: Send> Sync for EntryPool<E> {}

impl<E: Entry> Clone for EntryPool<E> {
    fn clone(&self) -> EntryPool<E> {
        let mut entries = Vec::with_capacity(self.entries.capacity());
        // SAFETY: nobody else writes to a pool that is cloned, and an entry may be copied before it
        // has a value.
        entries.extend(self.entries.iter().map(|entry| UnsafeCell::new(unsafe { *entry.get() })));
        EntryPool { entries, keys: self.keys }
    }
}

/// What a table learns next.
///
/// A sample is one more table. Learning adds it as a whole, a plain loop over numbers side by side,
/// several at once; or where few moves were played, by a list of their keys. Neighbouring nodes of
/// a path differ by one move only.
#[derive(Clone, Debug)]
pub(crate) struct Sample<E> {
    entries: Vec<E>,
    /// Room for keys.
    listed: Vec<u16>,
    /// The entry of a move of each player.
    results: Vec<E>,
    /// For results that an entry cannot hold.
    rng: Rng,
    /// The tables that its thread took and did not use yet.
    pub(super) own: Range<u32>,
}

impl<E: Entry> Sample<E> {
    /// Of no results yet, with room for a list of keys in `bytes` bytes.
    fn new(keys: usize, players: usize, bytes: usize) -> Sample<E> {
        let list = |len| alloc::vec![E::default(); len];
        Sample {
            entries: list(keys),
            listed: alloc::vec![0; bytes / size_of::<u16>()],
            results: list(players),
            rng: Rng::new(0),
            own: 0..0,
        }
    }

    /// Begins a sample without moves: the outcome, or the mean of `count` outcomes. At most `moves`
    /// moves will follow. Tells the tables that its thread took, too.
    #[inline]
    pub(super) fn begin<O: Outcome>(
        &mut self,
        count: u32,
        outcome: &O,
        moves: usize,
    ) -> (Counted<'_, E>, &mut Range<u32>) {
        self.entries.fill(E::default());
        for (player, result) in self.results.iter_mut().enumerate() {
            let value = outcome.of(Player::new(player));
            let value = if E::HALVES && count == 1 { to_half(value, &mut self.rng) } else { value };
            *result = E::of(count, value);
        }
        let Sample { entries, listed, results, own, .. } = self;
        let lists = moves < listed.len() && entries.len() <= 1 << u16::BITS;
        let listed = if lists { listed.as_mut_slice() } else { &mut [] };
        (Counted { entries, listed, len: 0, results }, own)
    }

    /// The list apart.
    fn bytes(&self) -> usize {
        (self.entries.capacity() + self.results.capacity()) * size_of::<E>()
    }
}

/// The moves that are counted into a [`Sample`].
pub(crate) struct Counted<'a, E> {
    entries: &'a mut [E],
    /// The keys that have an entry come first, if they are listed: where the moves are fewer than
    /// there is room for.
    listed: &'a mut [u16],
    len: usize,
    results: &'a [E],
}

impl<E: Entry> Counted<'_, E> {
    /// Counts these moves into the sample; one of several with the same key.
    #[inline]
    pub(crate) fn count(&mut self, moves: &[Played]) {
        moves.iter().for_each(|&played| self.count_one(played));
    }

    /// Counts this move into the sample, in the place of any with the same key.
    #[inline(always)]
    pub(crate) fn count_one(&mut self, played: Played) {
        if let Some(entry) = self.entries.get_mut(played.key())
            && let Some(&result) = self.results.get(played.player().index())
        {
            if let Some(place) = self.listed.get_mut(self.len) {
                *place = played.key() as u16;
                self.len += usize::from(entry.parts().0 == 0);
            }
            *entry = result;
        }
    }
}

impl<E: Entry> EntryPool<E> {
    fn new(keys: usize) -> EntryPool<E> {
        EntryPool { entries: Vec::new(), keys }
    }

    /// The table that begins at `at` and was wiped, to be read by whoever holds it.
    #[inline(always)]
    pub(crate) fn table(&self, at: usize) -> &[E] {
        let cells = &self.entries[at..at + self.keys];
        // SAFETY: the cells are as many entries side by side, which have values and which nobody
        // writes while the caller holds the table.
        unsafe { core::slice::from_raw_parts(cells.as_ptr().cast::<E>(), cells.len()) }
    }

    /// The table that begins at `at` and was wiped, to be written by whoever holds it, and has no
    /// other reference to it.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "a thread that holds a table has it for itself")]
    fn table_mut(&self, at: usize) -> &mut [E] {
        let cells = &self.entries[at..at + self.keys];
        // SAFETY: the cells are as many entries side by side, which have values and which nobody
        // else reads or writes while the caller holds the table.
        unsafe {
            core::slice::from_raw_parts_mut(UnsafeCell::raw_get(cells.as_ptr()).cast::<E>(), cells.len())
        }
    }

    /// Adds a sample to the table that begins at `at`.
    #[inline(always)]
    pub(crate) fn learn(&self, at: usize, sample: &Counted<'_, E>) {
        let (table, more) = (self.table_mut(at), &*sample.entries);
        assert!(more.len() == table.len(), "a sample has the keys of its table");
        if !sample.listed.is_empty() {
            for &key in &sample.listed[..sample.len] {
                // SAFETY: a key is listed when `more` has an entry of it, and `table` is as long.
                unsafe {
                    let entry = table.get_unchecked_mut(key as usize);
                    *entry = entry.plus(*more.get_unchecked(key as usize));
                }
            }
        } else {
            for (entry, &more) in table.iter_mut().zip(more) {
                *entry = entry.plus(more);
            }
        }
    }

    /// Adds to the table at `to` a sample, and for the keys that it lacks `f` of the entries of
    /// another table, at `from`.
    pub(crate) fn merge(&self, to: usize, from: usize, sample: &Counted<'_, E>, f: impl Fn(E) -> E) {
        for ((entry, &more), &other) in
            self.table_mut(to).iter_mut().zip(&*sample.entries).zip(self.table(from))
        {
            *entry = entry.plus(if more.parts().0 == 0 { f(other) } else { more });
        }
    }

    /// The table that begins at `at` and has learned from N samples.
    pub(crate) fn archive(
        &mut self,
        at: usize,
        samples: u32,
        archive: &mut Archive<'_>,
    ) -> Result<(), ArchiveError> {
        let table = self.table_mut(at);
        archive.numbers(table)?;
        archive.check(table.iter().all(|entry| entry.fits(samples)), "AMAF tables")
    }

    pub(crate) fn halve(&self, at: usize) {
        self.table_mut(at).iter_mut().for_each(|entry| *entry = entry.halved());
    }

    /// Empties the table that begins at `at`. Pieces are short, because `memset` may clear long
    /// ones byte by byte.
    pub(crate) fn wipe(&self, at: usize) {
        for cells in self.entries[at..at + self.keys].chunks(256) {
            // SAFETY: whoever wipes a table has it alone, and the piece lies within it.
            let cells =
                unsafe { core::slice::from_raw_parts_mut(UnsafeCell::raw_get(cells.as_ptr()), cells.len()) };
            cells.fill(MaybeUninit::new(E::default()));
        }
    }

    /// Makes at least `tables` tables, to be wiped before they are used.
    fn extend_to(&mut self, tables: usize) {
        let entries = self.entries.len().max(tables * self.keys);
        self.entries.resize_with(entries, || UnsafeCell::new(MaybeUninit::uninit()));
    }

    fn reserve(&mut self, entries: usize) -> Result<(), TryReserveError> {
        self.entries.try_reserve_exact(entries.saturating_sub(self.entries.len()))
    }

    /// The most results an entry holds.
    #[inline]
    fn most(&self) -> u32 {
        E::MOST
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<E>()
    }
}

/// One of the halves beside a value, which on average is the value; a half itself takes no random
/// number.
#[inline]
fn to_half(value: f32, rng: &mut Rng) -> f32 {
    let below = (2.0 * value) as i32 as f32;
    let rest = 2.0 * value - below;
    if rest == 0.0 { value } else { 0.5 * (below + if rng.unit() < rest { 1.0 } else { 0.0 }) }
}

/// The tables of a tree, by how they store counts.
#[derive(Clone, Debug)]
pub(crate) enum Pools {
    Wide(EntryPool<u64>),
    Narrow(EntryPool<u32>),
    Byte(EntryPool<u16>),
}

/// A sample for tables that store counts in the same way.
#[derive(Clone, Debug)]
pub(crate) enum AnySample {
    Wide(Sample<u64>),
    Narrow(Sample<u32>),
    Byte(Sample<u16>),
}

/// Does the same with each kind of pool.
macro_rules! each {
    ($pools:expr, $name:ident => $body:expr) => {
        match $pools {
            Pools::Wide($name) => $body,
            Pools::Narrow($name) => $body,
            Pools::Byte($name) => $body,
        }
    };
}
pub(crate) use each;

/// Does the same with each kind of pool and a sample of that kind.
macro_rules! each_with {
    ($pools:expr, $any:expr, ($name:ident, $sample:ident) => $body:expr) => {
        match ($pools, $any) {
            (Pools::Wide($name), AnySample::Wide($sample)) => $body,
            (Pools::Narrow($name), AnySample::Narrow($sample)) => $body,
            (Pools::Byte($name), AnySample::Byte($sample)) => $body,
            _ => unreachable!("a search makes its samples for its tables"),
        }
    };
}
pub(crate) use each_with;

impl Pools {
    /// No tables yet.
    pub(crate) fn new(counts: AmafCounts, keys: usize) -> Pools {
        match counts {
            AmafCounts::Wide => Pools::Wide(EntryPool::new(keys)),
            AmafCounts::Narrow => Pools::Narrow(EntryPool::new(keys)),
            AmafCounts::Byte => Pools::Byte(EntryPool::new(keys)),
        }
    }

    /// The most results an entry holds.
    #[inline]
    pub(crate) fn most(&self) -> u32 {
        each!(self, pool => pool.most())
    }

    pub(crate) fn reserve(&mut self, entries: usize) -> Result<(), TryReserveError> {
        each!(self, pool => pool.reserve(entries))
    }

    /// Makes at least `tables` tables, to be wiped before they are used.
    pub(crate) fn extend_to(&mut self, tables: usize) {
        each!(self, pool => pool.extend_to(tables));
    }

    pub(crate) fn bytes(&self) -> usize {
        each!(self, pool => pool.bytes())
    }
}

impl AnySample {
    /// A sample of no moves.
    /// With room for a list of `bytes` bytes.
    pub(crate) fn new(counts: AmafCounts, keys: usize, players: usize, bytes: usize) -> AnySample {
        match counts {
            AmafCounts::Wide => AnySample::Wide(Sample::new(keys, players, bytes)),
            AmafCounts::Narrow => AnySample::Narrow(Sample::new(keys, players, bytes)),
            AmafCounts::Byte => AnySample::Byte(Sample::new(keys, players, bytes)),
        }
    }

    /// Forgets its random numbers and its thread's tables, for a new tree.
    pub(crate) fn begin_tree(&mut self) {
        *self.rng() = Rng::new(0);
        *self.own() = 0..0;
    }

    /// The tables that its thread took and did not use yet.
    pub(super) fn own(&mut self) -> &mut Range<u32> {
        let (AnySample::Wide(Sample { own, .. })
        | AnySample::Narrow(Sample { own, .. })
        | AnySample::Byte(Sample { own, .. })) = self;
        own
    }

    /// Its random numbers.
    pub(crate) fn rng(&mut self) -> &mut Rng {
        let (AnySample::Wide(Sample { rng, .. })
        | AnySample::Narrow(Sample { rng, .. })
        | AnySample::Byte(Sample { rng, .. })) = self;
        rng
    }

    /// Heap bytes held, those of the list apart.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            AnySample::Wide(sample) => sample.bytes(),
            AnySample::Narrow(sample) => sample.bytes(),
            AnySample::Byte(sample) => sample.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scores;

    /// The mean of `n` results for each player, learned one by one.
    fn means<E: Entry>(outcome: [f32; 3], n: u32) -> [f32; 3] {
        let (mut pool, mut sample) = (EntryPool::<E>::new(3), Sample::<E>::new(3, 3, 0));
        pool.extend_to(1);
        pool.wipe(0);
        for _ in 0..n {
            let (mut counted, _) = sample.begin(1, &Scores(outcome), 3);
            counted.count(&[0, 1, 2].map(|player| Played::new(Player::new(player), player)));
            pool.learn(0, &counted);
        }
        [0, 1, 2].map(|key| pool.table(0)[key].read().mean())
    }

    #[test]
    fn results_between_halves_keep_their_mean() {
        for outcome in [[0.74, 0.05, 0.99], [1.0 / 3.0; 3]] {
            for (found, expected) in means::<u32>(outcome, 30_000).into_iter().zip(outcome) {
                assert!((found - expected).abs() < 0.006, "{found}, not {expected}");
            }
            for (found, expected) in means::<u64>(outcome, 100).into_iter().zip(outcome) {
                assert!((found - expected).abs() < 1e-5, "{found}, not {expected}");
            }
        }
        assert_eq!(means::<u32>([1.0, 0.5, 0.0], 1000), [1.0, 0.5, 0.0]);
        assert_eq!(means::<u16>([1.0, 0.5, 0.0], 127), [1.0, 0.5, 0.0]);
    }

    /// Keys of moves are trusted where they are listed.
    #[test]
    #[should_panic(expected = "a sample has the keys of its table")]
    fn a_sample_of_other_keys_is_refused() {
        let (mut pool, mut sample) = (EntryPool::<u32>::new(3), Sample::<u32>::new(5, 2, 64));
        pool.extend_to(1);
        pool.wipe(0);
        let (counted, _) = sample.begin(1, &crate::Value::DRAW, 3);
        pool.learn(0, &counted);
    }

    #[test]
    fn halves_take_no_random_number() {
        let mut rng = Rng::new(1);
        assert_eq!([0.0, 0.5, 1.0].map(|value| to_half(value, &mut rng)), [0.0, 0.5, 1.0]);
        assert_eq!(rng, Rng::new(1));
    }
}
