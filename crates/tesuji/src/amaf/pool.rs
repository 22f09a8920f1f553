//! Tables of one kind of entry.

use super::{AmafCounts, Entry};
use crate::{Outcome, Played, Player, Rng};
use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// Tables one after the other, and what they learn next.
///
/// A sample is written down as one more table, and learnt by adding that table as a whole: a plain loop over
/// numbers side by side, several at once, costs less than to look each move's entry up, and neighbouring
/// nodes of a path differ by one move only.
#[derive(Clone, Debug)]
pub(crate) struct Pool<E> {
    entries: Vec<E>,
    sample: Vec<E>,
    /// The entry of a move of each player in the sample.
    results: Vec<E>,
    /// For results that an entry cannot hold.
    rng: Rng,
}

impl<E: Entry> Pool<E> {
    fn new(keys: usize, players: usize) -> Pool<E> {
        let list = |len| alloc::vec![E::default(); len];
        Pool { entries: Vec::new(), sample: list(keys), results: list(players), rng: Rng::new(0) }
    }

    /// Begins a sample: the outcome, or the mean of so many outcomes, of no moves yet.
    #[inline]
    pub(crate) fn begin<O: Outcome>(&mut self, count: u32, outcome: &O) {
        self.sample.fill(E::default());
        for (player, result) in self.results.iter_mut().enumerate() {
            let value = outcome.of(Player::new(player));
            let value = if E::HALVES && count == 1 { to_half(value, &mut self.rng) } else { value };
            *result = E::of(count, value);
        }
    }

    /// Counts these moves into the sample; one of several with the same key.
    #[inline]
    pub(crate) fn count(&mut self, moves: &[Played]) {
        for played in moves {
            if let Some(entry) = self.sample.get_mut(played.key())
                && let Some(&result) = self.results.get(played.player().index())
            {
                *entry = result;
            }
        }
    }

    /// Adds the sample to the table that begins at `at`.
    #[inline]
    pub(crate) fn learn(&mut self, at: usize) {
        let table = &mut self.entries[at..at + self.sample.len()];
        for (entry, &more) in table.iter_mut().zip(&self.sample) {
            *entry = entry.plus(more);
        }
    }

    /// Makes the sample the table that begins at `at`.
    #[inline]
    pub(crate) fn copy(&mut self, at: usize) {
        self.entries[at..at + self.sample.len()].copy_from_slice(&self.sample);
    }

    /// Adds to the table at `to` the sample, and for the keys that it lacks `f` of the entries of the table at
    /// `from`.
    pub(crate) fn merge(&mut self, to: usize, from: usize, f: impl Fn(E) -> E) {
        for (key, &more) in self.sample.iter().enumerate() {
            let more = if more.parts().0 == 0 { f(self.entries[from + key]) } else { more };
            self.entries[to + key] = self.entries[to + key].plus(more);
        }
    }

    pub(crate) fn table(&self, at: usize) -> &[E] {
        &self.entries[at..at + self.sample.len()]
    }

    pub(crate) fn halve(&mut self, at: usize) {
        self.entries[at..at + self.sample.len()].iter_mut().for_each(|entry| *entry = entry.halved());
    }

    pub(crate) fn wipe(&mut self, at: usize) {
        self.entries[at..at + self.sample.len()].fill(E::default());
    }

    /// Forgets all tables.
    fn clear(&mut self) {
        self.entries.clear();
        self.rng = Rng::new(0);
    }

    /// Makes room for one more table.
    pub(crate) fn push(&mut self) {
        self.entries.resize(self.entries.len() + self.sample.len(), E::default());
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
        (self.entries.capacity() + self.sample.capacity() + self.results.capacity()) * size_of::<E>()
    }
}

/// One of the halves beside a value, which on average is the value; a half itself takes no random number.
#[inline]
fn to_half(value: f32, rng: &mut Rng) -> f32 {
    let below = (2.0 * value) as i32 as f32;
    let rest = 2.0 * value - below;
    if rest == 0.0 { value } else { 0.5 * (below + if rng.unit() < rest { 1.0 } else { 0.0 }) }
}

/// The tables of a tree, by how they store counts.
#[derive(Clone, Debug)]
pub(crate) enum Pools {
    Wide(Pool<u64>),
    Narrow(Pool<u32>),
    Byte(Pool<u16>),
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

impl Pools {
    /// No tables yet.
    pub(crate) fn new(counts: AmafCounts, keys: usize, players: usize) -> Pools {
        match counts {
            AmafCounts::Wide => Pools::Wide(Pool::new(keys, players)),
            AmafCounts::Narrow => Pools::Narrow(Pool::new(keys, players)),
            AmafCounts::Byte => Pools::Byte(Pool::new(keys, players)),
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

    pub(crate) fn clear(&mut self) {
        each!(self, pool => pool.clear());
    }

    pub(crate) fn bytes(&self) -> usize {
        each!(self, pool => pool.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scores;

    /// The mean of `n` results for each player, learnt one by one.
    fn means<E: Entry>(outcome: [f32; 3], n: u32) -> [f32; 3] {
        let mut pool = Pool::<E>::new(3, 3);
        pool.push();
        for _ in 0..n {
            pool.begin(1, &Scores(outcome));
            pool.count(&[0, 1, 2].map(|player| Played::new(Player::new(player), player)));
            pool.learn(0);
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

    #[test]
    fn halves_take_no_random_number() {
        let mut rng = Rng::new(1);
        assert_eq!([0.0, 0.5, 1.0].map(|value| to_half(value, &mut rng)), [0.0, 0.5, 1.0]);
        assert_eq!(rng, Rng::new(1));
    }
}
