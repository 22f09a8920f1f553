//! The options of a search over the states of a sum.

use std::cmp::Reverse;
use tesuji::{Incentives, Rng};

/// The settings of a [`StateSearch`](crate::StateSearch). [`StateOptions::PLAY`], the default, is
/// for playing, [`StateOptions::PAPER`] repeats the experiments of Kao, Wu, Yen and Shan (2013).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StateOptions {
    /// The exploration constant of UCB in points, at least 0. Heaps of weights 1 to 10 want about
    /// 20; more does little harm.
    pub exploration: f32,
    /// Which states enter the table.
    pub growth: Growth,
    /// The identity of states.
    pub identity: Identity,
    /// Whether UCB chooses in every state of the table, even after the simulation has met an
    /// unknown state. Otherwise playouts go on to the end.
    pub reenters: bool,
    /// The action that UCB takes in a state where some were not tried yet.
    pub first_play: FirstPlay,
    /// The default policy, which moves in the other states.
    pub playout: StatePlayout,
    /// Whether D and L\* are learned.
    pub learns: bool,
    /// L\* before anything is learned.
    pub list: InitialList,
    /// Whether D and L\* are kept from search to search of a game.
    pub keeps_incentives: bool,
    /// Whether [`MoveValues`](crate::MoveValues) are gathered for comparison.
    pub gathers_values: bool,
    /// After this number of simulations, L\* gets the order of the score to come
    /// ([`MoveValues::to_come`](crate::MoveValues::to_come)), which is known earlier than D; from
    /// then on D corrects it. With 0, the default, this never happens. It needs `gathers_values`.
    pub seeds_list_at: u64,
    /// The most pairs of actions of which D is kept ([`Incentives::keeping`]); 0, the default:
    /// all.
    pub pairs: u32,
    /// The most bytes of the table of states; the default is no limit. Once it is full, the default
    /// policy chooses in states that it does not have, and nothing is learned of them. Its lists
    /// double when they grow, so it is full before one of them could pass the limit; in any case it
    /// is with 2³¹ actions.
    pub bytes: usize,
}

/// Which states of a simulation enter the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// All of them.
    WholePath,
    /// The first state that is not in the table yet, as in UCT.
    OneState,
}

/// The rule for when two states with the same player to move are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// The positions of the components, whatever the moves that led there and whatever the score.
    Positions,
    /// The moves since the beginning of the search: the table is a tree.
    Moves,
}

/// The action that UCB takes in a state where some were not tried yet: the incentives of other
/// states say which of them may be large (Kao, Wu, Yen and Shan 2013, section VI, leave the use of
/// L\* in the tree open).
///
/// Ties go to the action that stands first in L\*. A choice takes time in O(a) for a actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstPlay {
    /// Untried actions come first, each with the same probability: the rule of the paper.
    Random,
    /// Untried actions come first, in the order of L\*.
    ByOrder,
    /// An untried action b is compared with those that were tried, as if its only sample had been
    ///
    /// ```text
    /// sign Q(s, a) + D(b, a),    a the tried action of the greatest sign Q(s, a).
    /// ```
    ///
    /// So an action that loses to a in other states waits until the bound of a has come down to its
    /// own.
    ByDifference,
}

/// A default policy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum StatePlayout {
    /// RAND: every move with the same probability.
    Uniform,
    /// MAXI: the move that stands first in L\*, but with probability `epsilon`, 0 to 1, as
    /// [`StatePlayout::Uniform`].
    Maxi {
        /// How often the list is not asked. Default 0.
        epsilon: f32,
    },
    /// AMAF: the move whose action has the greatest mean score to come
    /// ([`MoveValues::to_come`](crate::MoveValues::to_come)), but with probability `epsilon`, 0 to
    /// 1, as [`StatePlayout::Uniform`]. Actions that were never played come first, in the order of
    /// L\*, which also decides between equal means. It needs `gathers_values`.
    ToCome {
        /// How often the values are not asked. Default 0.
        epsilon: f32,
    },
}

/// The order of L\* before anything is learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialList {
    /// The action that the longest play can follow comes first; among equals, that of the first
    /// component. In Heap-Go the top counters of all heaps come first, then those below them.
    TopFirst,
    /// Random, each order equally likely.
    Random,
}

impl InitialList {
    /// Puts L\* into this order. `heights` has, for each action, how many moves can follow one
    /// another from where it is played.
    pub(crate) fn begin(self, incentives: &mut Incentives, heights: &[u32], rng: &mut Rng) {
        match self {
            InitialList::Random => incentives.shuffle(rng),
            InitialList::TopFirst => {
                let mut list: Vec<usize> = (0..heights.len()).collect();
                list.sort_by_key(|&action| Reverse(heights[action]));
                incentives.set_list(list);
            }
        }
    }
}

impl StateOptions {
    /// For playing: UCB in every known state, a random list, incentives kept between moves.
    pub const PLAY: StateOptions = StateOptions {
        exploration: 20.0,
        growth: Growth::WholePath,
        identity: Identity::Positions,
        reenters: true,
        first_play: FirstPlay::Random,
        playout: StatePlayout::Maxi { epsilon: 0.0 },
        learns: true,
        list: InitialList::Random,
        keeps_incentives: true,
        gathers_values: false,
        seeds_list_at: 0,
        pairs: 0,
        bytes: usize::MAX,
    };

    /// The reading of the paper that comes closest to its Table I.
    pub const PAPER: StateOptions = StateOptions {
        reenters: false,
        list: InitialList::TopFirst,
        keeps_incentives: false,
        ..StateOptions::PLAY
    };

    /// UCT: a tree that grows by one node a simulation, and RIDE on it.
    pub const TREE: StateOptions = StateOptions {
        growth: Growth::OneState,
        identity: Identity::Moves,
        keeps_incentives: false,
        ..StateOptions::PLAY
    };
}

impl Default for StateOptions {
    fn default() -> StateOptions {
        StateOptions::PLAY
    }
}
