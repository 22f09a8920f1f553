//! Advice on moves, and the ways in which it biases the tree policy.

use crate::game::Game;
use crate::math::ln;
use alloc::boxed::Box;
use core::fmt::Debug;

/// Advice on moves that look good or bad at first sight: a heuristic on positions, asked once for
/// each node with enough visits.
///
/// A search with an advisor has the [`Bias`] of its options: good moves are tried earlier and more
/// often, bad ones later and less often. Both effects fade as visits come in.
///
/// ```
/// use std::sync::Arc;
/// use tesuji::doc_game::Nim;
/// use tesuji::{Advisor, Bias, Budget, Game, Mean, Options, Search, Ucb, Uniform};
///
/// /// Never take all the counters that you may.
/// #[derive(Debug)]
/// struct Modest;
///
/// impl Advisor<Nim> for Modest {
///     fn advise(&self, _: &Nim, advice: &mut [i8]) {
///         advice[3] = -127;
///     }
/// }
///
/// let game = Nim::new(21);
/// let visits = |search: Search<Nim>| {
///     let report = { search }.run(&game, &Budget::simulations(200)).unwrap();
///     report.children.iter().find(|child| child.m == 3).map_or(0, |child| child.visits)
/// };
/// let options = Options { bias: Bias::LogDecay { c: 0.5, from: 1 }, ..Options::default() };
/// let plain = Search::new(&game, Ucb { c: 0.7 }, Mean {}, Uniform {}, options, 1).unwrap();
/// let advised = plain.clone().with_advisor(Arc::new(Modest)).unwrap();
/// assert!(visits(advised) < visits(plain));
/// ```
pub trait Advisor<G: Game>: Debug + Send + Sync {
    /// Writes 127 h for each move of `position` that it has an opinion on. h is in [-1, 1], and
    /// above 0 if the move looks good. `advice` has an entry for each [code](crate::Keyed::code) of
    /// a move of the player to move; all are 0 on entry.
    fn advise(&self, position: &G, advice: &mut [i8]);

    /// Heap bytes held. Default: 0.
    fn bytes(&self) -> usize {
        0
    }
}

/// The way in which a search uses its [`Advisor`]; h is the advice on a move, in [-1, 1].
///
/// Where a policy tries every move once before it compares any, good moves come first and bad ones
/// last. Without an advisor nothing is biased.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Bias {
    /// Progressive bias (Chaslot et al. 2008), fading as in MoGo (Hoock & Teytaud 2010): h C /
    /// ln(2 + n) is added to the score of a move with n visits.
    LogDecay {
        /// Weight C of the advice.
        ///
        /// Range: 0 to 100 (value). Default: 0.1.
        #[cfg_attr(feature = "recipe", serde(default = "c"))]
        #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 100.0), extend("unit" = "value")))]
        c: f32,
        /// The moves of a node are biased from this many visits of the node on.
        ///
        /// Range: 0 to 4294967295 (visits). Default: 8.
        #[cfg_attr(feature = "recipe", serde(default = "from"))]
        #[cfg_attr(feature = "recipe", schemars(range(min = 0, max = 4294967295u32), extend("unit" = "visits")))]
        from: u32,
    },
    /// Virtual visits: the mean x of a move with n visits becomes (n x + K |h| v) / (n + K |h|),
    /// with v = 1 if the move looks good and 0 if it looks bad. Only the mean changes; exploration
    /// counts real visits. The score of an untried move counts as one visit.
    Virtual {
        /// The number K of virtual visits.
        ///
        /// Range: 0 to 1000000000 (visits). Default: 10.
        #[cfg_attr(feature = "recipe", serde(default = "visits"))]
        #[cfg_attr(feature = "recipe", schemars(range(min = 0.0, max = 1e9), extend("unit" = "visits")))]
        visits: f32,
        /// The moves of a node are biased from this many visits of the node on.
        ///
        /// Range: 0 to 4294967295 (visits). Default: 8.
        #[cfg_attr(feature = "recipe", serde(default = "from"))]
        #[cfg_attr(feature = "recipe", schemars(range(min = 0, max = 4294967295u32), extend("unit" = "visits")))]
        from: u32,
    },
}

#[cfg(feature = "recipe")]
const fn visits() -> f32 {
    10.0
}

const fn c() -> f32 {
    0.1
}

const fn from() -> u32 {
    8
}

impl Default for Bias {
    /// The first kind with C = 0.1, from the eighth visit on.
    fn default() -> Bias {
        Bias::LogDecay { c: c(), from: from() }
    }
}

/// One of the units in which advice is stored.
const UNIT: f32 = 1.0 / 127.0;

impl Bias {
    /// The number of visits from which on a node's moves are biased.
    pub fn from(&self) -> u32 {
        match *self {
            Bias::LogDecay { from, .. } | Bias::Virtual { from, .. } => from,
        }
    }

    #[cfg(feature = "recipe")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Bias::default()
    }
}

/// The number of visits whose share of a fading bias is worked out beforehand.
const KNOWN: usize = 512;

/// A bias, ready to be applied.
#[derive(Clone, Debug)]
pub(crate) struct Biasing {
    bias: Bias,
    /// C / ln(2 + n) for one unit of advice, by n.
    decay: Box<[f32]>,
}

impl Biasing {
    pub(crate) fn new(bias: Bias) -> Biasing {
        let decay = match bias {
            Bias::LogDecay { c, .. } => (0..KNOWN as u32).map(|n| decayed(c, n)).collect(),
            Bias::Virtual { .. } => Box::default(),
        };
        Biasing { bias, decay }
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.decay.len() * size_of::<f32>()
    }

    /// [`Bias::from`].
    #[inline]
    pub(crate) fn from(&self) -> u32 {
        self.bias.from()
    }

    /// Bends the value and the mean square of a tried child on whose move there is this advice, and
    /// returns what is added to its score.
    #[inline(always)]
    pub(crate) fn bend(&self, advice: i8, visits: u32, value: &mut f32, mean_square: &mut f32) -> f32 {
        match self.bias {
            _ if advice == 0 => 0.0,
            Bias::LogDecay { c, .. } => {
                let known = self.decay.get(visits as usize).copied();
                f32::from(advice) * known.unwrap_or_else(|| decayed(c, visits))
            }
            Bias::Virtual { visits: virtual_visits, .. } => {
                let bent = mixed(virtual_visits, advice, visits as f32, *value);
                // The variance is that of the samples still.
                *mean_square += bent * bent - *value * *value;
                *value = bent;
                0.0
            }
        }
    }

    /// The score of an untried move whose unbiased one is finite.
    #[inline]
    fn untried(&self, score: f32, advice: i8) -> f32 {
        match self.bias {
            _ if advice == 0 => score,
            Bias::LogDecay { .. } => score + f32::from(advice) * self.decay[0],
            Bias::Virtual { visits, .. } => mixed(visits, advice, 1.0, score),
        }
    }

    /// For advice up and down, by one unit, and for none: scores of untried moves that reach a
    /// biased `score` are at least the last less as many times one of the others, to within
    /// rounding.
    #[inline]
    pub(crate) fn bar(&self, score: f32) -> (f32, f32) {
        let score = score.clamp(-1e6, 1e6);
        match self.bias {
            Bias::LogDecay { .. } => (self.decay[0], self.decay[0]),
            // s >= score (1 + K |h|) - K |h| v.
            Bias::Virtual { visits, .. } => (visits * UNIT * (1.0 - score), visits * UNIT * score),
        }
    }
}

/// C / ln(2 + n) for one unit of advice.
#[cold]
fn decayed(c: f32, visits: u32) -> f32 {
    c * UNIT / ln(visits.saturating_add(2))
}

/// (n x + K |h| v) / (n + K |h|).
#[inline]
fn mixed(k: f32, advice: i8, n: f32, x: f32) -> f32 {
    let weight = k * f32::from(advice.unsigned_abs()) * UNIT;
    let good = if advice > 0 { weight } else { 0.0 };
    (n * x + good) / (n + weight)
}

/// How urgent an untried move is: its score, and among those of infinite score the advice.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub(crate) struct Urgency(f32, i8);

impl Urgency {
    /// Below every other.
    pub(crate) const NONE: Urgency = Urgency(f32::NEG_INFINITY, i8::MIN);

    /// Of a move with this unbiased score.
    #[inline]
    pub(crate) fn new(bias: &Biasing, score: f32, advice: i8) -> Urgency {
        if score == f32::INFINITY { Urgency(score, advice) } else { Urgency(bias.untried(score, advice), 0) }
    }

    /// The biased score.
    #[inline]
    pub(crate) fn score(self) -> f32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_match_the_hand_computed_ones() {
        let log = Bias::LogDecay { c: 0.1, from: 2 };
        let mix = Bias::Virtual { visits: 10.0, from: 2 };
        // ln 12 = 2.484 906 6, ln 2 = 0.693 147 2.
        for (bias, visits, value, advice, expected) in [
            (log, 10, 0.5, 127, 0.540_243),
            (log, 10, 0.5, -127, 0.459_757),
            (log, 10, 0.5, 0, 0.5),
            (mix, 10, 0.5, 127, 0.75),
            (mix, 10, 0.5, -127, 0.25),
            (mix, 30, 0.5, 127, 0.625),
            (mix, 10, 0.5, 0, 0.5),
        ] {
            let (mut found, mut mean_square) = (value, 0.0);
            found += Biasing::new(bias).bend(advice, visits, &mut found, &mut mean_square);
            assert!((found - expected).abs() < 1e-6, "{bias:?} {visits} {value} {advice}: {found}");
        }
        for (bias, score, advice, expected) in [
            (log, 0.5, 127, 0.644_269_5),
            (log, 0.5, -127, 0.355_730_5),
            (mix, 0.5, 127, 10.5 / 11.0),
            (mix, 0.5, -127, 0.5 / 11.0),
        ] {
            let found = Biasing::new(bias).untried(score, advice);
            assert!((found - expected).abs() < 1e-6, "{bias:?} {score} {advice}: {found}");
        }
        let order =
            [(f32::INFINITY, 1), (f32::INFINITY, 0), (f32::INFINITY, -1), (0.7, -127), (0.6, 0), (0.5, 127)];
        for pair in order
            .map(|(score, advice)| {
                Urgency::new(&Biasing::new(Bias::LogDecay { c: 0.05, from: 0 }), score, advice)
            })
            .windows(2)
        {
            assert!(pair[0] > pair[1], "{pair:?}");
        }
    }

    #[test]
    fn virtual_visits_leave_the_variance_alone() {
        let (mut value, mut mean_square) = (0.9_f32, 0.82);
        let bias = Biasing::new(Bias::Virtual { visits: 100.0, from: 0 });
        assert_eq!(bias.bend(-127, 100, &mut value, &mut mean_square), 0.0);
        assert!((value - 0.45).abs() < 1e-6 && (mean_square - value * value - 0.01).abs() < 1e-6);
    }
}
