//! Incentives that are learned in groups of components.

use crate::component::Component;
use crate::space::Space;
use crate::state_options::StateOptions;
use crate::state_search::StateSearch;
use crate::sum::Sum;
use tesuji::{Budget, Incentives, Rng};

/// Divide and conquer (Kao, Wu, Yen and Shan 2013, section VI): the components of a sum are divided
/// at random into groups, incentives are learned in each group separately, and the differences of
/// all groups give one list. Further runs, each with other groups, compare the pairs that were
/// separate before.
///
/// An action's incentive is a game that does not depend on the other components. So an order by
/// incentives that a group finds holds in the whole sum, though the differences of the values do
/// not. A group has far fewer states than the sum.
///
/// ```
/// use tesuji_sums::{Groups, Heap, StateOptions, Sum};
///
/// let heaps = ["b9b9", "r1", "b5r5", "r2b1"].map(|text| text.parse::<Heap>().unwrap());
/// let sum = Sum::new(heaps.to_vec()).with_shared_keys();
/// let groups = Groups { groups: 2, runs: 4 };
/// let incentives = groups.learn(&sum, StateOptions::PAPER, 800, 1);
/// // The keys of the first heap are 0 and 1: its counters are the hottest of all.
/// assert!(incentives.list()[..2].contains(&1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Groups {
    /// Groups in each run, at least 1 and at most the number of components; they differ by at most
    /// one component.
    pub groups: usize,
    /// Runs, each with a division of its own; at least 1.
    pub runs: usize,
}

impl Groups {
    /// Learns the incentives of a sum in which both players [share](Sum::with_shared_keys) keys,
    /// with `simulations` in all, the same number for each group of each run. D(a, b) of the result
    /// is the mean over the runs in which a group compared the two actions. Its list begins in the
    /// order of [`StateOptions::list`], as the lists of the groups do. One group in one run is an
    /// ordinary search of the sum, with its own list. Each list has room for
    /// [`StateOptions::pairs`], the whole's too.
    ///
    /// # Panics
    /// If there are no groups or runs, or more groups than components.
    pub fn learn<C: Component>(
        self,
        sum: &Sum<C>,
        options: StateOptions,
        simulations: u64,
        seed: u64,
    ) -> Incentives {
        let components = sum.components();
        assert!(self.runs > 0 && (1..=components.len()).contains(&self.groups), "{self:?} of the components");
        if self.groups * self.runs == 1 {
            let mut search = StateSearch::new(sum, options, Rng::derive(seed, 1));
            search.run(sum, &Budget::simulations(simulations), &mut ());
            return search.incentives().clone();
        }
        let mut first = vec![0];
        for component in components {
            first.push(first[first.len() - 1] + component.keys());
        }
        let mut incentives = Incentives::new(first[components.len()]).keeping(options.pairs);
        let mut rng = Rng::new(seed);
        let whole = Space::new(&sum.clone().with_shared_keys());
        options.list.begin(&mut incentives, whole.heights(), &mut rng);
        let budget = Budget::simulations(simulations / (self.groups * self.runs) as u64);
        let mut order: Vec<usize> = (0..components.len()).collect();
        for run in 0..self.runs {
            for i in (1..order.len()).rev() {
                order.swap(i, rng.below(i as u32 + 1) as usize);
            }
            for group in 0..self.groups {
                let members: Vec<usize> = order.iter().copied().skip(group).step_by(self.groups).collect();
                let part = Sum::new(members.iter().map(|&i| components[i].clone()).collect());
                let part = part.with_shared_keys().with_to_move(tesuji::Game::to_move(sum));
                let number = (run * self.groups + group) as u64;
                let mut search = StateSearch::new(&part, options, Rng::derive(seed, number + 1));
                search.run(&part, &budget, &mut ());
                let keys: Vec<usize> = members.iter().flat_map(|&i| first[i]..first[i + 1]).collect();
                merge(&mut incentives, search.incentives(), &keys);
            }
        }
        incentives
    }
}

/// One sample for each pair that a group compared; `keys` are the numbers of its actions in the
/// whole.
fn merge(whole: &mut Incentives, part: &Incentives, keys: &[usize]) {
    for a in 1..keys.len() {
        for b in 0..a {
            if part.samples(a, b) > 0 {
                whole.compare(keys[a], keys[b], part.difference(a, b));
            }
        }
    }
}
