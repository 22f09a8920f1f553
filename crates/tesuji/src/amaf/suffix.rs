//! The moves of a simulation from some node on.

use crate::{Played, Player};
use alloc::vec::Vec;

/// The different keys of a line's end, each as it was first played there, with the player who did.
#[derive(Clone, Debug)]
pub(crate) struct Suffix {
    /// A bit for each key.
    seen: Vec<u64>,
    /// A share of the space for each player's keys.
    keys: Vec<u32>,
    share: usize,
    /// How many keys each player has.
    counts: Vec<u32>,
}

impl Suffix {
    /// `equal`: each player has an equal share of the keys.
    pub(crate) fn new(keys: usize, players: usize, equal: bool) -> Suffix {
        let share = 1 + if equal { keys.div_ceil(players) } else { keys };
        Suffix {
            seen: alloc::vec![0; keys.div_ceil(64)],
            keys: alloc::vec![0; share * players],
            share,
            counts: alloc::vec![0; players],
        }
    }

    /// Forgets all keys but those of `moves`.
    #[inline]
    pub(crate) fn begin(&mut self, moves: &[Played]) {
        self.seen.fill(0);
        self.counts.fill(0);
        for &played in moves {
            self.insert(played);
        }
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, played: Played) {
        let (key, player) = (played.key(), played.player().index());
        let (word, bit) = (&mut self.seen[key / 64], 1 << (key % 64));
        let new = *word & bit == 0;
        *word |= bit;
        // Written in any case, and kept if it is new: a share has room for one more than there are keys.
        let count = &mut self.counts[player];
        if let Some(slot) = self.keys.get_mut(player * self.share + *count as usize) {
            *slot = key as u32;
        }
        *count += u32::from(new);
    }

    pub(crate) fn has(&self, key: usize) -> bool {
        self.seen[key / 64] >> (key % 64) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn for_each(&self, mut f: impl FnMut(Player, &[u32])) {
        for (player, &count) in self.counts.iter().enumerate() {
            f(Player::new(player), &self.keys[player * self.share..][..count as usize]);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.seen.capacity() * size_of::<u64>()
            + (self.keys.capacity() + self.counts.capacity()) * size_of::<u32>()
    }
}
