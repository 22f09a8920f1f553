//! The RAVE family: values of all moves as first, which fade as a move's own visits come in.

use super::{Child, Parent, Select, Shared};
use crate::amaf::Amaf;
use crate::columns::Columns;
use crate::math::{sqrt, sqrt_ln};

/// GRAVE (Cazenave 2015), with RAVE and HRAVE as its ends: (1 - b) x + b y, b = a / (a + n + bias a
/// n).
///
/// x and n are the child's value and visits; y and a are mean and count of its move in the AMAF
/// table of the reference node. The reference node is the nearest node, from the parent upwards,
/// whose table has learned from more than `reference` simulations, or else the root. An untried
/// move has b = 1. A move that the reference table has never seen is tried first; if it has visits,
/// b = 0.
///
/// With `reference` = 0 the parent's own table is always the reference. That is RAVE (Gelly &
/// Silver 2011) with b of least mean squared error, bias = 4 b^2 in their notation. With a
/// `reference` that no node reaches, the root's table is always the reference. That is HRAVE
/// (Sironi & Winands 2016).
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Grave {
    /// The rate at which a move's own value replaces its AMAF value. Tuned values lie between 1e-15
    /// and 1.
    ///
    /// Range: 0 to 1000 (1 / visits). Default: 0.01.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1000.0), extend("unit" = "1 / visits")))]
    pub bias: f32,
    /// Simulations above which a node's own table is the reference.
    ///
    /// Range: 0 to 4294967295 (simulations). Default: 25.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0, max = 4294967295u32), extend("unit" = "simulations")))]
    pub reference: u32,
    /// Weight of an exploration term c sqrt(ln N / n), as UCT-RAVE has it; an untried move counts
    /// as n = 1.
    ///
    /// Range: 0 to 100 (value). Default: 0.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 100.0), extend("unit" = "value")))]
    pub c: f32,
}

impl Default for Grave {
    /// bias = 0.01, reference = 25, c = 0, tuned on 9x9 Go for GRAVE in bounded memory.
    fn default() -> Grave {
        Grave { bias: 1e-2, reference: 25, c: 0.0 }
    }
}

impl Select for Grave {
    const NEEDS: Columns = Columns::AMAF;

    #[inline]
    fn grave(&self) -> Option<&Grave> {
        Some(self)
    }

    #[inline]
    fn reference(&self) -> u32 {
        self.reference
    }

    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        explore(self.c, parent)
    }

    #[inline]
    fn score(&self, shared: Shared, child: &Child) -> f32 {
        // (1 - b) x + b s / a with b = a / d is x + (s - a x) / d.
        let (a, n, x) = (child.amaf.count as i32 as f32, child.visits as f32, child.value);
        let value = x + (child.amaf.sum - a * x) / (a + n + self.bias * a * n);
        if self.c > 0.0 { value + exploration(shared, n) } else { value }
    }

    /// A mix of two values lies between them, but for rounding.
    #[inline(always)]
    fn is_below(&self, _: Shared, child: &Child, score: f32) -> bool {
        let bar = score - 1e-5;
        self.c <= 0.0 && child.value < bar && child.amaf.sum < bar * child.amaf.count as i32 as f32
    }

    #[inline]
    fn untried(&self, shared: Shared, child: &Child) -> f32 {
        first_play(shared, child.amaf)
    }

    #[inline]
    fn min_amaf_mean(&self, shared: Shared, score: f32) -> f32 {
        score - shared.scale
    }
}

/// RAVE by the hand-selected schedule (Gelly & Silver 2011): (1 - b) x + b y, b = sqrt(k / (3 N +
/// k)).
///
/// Names as in [`Grave`]; N are the visits of the parent, so that both values have the same weight
/// where N = k.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct HandSelectedRave {
    /// The equivalence parameter k: about 1000 for Go, 50 to 1000 for other games.
    ///
    /// Range: 0 to 1000000000 (visits). Default: 1000.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1e9), extend("unit" = "visits")))]
    pub k: f32,
    /// Simulations above which a node's own table is the reference.
    ///
    /// Range: 0 to 4294967295 (simulations). Default: 0.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0, max = 4294967295u32), extend("unit" = "simulations")))]
    pub reference: u32,
    /// Weight of an exploration term, as in `grave`.
    ///
    /// Range: 0 to 100 (value). Default: 0.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 100.0), extend("unit" = "value")))]
    pub c: f32,
}

impl Default for HandSelectedRave {
    /// k = 1000, reference = 0, c = 0.
    fn default() -> HandSelectedRave {
        HandSelectedRave { k: 1000.0, reference: 0, c: 0.0 }
    }
}

impl Select for HandSelectedRave {
    const NEEDS: Columns = Columns::AMAF;

    #[inline]
    fn reference(&self) -> u32 {
        self.reference
    }

    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        let weight = sqrt(self.k / (3.0 * parent.visits as f32 + self.k).max(f32::MIN_POSITIVE));
        Shared { first_play: weight, ..explore(self.c, parent) }
    }

    #[inline]
    fn score(&self, shared: Shared, child: &Child) -> f32 {
        let beta = if child.amaf.count == 0 { 0.0 } else { shared.first_play };
        let value = (1.0 - beta) * child.value + beta * child.amaf.mean();
        value + shared.scale / sqrt(child.visits as f32)
    }

    #[inline]
    fn untried(&self, shared: Shared, child: &Child) -> f32 {
        first_play(shared, child.amaf)
    }

    #[inline]
    fn min_amaf_mean(&self, shared: Shared, score: f32) -> f32 {
        score - shared.scale
    }
}

/// Apart, so that who does without pays for no root.
#[cold]
#[inline(never)]
fn exploration(shared: Shared, visits: f32) -> f32 {
    shared.scale / sqrt(visits)
}

#[inline]
fn explore(c: f32, parent: &Parent) -> Shared {
    Shared { scale: if c > 0.0 { c * sqrt_ln(parent.visits) } else { 0.0 }, first_play: 0.0 }
}

#[inline]
fn first_play(shared: Shared, amaf: Amaf) -> f32 {
    if amaf.count == 0 { f32::INFINITY } else { amaf.mean() + shared.scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_match_the_published_formulas() {
        for (n, x, a, y, bias, expected) in [
            (10, 0.6, 50, 0.6, 0.01, 0.6),
            (1, 1.0, 10, 0.2, 0.01, 0.279_279_3),
            (100, 0.6, 200, 0.45, 0.01, 0.54),
            (100, 0.0, 200, 1.0, 1e-5, 0.666_222_5),
            (25, 0.0, 25, 1.0, 0.0, 0.5),
            (7, 0.3, 0, 0.0, 0.01, 0.3),
            (3_000_000_000, 0.25, 16_000_000, 0.75, 0.0, 0.252_652_5),
        ] {
            let policy = Grave { bias, ..Grave::default() };
            let shared =
                policy.shared(&Parent { visits: 1000, value: 0.5, tried_prior: 0.0, tried_visits: 0 });
            let child =
                Child { visits: n, value: x, amaf: Amaf { count: a, sum: a as f32 * y }, ..Child::default() };
            let found = policy.score(shared, &child);
            assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
            assert!(!policy.is_below(shared, &child, found));
        }
        let policy = Grave::default();
        let untried = |count, mean| {
            policy.untried(
                Shared::default(),
                &Child { amaf: Amaf { count, sum: count as f32 * mean }, ..Child::default() },
            )
        };
        assert_eq!((untried(4, 0.75), untried(0, 0.0)), (0.75, f32::INFINITY));
    }

    #[test]
    fn what_is_below_a_score_has_a_lower_one() {
        let mut rng = crate::Rng::new(1);
        let mut below = 0;
        for i in 0..200_000 {
            let bits = 1 + i % 24;
            let mut count = || 1 + rng.below(1 << bits);
            let (visits, count) = (count(), count());
            let sum = if i % 2 == 0 { rng.below(count + 1) } else { count / 2 } as f32;
            let child = Child { visits, value: rng.unit(), amaf: Amaf { count, sum }, ..Child::default() };
            let policy = Grave { bias: [0.0, 1e-5, 1e-2, 1.0][i as usize % 4], ..Grave::default() };
            let bar = child.value.max(child.amaf.mean()) + rng.unit() * 1e-4;
            if policy.is_below(Shared::default(), &child, bar) {
                below += 1;
                assert!(policy.score(Shared::default(), &child) < bar, "{child:?} and {bar}");
            }
            assert!(!Grave { c: 0.1, ..policy }.is_below(Shared::default(), &child, bar));
        }
        assert!(below > 50_000, "{below}");
    }

    #[test]
    fn the_hand_selected_schedule() {
        let policy = HandSelectedRave::default();
        for (visits, expected) in [(0, 1.0), (1000, 0.5), (3000, 0.316_227_77)] {
            let shared = policy.shared(&Parent { visits, value: 0.5, tried_prior: 0.0, tried_visits: 0 });
            let child =
                Child { visits: 9, value: 0.0, amaf: Amaf { count: 9, sum: 9.0 }, ..Child::default() };
            assert!((policy.score(shared, &child) - expected).abs() < 1e-6);
        }
    }
}
