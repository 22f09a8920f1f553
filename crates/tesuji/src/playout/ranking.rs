//! Keys ranked by their mean result.

use crate::Player;
use alloc::vec::Vec;

/// The mean result of each key, for each player in the order of the means, best first; and which of the
/// ranked keys are worth a look.
///
/// All that is kept of a key lies at its rank. Without ranking, a key's rank is the key.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Ranking {
    samples: Vec<Sample>,
    means: Vec<f32>,
    /// The cell at each rank: the key less the first key of its player.
    cells: Vec<u16>,
    /// The rank of each key, counted from the first rank of its player. Empty without ranking.
    ranks: Vec<u16>,
    /// For each player a bit for each rank: whether its key is worth a look.
    open: Vec<u64>,
    /// Keys of a player.
    block: usize,
}

#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Sample {
    sum: f32,
    count: f32,
}

/// The mean of a key that was never seen.
const UNSEEN: f32 = 1.0;

/// Most keys of a player that are ranked.
const MOST: usize = 1 << 16;

impl Ranking {
    /// Heap bytes for `keys` keys of `players` players, to be ranked or not.
    pub(crate) fn bytes(keys: usize, players: usize, ranked: bool) -> usize {
        let block = keys / players;
        let ranked = ranked && block <= MOST;
        let rank = if ranked { 2 * size_of::<u16>() } else { 0 };
        let open = if ranked { players * block.div_ceil(64) * size_of::<u64>() } else { 0 };
        keys * (size_of::<Sample>() + size_of::<f32>() + rank) + open
    }

    /// Forgets everything; there are `keys` keys, in equal blocks for `players` players.
    pub(crate) fn reset(&mut self, keys: usize, players: usize, ranked: bool) {
        self.block = keys / players;
        refill(&mut self.samples, keys, |_| Sample::default());
        refill(&mut self.means, keys, |_| UNSEEN);
        let ranks = if ranked && self.block <= MOST { keys } else { 0 };
        refill(&mut self.cells, ranks, |key| (key % self.block) as u16);
        refill(&mut self.ranks, ranks, |key| (key % self.block) as u16);
        let words = ranks / self.block.max(1) * self.words();
        refill(&mut self.open, words, |_| 0);
    }

    /// Whether the keys are ranked.
    #[inline]
    pub(crate) fn is_ranked(&self) -> bool {
        !self.ranks.is_empty()
    }

    /// Words of `open` for a player.
    #[inline]
    fn words(&self) -> usize {
        self.block.div_ceil(64)
    }

    /// The mean of a key.
    pub(crate) fn mean(&self, key: usize) -> f32 {
        let player = key / self.block.max(1);
        self.means.get(self.rank(player, key)).copied().unwrap_or(UNSEEN)
    }

    /// Where a key of this player stands among all.
    #[inline]
    fn rank(&self, player: usize, key: usize) -> usize {
        match self.ranks.get(key) {
            Some(&rank) => player * self.block + usize::from(rank),
            None => key,
        }
    }

    /// Adds a result to a key of this player. [`Ranking::update`] must follow.
    #[inline]
    pub(crate) fn add(&mut self, player: Player, key: usize, result: f32) {
        let rank = self.rank(player.index(), key);
        if let Some(sample) = self.samples.get_mut(rank) {
            sample.sum += result;
            sample.count += 1.0;
        }
    }

    /// Multiplies sums and counts by `keep`, and forgets what is then below half a sample.
    pub(crate) fn fade(&mut self, keep: f32) {
        for sample in &mut self.samples {
            sample.sum *= keep;
            sample.count *= keep;
            if sample.count < 0.5 {
                *sample = Sample::default();
            }
        }
        self.update();
    }

    /// Works out the means and puts the ranks in order again: insertion sort, as little has changed since the
    /// last time.
    pub(crate) fn update(&mut self) {
        for (mean, sample) in self.means.iter_mut().zip(&self.samples) {
            *mean = if sample.count > 0.0 { sample.sum / sample.count } else { UNSEEN };
        }
        if !self.is_ranked() {
            return;
        }
        for first in (0..self.means.len()).step_by(self.block) {
            for i in first + 1..first + self.block {
                if self.means[i - 1] < self.means[i] {
                    self.lift(first, i);
                }
            }
        }
    }

    /// Moves what stands at rank `i` up to its place among the ranks from `first`.
    #[inline(never)]
    fn lift(&mut self, first: usize, mut i: usize) {
        let (mean, sample, cell) = (self.means[i], self.samples[i], self.cells[i]);
        while i > first && self.means[i - 1] < mean {
            self.means[i] = self.means[i - 1];
            self.samples[i] = self.samples[i - 1];
            self.cells[i] = self.cells[i - 1];
            self.ranks[first + usize::from(self.cells[i])] = (i - first) as u16;
            i -= 1;
        }
        (self.means[i], self.samples[i], self.cells[i]) = (mean, sample, cell);
        self.ranks[first + usize::from(cell)] = (i - first) as u16;
    }

    /// Makes all keys worth a look.
    #[inline]
    pub(crate) fn open_all(&mut self) {
        let (words, last) = (self.words(), self.block % 64);
        self.open.fill(u64::MAX);
        if last > 0 {
            self.open.chunks_mut(words).for_each(|open| open[words - 1] = (1 << last) - 1);
        }
    }

    /// Makes the keys of a cell worth a look.
    #[inline]
    pub(crate) fn open_cell(&mut self, cell: usize) {
        let words = self.words();
        for (ranks, open) in self.ranks.chunks(self.block.max(1)).zip(self.open.chunks_mut(words.max(1))) {
            let rank = usize::from(ranks[cell]);
            open[rank / 64] |= 1 << (rank % 64);
        }
    }

    /// Calls `look` with the keys of a player that are worth a look, best first, and their means, until it
    /// says that it has seen enough.
    #[inline(always)]
    pub(crate) fn walk(&mut self, player: Player, mut look: impl FnMut(usize, f32) -> Look) {
        let (words, first) = (self.words(), player.index() * self.block);
        let open = &mut self.open[player.index() * words..][..words];
        let (means, cells) = (&self.means[first..][..self.block], &self.cells[first..][..self.block]);
        for (word, open) in open.iter_mut().enumerate() {
            let mut left = *open;
            while left != 0 {
                let rank = 64 * word + left.trailing_zeros() as usize;
                match look(first + usize::from(cells[rank]), means[rank]) {
                    Look::On => {}
                    Look::Close => *open &= !(1 << (rank % 64)),
                    Look::Stop => return,
                }
                left &= left - 1;
            }
        }
    }
}

/// What to do after a look at a key.
pub(crate) enum Look {
    /// Look at the next one.
    On,
    /// Look at the next one, and no more at this one until its cell is opened.
    Close,
    /// Look no further.
    Stop,
}

/// Makes `list` hold a value for each number below `len`, with no more room than that.
fn refill<T>(list: &mut Vec<T>, len: usize, value: impl FnMut(usize) -> T) {
    list.clear();
    list.reserve_exact(len);
    list.extend((0..len).map(value));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is worth a look.
    fn seen(ranking: &mut Ranking, player: Player) -> Vec<(usize, f32)> {
        let mut seen = Vec::new();
        ranking.walk(player, |key, mean| {
            seen.push((key, mean));
            Look::On
        });
        seen
    }

    #[test]
    fn each_players_keys_are_ranked_by_their_means() {
        let mut ranking = Ranking::default();
        ranking.reset(6, 2, true);
        for (player, key, result) in
            [(0, 0, 0.0), (0, 1, 1.0), (0, 1, 0.0), (1, 3, 0.5), (1, 5, 1.0), (1, 5, 0.5)]
        {
            ranking.add(Player::new(player), key, result);
        }
        ranking.update();
        ranking.open_all();
        assert_eq!(seen(&mut ranking, Player::FIRST), [(2, 1.0), (1, 0.5), (0, 0.0)]);
        assert_eq!(seen(&mut ranking, Player::SECOND), [(4, 1.0), (5, 0.75), (3, 0.5)]);
        assert_eq!([0, 1, 5].map(|key| ranking.mean(key)), [0.0, 0.5, 0.75]);
    }

    #[test]
    fn what_is_closed_stays_so_until_its_cell_is_opened() {
        let mut ranking = Ranking::default();
        ranking.reset(2 * 130, 2, true);
        ranking.open_all();
        let mut looks = 0;
        ranking.walk(Player::SECOND, |key, _| {
            looks += 1;
            if key == 130 + 7 || key == 130 + 128 { Look::Close } else { Look::On }
        });
        assert_eq!(looks, 130);
        let keys = |ranking: &mut Ranking| seen(ranking, Player::SECOND).len();
        assert_eq!((keys(&mut ranking), seen(&mut ranking, Player::FIRST).len()), (128, 130));
        ranking.open_cell(128);
        assert_eq!(keys(&mut ranking), 129);
        ranking.open_all();
        assert_eq!(keys(&mut ranking), 130);
    }

    #[test]
    fn without_ranking_there_are_means_of_any_number_of_keys() {
        let mut ranking = Ranking::default();
        for (keys, ranked) in [(12, false), (2 * MOST + 2, true)] {
            ranking.reset(keys, 2, ranked);
            assert!(!ranking.is_ranked());
            ranking.add(Player::SECOND, keys - 1, 0.25);
            ranking.update();
            assert_eq!((ranking.mean(keys - 1), ranking.mean(0)), (0.25, 1.0));
            assert_eq!(Ranking::bytes(keys, 2, ranked), 12 * keys);
        }
    }
}
