//! The moves of a simulation from some node on.

use crate::{Played, Player};
use alloc::vec::Vec;

/// The different keys of a line's end, each as it was first played there, with the player who did.
#[derive(Clone, Debug)]
pub(crate) struct Suffix {
    /// A bit for each key.
    seen: Vec<u64>,
    /// For each player.
    keys: Vec<Vec<u32>>,
}

impl Suffix {
    /// `equal`: each player has an equal share of the keys.
    pub(crate) fn new(keys: usize, players: usize, equal: bool) -> Suffix {
        let share = if equal { keys.div_ceil(players) } else { keys };
        Suffix {
            seen: alloc::vec![0; keys.div_ceil(64)],
            keys: (0..players).map(|_| Vec::with_capacity(share)).collect(),
        }
    }

    /// Forgets all keys but those of `moves`.
    #[inline]
    pub(crate) fn begin(&mut self, moves: &[Played]) {
        self.seen.fill(0);
        self.keys.iter_mut().for_each(Vec::clear);
        for &played in moves {
            self.insert(played);
        }
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, played: Played) {
        let key = played.key();
        let (word, bit) = (&mut self.seen[key / 64], 1 << (key % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.keys[played.player().index()].push(key as u32);
        }
    }

    pub(crate) fn has(&self, key: usize) -> bool {
        self.seen[key / 64] >> (key % 64) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn for_each(&self, mut f: impl FnMut(Player, &[u32])) {
        for (player, keys) in self.keys.iter().enumerate() {
            f(Player::new(player), keys);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.seen.capacity() * size_of::<u64>()
            + self.keys.capacity() * size_of::<Vec<u32>>()
            + self.keys.iter().map(|keys| keys.capacity() * size_of::<u32>()).sum::<usize>()
    }
}
