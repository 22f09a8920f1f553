//! The analysis of a sum by its components.

use crate::component::Component;
use crate::dyadic::Dyadic;
use crate::graph::Graph;
use crate::solution::{Solution, TooManyStates};
use crate::sum::Sum;
use crate::sum_move::SumMove;
use crate::thermograph::Thermograph;
use std::collections::HashMap;
use tesuji::{Game, Player};

/// All positions of the components of a sum, with their thermographs.
///
/// It serves every position of a game that began with the sum.
#[derive(Clone, Debug)]
pub struct Analysis {
    parts: Vec<Part>,
}

/// A component.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) graph: Graph,
    pub(crate) thermographs: Vec<Thermograph>,
    numbers: HashMap<u64, usize>,
    /// [`Component::game`].
    game: u64,
}

impl Analysis {
    /// Explores the components of `sum`.
    ///
    /// # Panics
    /// If moves lead back to a position of a component, or a component's game is too long: as
    /// [`Graph::thermographs`].
    pub fn new<C: Component>(sum: &Sum<C>) -> Analysis {
        let part = |component: &C| {
            let (graph, numbers) = Graph::of(component);
            let thermographs = graph.thermographs();
            Part { graph, thermographs, numbers, game: component.game() }
        };
        Analysis { parts: sum.components().iter().map(part).collect() }
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether `sum` comes from the one that was analysed.
    pub fn knows<C: Component>(&self, sum: &Sum<C>) -> bool {
        let knows = |(part, component): (&Part, &C)| {
            part.game == component.game() && part.numbers.contains_key(&component.code())
        };
        sum.components().len() == self.parts.len() && self.parts.iter().zip(sum.components()).all(knows)
    }

    /// The number of each component's position in its graph.
    ///
    /// # Panics
    /// If `sum` does not come from the one that was analysed.
    pub fn positions<C: Component>(&self, sum: &Sum<C>) -> Vec<usize> {
        assert!(self.knows(sum), "the sum has other components");
        let number = |(part, component): (&Part, &C)| part.numbers[&component.code()];
        self.parts.iter().zip(sum.components()).map(number).collect()
    }

    /// Every position of a component, by its number.
    pub fn graph(&self, component: usize) -> &Graph {
        &self.parts[component].graph
    }

    /// The thermograph of a component in the position with this number.
    pub fn thermograph(&self, component: usize, position: usize) -> &Thermograph {
        &self.parts[component].thermographs[position]
    }

    /// The mean of `sum`: the sum of the means of its components.
    pub fn mean<C: Component>(&self, sum: &Sum<C>) -> Dyadic {
        let positions = self.positions(sum);
        let live = sum.components().iter().zip(self.parts.iter().zip(positions));
        let live = live.filter(|(component, _)| component.end().is_none());
        sum.score() + live.map(|(_, (part, position))| part.thermographs[position].mean()).sum()
    }

    /// The optimal scores from all positions of the sum.
    ///
    /// # Errors
    /// If there are more than [`Solution::LARGEST`].
    ///
    /// # Panics
    /// As [`Solution::new`].
    pub fn solve(&self) -> Result<Solution, TooManyStates> {
        let graphs: Vec<Graph> = self.parts.iter().map(|part| part.graph.clone()).collect();
        Solution::new(&graphs)
    }

    /// The final score of `sum` under best play, given the [`Analysis::solve`] of the analysis.
    pub fn optimal_score<C: Component>(&self, solution: &Solution, sum: &Sum<C>) -> Dyadic {
        sum.score() + solution.to_come(&self.positions(sum), sum.to_move())
    }

    /// The move of `player` in `sum` that is this option of this component.
    pub(crate) fn option<C: Component>(
        sum: &Sum<C>,
        player: Player,
        component: usize,
        option: usize,
    ) -> SumMove<C::Move> {
        let mut moves = Vec::new();
        sum.components()[component].moves(player, |m| moves.push(m));
        SumMove::new(component, moves[option])
    }
}
