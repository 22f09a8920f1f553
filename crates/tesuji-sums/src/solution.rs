//! Optimal scores of sums.

use crate::dyadic::Dyadic;
use crate::graph::Graph;
use std::fmt;
use tesuji::Player;

/// The optimal score of a sum of games, from every combination of their positions and for either
/// player to move: a full search with memory, in time and memory proportional to the product of the
/// numbers of positions. For m heaps of n counters that is (n + 1)^m.
#[derive(Clone, Debug)]
pub struct Solution {
    /// How far apart the combinations lie in the table that differ by one in a component's
    /// position.
    steps: Vec<usize>,
    /// The initial position of each component.
    start: Vec<usize>,
    /// The denominators' binary logarithm.
    exponent: u32,
    /// For each combination and player to move: the score that is still to come.
    to_come: Vec<[i128; 2]>,
    /// What components are worth that have ended from the beginning.
    ended: Dyadic,
}

/// A sum has too many combinations of positions to be searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooManyStates {
    /// The number of states; none if it does not fit into a `usize`.
    pub states: Option<usize>,
}

impl fmt::Display for TooManyStates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = Solution::LARGEST;
        match self.states {
            Some(states) => write!(f, "the sum has {states} states; at most {most} can be searched"),
            None => write!(f, "the sum has far more than the {most} states that can be searched"),
        }
    }
}

impl std::error::Error for TooManyStates {}

impl Solution {
    /// The most combinations of positions: 4 Mi, which take 128 MiB.
    pub const LARGEST: usize = 1 << 22;

    /// Searches the sum of `graphs`.
    ///
    /// # Errors
    /// If there are more combinations of positions than [`Solution::LARGEST`].
    ///
    /// # Panics
    /// If a position that is no end has no move for a player: [`Graph::settled`] mends that. Or if
    /// a score that the gains and ends can add up to leaves 128 bits over the common denominator of
    /// the ends.
    pub fn new(graphs: &[Graph]) -> Result<Solution, TooManyStates> {
        let (mut steps, mut states) = (Vec::new(), 1usize);
        for graph in graphs {
            steps.push(states);
            let more = states.checked_mul(graph.positions().len());
            states = more.ok_or(TooManyStates { states: None })?;
        }
        if states > Solution::LARGEST {
            return Err(TooManyStates { states: Some(states) });
        }
        let ends = graphs.iter().flat_map(Graph::positions).filter_map(|position| position.end);
        let exponent = ends.map(Dyadic::exponent).max().unwrap_or(0);
        // All scores fit if the greatest one does.
        graphs.iter().map(greatest).sum::<Dyadic>().scaled(exponent);
        let start: Vec<usize> = graphs.iter().map(Graph::start).collect();
        let ended = graphs.iter().filter_map(|graph| graph.positions()[graph.start()].end).sum();
        let mut solution = Solution { steps, start, exponent, to_come: Vec::with_capacity(states), ended };
        let mut at = vec![0; graphs.len()];
        for state in 0..states {
            let scores = [Player::FIRST, Player::SECOND]
                .map(|player| solution.best(graphs, &at, state, player).map_or(0, |(score, _, _)| score));
            solution.to_come.push(scores);
            for (position, graph) in at.iter_mut().zip(graphs) {
                *position = (*position + 1) % graph.positions().len();
                if *position > 0 {
                    break;
                }
            }
        }
        Ok(solution)
    }

    /// The best move of `player` from these positions, whose place in the table is `state`: the
    /// score to come, the component and the option. None if all have ended.
    fn best(
        &self,
        graphs: &[Graph],
        at: &[usize],
        state: usize,
        player: Player,
    ) -> Option<(i128, usize, usize)> {
        let mut best: Option<(i128, usize, usize)> = None;
        // With a finer denominator, only a gain of 0 fits into 128 bits.
        let unit = 1i128.checked_shl(self.exponent).unwrap_or(0);
        let unit = if player == Player::FIRST { unit } else { unit.wrapping_neg() };
        for (i, (graph, &position)) in graphs.iter().zip(at).enumerate() {
            let positions = graph.positions();
            if positions[position].end.is_some() {
                continue;
            }
            let options = &positions[position].options[player.index()];
            assert!(!options.is_empty(), "a player has no move where the game goes on");
            for (option, &(gain, after)) in options.iter().enumerate() {
                let gain = i128::from(gain) * unit;
                let end = positions[after].end.map_or(0, |end| end.scaled(self.exponent));
                let below = self.to_come[state - (position - after) * self.steps[i]][player.other().index()];
                let score = gain + end + below;
                let is_better = |best| if player == Player::FIRST { score > best } else { score < best };
                if best.is_none_or(|(best, _, _)| is_better(best)) {
                    best = Some((score, i, option));
                }
            }
        }
        best
    }

    /// The optimal final score if `first` moves first.
    pub fn score(&self, first: Player) -> Dyadic {
        self.ended + self.to_come(&self.start, first)
    }

    /// The score still to come from the positions with these numbers, one of each component, if
    /// `first` moves first. It leaves out earlier gains and the values of ended components.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn to_come(&self, positions: &[usize], first: Player) -> Dyadic {
        assert_eq!(positions.len(), self.steps.len(), "there is one position for each component");
        let ends = self.steps.iter().skip(1).copied().chain([self.to_come.len()]);
        let are_there =
            positions.iter().zip(self.steps.iter().zip(ends)).all(|(p, (step, end))| p * step < end);
        assert!(are_there, "a component has no such position");
        let state: usize = positions.iter().zip(&self.steps).map(|(position, step)| position * step).sum();
        Dyadic::new(self.to_come[state][first.index()], self.exponent)
    }
}

/// The largest sum of the gains and the end of a line of play, all without their signs.
fn greatest(graph: &Graph) -> Dyadic {
    let mut sizes: Vec<Dyadic> = Vec::with_capacity(graph.positions().len());
    for position in graph.positions() {
        let options = position.options.iter().flatten();
        let after = options.map(|&(gain, after)| Dyadic::from(gain).abs() + sizes[after]).max();
        sizes.push(position.end.map_or(after.unwrap_or_default(), Dyadic::abs));
    }
    sizes.into_iter().max().unwrap_or_default()
}
