//! Sequential halving.

use crate::archive::{Archive, ArchiveError};
use crate::code::Code;
use crate::reserved::Reserved;
use crate::root_policy::Gumbel;
use alloc::vec::Vec;

/// A move that is considered.
#[derive(Clone, Debug)]
struct Considered<M> {
    m: M,
    /// g + ln P.
    score: f32,
    simulations: u64,
}

/// Shares simulations out among a few moves: in each round every move still in play has as many,
/// then the worse half goes (Karnin, Koren & Somekh 2013), down to the last two.
#[derive(Clone, Debug)]
pub(crate) struct Halving<M> {
    rule: Gumbel,
    /// Those in play come first.
    moves: Reserved<Considered<M>>,
    playing: usize,
    /// The place of the next one in this pass over those in play.
    next: usize,
    /// Passes of this round that are still to begin.
    passes: u64,
    /// Simulations of this halving, and how many of them are left.
    simulations: u64,
    left: u64,
}

impl<M: Copy> Halving<M> {
    pub(crate) fn new(rule: Gumbel, moves: usize) -> Self {
        let moves = Vec::with_capacity(moves).into();
        Halving { rule, moves, playing: 0, next: 0, passes: 0, simulations: 0, left: 0 }
    }

    pub(crate) fn rule(&self) -> &Gumbel {
        &self.rule
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.moves.capacity() * size_of::<Considered<M>>()
    }

    /// Begins, with g + ln P of every move and as many simulations as are planned.
    pub(crate) fn begin(&mut self, scored: impl Iterator<Item = (M, f32)>, simulations: Option<u64>) {
        self.moves.clear();
        self.moves.extend(scored.map(|(m, score)| Considered { m, score, simulations: 0 }));
        self.moves.sort_unstable_by(|a, b| b.score.total_cmp(&a.score));
        self.moves.truncate(self.rule.considered as usize);
        self.simulations = simulations.unwrap_or(4 * self.moves.len() as u64).max(1);
        self.restart();
    }

    /// Brings all moves into play again.
    fn restart(&mut self) {
        (self.playing, self.next, self.left) = (self.moves.len(), 0, self.simulations);
        self.passes = self.passes_a_round() - 1;
    }

    fn passes_a_round(&self) -> u64 {
        let rounds = (self.moves.len().max(2) as u64 - 1).ilog2() as u64 + 1;
        (self.simulations / (rounds * self.playing.max(1) as u64)).max(1)
    }

    /// The move of the next simulation; `look` tells the visits and the value of a move that has
    /// some. None if there is no move.
    pub(crate) fn next(&mut self, look: &dyn Fn(M) -> Option<(u32, f32)>) -> Option<M> {
        if self.left == 0 {
            self.simulations = self.simulations.saturating_mul(2);
            self.restart();
            self.sort(look);
        } else if self.next >= self.playing {
            self.sort(look);
            self.next = 0;
            if self.passes == 0 {
                self.playing = (self.playing / 2).max(2).min(self.moves.len());
                self.passes = self.passes_a_round();
            }
            self.passes -= 1;
        }
        let chosen = self.moves.get_mut(self.next)?;
        self.next += 1;
        self.left -= 1;
        chosen.simulations += 1;
        Some(chosen.m)
    }

    /// Takes back what [`Halving::next`] counted last: its simulation is not made.
    pub(crate) fn withdraw(&mut self) {
        // Where there is no move, it counted nothing.
        let Some(last) = self.next.checked_sub(1) else { return };
        self.next = last;
        self.left += 1;
        self.moves[last].simulations -= 1;
    }

    /// The move to play.
    pub(crate) fn best(&self, look: &dyn Fn(M) -> Option<(u32, f32)>) -> Option<M> {
        let most = self.most(look);
        let mut best: Option<(u64, f32, M)> = None;
        for considered in self.moves.iter() {
            let (n, rank) = (considered.simulations, self.rank(considered, most, look));
            if best.is_none_or(|(highest, score, _)| (n, rank) > (highest, score)) {
                best = Some((n, rank, considered.m));
            }
        }
        best.map(|(.., m)| m)
    }

    /// Puts the best of those in play first.
    fn sort(&mut self, look: &dyn Fn(M) -> Option<(u32, f32)>) {
        let most = self.most(look);
        let mut playing = core::mem::take(&mut self.moves);
        playing[..self.playing]
            .sort_unstable_by(|a, b| self.rank(b, most, look).total_cmp(&self.rank(a, most, look)));
        self.moves = playing;
    }

    /// The most visits of a move.
    fn most(&self, look: &dyn Fn(M) -> Option<(u32, f32)>) -> u32 {
        self.moves.iter().filter_map(|considered| Some(look(considered.m)?.0)).max().unwrap_or(0)
    }

    /// g + ln P + s(x).
    fn rank(&self, of: &Considered<M>, most: u32, look: &dyn Fn(M) -> Option<(u32, f32)>) -> f32 {
        let worth = |(_, x)| self.rule.worth(most, x);
        look(of.m).map_or(f32::NEG_INFINITY, |seen| of.score + worth(seen))
    }
}

impl<C: Code> Halving<C> {
    /// What was planned, and how far it has come.
    pub(crate) fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        let mut count = self.moves.len();
        archive.size(&mut count)?;
        archive.check(count <= self.rule.considered as usize, "considered moves")?;
        if archive.reads() {
            archive.check(count <= archive.left() / 16, "considered moves")?;
            self.moves.clear();
            self.moves.resize(count, Considered { m: C::new(0), score: 0.0, simulations: 0 });
        }
        for considered in self.moves.iter_mut() {
            let mut code = considered.m.index() as u32;
            archive.number(&mut code)?;
            archive.check(code as usize <= C::MOST, "moves")?;
            considered.m = C::new(code as usize);
            archive.number(&mut considered.score)?;
            archive.count(&mut considered.simulations)?;
        }
        archive.size(&mut self.playing)?;
        archive.size(&mut self.next)?;
        for count in [&mut self.passes, &mut self.simulations, &mut self.left] {
            archive.count(count)?;
        }
        archive.check(self.playing <= count && self.next <= count, "considered moves")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The simulations of each of some moves, of which a lower one is better in every way.
    fn shares(considered: u32, moves: usize, planned: Option<u64>, made: u64) -> Vec<u64> {
        let rule = Gumbel { considered, ..Gumbel::default() };
        let mut halving = Halving::new(rule, moves);
        halving.begin((0..moves).rev().map(|m| (m, -(m as f32))), planned);
        let mut counts = alloc::vec![0; moves];
        for _ in 0..made {
            let seen = counts.clone();
            let look = |m: usize| (seen[m] > 0).then(|| (seen[m] as u32, 1.0 / (m + 2) as f32));
            let withdrawn = halving.next(&look);
            halving.withdraw();
            let made = halving.next(&look);
            assert_eq!(made, withdrawn);
            counts[made.unwrap()] += 1;
        }
        assert_eq!(halving.best(&|m| (counts[m] > 0).then_some((counts[m] as u32, 0.5))), Some(0));
        counts
    }

    #[test]
    fn rounds_have_equal_shares_of_the_simulations() {
        // Three rounds of 8 moves: 16 simulations each, of 2, 4 and 8 for each move in play.
        assert_eq!(shares(8, 20, Some(48), 48)[..9], [14, 14, 6, 6, 2, 2, 2, 2, 0]);
        // Two rounds of 3 moves: 12 / 6 = 2 passes, then 12 / 4 = 3.
        assert_eq!(shares(3, 3, Some(12), 12), [5, 5, 2]);
        assert_eq!(shares(16, 82, Some(32), 32)[..17].iter().sum::<u64>(), 32);
        assert_eq!(shares(5, 1, Some(7), 7), [7]);
        // Fewer simulations than moves.
        assert_eq!(shares(4, 4, Some(2), 2), [1, 1, 0, 0]);
    }

    #[test]
    fn without_a_move_nothing_is_withdrawn() {
        let mut halving = Halving::<usize>::new(Gumbel::default(), 0);
        halving.begin(core::iter::empty(), Some(8));
        assert_eq!(halving.next(&|_| None), None);
        halving.withdraw();
        assert_eq!(halving.next(&|_| None), None);
    }

    #[test]
    fn more_simulations_than_planned_begin_anew_with_twice_as_many() {
        let first = shares(4, 4, Some(16), 16);
        assert_eq!(first, [6, 6, 2, 2]);
        assert_eq!(shares(4, 4, Some(16), 48), [18, 18, 6, 6]);
        assert_eq!(shares(4, 4, None, 48), [18, 18, 6, 6]);
    }
}
