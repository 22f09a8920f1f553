//! Match rates: the agreement of a learned order with temperatures.

use crate::component::Component;
use crate::dyadic::Dyadic;
use crate::graph::Graph;
use crate::heap::Heap;
use crate::sum::Sum;
use std::cmp::Ordering;

/// The temperatures of all actions of a sum of heaps, by the keys of [`Sum::with_shared_keys`]: one
/// for each heap and each number of counters left.
#[derive(Clone, PartialEq, Debug)]
pub struct Temperatures {
    /// The heap and the temperature of each action.
    actions: Vec<(usize, Dyadic)>,
}

/// The share of pairs of actions that an order ranks as their temperatures do: the match rate of
/// Kao, Wu, Yen and Shan (2013). Pairs of the same heap do not count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchRate {
    /// Pairs of different temperatures.
    pub pairs: u32,
    /// Pairs of the same temperature.
    pub tied: u32,
    /// Pairs of different temperatures in the right order; a pair without an order counts half.
    pub matched: f64,
}

impl MatchRate {
    /// The rate in percent, without pairs of the same temperature; none if there are no other
    /// pairs.
    pub fn percent(&self) -> Option<f64> {
        (self.pairs > 0).then(|| 100.0 * self.matched / f64::from(self.pairs))
    }

    /// The rate in percent, where a pair of the same temperature counts half.
    pub fn percent_with_ties(&self) -> Option<f64> {
        let all = f64::from(self.pairs + self.tied);
        (all > 0.0).then(|| 100.0 * (self.matched + 0.5 * f64::from(self.tied)) / all)
    }
}

impl Temperatures {
    /// The temperatures of whole heaps.
    ///
    /// # Panics
    /// If a heap was played in: keys are those of all its counters.
    pub fn new(sum: &Sum<Heap>) -> Temperatures {
        let mut actions = Vec::new();
        for (heap, component) in sum.components().iter().enumerate() {
            // The positions of a heap are numbered by the counters left; the first has none.
            let thermographs = Graph::of(component).0.thermographs();
            assert_eq!(thermographs.len(), component.keys() + 1, "heap {heap} was played in");
            actions.extend(thermographs.iter().skip(1).map(|t| (heap, t.temperature())));
        }
        Temperatures { actions }
    }

    /// The temperature of an action.
    pub fn of(&self, action: usize) -> Dyadic {
        self.actions[action].1
    }

    /// Compares them with an order: `order(a, b)` is `Greater` if action a comes before b.
    pub fn match_rate(&self, mut order: impl FnMut(usize, usize) -> Ordering) -> MatchRate {
        let mut rate = MatchRate { pairs: 0, tied: 0, matched: 0.0 };
        for (a, &(heap, temperature)) in self.actions.iter().enumerate() {
            for (b, &(other_heap, other)) in self.actions.iter().enumerate().skip(a + 1) {
                if heap == other_heap {
                    continue;
                }
                if temperature == other {
                    rate.tied += 1;
                    continue;
                }
                rate.pairs += 1;
                rate.matched += match order(a, b) {
                    Ordering::Equal => 0.5,
                    order => f64::from(u8::from(order == temperature.cmp(&other))),
                };
            }
        }
        rate
    }
}
