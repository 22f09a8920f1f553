//! A game as the graph of its positions.

use crate::{Component, Dyadic, Thermograph};
use std::collections::HashMap;
use tesuji::Player;

/// Left and Right.
pub(crate) const PLAYERS: [Player; 2] = [Player::FIRST, Player::SECOND];

/// A position of a [`Graph`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// What the position is worth to Left, if it is an end; then it has no options.
    pub end: Option<Dyadic>,
    /// The options of Left and of Right: what the mover gains, and the number of the position that it leads to.
    pub options: [Vec<(i64, usize)>; 2],
}

/// Every position that can be reached in a game by any order of moves, numbered so that options come before the
/// positions that they are options of; the last one is the initial position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Graph {
    positions: Vec<Position>,
}

impl Graph {
    /// The positions of a component, and the number in the graph of each by its [`Component::code`].
    ///
    /// Takes time and memory linear in the number of options of all positions.
    pub fn of<C: Component>(start: &C) -> (Graph, HashMap<u64, usize>) {
        let mut builder = Builder::default();
        builder.visit(start.clone(), C::code, &|component: &C| match component.end() {
            Some(end) => (Some(end), [Vec::new(), Vec::new()]),
            None => (None, PLAYERS.map(|player| options(component, player))),
        });
        (Graph { positions: builder.positions }, builder.numbers)
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

    /// The positions, each behind its options.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The number of the initial position.
    pub fn start(&self) -> usize {
        self.positions.len() - 1
    }

    /// The thermographs of all positions, by their numbers. In a game of n positions with one option each for
    /// either player, such as a heap, this takes O(n^2) in all: no wall has more than n + 1 breakpoints.
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

    /// The same positions, in which play ends wherever no move is worth anything: a position whose temperature is at
    /// most 0 is an end, and worth its mean. Stops, and walls at t >= 0, remain.
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

/// What `player` can make of a component, and gains by it.
fn options<C: Component>(component: &C, player: Player) -> Vec<(i64, C)> {
    let mut options = Vec::new();
    component.moves(player, |m| {
        let mut after = component.clone();
        options.push((after.play(player, m), after));
    });
    options
}

/// What a position is worth if it is an end, and its options otherwise.
type Rules<S> = (Option<Dyadic>, [Vec<(i64, S)>; 2]);

/// Numbers the positions of a game in depth-first order.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) positions: Vec<Position>,
    /// The number of the position with each code.
    pub(crate) numbers: HashMap<u64, usize>,
}

impl Builder {
    /// The number of `state`, behind its options; `code` tells positions apart.
    pub(crate) fn visit<S>(
        &mut self,
        state: S,
        code: impl Fn(&S) -> u64 + Copy,
        rules: &impl Fn(&S) -> Rules<S>,
    ) -> usize {
        if let Some(&number) = self.numbers.get(&code(&state)) {
            return number;
        }
        let (end, options) = rules(&state);
        let options = options.map(|options| {
            options.into_iter().map(|(gain, option)| (gain, self.visit(option, code, rules))).collect()
        });
        self.positions.push(Position { end, options });
        self.numbers.insert(code(&state), self.positions.len() - 1);
        self.positions.len() - 1
    }
}
