//! A game as the graph of its positions.

use crate::component::Component;
use crate::dyadic::Dyadic;
use crate::mix::hash;
use crate::thermograph::Thermograph;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use tesuji::Player;

/// Left and Right.
pub(crate) const PLAYERS: [Player; 2] = [Player::FIRST, Player::SECOND];

/// A position of a [`Graph`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The value of the position for Left, if it is an end; then it has no options.
    pub end: Option<Dyadic>,
    /// The options of Left and of Right: the gain of the mover, and the number of the next
    /// position.
    pub options: [Vec<(i64, usize)>; 2],
}

/// Every position that can be reached in a game by any order of moves, numbered so that the options
/// of a position come before it; the last one is the initial position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Graph {
    positions: Vec<Position>,
}

impl Graph {
    /// The positions of a component, and the number in the graph of each by its
    /// [`Component::code`].
    ///
    /// Takes time and memory linear in the number of options of all positions.
    ///
    /// # Panics
    /// If moves lead back to a position.
    pub fn of<C: Component>(start: &C) -> (Graph, HashMap<u64, usize>) {
        let (components, numbers) = reachable_components(start);
        let position = |component: &C| Position {
            end: component.end(),
            options: PLAYERS.map(|player| {
                let numbered = |(gain, after): (i64, C)| (gain, numbers[&after.code()]);
                options(component, player).into_iter().map(numbered).collect()
            }),
        };
        (Graph::new(components.iter().map(position).collect()), numbers)
    }

    /// The graph of these positions.
    ///
    /// # Panics
    /// If there is none, or one comes before its options.
    pub fn new(positions: Vec<Position>) -> Graph {
        assert!(!positions.is_empty(), "a game has a position");
        for (number, position) in positions.iter().enumerate() {
            let mut options = position.options.iter().flatten();
            assert!(options.all(|&(_, option)| option < number), "position {number} comes before an option");
        }
        Graph { positions }
    }

    /// A hash of the positions.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut numbers = Vec::new();
        for Position { end, options } in &self.positions {
            numbers.push(u64::from(end.is_some()));
            if let Some(x) = end {
                let numerator = x.numerator();
                numbers.extend([numerator as u64, (numerator >> 64) as u64, x.exponent().into()]);
            }
            for options in options {
                numbers.push(options.len() as u64);
                numbers.extend(options.iter().flat_map(|&(gain, option)| [gain as u64, option as u64]));
            }
        }
        hash(numbers)
    }

    /// The positions, each behind its options.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The number of the initial position.
    pub fn start(&self) -> usize {
        self.positions.len() - 1
    }

    /// The thermographs of all positions, by their numbers. In a game of n positions with one
    /// option each for either player, such as a heap, this takes O(n^2) in all: no wall has more
    /// than n + 1 breakpoints.
    ///
    /// # Panics
    /// If a number leaves the range of [`Dyadic`]. That cannot happen if n + e + p is at most 120,
    /// where the longest line of play has n moves, the denominators of the ends are at most 2^e,
    /// and all scores, of whole lines and of their parts, are below 2^p.
    pub fn thermographs(&self) -> Vec<Thermograph> {
        let mut thermographs: Vec<Thermograph> = Vec::with_capacity(self.positions.len());
        for position in &self.positions {
            let thermograph = match position.end {
                Some(x) => Thermograph::number(x),
                None => {
                    let [left, right] = position
                        .options
                        .each_ref()
                        .map(|options| options.iter().map(|&(gain, option)| (gain, &thermographs[option])));
                    Thermograph::of_options(left, right)
                }
            };
            thermographs.push(thermograph);
        }
        thermographs
    }

    /// The same positions, but play ends where no move gains anything: a position whose temperature
    /// is at most 0 is an end, and worth its mean. Stops, and walls at t >= 0, remain.
    ///
    /// # Panics
    /// As [`Graph::thermographs`].
    #[must_use]
    pub fn settled(&self) -> Graph {
        let settle = |(position, thermograph): (&Position, Thermograph)| match position.end {
            None if thermograph.is_cold() => {
                Position { end: Some(thermograph.mean()), options: [Vec::new(), Vec::new()] }
            }
            _ => position.clone(),
        };
        Graph { positions: self.positions.iter().zip(self.thermographs()).map(settle).collect() }
    }
}

/// What `player` can make of a component, and gains by it; nothing at an end.
fn options<C: Component>(component: &C, player: Player) -> Vec<(i64, C)> {
    let mut options = Vec::new();
    if component.end().is_none() {
        component.moves(player, |m| {
            let mut after = component.clone();
            options.push((after.play(player, m), after));
        });
    }
    options
}

/// Every position that can be reached in a component by any order of moves, as [`reachable`] lists
/// them by their codes.
pub(crate) fn reachable_components<C: Component>(start: &C) -> (Vec<C>, HashMap<u64, usize>) {
    let after = |component: &C| {
        let options = PLAYERS.into_iter().flat_map(|player| options(component, player));
        options.map(|(_, after)| after).collect()
    };
    reachable(start.clone(), C::code, after)
}

/// The states that can be reached from `start` in depth-first order, each behind those that `after`
/// gives for it; and the place of each by its `code`, which tells states apart.
pub(crate) fn reachable<S>(
    start: S,
    code: impl Fn(&S) -> u64,
    after: impl Fn(&S) -> Vec<S>,
) -> (Vec<S>, HashMap<u64, usize>) {
    let (mut found, mut places) = (Vec::new(), HashMap::new());
    // A state is taken off the stack for the second time when all that can follow it is in the
    // list.
    let mut stack = vec![(start, false)];
    while let Some((state, is_done)) = stack.pop() {
        if is_done {
            places.insert(code(&state), found.len());
            found.push(state);
        } else if let Entry::Vacant(place) = places.entry(code(&state)) {
            place.insert(usize::MAX);
            let after = after(&state);
            stack.push((state, true));
            stack.extend(after.into_iter().rev().map(|state| (state, false)));
        }
    }
    (found, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_behind_those_that_follow() {
        // From 6 by subtracting 1 or halving.
        let after = |&n: &u64| if n == 0 { vec![] } else { vec![n - 1, n / 2] };
        let (found, places) = reachable(6, |&n| n, after);
        assert_eq!(found, [0, 1, 2, 3, 4, 5, 6]);
        assert!(found.iter().enumerate().all(|(place, n)| places[n] == place));
        let (found, _) = reachable(6, |&n| n, |&n| if n == 0 { vec![] } else { vec![n / 2, n - 1] });
        assert_eq!(found, [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn games_may_be_long() {
        let (found, _) = reachable(1_000_000, |&n: &u64| n, |&n| n.checked_sub(1).into_iter().collect());
        assert_eq!((found.len(), found[0]), (1_000_001, 0));
    }
}
