//! PUCT: exploration led by a prior.

use super::{Child, Parent, Select, Shared};
use crate::columns::Columns;
use crate::math::sqrt;

/// PUCT: x + c P sqrt(N) / (1 + n) (Silver et al. 2017).
///
/// P is the child's prior, normalized over the legal moves. An untried move has n = 0 and, for x,
/// the value that [`FirstPlay`] gives.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Puct {
    /// Weight c of exploration.
    ///
    /// Range: 0 to 100 (value). Default: 0.5.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 100.0), extend("unit" = "value")))]
    pub c: f32,
    /// The value assumed for untried moves.
    ///
    /// Default: `parent`.
    pub first_play: FirstPlay,
    /// The visits that N counts.
    ///
    /// Default: `own-included`.
    pub count: PuctCount,
}

impl Default for Puct {
    /// c = 0.5, first play at the parent's value, N with the node's own evaluation.
    fn default() -> Puct {
        Puct { c: 0.5, first_play: FirstPlay::Parent, count: PuctCount::OwnIncluded }
    }
}

/// First-play urgency: the value assumed for a move that was not tried.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum FirstPlay {
    /// 1/2, which is AlphaGo Zero's 0 on a scale from -1 to 1.
    Even,
    /// The value of the parent.
    #[default]
    Parent,
    /// The value of the parent less r sqrt(sum of the priors of tried moves); r = 0.2 is usual.
    ParentMinus(#[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 10.0)))] f32),
    /// A constant.
    Constant(#[cfg_attr(feature = "recipe", schemars(range(min = -10.0, max = 10.0)))] f32),
    /// Infinite: every move is tried once, best prior first.
    Infinite,
}

/// The meaning of N in [`Puct`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(rename_all = "kebab-case"))]
pub enum PuctCount {
    /// Visits of the parent, at least 1: the first selection follows the prior. They count the
    /// parent's own evaluation, which the root of a new search does not have, and the visits of
    /// children that were recycled.
    #[default]
    OwnIncluded,
    /// The sum of the visits of the children that are there, as AlphaGo Zero's formula has it.
    /// While it is 0 all scores of untried moves are equal, and the best prior is taken.
    ChildrenOnly,
}

impl Select for Puct {
    const NEEDS: Columns = Columns::PRIOR;

    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        let n = match self.count {
            PuctCount::OwnIncluded => parent.visits.max(1),
            PuctCount::ChildrenOnly => parent.tried_visits,
        };
        Shared {
            scale: self.c * sqrt(n as f32),
            first_play: match self.first_play {
                FirstPlay::Even => 0.5,
                FirstPlay::Parent => parent.value,
                FirstPlay::ParentMinus(r) => parent.value - r * sqrt(parent.tried_prior),
                FirstPlay::Constant(value) => value,
                FirstPlay::Infinite => f32::INFINITY,
            },
        }
    }

    #[inline]
    fn score(&self, shared: Shared, child: &Child) -> f32 {
        child.value + shared.scale * child.prior / (1.0 + child.visits as f32)
    }

    #[inline]
    fn untried(&self, shared: Shared, child: &Child) -> f32 {
        shared.first_play + shared.scale * child.prior
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_match_the_hand_computed_ones() {
        for (visits, expected) in
            [(20, [0.701_639_5, 0.583_852_5, 0.511_803_4]), (21, [0.704_149_4, 0.585_923_3, 0.514_564_4])]
        {
            let policy = Puct::default();
            let shared = policy.shared(&Parent { visits, value: 0.5, tried_prior: 1.0, tried_visits: 20 });
            let children = [(10, 0.6, 0.5), (7, 0.5, 0.3), (3, 0.4, 0.2)];
            for ((visits, value, prior), e) in children.into_iter().zip(expected) {
                let found = policy.score(shared, &Child { visits, value, prior, ..Child::default() });
                assert!((found - e).abs() < 1e-6, "{found} is not {e}");
            }
        }
    }

    #[test]
    fn first_play_urgencies() {
        let parent = Parent { visits: 99, value: 0.4, tried_prior: 0.25, tried_visits: 16 };
        for (first_play, expected) in [
            (FirstPlay::Even, 0.5),
            (FirstPlay::Parent, 0.4),
            (FirstPlay::ParentMinus(0.2), 0.3),
            (FirstPlay::Constant(0.1), 0.1),
            (FirstPlay::Infinite, f32::INFINITY),
        ] {
            let policy = Puct { c: 0.5, first_play, count: PuctCount::ChildrenOnly };
            let shared = policy.shared(&parent);
            assert_eq!(shared.first_play, expected);
            assert_eq!(
                policy.untried(shared, &Child { prior: 0.1, ..Child::default() }),
                expected + 0.5 * 4.0 * 0.1
            );
        }
    }
}
