//! Words for the settings of searches over states.

use serde::{Deserialize, Serialize};
use tesuji_sums::{InitialList, StateOptions, StatePlayout};

/// A reading of the search, where the paper leaves it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchPreset {
    /// The one that comes closest to the paper, [`StateOptions::PAPER`]: values belong to states,
    /// playouts go on to the end, the list begins with the top counters.
    #[default]
    P,
    /// The one for playing, [`StateOptions::PLAY`]: UCB in every known state, even after an unknown
    /// one; a random list.
    R,
    /// UCT, [`StateOptions::TREE`]: a tree that grows by one node a simulation; a random list.
    Tree,
}

impl SearchPreset {
    /// Every reading.
    pub const ALL: [SearchPreset; 3] = [SearchPreset::P, SearchPreset::R, SearchPreset::Tree];

    /// L\* at the beginning.
    pub fn list(self) -> ListOrder {
        match self {
            SearchPreset::P => ListOrder::TopFirst,
            SearchPreset::R | SearchPreset::Tree => ListOrder::Random,
        }
    }

    /// Its settings.
    pub fn options(self) -> StateOptions {
        match self {
            SearchPreset::P => StateOptions::PAPER,
            SearchPreset::R => StateOptions::PLAY,
            SearchPreset::Tree => StateOptions::TREE,
        }
    }
}

/// A default policy, by its name in the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayoutPolicy {
    /// The first move in L\*.
    #[default]
    Maxi,
    /// Uniformly random moves.
    Rand,
    /// AMAF: the move of the greatest mean score to come.
    ToCome,
}

impl PlayoutPolicy {
    /// The policy; those that learn play uniformly with probability `epsilon`.
    pub fn playout(self, epsilon: f32) -> StatePlayout {
        match self {
            PlayoutPolicy::Maxi => StatePlayout::Maxi { epsilon },
            PlayoutPolicy::Rand => StatePlayout::Uniform,
            PlayoutPolicy::ToCome => StatePlayout::ToCome { epsilon },
        }
    }
}

/// The order of L\* before anything is learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListOrder {
    /// The top counters of all heaps, then those below them.
    TopFirst,
    /// Random.
    Random,
}

impl ListOrder {
    /// The order.
    pub fn list(self) -> InitialList {
        match self {
            ListOrder::TopFirst => InitialList::TopFirst,
            ListOrder::Random => InitialList::Random,
        }
    }
}
