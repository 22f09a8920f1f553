//! Games that begin with the same word.

use super::{GameEntry, GameSpec};
use crate::error::LabError;

/// Reads name, parameters and komi.
type Read = fn(&str, Option<&str>, Option<&str>) -> Result<Option<GameSpec>, LabError>;

/// What the registry knows of a game.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// The names, before any colon.
    pub(super) names: &'static [&'static str],
    pub(super) list: &'static [GameEntry],
    /// Gives none if the parameters are not of a form in the list.
    pub(super) read: Read,
}
