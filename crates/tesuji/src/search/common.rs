//! What all simulations of a search share, and what one of them does next.

use super::options::Options;
use crate::bias::Advisor;
use crate::code::{Link, NodeId};
use crate::game::{CodeOf, Game, SearchGame};
use crate::halving::Halving;
use crate::tree::Tree;
use alloc::sync::Arc;

/// What all simulations of a search share.
#[derive(Clone, Debug)]
pub(super) struct Core<G: SearchGame, S, B, I: Link> {
    pub(super) select: S,
    pub(super) backup: B,
    pub(super) options: Options,
    pub(super) tree: Tree<CodeOf<G>, I>,
    /// The position at the tree's root.
    pub(super) root: G,
    /// Simulations of this search, those in flight included while it is driven from outside.
    pub(super) told: u64,
    /// Playouts of a second-level search; 1 if there is only one level.
    pub(super) batch: u32,
    pub(super) expansion: Expansion,
    pub(super) advisor: Option<Arc<dyn Advisor<G>>>,
    /// How simulations are shared out among the moves of the root, if not by the tree policy.
    pub(super) halving: Option<Halving<CodeOf<G>>>,
    /// Whether the solver or an advisor has a say in where a simulation goes.
    pub(super) has_overrides: bool,
    /// Whether the moves of simulations are recorded, because the playout policy or an AMAF table
    /// learns.
    pub(super) records: bool,
}

/// When untried moves have their turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Expansion {
    /// Each once, before any is compared.
    First,
    /// As soon as one is scored above the tried ones.
    Compared,
    /// The same, and an advisor has a say in the scores.
    Advised,
}

/// Where a simulation goes from a node.
pub(super) enum Next<C> {
    Child(NodeId),
    Untried(C),
    Nowhere,
}

/// Why a simulation pauses on its way down.
pub(super) enum Halt<C, O> {
    /// It has come to its end, and the outcome is known.
    Known(O),
    /// It has come to its end, which is to be evaluated.
    Leaf,
    /// This move is to have a node.
    Expand(C),
    /// The root's simulations are shared out, and this one has its turn.
    Halve,
    /// The advisor is to be asked about this node.
    Advise,
}

/// [`Halt`] in a search of `G`.
pub(super) type HaltOf<G> = Halt<CodeOf<G>, <G as Game>::Outcome>;
