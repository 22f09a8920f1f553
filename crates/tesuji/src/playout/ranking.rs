//! Keys ranked by their mean result.

use crate::Player;
use alloc::vec::Vec;

/// The mean result of each key, and for each player the keys in the order of their means.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Ranking {
    entries: Vec<Entry>,
    means: Vec<f32>,
    /// The keys of the first player, best first, then those of the second, and so on.
    order: Vec<u32>,
    players: usize,
}

#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Entry {
    sum: f32,
    count: f32,
}

/// The mean of a key that was never seen.
const UNSEEN: f32 = 1.0;

impl Ranking {
    pub(crate) const BYTES_PER_KEY: usize = size_of::<Entry>() + size_of::<f32>() + size_of::<u32>();

    /// Forgets everything; there are `keys` keys, in equal blocks for `players` players.
    pub(crate) fn reset(&mut self, keys: usize, players: usize) {
        self.players = players;
        self.entries.clear();
        self.entries.reserve_exact(keys);
        self.entries.resize(keys, Entry::default());
        self.means.clear();
        self.means.reserve_exact(keys);
        self.means.resize(keys, UNSEEN);
        self.order.clear();
        self.order.reserve_exact(keys);
        self.order.extend(0..keys as u32);
    }

    #[inline]
    pub(crate) fn mean(&self, key: usize) -> f32 {
        self.means.get(key).copied().unwrap_or(UNSEEN)
    }

    #[inline]
    pub(crate) fn add(&mut self, key: usize, result: f32) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.sum += result;
            entry.count += 1.0;
            self.means[key] = entry.sum / entry.count;
        }
    }

    /// Multiplies sums and counts by `keep`, and forgets what is then below half a sample.
    pub(crate) fn fade(&mut self, keep: f32) {
        for (entry, mean) in self.entries.iter_mut().zip(&mut self.means) {
            entry.sum *= keep;
            entry.count *= keep;
            if entry.count < 0.5 {
                *entry = Entry::default();
                *mean = UNSEEN;
            }
        }
    }

    /// The keys of a player with their means, best first as of the last [`Ranking::sort`].
    #[inline]
    pub(crate) fn of_player(&self, player: Player, players: usize) -> impl Iterator<Item = (usize, f32)> {
        let block = self.order.len() / players.max(1);
        let keys = self.order.chunks(block.max(1)).nth(player.index()).unwrap_or(&[]);
        keys.iter().map(|&key| (key as usize, self.means[key as usize]))
    }

    /// Puts the keys in order again: insertion sort, as little has changed since the last time.
    pub(crate) fn sort(&mut self) {
        let block = (self.order.len() / self.players.max(1)).max(1);
        for keys in self.order.chunks_mut(block) {
            for i in 1..keys.len() {
                let key = keys[i];
                let mean = self.means[key as usize];
                let mut j = i;
                while j > 0 && self.means[keys[j - 1] as usize] < mean {
                    keys[j] = keys[j - 1];
                    j -= 1;
                }
                keys[j] = key;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_players_keys_are_ranked_by_their_means() {
        let mut ranking = Ranking::default();
        ranking.reset(6, 2);
        for (key, result) in [(0, 0.0), (1, 1.0), (1, 0.0), (3, 0.5), (5, 1.0), (5, 0.5)] {
            ranking.add(key, result);
        }
        ranking.sort();
        let of = |player| -> Vec<_> { ranking.of_player(player, 2).collect() };
        assert_eq!(of(Player::FIRST), [(2, 1.0), (1, 0.5), (0, 0.0)]);
        assert_eq!(of(Player::SECOND), [(4, 1.0), (5, 0.75), (3, 0.5)]);
    }
}
