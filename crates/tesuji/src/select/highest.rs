//! The child of the highest score.

use crate::code::{Code, Link, NodeId};
use crate::node::Node;
use crate::report::Proven;
use crate::rng::Rng;
use crate::tree::Tree;

/// The child of the highest score, and that.
#[inline(always)]
pub(super) fn highest_of<C: Code, I: Link>(
    tree: &Tree<C, I>,
    id: NodeId,
    mut score: impl FnMut(NodeId, &Node<C, I>) -> f32,
) -> (NodeId, f32) {
    // Children come last expanded first: `>=` lets the one expanded first win a tie.
    let (mut best, mut highest) = (NodeId::NONE, f32::NEG_INFINITY);
    for (id, node) in tree.children(id) {
        let s = score(id, node);
        let beaten = s < highest;
        (best, highest) = (if beaten { best } else { id }, if beaten { highest } else { s });
    }
    (best, highest)
}

/// [`highest_of`] where the children are in adjacent slots.
#[inline(always)]
pub(super) fn highest_gathered<C: Code, I: Link>(
    tree: &Tree<C, I>,
    id: NodeId,
    mut score: impl FnMut(NodeId, &Node<C, I>) -> f32,
) -> (NodeId, f32) {
    let (mut best, mut highest) = (NodeId::NONE, f32::NEG_INFINITY);
    for (id, node) in tree.family(id) {
        let s = score(id, node);
        let beaten = s < highest;
        (best, highest) = (if beaten { best } else { id }, if beaten { highest } else { s });
        if node.is_last() {
            break;
        }
    }
    (best, highest)
}

/// The best child where proofs, random ties or random choices play a part.
#[inline(never)]
pub(super) fn select_slow<C: Code, I: Link>(
    tree: &Tree<C, I>,
    id: NodeId,
    rng: &mut Rng,
    random: f32,
    mut score: impl FnMut(NodeId, &Node<C, I>) -> f32,
) -> (NodeId, f32) {
    let any = random > 0.0 && rng.unit() < random;
    let (mut best, mut ties) = ((NodeId::NONE, f32::NEG_INFINITY), 0);
    for (id, node) in tree.children(id) {
        let s = match node.proven().filter(|_| tree.solves()) {
            Some(Proven::Loss) => f32::MIN,
            Some(_) => f32::MIN / 2.0,
            None => {
                let s = score(id, node);
                if any { 0.0 } else { s }
            }
        };
        if s > best.1 {
            (best, ties) = ((id, s), 1);
        } else if s == best.1 {
            ties += 1;
            if !(tree.ties_at_random() || any) || rng.below(ties) == 0 {
                best.0 = id;
            }
        }
    }
    best
}
