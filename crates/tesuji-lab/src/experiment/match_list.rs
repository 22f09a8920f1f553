//! Lists of matches.

use crate::error::LabError;
use crate::experiment::kind::Kind;
use crate::experiment::match_config::MatchConfig;

impl Kind for Vec<MatchConfig> {
    fn kind(&self) -> &'static str {
        "matches"
    }

    fn matches(&self) -> Result<Vec<MatchConfig>, LabError> {
        Ok(self.clone())
    }
}
