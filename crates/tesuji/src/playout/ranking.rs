//! Keys ranked by their mean result.

use crate::archive::{Archive, ArchiveError};
use crate::game::Played;
use crate::guide::Look;
use crate::outcome::Outcome;
use crate::player::Player;
use crate::rng::Rng;
use alloc::vec::Vec;

/// The mean result of each key, for each player in the order of the means, best first; and which of
/// the ranked keys are worth a look.
///
/// Without ranking, a key's rank is the key. Means and order are worked out anew when the
/// simulations since the last time are a [`SHARE`] of those before. Sum and count of a key are
/// halved when the count reaches [`FULL`], so that from then on early samples weigh less.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Ranking {
    /// For each key the sum of the results and how many there were.
    samples: Vec<[f32; 2]>,
    /// The mean at each rank.
    means: Vec<f32>,
    /// The number of simulations behind the means, [`FULL`] if more, and how many came after.
    learnt: f32,
    fresh: f32,
    /// The cell at each rank: the key less the first key of its player. Each player's are followed
    /// by zeros up to a multiple of 64.
    cells: Vec<u16>,
    /// The rank of each key, counted through all players. Empty without ranking.
    ranks: Vec<u16>,
    /// For each player a bit for each rank: whether its key is worth a look.
    open: Vec<u64>,
    /// Keys of a player.
    block: usize,
    /// Words of `open` for a player.
    words: usize,
}

/// The mean of a key that was never seen.
const UNSEEN: f32 = 1.0;

/// The means may lack this share of what they are made of: nothing up to 512 simulations.
const SHARE: f32 = 1.0 / 512.0;

/// From this count on a key's numbers are halved: an `f32` counts in halves to 2^23, and stops at
/// 2^24. Between two looks at the counts are at most 2^13 simulations, and no key occurs 512 times
/// in each.
const FULL: f32 = 4_194_304.0;

/// Most keys that are ranked.
const MOST: usize = 1 << 16;

impl Ranking {
    /// Heap bytes for `keys` keys of `players` players, to be ranked or not.
    pub(crate) fn bytes(keys: usize, players: usize, ranked: bool) -> usize {
        let block = keys / players;
        let ranked = ranked && keys <= MOST;
        let words = if ranked { players * block.div_ceil(64) } else { 0 };
        let rank = if ranked { size_of::<u16>() } else { 0 };
        keys * (3 * size_of::<f32>() + rank) + words * (64 * size_of::<u16>() + size_of::<u64>())
    }

    /// Forgets everything; there are `keys` keys, in equal blocks for `players` players.
    pub(crate) fn reset(&mut self, keys: usize, players: usize, ranked: bool) {
        self.block = keys / players;
        self.words = self.block.div_ceil(64);
        (self.learnt, self.fresh) = (0.0, 0.0);
        refill(&mut self.samples, keys, |_| [0.0; 2]);
        refill(&mut self.means, keys, |_| UNSEEN);
        let ranks = if ranked && keys <= MOST { keys } else { 0 };
        refill(&mut self.ranks, ranks, |key| key as u16);
        let words = ranks / self.block.max(1) * self.words;
        refill(&mut self.open, words, |_| 0);
        let cell = |place| if place < self.block { place as u16 } else { 0 };
        refill(&mut self.cells, 64 * words, |place| cell(place % (64 * self.words)));
    }

    /// What was learned. What is read replaces that of a ranking of as many keys.
    pub(crate) fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        archive.expect(self.samples.len() as u64, "keys of moves")?;
        for [sum, count] in &mut self.samples {
            archive.number(sum)?;
            archive.number(count)?;
        }
        archive.numbers(&mut self.means)?;
        archive.number(&mut self.learnt)?;
        archive.number(&mut self.fresh)?;
        archive.numbers(&mut self.cells)?;
        archive.numbers(&mut self.ranks)?;
        // Ranks and cells lead to each other.
        let holds = self.ranks.chunks(self.block.max(1)).enumerate().all(|(player, ranks)| {
            let cells = &self.cells[player * 64 * self.words..][..ranks.len()];
            let first = player * self.block;
            (first..).zip(cells).all(|(rank, &cell)| ranks.get(usize::from(cell)) == Some(&(rank as u16)))
        });
        archive.check(holds, "ranks of moves")
    }

    /// Whether the keys are ranked.
    #[inline]
    pub(crate) fn is_ranked(&self) -> bool {
        !self.ranks.is_empty()
    }

    /// The mean of a key, when it was last worked out.
    #[inline]
    pub(crate) fn mean(&self, key: usize) -> f32 {
        self.means.get(self.rank(key)).copied().unwrap_or(UNSEEN)
    }

    /// Where a key stands among all.
    #[inline]
    fn rank(&self, key: usize) -> usize {
        self.ranks.get(key).map_or(key, |&rank| rank.into())
    }

    /// Learns from a simulation with these moves. The means and the order follow if it is time.
    #[inline]
    pub(crate) fn learn<O: Outcome>(&mut self, line: &[Played], outcome: &O) {
        // Where there are two players what they gain is looked up, without a branch.
        let of = |player| if player < O::PLAYERS { outcome.of(Player::new(player)) } else { 0.0 };
        let gains = [[of(0), 1.0], [of(1), 1.0]];
        for played in line {
            if let Some([sum, count]) = self.samples.get_mut(played.key()) {
                let player = played.player();
                let gain =
                    if O::PLAYERS <= 2 { gains[player.index() % 2] } else { [outcome.of(player), 1.0] };
                (*sum, *count) = (*sum + gain[0], *count + gain[1]);
            }
        }
        self.fresh += 1.0;
        if self.fresh >= SHARE * self.learnt {
            self.refresh();
        }
    }

    /// Multiplies sums and counts by `decay`, and forgets what is then below half a sample.
    pub(crate) fn fade(&mut self, decay: f32) {
        for sample in &mut self.samples {
            *sample = sample.map(|x| x * decay);
            if sample[1] < 0.5 {
                *sample = [0.0; 2];
            }
        }
        self.refresh();
        self.learnt *= decay;
    }

    /// Works out the means and puts the ranks in order again.
    #[inline(never)]
    fn refresh(&mut self) {
        self.learnt = (self.learnt + self.fresh).min(FULL);
        self.fresh = 0.0;
        if self.learnt >= SHARE * FULL {
            for sample in self.samples.iter_mut().filter(|[_, count]| *count >= FULL) {
                *sample = sample.map(|x| 0.5 * x);
            }
        }
        let mean = |&[sum, count]: &[f32; 2]| {
            let ratio = sum / count;
            if count > 0.0 { ratio } else { UNSEEN }
        };
        if !self.is_ranked() {
            self.means.iter_mut().zip(&self.samples).for_each(|(slot, sample)| *slot = mean(sample));
            return;
        }
        for player in 0..self.means.len() / self.block {
            let keys = player * self.block..(player + 1) * self.block;
            let cells = &self.cells[player * 64 * self.words..][..self.block];
            let samples = &self.samples[keys.clone()];
            for (slot, &cell) in self.means[keys].iter_mut().zip(cells) {
                *slot = mean(&samples[usize::from(cell)]);
            }
            self.sort(player);
        }
    }

    /// Puts the ranks of a player in order: insertion sort, after a look at several at once whether
    /// any is out of order.
    fn sort(&mut self, player: usize) {
        const STEP: usize = 4;
        let first = player * self.block;
        let ranks = first..first + self.block;
        let means = &mut self.means[ranks.clone()];
        let cells = &mut self.cells[player * 64 * self.words..][..self.block];
        let ranks = &mut self.ranks[ranks];
        let mut start = 1;
        while start < means.len() {
            let falls = match means[start - 1..].first_chunk() {
                Some(window) => falls::<{ STEP + 1 }>(window),
                None => false,
            };
            if falls {
                start += STEP;
                continue;
            }
            let stop = means.len().min(start + STEP);
            for next in start..stop {
                let (mean, cell) = (means[next], cells[next]);
                if means[next - 1] >= mean {
                    continue;
                }
                let mut i = next;
                while i > 0 && means[i - 1] < mean {
                    (means[i], cells[i]) = (means[i - 1], cells[i - 1]);
                    ranks[usize::from(cells[i])] = (first + i) as u16;
                    i -= 1;
                }
                (means[i], cells[i]) = (mean, cell);
                ranks[usize::from(cell)] = (first + i) as u16;
            }
            start = stop;
        }
    }

    /// Makes all keys worth a look.
    #[inline]
    pub(crate) fn open_all(&mut self) {
        let (words, last) = (self.words, self.block % 64);
        self.open.fill(u64::MAX);
        if last > 0 {
            self.open.chunks_mut(words).for_each(|open| open[words - 1] = (1 << last) - 1);
        }
    }

    /// Makes the keys of a cell worth a look.
    #[inline]
    pub(crate) fn open_cell(&mut self, cell: usize) {
        let (mut first, mut word) = (0, 0);
        while let Some(&rank) = self.ranks.get(first + cell) {
            let place = usize::from(rank) - first;
            if let Some(bits) = self.open.get_mut(word + place / 64) {
                *bits |= 1 << (place % 64);
            }
            first += self.block;
            word += self.words;
        }
    }

    /// The move of a cell with the highest mean among those that `look` finds a move of the player
    /// at, each of several with that mean equally likely. It must be played next.
    #[inline(always)]
    pub(crate) fn best<M>(
        &mut self,
        player: Player,
        rng: &mut Rng,
        mut look: impl FnMut(usize) -> Look<M>,
    ) -> Option<M> {
        let (words, first) = (self.words, player.index() * self.block);
        let open = self.open.get_mut(player.index() * words..)?.get_mut(..words)?;
        let cells = self.cells.get(player.index() * 64 * words..)?;
        let means = self.means.get(first..)?.get(..self.block)?;
        for (word, (open, cells)) in open.iter_mut().zip(cells.as_chunks::<64>().0).enumerate() {
            let mut left = *open;
            while left != 0 {
                let bit = left.trailing_zeros() % 64;
                left &= left - 1;
                match look(usize::from(cells[bit as usize])) {
                    Look::Closed => *open &= !(1 << bit),
                    Look::NotNow => {}
                    Look::Found(m) => {
                        let rank = 64 * word + bit as usize;
                        let mean = means.get(rank);
                        if mean.is_some_and(|mean| means.get(rank + 1) == Some(mean)) {
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

    /// One of the moves of the keys with the mean of `rank`, where the first move, at `rank`, is
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
        let (open, first) = (player.index() * self.words, player.index() * self.block);
        let cells = &self.cells[64 * open..];
        let mut ties = 1;
        for (next, &cell) in cells.iter().enumerate().take(self.block).skip(rank + 1) {
            if self.means[first + next] != self.means[first + rank] {
                break;
            }
            if self.open[open + next / 64] >> (next % 64) & 1 == 0 {
                continue;
            }
            if let Look::Found(other) = look(usize::from(cell)) {
                ties += 1;
                if rng.below(ties) == 0 {
                    m = other;
                }
            }
        }
        m
    }
}

/// Whether no number is larger than the one before it.
#[inline(always)]
fn falls<const N: usize>(numbers: &[f32; N]) -> bool {
    (1..N).fold(true, |falls, i| falls & (numbers[i - 1] >= numbers[i]))
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
    use crate::Value;

    /// A simulation of one move for each result.
    fn learn(ranking: &mut Ranking, results: &[(usize, f32)]) {
        for &(key, result) in results {
            let line = [Played::new(Player::FIRST, key)];
            ranking.learn(&line, &Value::new(Player::FIRST, result));
        }
    }

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
        learn(&mut ranking, &[(0, 0.0), (1, 1.0), (1, 0.0), (3, 0.5), (5, 1.0), (5, 0.5)]);
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
    fn counts_that_grow_for_ever_leave_means_that_move() {
        let mut ranking = Ranking::default();
        ranking.reset(4, 2, true);
        let line = [Played::new(Player::FIRST, 1); 512];
        for winner in [Player::FIRST, Player::SECOND] {
            (0..40_000).for_each(|_| ranking.learn(&line, &Value::win(winner)));
            assert!((FULL / 2.0..2.0 * FULL).contains(&ranking.samples[1][1]), "{:?}", ranking.samples);
            let mean = ranking.mean(1);
            assert!(if winner == Player::FIRST { mean == 1.0 } else { mean < 0.1 }, "{mean}");
        }
    }

    #[test]
    fn without_ranking_there_are_means_of_any_number_of_keys() {
        let mut ranking = Ranking::default();
        for (keys, ranked) in [(12, false), (MOST + 2, true)] {
            ranking.reset(keys, 2, ranked);
            assert!(!ranking.is_ranked());
            learn(&mut ranking, &[(keys - 1, 0.25)]);
            assert_eq!((ranking.mean(keys - 1), ranking.mean(0)), (0.25, 1.0));
            assert_eq!(Ranking::bytes(keys, 2, ranked), 12 * keys);
        }
    }
}
