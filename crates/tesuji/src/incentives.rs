//! Incentives: the gain of one action over another (RIDE).

use crate::{Archive, ArchiveError, Rng};
use alloc::vec::Vec;
use core::cmp::Ordering;

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
/// The table takes 8 bytes for each pair. A comparison takes time O(1) if it agrees with the list,
/// otherwise O(distance of the two in the list).
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Incentives {
    /// The mean difference of each pair, the greater number first, and how often the pair was
    /// compared: D(1, 0), D(2, 0), D(2, 1), ...
    pairs: Vec<Pair>,
    /// L*, the greatest incentive first.
    list: Vec<u32>,
    /// Where each action stands in the list.
    places: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Pair {
    mean: f32,
    samples: u32,
}

impl Incentives {
    /// No comparisons yet between `actions` actions, which the list has in the order of their
    /// numbers.
    pub fn new(actions: usize) -> Incentives {
        let mut incentives = Incentives::default();
        incentives.reset(actions);
        incentives
    }

    /// Forgets everything, as [`Incentives::new`] does; allocates if there are more actions than
    /// ever before.
    pub fn reset(&mut self, actions: usize) {
        self.pairs.clear();
        self.pairs.reserve_exact(row(actions));
        self.pairs.resize(row(actions), Pair::default());
        for list in [&mut self.list, &mut self.places] {
            list.clear();
            list.reserve_exact(actions);
            list.extend(0..actions as u32);
        }
    }

    /// Heap bytes for `actions` actions.
    pub fn bytes(actions: usize) -> usize {
        row(actions) * size_of::<Pair>() + actions * 2 * size_of::<u32>()
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
        archive.expect(self.pairs.len() as u64, "pairs of moves")?;
        for pair in &mut self.pairs {
            archive.number(&mut pair.mean)?;
            archive.number(&mut pair.samples)?;
            archive.check((-2.0..=2.0).contains(&pair.mean), "differences")?;
        }
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
            Ordering::Greater => self.pairs[row(a) + b].mean,
            Ordering::Less => -self.pairs[row(b) + a].mean,
            Ordering::Equal => 0.0,
        }
    }

    /// The number of comparisons of two actions.
    pub fn samples(&self, a: usize, b: usize) -> u32 {
        if a == b { 0 } else { self.pairs[row(a.max(b)) + a.min(b)].samples }
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
    #[inline]
    pub fn compare(&mut self, a: usize, b: usize, difference: f32) {
        let (a, b, difference) = if a > b { (a, b, difference) } else { (b, a, -difference) };
        let pair = &mut self.pairs[row(a) + b];
        let before = pair.mean;
        pair.samples += 1;
        pair.mean += (difference - before) / pair.samples as f32;
        let mean = pair.mean;
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
    fn mend(&mut self, winner: usize, loser: usize) {
        let (i, j) = (self.place(loser), self.place(winner));
        // What either move does to the cost: the differences of the one that moves to those it
        // passes.
        let passed = |mover: usize, others: &[u32]| -> f32 {
            let own = row(mover);
            let difference = |other: usize| {
                if other < mover {
                    self.pairs[own + other].mean
                } else {
                    -self.pairs[row(other) + mover].mean
                }
            };
            others.iter().map(|&other| difference(other as usize)).sum()
        };
        let behind = passed(loser, &self.list[i + 1..=j]);
        let before = -passed(winner, &self.list[i..j]);
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

/// Where the pairs begin whose greater number is `a`.
#[inline]
fn row(a: usize) -> usize {
    (a * a - a) / 2
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

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
