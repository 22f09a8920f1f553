//! One arm of a race.

use crate::rewards::Rewards;
use std::fmt;

/// The decision on an arm.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Verdict {
    /// Nothing yet.
    #[default]
    Open,
    /// Better than the threshold of acceptance.
    Accepted,
    /// Worse than the threshold of rejection.
    Discarded,
    /// It has had the largest allowed number of rewards, and counts as discarded.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Open => "open",
            Verdict::Accepted => "accepted",
            Verdict::Discarded => "discarded",
            Verdict::Undecided => "undecided",
        })
    }
}

/// An arm and its results.
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// Its rewards.
    pub rewards: Rewards,
    /// The number of batches of these rewards.
    pub tests: u64,
    /// Lower bound of its efficiency.
    pub lower: f64,
    /// Upper bound of its efficiency.
    pub upper: f64,
    /// The decision, which later rewards do not change.
    pub verdict: Verdict,
}

impl Arm {
    pub(crate) const NEW: Arm = Arm {
        rewards: Rewards::NONE,
        tests: 0,
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        verdict: Verdict::Open,
    };
}
