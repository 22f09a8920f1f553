//! What was found of pairs of actions.

use crate::archive::{Archive, ArchiveError};
use alloc::vec::Vec;

/// The mean difference of pairs of actions and the number of its samples, for all pairs or for
/// those that fit into a table.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Pairs {
    /// Each pair, the greater action first: (1, 0), (2, 0), (2, 1), ...
    All(Vec<Pair>),
    /// Sets of [`WAYS`] slots, in one of which a pair can be.
    Some(Vec<Slot>),
}

#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Pair {
    pub(super) mean: f32,
    pub(super) samples: u32,
}

#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Slot {
    /// The number of the pair, from 1 on; 0 for none.
    number: u32,
    pair: Pair,
}

/// The places of a pair.
const WAYS: usize = 8;

impl Pair {
    /// Takes one more sample.
    #[inline]
    fn learn(&mut self, difference: f32) {
        self.samples += 1;
        self.mean += (difference - self.mean) / self.samples as f32;
    }
}

impl Pairs {
    /// The greatest number of actions of which only some pairs can be kept.
    pub(super) const MOST_ACTIONS: usize = 1 << 16;

    /// Whether a limit leaves pairs out. One that would take as many bytes as all pairs does not.
    fn is_limited(actions: usize, most: u32) -> bool {
        // A slot takes 12 bytes and a pair 8.
        let fewer = row(actions) - row(actions) / 3;
        most > 0 && (most as usize) < fewer && Pairs::slots(most) < fewer
    }

    /// The number of slots of a table for this number of pairs.
    fn slots(most: u32) -> usize {
        (most as usize).next_multiple_of(WAYS)
    }

    pub(super) fn bytes(actions: usize, most: u32) -> usize {
        match Pairs::is_limited(actions, most) {
            true => Pairs::slots(most) * size_of::<Slot>(),
            false => row(actions) * size_of::<Pair>(),
        }
    }

    /// Forgets everything; allocates if more is kept than ever before.
    pub(super) fn reset(&mut self, actions: usize, most: u32) {
        if Pairs::is_limited(actions, most) {
            assert!(actions <= Pairs::MOST_ACTIONS, "{actions} actions have too many pairs to number");
            if let Pairs::All(_) = self {
                *self = Pairs::Some(Vec::new());
            }
        } else if let Pairs::Some(_) = self {
            *self = Pairs::All(Vec::new());
        }
        match self {
            Pairs::All(pairs) => refill(pairs, row(actions)),
            Pairs::Some(slots) => refill(slots, Pairs::slots(most)),
        }
    }

    /// What is known of a pair, `a` the greater.
    #[inline]
    pub(super) fn get(&self, a: usize, b: usize) -> Pair {
        match self {
            Pairs::All(pairs) => pairs[row(a) + b],
            Pairs::Some(slots) => {
                let (number, set) = place(a, b, slots.len());
                let slot = slots[set..set + WAYS].iter().find(|slot| slot.number == number);
                slot.map_or_else(Pair::default, |slot| slot.pair)
            }
        }
    }

    /// The sum of the differences of `a` to others.
    pub(super) fn sum(&self, a: usize, others: &[u32]) -> f32 {
        let others = others.iter().map(|&other| other as usize);
        match self {
            Pairs::All(pairs) => {
                let own = row(a);
                let against = |b: usize| if b < a { pairs[own + b].mean } else { -pairs[row(b) + a].mean };
                others.map(against).sum()
            }
            Pairs::Some(_) => {
                let against = |b: usize| if b < a { self.get(a, b).mean } else { -self.get(b, a).mean };
                others.map(against).sum()
            }
        }
    }

    /// Takes one more sample of a pair, `a` the greater. Gives its mean before and after.
    #[inline(always)]
    pub(super) fn learn(&mut self, a: usize, b: usize, difference: f32) -> (f32, f32) {
        let pair = match self {
            Pairs::All(pairs) => &mut pairs[row(a) + b],
            Pairs::Some(slots) => enter(slots, a, b),
        };
        let before = pair.mean;
        pair.learn(difference);
        (before, pair.mean)
    }

    pub(super) fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        let len = match self {
            Pairs::All(pairs) => pairs.len(),
            Pairs::Some(slots) => slots.len(),
        };
        archive.expect(len as u64, "pairs of moves")?;
        let pair = |pair: &mut Pair, archive: &mut Archive<'_>| {
            archive.number(&mut pair.mean)?;
            archive.number(&mut pair.samples)?;
            archive.check((-2.0..=2.0).contains(&pair.mean), "differences")
        };
        match self {
            Pairs::All(pairs) => pairs.iter_mut().try_for_each(|own| pair(own, archive)),
            Pairs::Some(slots) => slots.iter_mut().try_for_each(|slot| {
                archive.number(&mut slot.number)?;
                pair(&mut slot.pair, archive)
            }),
        }
    }
}

impl Default for Pairs {
    fn default() -> Pairs {
        Pairs::All(Vec::new())
    }
}

/// Makes a list of `len` fresh items, without room for more.
fn refill<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
    list.clear();
    list.reserve_exact(len);
    list.resize(len, T::default());
}

/// The slot of a pair. A pair without one takes that of the pair in its set with the fewest
/// samples.
#[inline(never)]
fn enter(slots: &mut [Slot], a: usize, b: usize) -> &mut Pair {
    let (number, set) = place(a, b, slots.len());
    let set = &mut slots[set..set + WAYS];
    let own = set.iter().position(|slot| slot.number == number).unwrap_or_else(|| {
        let least = (0..WAYS).min_by_key(|&i| set[i].pair.samples).unwrap_or(0);
        set[least] = Slot { number, pair: Pair::default() };
        least
    });
    &mut set[own].pair
}

/// The number of a pair, and where its set begins.
#[inline]
fn place(a: usize, b: usize, slots: usize) -> (u32, usize) {
    let number = (row(a) + b) as u32 + 1;
    let mixed = u64::from(number.wrapping_mul(0x9e37_79b1));
    (number, ((mixed * (slots / WAYS) as u64) >> 32) as usize * WAYS)
}

/// Where the pairs begin whose greater number is `a`.
#[inline]
fn row(a: usize) -> usize {
    (a * a - a) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_never_takes_more_memory_than_none() {
        for (actions, most) in [(100, 4900), (100, 3296), (100, 3297), (3, 1), (9, u32::MAX)] {
            assert!(Pairs::bytes(actions, most) <= Pairs::bytes(actions, 0), "{actions}, {most}");
        }
        assert_eq!(Pairs::bytes(100, 3296), 3296 * size_of::<Slot>());
    }
}
