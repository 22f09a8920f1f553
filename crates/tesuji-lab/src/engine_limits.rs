//! How long the program waits for third-party engines.

use crate::error::{LabError, RangeError};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The time limits of a third-party engine where no clock sets one. They do not belong to the
/// identity of a game: an engine that keeps the limits plays the same games with any of them.
///
/// In an experiment file it is a table of seconds, `engine = { handshake = 60, move = 120 }`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineLimits {
    /// Seconds from the start of an engine to its first answer. Default: 10.
    pub handshake: f64,
    /// Seconds for a move without a clock. Default: 600.
    #[serde(rename = "move")]
    pub per_move: f64,
}

impl Default for EngineLimits {
    fn default() -> EngineLimits {
        EngineLimits { handshake: 10.0, per_move: 600.0 }
    }
}

impl EngineLimits {
    /// Checks that the limits are times.
    ///
    /// # Errors
    /// If one is not above 0, or more than a day.
    pub fn check(&self) -> Result<(), LabError> {
        for (key, seconds) in [("handshake", self.handshake), ("move", self.per_move)] {
            if !(seconds > 0.0 && seconds <= 86_400.0) {
                return Err(RangeError::Engine { key, seconds }.into());
            }
        }
        Ok(())
    }

    pub(crate) fn for_handshake(self) -> Duration {
        Duration::from_secs_f64(self.handshake)
    }

    pub(crate) fn for_move(self) -> Duration {
        Duration::from_secs_f64(self.per_move)
    }
}
