//! What an advisor can tell of a move.

use super::{Pattern, PatternError, Tactic};
use std::fmt;
use std::str::FromStr;

/// What an advisor can tell of a move: a pattern around it, or what it does to chains.
///
/// ```
/// use tesuji_go::pattern::{Feature, Tactic};
/// assert_eq!("capture".parse(), Ok(Feature::Tactic(Tactic::Capture)));
/// assert!(matches!("+1+0:X".parse(), Ok(Feature::Pattern(_))));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// The surroundings.
    Pattern(Pattern),
    /// The deed.
    Tactic(Tactic),
}

/// A text is no [`Feature`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureError(PatternError);

impl fmt::Display for FeatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; or one of", self.0)?;
        Tactic::ALL.iter().try_for_each(|tactic| write!(f, " `{tactic}`"))
    }
}

impl std::error::Error for FeatureError {}

impl FromStr for Feature {
    type Err = FeatureError;

    fn from_str(text: &str) -> Result<Feature, FeatureError> {
        match text.parse() {
            Ok(tactic) => Ok(Feature::Tactic(tactic)),
            Err(()) => text.parse().map(Feature::Pattern).map_err(FeatureError),
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::Pattern(pattern) => pattern.fmt(f),
            Feature::Tactic(tactic) => tactic.fmt(f),
        }
    }
}
