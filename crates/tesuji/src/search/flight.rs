//! How far a search is that is driven from outside.

use super::limits::Limits;
use crate::report::StopReason;

/// A search that is driven from outside.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    pub(super) limits: Limits,
    /// Whether the root is being evaluated.
    pub(super) opens: bool,
    /// Whether there is something to tell.
    pub(super) asked: bool,
    pub(super) ended: Option<StopReason>,
}
