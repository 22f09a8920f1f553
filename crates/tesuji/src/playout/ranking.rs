//! Keys ranked by their mean result.

use crate::{Look, Player, Rng};
use alloc::vec::Vec;

/// The mean result of each key, and for each player its keys in the order of the means, best first, of which some are
/// worth a look.
///
/// Means and order are worked out anew when as much has been learnt since as could move a mean by [`SHARE`].
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Ranking {
    /// The sum of the results of each key and how many there were.
    samples: Vec<[f32; 2]>,
    means: Vec<f32>,
    /// How many simulations the means are made of, and how many came after.
    learnt: f32,
    fresh: f32,
    /// The cell at each rank: the key less the first key of its player. Each player has a multiple of 64 ranks; behind
    /// those that hold a key comes [`NONE`]. Empty without ranking.
    cells: Vec<u16>,
    /// A bit for each rank: whether its key is worth a look.
    open: Vec<u64>,
    /// The rank of each key.
    ranks: Vec<u16>,
    /// Keys of a player.
    block: usize,
}

/// The mean of a key that was never seen.
const UNSEEN: f32 = 1.0;

/// The means are worked out anew after this share of the simulations that they are made of.
const SHARE: f32 = 1.0 / 512.0;

/// No cell.
const NONE: u16 = u16::MAX;

/// Most ranks there may be.
const MOST: usize = 1 << 16;

/// The ranks of a player who has so many keys.
const fn places(block: usize) -> usize {
    block.next_multiple_of(64)
}

impl Ranking {
    /// Heap bytes for `keys` keys of `players` players, to be ranked or not.
    pub(crate) fn bytes(keys: usize, players: usize, ranked: bool) -> usize {
        let ranks = Self::count_ranks(keys, players, ranked);
        let ranked = if ranks > 0 { keys } else { 0 };
        keys * 3 * size_of::<f32>() + (ranked + ranks) * size_of::<u16>() + ranks / 8
    }

    fn count_ranks(keys: usize, players: usize, ranked: bool) -> usize {
        let ranks = players * places(keys / players);
        if ranked && ranks <= MOST { ranks } else { 0 }
    }

    /// Forgets everything; there are `keys` keys, in equal blocks for `players` players.
    pub(crate) fn reset(&mut self, keys: usize, players: usize, ranked: bool) {
        let block = keys / players;
        let ranks = Self::count_ranks(keys, players, ranked);
        self.block = block;
        (self.learnt, self.fresh) = (0.0, 0.0);
        refill(&mut self.samples, keys, |_| [0.0; 2]);
        refill(&mut self.means, keys, |_| UNSEEN);
        let cell =
            |rank: usize| if rank % places(block) < block { rank % places(block) } else { NONE.into() };
        refill(&mut self.cells, ranks, |rank| cell(rank) as u16);
        refill(&mut self.open, ranks / 64, |_| 0);
        let rank = |key| key / block * places(block) + key % block;
        refill(&mut self.ranks, if ranks > 0 { keys } else { 0 }, |key| rank(key) as u16);
    }

    /// Whether the keys are ranked.
    #[inline]
    pub(crate) fn is_ranked(&self) -> bool {
        !self.ranks.is_empty()
    }

    /// The mean of a key, when it was last worked out.
    pub(crate) fn mean(&self, key: usize) -> f32 {
        self.means.get(key).copied().unwrap_or(UNSEEN)
    }

    /// Adds a result to a key. [`Ranking::update`] must follow.
    #[inline]
    pub(crate) fn add(&mut self, key: usize, result: f32) {
        if let Some(sample) = self.samples.get_mut(key) {
            *sample = [sample[0] + result, sample[1] + 1.0];
        }
    }

    /// Multiplies sums and counts by `keep`, and forgets what is then below half a sample.
    pub(crate) fn fade(&mut self, keep: f32) {
        for sample in &mut self.samples {
            *sample = sample.map(|x| x * keep);
            if sample[1] < 0.5 {
                *sample = [0.0; 2];
            }
        }
        self.refresh();
        self.learnt *= keep;
    }

    /// Counts a simulation, and works out means and order if it is time.
    #[inline]
    pub(crate) fn update(&mut self) {
        self.fresh += 1.0;
        if self.fresh >= SHARE * self.learnt {
            self.refresh();
        }
    }

    /// Works out the means and puts the keys in order again.
    #[inline(never)]
    fn refresh(&mut self) {
        self.learnt += self.fresh;
        self.fresh = 0.0;
        for (mean, &[sum, count]) in self.means.iter_mut().zip(&self.samples) {
            *mean = if count > 0.0 { sum / count } else { UNSEEN };
        }
        if !self.is_ranked() {
            return;
        }
        let (block, places) = (self.block, places(self.block));
        let players = self.means.chunks(block).zip(self.ranks.chunks_mut(block));
        for (player, (means, ranks)) in players.enumerate() {
            let first = player * places;
            let cells = &mut self.cells[first..first + block];
            sort(cells, means);
            for (rank, &cell) in (first..).zip(&*cells) {
                ranks[usize::from(cell)] = rank as u16;
            }
        }
    }

    /// Makes all keys worth a look.
    #[inline]
    pub(crate) fn open_all(&mut self) {
        let last = self.block % 64;
        self.open.fill(u64::MAX);
        if last > 0 {
            let words = places(self.block) / 64;
            self.open.chunks_mut(words).for_each(|open| open[words - 1] = (1 << last) - 1);
        }
    }

    /// Makes the keys of a cell worth a look.
    #[inline]
    pub(crate) fn open_cell(&mut self, cell: usize) {
        let mut key = cell;
        while let Some(&rank) = self.ranks.get(key) {
            if let Some(bits) = self.open.get_mut(usize::from(rank) / 64) {
                *bits |= 1 << (rank % 64);
            }
            key += self.block;
        }
    }

    /// The move of a cell with the highest mean among those that `look` finds a move of the player at, each of
    /// several with that mean equally likely. It must be played next.
    #[inline(always)]
    pub(crate) fn best<M>(
        &mut self,
        player: Player,
        rng: &mut Rng,
        mut look: impl FnMut(usize) -> Look<M>,
    ) -> Option<M> {
        let places = places(self.block);
        let cells = self.cells.get(player.index() * places..)?.get(..places)?;
        let open = self.open.get_mut(player.index() * places / 64..)?;
        let means = self.means.get(player.index() * self.block..)?.get(..self.block)?;
        for (word, (open, near)) in open.iter_mut().zip(cells.as_chunks::<64>().0).enumerate() {
            let mut left = *open;
            while left != 0 {
                let bit = left.trailing_zeros() as usize % 64;
                left &= left - 1;
                let cell = near[bit];
                match look(cell.into()) {
                    Look::Closed => *open &= !(1 << bit),
                    Look::NotNow => {}
                    Look::Found(m) => {
                        let rank = 64 * word + bit;
                        let mean = |cell: u16| means.get(usize::from(cell));
                        if cells.get(rank + 1).is_some_and(|&next| mean(next) == mean(cell)) {
                            return Some(self.break_tie(player, rank, m, rng, look));
                        }
                        *open &= !(1 << bit);
                        return Some(m);
                    }
                }
            }
        }
        None
    }

    /// One of the moves of the keys with the mean of the player's `rank`-th, where the first move, at `rank`, is
    /// known.
    #[cold]
    fn break_tie<M>(
        &self,
        player: Player,
        rank: usize,
        mut m: M,
        rng: &mut Rng,
        mut look: impl FnMut(usize) -> Look<M>,
    ) -> M {
        let first = player.index() * places(self.block);
        let cells = &self.cells[first..first + self.block];
        let means = &self.means[player.index() * self.block..];
        let mean = |cell: u16| means[usize::from(cell)];
        let mut ties = 1;
        for next in rank + 1..cells.len() {
            if mean(cells[next]) != mean(cells[rank]) {
                break;
            }
            if self.open[(first + next) / 64] >> (next % 64) & 1 == 0 {
                continue;
            }
            if let Look::Found(other) = look(cells[next].into()) {
                ties += 1;
                if rng.below(ties) == 0 {
                    m = other;
                }
            }
        }
        m
    }
}

/// Puts cells in the order of their means, by insertion: most are in order already.
fn sort(cells: &mut [u16], means: &[f32]) {
    for next in 1..cells.len() {
        let cell = cells[next];
        let mut i = next;
        while i > 0 && means[usize::from(cells[i - 1])] < means[usize::from(cell)] {
            cells[i] = cells[i - 1];
            i -= 1;
        }
        cells[i] = cell;
    }
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

    /// The best key of a player that is in `keys`, where those not in `open` are closed.
    fn best(ranking: &mut Ranking, player: Player, keys: &[usize], open: &[usize]) -> Option<usize> {
        let first = player.index() * ranking.block;
        ranking.best(player, &mut Rng::new(1), |cell| match first + cell {
            key if keys.contains(&key) => Look::Found(key),
            key if open.contains(&key) => Look::NotNow,
            _ => Look::Closed,
        })
    }

    #[test]
    fn each_players_keys_are_ranked_by_their_means() {
        let mut ranking = Ranking::default();
        ranking.reset(6, 2, true);
        for (key, result) in [(0, 0.0), (1, 1.0), (1, 0.0), (3, 0.5), (5, 1.0), (5, 0.5)] {
            ranking.add(key, result);
        }
        ranking.update();
        assert_eq!([0, 1, 2, 3, 4, 5].map(|key| ranking.mean(key)), [0.0, 0.5, 1.0, 0.5, 1.0, 0.75]);
        ranking.open_all();
        let all = [0, 1, 2, 3, 4, 5];
        assert_eq!(best(&mut ranking, Player::FIRST, &all, &all), Some(2));
        assert_eq!(best(&mut ranking, Player::FIRST, &[0, 1, 3], &all), Some(1));
        assert_eq!(best(&mut ranking, Player::SECOND, &[3, 5], &all), Some(5));
        assert_eq!(best(&mut ranking, Player::SECOND, &[], &all), None);
    }

    #[test]
    fn what_is_closed_stays_so_until_its_cell_is_opened() {
        let mut ranking = Ranking::default();
        ranking.reset(2 * 130, 2, true);
        ranking.open_all();
        let all: Vec<usize> = (0..260).collect();
        assert_eq!(best(&mut ranking, Player::SECOND, &[], &[130, 259]), None);
        assert_eq!(best(&mut ranking, Player::SECOND, &all[131..259], &all), None);
        assert!(best(&mut ranking, Player::FIRST, &all[..130], &all).is_some());
        ranking.open_cell(128);
        assert_eq!(best(&mut ranking, Player::SECOND, &all[131..259], &all), Some(258));
        ranking.open_all();
        assert!(best(&mut ranking, Player::SECOND, &all[131..258], &all).is_some());
    }

    #[test]
    fn without_ranking_there_are_means_of_any_number_of_keys() {
        let mut ranking = Ranking::default();
        for (keys, ranked) in [(12, false), (2 * MOST, true)] {
            ranking.reset(keys, 2, ranked);
            assert!(!ranking.is_ranked());
            ranking.add(keys - 1, 0.25);
            ranking.update();
            assert_eq!((ranking.mean(keys - 1), ranking.mean(0)), (0.25, 1.0));
            assert_eq!(Ranking::bytes(keys, 2, ranked), 12 * keys);
        }
    }
}
