//! Proven results in the tree, for two players (MCTS-Solver, Winands et al. 2008), and bounds from
//! proven draws (Score Bounded MCTS, Cazenave & Saffidine 2010).
//!
//! Selection enters a proven child only if there is nothing else. A node with a proven draw among
//! its children is therefore sampled through worse moves; as its player could always take the draw,
//! such a sample is backed up from there as a draw, see [`at_least_a_draw`].

use crate::code::{Code, Link, NodeId};
use crate::node::Step;
use crate::outcome::Outcome;
use crate::player::Player;
use crate::report::Proven;
use crate::tree::Tree;

/// What a finished game means for `player`, if it is a plain win, draw or loss.
pub(crate) fn exact<O: Outcome>(outcome: &O, player: Player) -> Option<Proven> {
    match outcome.of(player) {
        0.0 => Some(Proven::Loss),
        0.5 => Some(Proven::Draw),
        1.0 => Some(Proven::Win),
        _ => None,
    }
}

/// What a sample is worth at a node where `to_move`, who is to move, may have a proven draw.
#[inline]
pub(crate) fn at_least_a_draw<C: Code, I: Link, O: Outcome>(
    tree: &Tree<C, I>,
    id: NodeId,
    to_move: Player,
    outcome: O,
) -> O {
    if tree.node(id).is_drawable() && outcome.of(to_move) < 0.5 {
        return outcome.with(to_move, 0.5);
    }
    outcome
}

/// Carries a proof found at the end of `path` as far up as it reaches: a node with a winning move
/// is won for the player to move, a complete node all of whose children are proven has the best of
/// them. Values that the backup has blurred are set right.
pub(crate) fn back_up<C: Code, I: Link>(tree: &Tree<C, I>, path: &[Step]) {
    for pair in path.windows(2).rev() {
        let (here, below) = (pair[0], pair[1]);
        if let Some(proven) = tree.node(below.node).proven() {
            if tree.node(here.node).proven().is_none()
                && let Some(best) = best_move(tree, here.node, proven)
            {
                tree.node(here.node).set_proven(if here.mover == below.mover { best } else { best.flip() });
            }
            if proven == Proven::Draw {
                tree.node(here.node).set_drawable();
            }
            tree.node(below.node).set_value(f64::from(proven.value()));
        }
    }
    if let Some(proven) = tree.node(path[0].node).proven() {
        tree.node(path[0].node).set_value(f64::from(proven.value()));
    }
}

/// The result of a node for the player to move, given that one child is `newest`.
fn best_move<C: Code, I: Link>(tree: &Tree<C, I>, id: NodeId, newest: Proven) -> Option<Proven> {
    if newest == Proven::Win {
        return Some(Proven::Win);
    }
    if !tree.node(id).is_complete() {
        return None;
    }
    let mut best = Proven::Loss;
    for (_, child) in tree.children(id) {
        match child.proven()? {
            Proven::Win => return Some(Proven::Win),
            Proven::Draw => best = Proven::Draw,
            Proven::Loss => {}
        }
    }
    Some(best)
}
