//! Upper confidence bounds: UCT in all its published constants.

use super::{Child, Parent, Select, Shared};
use crate::math::{ln, sqrt, sqrt_ln, sqrt_of};
use core::f32::consts::{FRAC_1_SQRT_2, SQRT_2};

/// UCT: x + c sqrt(ln N / n) (Kocsis & Szepesvári 2006; Auer et al. 2002).
///
/// x is the child's value in [0, 1], n its visits, N those of the parent. The papers write the
/// constant in several ways; the presets convert each to c.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Ucb {
    /// Weight c of exploration. On a scale of values from -1 to 1 it would be twice as large.
    ///
    /// Range: 0 to 100 (value). Default: 0.7.
    #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 100.0), extend("unit" = "value")))]
    pub c: f32,
}

impl Default for Ucb {
    /// c = 0.7, within the range 0.3 to 0.8 that random playouts on 9x9 Go want.
    fn default() -> Ucb {
        Ucb { c: 0.7 }
    }
}

impl Ucb {
    /// UCB1 (Auer et al. 2002): x + sqrt(2 ln N / n), c = sqrt 2.
    pub const UCB1: Ucb = Ucb { c: SQRT_2 };

    /// x + 2 Cp sqrt(ln N / n), the form of Kocsis & Szepesvári (2006): c = 2 Cp; their Cp = 1/sqrt
    /// 2 makes it UCB1.
    pub const fn kocsis_szepesvari(cp: f32) -> Ucb {
        Ucb { c: 2.0 * cp }
    }

    /// x + 2 Cp sqrt(2 ln N / n), the equation of Browne et al. (2012); Cp = 1/sqrt 2 gives c = 2.
    pub const fn survey_equation(cp: f32) -> Ucb {
        Ucb { c: 2.0 * SQRT_2 * cp }
    }

    /// x + Cp sqrt(2 ln N / n), the pseudo-code of the same survey; Cp = 1/sqrt 2 gives c = 1.
    pub const fn survey_pseudo_code(cp: f32) -> Ucb {
        Ucb { c: SQRT_2 * cp }
    }

    /// c = sqrt 2 / 2, the constant of the experiments with GRAVE in bounded memory.
    pub const HALF_SQRT_2: Ucb = Ucb { c: FRAC_1_SQRT_2 };
}

impl Select for Ucb {
    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        Shared { scale: self.c * sqrt_ln(parent.visits), first_play: 0.0 }
    }

    #[inline]
    fn score(&self, shared: Shared, child: &Child) -> f32 {
        child.value + shared.scale / sqrt_of(child.visits)
    }
}

/// UCB1-tuned (Auer et al. 2002, section 4): `x + sqrt(ln N / n min(1/4, V))`, where V is
/// `mean of the squared samples - x^2 + sqrt(2 ln N / n)`. It has no parameter.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct UcbTuned {}

impl Select for UcbTuned {
    const NEEDS: crate::columns::Columns = crate::columns::Columns::SQUARES;

    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        Shared { scale: ln(parent.visits), first_play: 0.0 }
    }

    #[inline]
    fn score(&self, shared: Shared, child: &Child) -> f32 {
        let explore = shared.scale / child.visits as f32;
        let variance = child.mean_square - child.value * child.value + sqrt(2.0 * explore);
        child.value + sqrt(explore * variance.clamp(0.0, 0.25))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty visits; children A (10, .6), B (7, .5), C (3, .4) with samples 0 and 1.
    fn scores(policy: &impl Select) -> [f32; 3] {
        let shared = policy.shared(&Parent { visits: 20, value: 0.5, tried_prior: 1.0, tried_visits: 20 });
        [(10, 0.6, 0.5), (7, 0.5, 0.3), (3, 0.4, 0.2)].map(|(visits, value, prior)| {
            policy.score(shared, &Child { visits, value, prior, mean_square: value, ..Child::default() })
        })
    }

    #[test]
    fn scores_match_the_hand_computed_ones() {
        let cases = [
            (scores(&Ucb::UCB1), [1.374_045_5, 1.425_161_3, 1.813_207_3]),
            (scores(&Ucb::HALF_SQRT_2), [0.987_022_76, 0.962_580_7, 1.106_603_6]),
            (scores(&Ucb::survey_equation(FRAC_1_SQRT_2)), [1.694_665_7, 1.808_375_7, 2.398_577]),
            (scores(&Ucb::kocsis_szepesvari(FRAC_1_SQRT_2)), [1.374_045_5, 1.425_161_3, 1.813_207_3]),
            (scores(&UcbTuned {}), [0.873_666_4, 0.827_093_9, 0.899_644_2]),
        ];
        for (found, expected) in cases {
            for (f, e) in found.iter().zip(expected) {
                assert!((f - e).abs() < 2e-6, "{found:?} is not {expected:?}");
            }
        }
        assert!((Ucb::survey_pseudo_code(FRAC_1_SQRT_2).c - 1.0).abs() < 1e-6);
    }
}
