//! Incentives: the gain of one action over another (RIDE).

mod pairs;

use crate::archive::{Archive, ArchiveError};
use crate::rng::Rng;
use alloc::vec::Vec;
use core::cmp::Ordering;
use pairs::Pairs;

/// Incentive learning: RIDE, the table of differences of pairs of actions, and the list that orders
/// the actions by it (Kao, Wu, Yen and Shan 2013).
///
/// Actions are numbers below [`Incentives::actions`]. D(a, b) is the mean of the differences Q(s,
/// a) - Q(s, b) that [`Incentives::compare`] was told of, both seen by the player to move in s; 0
/// where the two were never compared. The list L\* has the action of the greatest incentive first.
/// Its cost is the sum of all differences against its order (equation 23),
///
/// ```text
/// cost(L) = sum over i < j of max(0, D(L[j], L[i])),
/// ```
///
/// and whenever a difference grows against the order, one of the two actions moves to the other in
/// the list: the move that lowers the cost more, if either does.
///
/// The table takes 8 bytes for each pair, or 12 for each of a [limited number](Incentives::keeping)
/// of pairs. A comparison takes time O(1) if it agrees with the list, otherwise O(distance of the
/// two in the list).
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Incentives {
    /// The mean difference of each pair, and how often the pair was compared.
    pairs: Pairs,
    /// The most pairs; 0: all.
    most: u32,
    /// L*, the greatest incentive first.
    list: Vec<u32>,
    /// Where each action stands in the list.
    places: Vec<u32>,
}

impl Incentives {
    /// No comparisons yet between `actions` actions, which the list has in the order of their
    /// numbers.
    pub fn new(actions: usize) -> Incentives {
        let mut incentives = Incentives::default();
        incentives.reset(actions);
        incentives
    }

    /// The same without comparisons, with room for this number of pairs, rounded up to a multiple
    /// of 8; 0: for all. Where there is no room, a pair that is compared replaces one of 8 others,
    /// that with the fewest samples, whose difference is 0 from then on. The list keeps its order.
    ///
    /// # Panics
    /// If there are more than 65 536 actions and room for less than all of their pairs.
    #[must_use]
    pub fn keeping(mut self, pairs: u32) -> Incentives {
        self.most = pairs;
        self.reset(self.actions());
        self
    }

    /// Forgets everything, as [`Incentives::new`] does; allocates if there are more actions than
    /// ever before.
    ///
    /// # Panics
    /// As [`Incentives::keeping`].
    pub fn reset(&mut self, actions: usize) {
        self.pairs.reset(actions, self.most);
        for list in [&mut self.list, &mut self.places] {
            list.clear();
            list.reserve_exact(actions);
            list.extend(0..actions as u32);
        }
    }

    /// Heap bytes for `actions` actions and room for `pairs` pairs; 0: for all.
    pub fn bytes(actions: usize, pairs: u32) -> usize {
        Pairs::bytes(actions, pairs) + actions * 2 * size_of::<u32>()
    }

    /// Puts the list into this order, which must have each action once.
    ///
    /// # Panics
    /// If it has not.
    pub fn set_list(&mut self, list: impl IntoIterator<Item = usize>) {
        self.places.fill(u32::MAX);
        self.list.clear();
        for action in list {
            assert_eq!(self.places[action], u32::MAX, "action {action} is in the list twice");
            self.places[action] = self.list.len() as u32;
            self.list.push(action as u32);
        }
        assert_eq!(self.list.len(), self.places.len(), "the list has every action");
    }

    /// Puts the list into a random order, each equally likely.
    pub fn shuffle(&mut self, rng: &mut Rng) {
        for i in (1..self.list.len()).rev() {
            self.list.swap(i, rng.below(i as u32 + 1) as usize);
        }
        for (place, &action) in (0..).zip(&self.list) {
            self.places[action as usize] = place;
        }
    }

    /// What was learned. What is read replaces that of as many actions.
    pub(crate) fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        self.pairs.archive(archive)?;
        archive.numbers(&mut self.list)?;
        archive.numbers(&mut self.places)?;
        let leads = |(place, &action): (u32, &u32)| self.places.get(action as usize) == Some(&place);
        archive.check((0..).zip(&self.list).all(leads), "lists of moves")
    }

    /// The number of actions.
    pub fn actions(&self) -> usize {
        self.list.len()
    }

    /// D(a, b).
    #[inline]
    pub fn difference(&self, a: usize, b: usize) -> f32 {
        match a.cmp(&b) {
            Ordering::Greater => self.pairs.get(a, b).mean,
            Ordering::Less => -self.pairs.get(b, a).mean,
            Ordering::Equal => 0.0,
        }
    }

    /// The number of comparisons of two actions.
    pub fn samples(&self, a: usize, b: usize) -> u32 {
        if a == b { 0 } else { self.pairs.get(a.max(b), a.min(b)).samples }
    }

    /// L\*: all actions, the greatest incentive first.
    #[inline]
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// The place of an action in the list.
    #[inline]
    pub fn place(&self, action: usize) -> usize {
        self.places[action] as usize
    }

    /// The cost of the list; time in O(pairs).
    pub fn cost(&self) -> f64 {
        let mut cost = 0.0;
        for (i, &before) in self.list.iter().enumerate() {
            for &after in &self.list[i + 1..] {
                cost += f64::from(self.difference(after as usize, before as usize).max(0.0));
            }
        }
        cost
    }

    /// Learns one more sample of D(a, b) = -D(b, a), the value of `a` minus that of `b` in the same
    /// state for the player to move there, and updates the list. The two actions must differ.
    #[inline(always)]
    pub fn compare(&mut self, a: usize, b: usize, difference: f32) {
        let (a, b, difference) = if a > b { (a, b, difference) } else { (b, a, -difference) };
        let (before, mean) = self.pairs.learn(a, b, difference);
        // Only a positive difference that has grown speaks against the list more than before.
        if mean > before && mean > 0.0 {
            if self.places[a] > self.places[b] {
                self.mend(a, b);
            }
        } else if mean < before && mean < 0.0 && self.places[b] > self.places[a] {
            self.mend(b, a);
        }
    }

    /// Moves the loser behind the winner or the winner before the loser, whichever lowers the cost
    /// more, if one does.
    #[inline(never)]
    fn mend(&mut self, winner: usize, loser: usize) {
        let (i, j) = (self.place(loser), self.place(winner));
        // What either move does to the cost: the differences of the one that moves to those it
        // passes.
        let behind = self.pairs.sum(loser, &self.list[i + 1..=j]);
        let before = -self.pairs.sum(winner, &self.list[i..j]);
        if behind >= 0.0 && before >= 0.0 {
            return;
        }
        if behind <= before {
            self.list[i..=j].rotate_left(1);
        } else {
            self.list[i..=j].rotate_right(1);
        }
        for (place, &action) in (i as u32..).zip(&self.list[i..=j]) {
            self.places[action as usize] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The cost of `incentives` with this list.
    fn cost_of(incentives: &Incentives, list: &[u32]) -> f64 {
        let mut other = incentives.clone();
        other.set_list(list.iter().map(|&action| action as usize));
        other.cost()
    }

    #[test]
    fn the_first_figure_of_the_paper() {
        let mut incentives = Incentives::new(2);
        incentives.compare(1, 0, 10.0 - 18.0);
        assert_eq!((incentives.difference(0, 1), incentives.difference(1, 0)), (8.0, -8.0));
        assert_eq!(incentives.list(), [0, 1]);
        incentives.compare(1, 0, 20.0);
        assert_eq!((incentives.difference(1, 0), incentives.samples(0, 1)), (6.0, 2));
        assert_eq!(incentives.list(), [1, 0]);
    }

    #[test]
    fn the_pair_with_the_fewest_samples_makes_room() {
        let actions = 40;
        let mut incentives = Incentives::new(actions).keeping(8);
        for (b, samples) in (1..10).zip([3, 4, 2, 5, 6, 7, 8, 9, 3]) {
            (0..samples).for_each(|_| incentives.compare(0, b, 1.0));
        }
        // All pairs share one set; the third one had the fewest samples when the ninth came.
        let known: Vec<u32> = (1..10).map(|b| incentives.samples(0, b)).collect();
        assert_eq!(known, [3, 4, 0, 5, 6, 7, 8, 9, 3]);
        assert_eq!((incentives.difference(0, 1), incentives.difference(3, 0)), (1.0, 0.0));
        assert!((1..10).all(|b| incentives.place(0) < incentives.place(b)));
        assert_eq!(Incentives::bytes(actions, 8), 8 * 12 + actions * 8);
        incentives.reset(actions);
        assert_eq!(incentives.samples(0, 1), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Where no pair has to make room, a table learns what the whole does.
        #[test]
        fn some_pairs_are_learnt_as_all_are(
            seed in any::<u64>(),
            samples in proptest::collection::vec((0usize..30, 0usize..30, -8i8..=8), 1..8),
        ) {
            let mut both = [0, 8].map(|pairs| Incentives::new(30).keeping(pairs));
            for incentives in &mut both {
                incentives.shuffle(&mut crate::Rng::new(seed));
                for &(a, b, difference) in samples.iter().filter(|(a, b, _)| a != b) {
                    incentives.compare(a, b, difference.into());
                }
            }
            let [all, some] = &both;
            prop_assert_eq!(all.list(), some.list());
            for &(a, b, _) in &samples {
                prop_assert_eq!(all.difference(a, b), some.difference(a, b));
                prop_assert_eq!(all.samples(a, b), some.samples(a, b));
            }
        }

        #[test]
        fn each_comparison_takes_the_cheapest_of_three_lists(
            actions in 2usize..=6,
            seed in any::<u64>(),
            samples in proptest::collection::vec((0usize..6, 0usize..6, -8i8..=8), 1..120),
        ) {
            let mut incentives = Incentives::new(actions);
            incentives.shuffle(&mut crate::Rng::new(seed));
            for (a, b, difference) in samples {
                let (a, b) = (a % actions, b % actions);
                if a == b {
                    continue;
                }
                let old = incentives.clone();
                incentives.compare(a, b, difference.into());

                // The new differences with the old list and the two others.
                let d = |x, y| incentives.difference(x, y);
                prop_assert!((0..actions).all(|x| (0..actions).all(|y| d(x, y) == -d(y, x))));
                let positive = |now: &Incentives, x, y| now.difference(x, y).max(0.0);
                let grown = [(a, b), (b, a)].into_iter()
                    .find(|&(w, l)| positive(&incentives, w, l) > positive(&old, w, l));
                let mut lists = vec![old.list().to_vec()];
                if let Some((winner, loser)) = grown.filter(|&(w, l)| old.place(w) > old.place(l)) {
                    let (i, j) = (old.place(loser), old.place(winner));
                    for right in [false, true] {
                        let mut list = old.list().to_vec();
                        let part = &mut list[i..=j];
                        if right { part.rotate_right(1) } else { part.rotate_left(1) }
                        lists.push(list);
                    }
                }
                let costs: Vec<f64> = lists.iter().map(|list| cost_of(&incentives, list)).collect();
                let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
                let taken = lists.iter().position(|list| list == incentives.list());
                prop_assert!(taken.is_some(), "{:?} is none of {lists:?}", incentives.list());
                prop_assert!(incentives.cost() <= least + 1e-4, "{} of {costs:?}", incentives.cost());
                for action in 0..actions {
                    prop_assert_eq!(incentives.list()[incentives.place(action)], action as u32);
                }
            }
        }
    }
}
