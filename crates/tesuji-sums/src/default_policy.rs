//! Choices among the options of a state: the default policy and untried options.

use crate::move_values::MoveValues;
use crate::space::Space;
use crate::state_options::StatePlayout;
use crate::state_table::Entry;
use tesuji::{Incentives, Rng};

/// Which of these options the default policy chooses, counted from 0.
#[inline]
pub(crate) fn default_choice(
    playout: StatePlayout,
    options: impl ExactSizeIterator<Item = u32>,
    space: &Space,
    (incentives, values): (&Incentives, &MoveValues),
    rng: &mut Rng,
) -> usize {
    let action = |option: u32| space.option(option).action as usize;
    match playout {
        StatePlayout::Maxi { epsilon } if epsilon <= 0.0 || rng.unit() >= epsilon => {
            first(options.map(|option| incentives.place(action(option))))
        }
        StatePlayout::ToCome { epsilon } if epsilon <= 0.0 || rng.unit() >= epsilon => {
            let value = |action| values.to_come(action).unwrap_or(f64::INFINITY);
            first(options.map(action).map(|action| (-value(action), incentives.place(action))))
        }
        _ => rng.below(options.len() as u32) as usize,
    }
}

/// Where the smallest of these stands, the first one of equals; 0 if there are none.
#[inline]
pub(crate) fn first<T: PartialOrd>(list: impl Iterator<Item = T>) -> usize {
    let mut list = list.enumerate();
    let Some((mut at, mut least)) = list.next() else { return 0 };
    for (i, other) in list {
        if other < least {
            (at, least) = (i, other);
        }
    }
    at
}

/// One of the options that were never tried, of which there is one.
pub(crate) fn untried(options: &[Entry], rng: &mut Rng) -> usize {
    let untried = options.iter().filter(|option| option.n == 0).count();
    let nth = rng.below(untried as u32) as usize;
    let mut untried = options.iter().enumerate().filter(|(_, option)| option.n == 0);
    untried.nth(nth).map_or(0, |(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heap, Sum};

    #[test]
    fn the_score_to_come_is_followed_and_what_was_never_played_comes_first() {
        let heaps = ["b1", "b2", "r3"].map(|text| text.parse::<Heap>().unwrap());
        let sum = Sum::new(heaps.to_vec()).with_shared_keys();
        let space = Space::new(&sum);
        let mut options = Vec::new();
        space.each_option(&space.place(&sum), |option| options.push(option));
        let mut incentives = Incentives::new(3);
        incentives.set_list([1, 2, 0]);
        let mut values = MoveValues::default();
        values.reset(3);
        let chosen = |values: &MoveValues, epsilon| {
            let (playout, learnt) = (StatePlayout::ToCome { epsilon }, (&incentives, values));
            default_choice(playout, options.iter().copied(), &space, learnt, &mut Rng::new(3))
        };
        // Nothing is known: the first of the list. Then the first of those that were never played.
        assert_eq!(chosen(&values, 0.0), 1);
        values.add(1, true, 9.0, 9.0);
        assert_eq!(chosen(&values, 0.0), 2);
        // Right's score has the other sign.
        values.add(0, false, -4.0, -4.0);
        values.add(2, true, -5.0, -5.0);
        assert_eq!(chosen(&values, 0.0), 1);
        values.add(1, true, -7.0, -7.0);
        assert_eq!(chosen(&values, 0.0), 0);
        values.add(1, true, 10.0, 10.0);
        assert_eq!(chosen(&values, 0.0), 1, "4 points either, and the list decides");
        let random: Vec<usize> = (0..50)
            .map(|seed| {
                let (playout, learnt) = (StatePlayout::ToCome { epsilon: 1.0 }, (&incentives, &values));
                let options = options.iter().copied();
                default_choice(playout, options, &space, learnt, &mut Rng::new(seed))
            })
            .collect();
        assert!((0..3).all(|option| random.contains(&option)));
    }
}
