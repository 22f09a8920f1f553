//! The move to play when the search ends.

use crate::code::{Code, Link, NodeId};
use crate::math::sqrt;
use crate::report::{ChildReport, Proven};
use crate::tree::Tree;

/// Which child of the root is played (Chaslot et al. 2008). Ties go to more visits or the higher
/// value, then to the child expanded first. A move proven to win is always preferred, one proven to
/// lose always avoided, and a proven draw preferred to a move whose value is below 1/2.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum FinalMove {
    /// The highest value.
    Max,
    /// The most visits.
    #[default]
    Robust,
    /// The child with both the most visits and the highest value. While there is none, the search
    /// goes on beyond its simulations in steps of 5 %, up to 150 % of them. Then the most visits
    /// decide. A limit of time still ends the search.
    MaxRobust,
    /// The highest value less A / sqrt(n), with n visits: the best lower bound. A = 1 suits values
    /// in [0, 1].
    Secure(#[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 100.0)))] f32),
}

/// In `f64`, which tells all numbers of visits apart.
type Rank = (f64, f64, f64);

/// A child with its rank and its value.
type Ranked<T> = (Rank, f32, T);

impl FinalMove {
    /// The child of `parent`, usually the root, to play; none if no child has a visit.
    pub fn choose<C: Code, I: Link>(self, tree: &Tree<C, I>, parent: NodeId) -> Option<NodeId> {
        self.best(tree.children(parent).map(|(id, node)| (id, node.visits(), node.value(), node.proven())))
    }

    /// The same choice among reported children; of equals the first.
    pub fn choose_reported<M: Copy>(self, children: &[ChildReport<M>]) -> Option<M> {
        self.best(children.iter().rev().map(|child| (child.m, child.visits, child.value, child.proven)))
    }

    /// The child to play; of equals the last, as a tree has the child first that was expanded last.
    fn best<T>(self, children: impl Iterator<Item = (T, u32, f32, Option<Proven>)>) -> Option<T> {
        let [mut best, mut draw]: [Option<Ranked<T>>; 2] = [None, None];
        for (child, visits, value, proven) in children.filter(|&(_, visits, ..)| visits > 0) {
            let rank = self.rank(visits, value, proven);
            let of = if proven == Some(Proven::Draw) { &mut draw } else { &mut best };
            if of.as_ref().is_none_or(|&(highest, ..)| rank >= highest) {
                *of = Some((rank, value, child));
            }
        }
        let prefers_draw = |draw: &Ranked<T>| {
            let of_best = |&(rank, value, _): &Ranked<T>| draw.0 > rank || (rank.0 <= 0.0 && value < 0.5);
            best.as_ref().is_none_or(of_best)
        };
        draw.filter(prefers_draw).or(best).map(|(.., child)| child)
    }

    /// What children are compared by, in order.
    fn rank(self, visits: u32, v: f32, proven: Option<Proven>) -> Rank {
        let (n, value) = (f64::from(visits), f64::from(v));
        let proof = match proven {
            Some(Proven::Win) => 1.0,
            Some(Proven::Loss) => -1.0,
            _ => 0.0,
        };
        match self {
            FinalMove::Max => (proof, value, n),
            FinalMove::Robust | FinalMove::MaxRobust => (proof, n, value),
            FinalMove::Secure(a) => (proof, f64::from(v - a / sqrt(visits.max(1) as f32)), n),
        }
    }

    /// Whether the rule wants more simulations after the budget is spent.
    pub(crate) fn is_undecided<C: Code, I: Link>(self, tree: &Tree<C, I>) -> bool {
        self == FinalMove::MaxRobust
            && FinalMove::Max.choose(tree, tree.root()) != FinalMove::Robust.choose(tree, tree.root())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::TOP;
    use crate::{Columns, Player};

    /// A root whose children 0, 1, ... have these values and visits.
    fn tree(children: &[(f64, u32)]) -> Tree<u16> {
        let mut tree = Tree::new(Columns::NONE, [99, 0], (0, 0));
        tree.plant(Player::SECOND, 0);
        for (m, &(value, visits)) in children.iter().enumerate() {
            let id = tree.add_child(tree.root(), m as u16, TOP, &[]).unwrap();
            tree.node(id).visit_many(visits);
            tree.node(id).set_value(value);
        }
        tree
    }

    #[test]
    fn each_rule_picks_its_child() {
        let t = tree(&[(0.6, 100), (0.9, 1), (0.0, 0)]);
        let choice = |rule: FinalMove| t.node(rule.choose(&t, t.root()).unwrap()).code();
        assert_eq!(choice(FinalMove::Max), 1);
        assert_eq!(choice(FinalMove::Robust), 0);
        assert_eq!(choice(FinalMove::Secure(1.0)), 0);
        assert!(FinalMove::MaxRobust.is_undecided(&t));
        assert!(!FinalMove::Robust.is_undecided(&t));
    }

    #[test]
    fn ties_go_to_the_other_number_then_to_the_first() {
        let t = tree(&[(0.5, 10), (0.6, 10), (0.6, 10)]);
        assert_eq!(t.node(FinalMove::Robust.choose(&t, t.root()).unwrap()).code(), 1);
        assert!(!FinalMove::MaxRobust.is_undecided(&t));
    }

    #[test]
    fn a_single_visit_more_decides_among_millions() {
        let t = tree(&[(0.5, 1 << 24), (0.4, (1 << 24) + 1), (0.5, 1 << 24)]);
        assert_eq!(t.node(FinalMove::Robust.choose(&t, t.root()).unwrap()).code(), 1);
    }

    #[test]
    fn proofs_come_before_numbers() {
        let t = tree(&[(0.9, 100), (0.2, 5), (0.3, 4)]);
        let ids: alloc::vec::Vec<_> = t.children(t.root()).map(|(id, _)| id).collect();
        t.node(ids[2]).set_proven(Proven::Loss);
        assert_eq!(t.node(FinalMove::Robust.choose(&t, t.root()).unwrap()).code(), 1);
        t.node(ids[1]).set_proven(Proven::Draw);
        assert_eq!(t.node(FinalMove::Max.choose(&t, t.root()).unwrap()).code(), 1);
        t.node(ids[0]).set_proven(Proven::Win);
        assert_eq!(t.node(FinalMove::Robust.choose(&t, t.root()).unwrap()).code(), 2);
    }
}
