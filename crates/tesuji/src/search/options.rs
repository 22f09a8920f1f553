//! What is not a part of its own.

use crate::{FinalMove, Memory};

/// The settings of a search beside its parts.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Options {
    /// The rule for the move that is played.
    pub final_move: FinalMove,
    /// Prove wins, losses and draws in the tree (MCTS-Solver); for two players. A solving search gives every
    /// legal move a place in the tree.
    pub solver: bool,
    /// No node lies deeper than this; 1 looks at the root's moves only.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1, max = 65535), extend("unit" = "moves")))]
    pub depth: usize,
    /// A node gets children from this many visits on. Large values save memory.
    #[cfg_attr(feature = "recipe", schemars(range(min = 1), extend("unit" = "visits")))]
    pub expand_at: u32,
    /// Which of several best children is taken.
    pub ties: Ties,
    /// Keep the part of the tree that still applies when the next move is searched.
    pub reuse: bool,
    /// Memory limits.
    pub memory: Memory,
}

impl Default for Options {
    /// Robust child, no solver, depth 256, children from the first visit on, ties to the child expanded
    /// first, no reuse, no memory limit.
    fn default() -> Options {
        Options {
            final_move: FinalMove::default(),
            solver: false,
            depth: 256,
            expand_at: 1,
            ties: Ties::default(),
            reuse: false,
            memory: Memory::default(),
        }
    }
}

/// Which of several children with the same best score is taken.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum Ties {
    /// The child expanded first. As moves are expanded in random order, this favours none.
    #[default]
    First,
    /// Any of them, equally likely.
    Random,
}
