//! What is not a part of its own.

use crate::amaf::AmafOptions;
use crate::bias::Bias;
use crate::final_move::FinalMove;
use crate::memory::Memory;
use crate::root_policy::RootPolicy;

/// The settings of a search beside its parts.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Options {
    /// The rule for the move that is played. `robust` takes the move with the most visits, `max`
    /// the one with the highest value. `secure = A` takes the one with the highest lower bound,
    /// value - A / sqrt(visits). `max-robust` takes the most visited move once its value is the
    /// highest too; until then, the search makes more simulations than its budget, up to 150 % of
    /// it.
    ///
    /// Default: `robust`.
    pub final_move: FinalMove,
    /// The exploration of the root. Default: plain.
    #[cfg_attr(feature = "recipe", serde(skip_serializing_if = "RootPolicy::is_plain"))]
    pub root: RootPolicy,
    /// Prove wins, losses and draws in the tree (MCTS-Solver); for two players. A solving search
    /// gives every legal move a place in the tree.
    ///
    /// Default: `false`.
    pub solver: bool,
    /// No node lies deeper than this; 1 looks at the root's moves only.
    ///
    /// Range: 1 to 65535 (moves). Default: 256.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1, max = 65535), extend("unit" = "moves")))]
    pub depth: usize,
    /// A node gets children from this many visits on. Large values save memory.
    ///
    /// Range: 1 or more (visits). Default: 1.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1), extend("unit" = "visits")))]
    pub expansion_threshold: u32,
    /// Which of several best children is taken.
    ///
    /// Default: `first`.
    pub ties: Ties,
    /// Keep the part of the tree that still applies when the next move is searched.
    ///
    /// Default: `false`.
    pub reuse: bool,
    /// Memory limits. Default: no limits.
    pub memory: Memory,
    /// When a node limit is reached, give the leaf used least recently to each new node (Powley,
    /// Cowling & Whitehouse 2017). Without it the tree stops growing: simulations choose among the
    /// stored children and play out from stored leaves. The visits and values of the stored nodes
    /// go on changing.
    ///
    /// Default: `false`.
    pub recycle: bool,
    /// Two-level search. Default: one level.
    pub two_level: TwoLevel,
    /// AMAF tables, where the tree policy reads them. Default: those of [`AmafOptions`].
    pub amaf: AmafOptions,
    /// The use of the advice of patterns, or of an advisor of your own. Default: that of [`Bias`].
    #[cfg_attr(feature = "recipe", serde(skip_serializing_if = "Bias::is_default"))]
    pub bias: Bias,
}

impl Default for Options {
    /// Robust child, a plain root, no solver, depth 256, children from the first visit on, ties to
    /// the child expanded first, no reuse, no memory limit, no recycling, one level, an AMAF table
    /// for every node, a bias of log decay.
    fn default() -> Options {
        Options {
            final_move: FinalMove::default(),
            root: RootPolicy::default(),
            solver: false,
            depth: 256,
            expansion_threshold: 1,
            ties: Ties::default(),
            reuse: false,
            memory: Memory::default(),
            recycle: false,
            two_level: TwoLevel::default(),
            amaf: AmafOptions::default(),
            bias: Bias::default(),
        }
    }
}

/// Two-level search: each leaf that a simulation of the tree proper reaches is studied by a
/// second-level search of some playouts, whose tree is then dropped (GRAVE², Rautureau, Cazenave &
/// Piette 2026).
///
/// With N = [`Memory::nodes`] the second level has round(lambda N) of them, including the leaf, and
/// the tree proper has the rest. With the same number of playouts per leaf, N nodes serve
/// `lambda (1 - lambda) N²` simulations. Every playout counts as one simulation, and the search may
/// be stopped after any. A leaf where the game is over makes none: its result counts as often as
/// the leaf would have made playouts, in time proportional to that number, without a stop.
///
/// The split is fixed: a level never takes a slot of the other. With [`Options::recycle`] (GRAVER²)
/// a new node of a full level takes the place of that level's least recently used leaf off the
/// path, and the other level keeps its nodes. Without it a full level stops growing. A full second
/// level makes the rest of its playouts from the nodes that it has. In a full tree proper
/// second-level searches study the leaves that it has.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct TwoLevel {
    /// Share of the nodes that the second level has. 0: there is one level only.
    ///
    /// Range: 0 to 0.99 (share). Default: 0.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 0.99), extend("unit" = "share")))]
    pub lambda: f32,
    /// Playouts per leaf. Default: the number of nodes of the second level. If memory has no limit,
    /// the default is sqrt(P lambda / (1 - lambda)), where P is the number of simulations of the
    /// search. If that is not limited either, the default is 100.
    ///
    /// Range: 1 or more (playouts).
    #[cfg_attr(feature = "recipe", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "recipe", schemars(range(min = 1), extend("unit" = "playouts")))]
    pub playouts: Option<u32>,
    /// Forward sharing: every playout updates the whole path at once, and the second level reads
    /// the AMAF tables of the tree proper. Otherwise the path above the leaf is updated when its
    /// search ends.
    ///
    /// Default: `true`.
    pub share: bool,
    /// The second-level search of a leaf is given up, after 8 playouts at least, when the leaf is
    /// worse than a sibling with an error probability below this. 0: never.
    ///
    /// Range: 0 to 0.5 (probability). Default: 0.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 0.5), extend("unit" = "probability")))]
    pub give_up: f32,
}

impl Default for TwoLevel {
    /// lambda = 0, one level; forward sharing; no search is given up.
    fn default() -> TwoLevel {
        TwoLevel { lambda: 0.0, playouts: None, share: true, give_up: 0.0 }
    }
}

impl TwoLevel {
    /// How many of `nodes` nodes the second level has.
    pub(crate) fn second(&self, nodes: usize) -> usize {
        (nodes as f64 * f64::from(self.lambda) + 0.5) as usize
    }
}

/// Which of several children with the same best score is taken.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum Ties {
    /// The child expanded first. Moves are expanded in random order, so this favours no move.
    #[default]
    First,
    /// Any of them, equally likely.
    Random,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_of_both_levels_multiply_to_the_playouts() {
        for (nodes, lambda, playouts) in [
            (200, 0.5, 10_000),
            (240, 0.5, 14_400),
            (160, 0.5, 6400),
            (440, 0.5, 48_400),
            (440, 0.2, 30_976),
            (200, 0.2, 6400),
        ] {
            let second = TwoLevel { lambda, ..TwoLevel::default() }.second(nodes);
            assert_eq!((nodes - second) * second, playouts);
        }
    }
}
