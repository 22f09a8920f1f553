//! Tree policies: which child a simulation goes on to.

mod flat;
mod puct;
mod ucb;

pub use flat::{EpsilonGreedy, RoundRobin};
pub use puct::{FirstPlay, Puct, PuctCount};
pub use ucb::{Ucb, UcbTuned};

use crate::node::{Node, NodeId};
use crate::{Columns, Proven, Rng, Tree};

/// A tree policy.
///
/// A policy scores one child at a time; [`Select::pick`], which is provided, finds the best. The values it
/// sees are those of the player to move at the parent, in [0, 1].
pub trait Select {
    /// The side columns that the scores read. Default: none.
    fn needs(&self) -> Columns {
        Columns::NONE
    }

    /// What all children of one node share, computed once each time the node is passed. Default: zeros.
    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        let _ = parent;
        Shared::default()
    }

    /// The score of a tried child; the highest is chosen.
    fn score(&self, shared: Shared, child: &Child) -> f32;

    /// The score of a move that has no node yet. Default: infinite, every move is tried once first.
    #[inline]
    fn untried(&self, shared: Shared, prior: f32) -> f32 {
        let _ = (shared, prior);
        f32::INFINITY
    }

    /// Gives up the scores and takes any move with this probability. Default 0.
    #[inline]
    fn random(&self) -> f32 {
        0.0
    }

    /// The best child of a node and its score, or none if the node has no child. Not to be overridden,
    /// except to forward to another policy as a whole.
    #[inline]
    fn pick<M: Copy>(&self, view: &NodeView<'_, M>, rng: &mut Rng) -> Pick {
        pick(self, view, rng)
    }
}

/// What a policy may know of a node whose children it compares.
#[derive(Clone, Copy, Debug)]
pub struct Parent {
    /// Visits of the node, its own evaluation included.
    pub visits: u32,
    /// The node's value for the player to move there.
    pub value: f32,
    /// The sum of the priors of its tried children; 0 without priors.
    pub tried_prior: f32,
}

/// Numbers that a policy computes once for all children of a node.
#[derive(Clone, Copy, Default, Debug)]
pub struct Shared {
    /// Usually the factor of the exploration term.
    pub scale: f32,
    /// Usually the value assumed for untried moves.
    pub first_play: f32,
}

/// What a policy may know of a tried child.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// Visits, at least 1.
    pub visits: u32,
    /// Value for the player to move at the parent.
    pub value: f32,
    /// Prior; 0 without the column [`Columns::PRIOR`].
    pub prior: f32,
    /// Mean of the squared samples; 0 without the column [`Columns::SQUARES`].
    pub mean_square: f32,
}

/// A node as a policy is shown it.
#[derive(Clone, Copy, Debug)]
pub struct NodeView<'a, M> {
    /// The tree.
    pub tree: &'a Tree<M>,
    /// The node.
    pub id: NodeId,
    /// The node's value for the player to move there.
    pub value: f32,
}

/// The answer of [`Select::pick`].
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    best: NodeId,
    score: f32,
    shared: Shared,
}

impl Pick {
    /// The best child.
    #[inline]
    pub fn best(&self) -> Option<NodeId> {
        self.best.some()
    }

    /// The score of the best child; minus infinity if there is none.
    #[inline]
    pub fn score(&self) -> f32 {
        self.score
    }

    /// What the children shared.
    #[inline]
    pub fn shared(&self) -> Shared {
        self.shared
    }
}

#[inline]
fn pick<S: Select + ?Sized, M: Copy>(policy: &S, view: &NodeView<'_, M>, rng: &mut Rng) -> Pick {
    let node = view.tree.node(view.id);
    let needs = policy.needs();
    let shared = policy.shared(&Parent {
        visits: node.visits(),
        value: view.value,
        tried_prior: if needs.has(Columns::PRIOR) {
            view.tree.children(view.id).map(|(id, _)| view.tree.prior(id)).sum()
        } else {
            0.0
        },
    });
    let score = |id: NodeId, node: &Node<M>| {
        let child = Child {
            visits: node.visits(),
            value: node.value(),
            prior: if needs.has(Columns::PRIOR) { view.tree.prior(id) } else { 0.0 },
            mean_square: if needs.has(Columns::SQUARES) { view.tree.mean_square(id) } else { 0.0 },
        };
        policy.score(shared, &child)
    };
    let (best, score) = if view.tree.is_careful() || policy.random() > 0.0 {
        best_of(view, rng, policy.random(), score)
    } else {
        // Children come last expanded first: `>=` lets the one expanded first win a tie.
        let (mut best, mut highest) = (NodeId::NONE, f32::NEG_INFINITY);
        for (id, node) in view.tree.children(view.id) {
            let s = score(id, node);
            if s < highest {
                continue;
            }
            (best, highest) = (id, s);
        }
        (best, highest)
    };
    Pick { best, score, shared }
}

/// The best child where proofs, random ties or random choices play a part. Kept apart, so that the plain
/// loop stays small.
#[inline(never)]
fn best_of<M: Copy>(
    view: &NodeView<'_, M>,
    rng: &mut Rng,
    random: f32,
    score: impl Fn(NodeId, &Node<M>) -> f32,
) -> (NodeId, f32) {
    let any = random > 0.0 && rng.unit() < random;
    let (mut best, mut ties) = ((NodeId::NONE, f32::NEG_INFINITY), 0);
    for (id, node) in view.tree.children(view.id) {
        let s = match node.proven().filter(|_| view.tree.solves()) {
            Some(Proven::Loss) => f32::MIN,
            Some(_) => f32::MIN / 2.0,
            None if any => 0.0,
            None => score(id, node),
        };
        if s > best.1 {
            (best, ties) = ((id, s), 1);
        } else if s == best.1 {
            ties += 1;
            if !(view.tree.ties_at_random() || any) || rng.below(ties) == 0 {
                best.0 = id;
            }
        }
    }
    best
}
