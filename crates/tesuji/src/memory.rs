//! The memory limits of a search.

use core::fmt;

/// The memory limits of an agent. Both are hard. The search does not stop at them; it plays out
/// from the last node that it has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "recipe", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "recipe", serde(default, deny_unknown_fields))]
pub struct Memory {
    /// The largest number of nodes, without the root. Default: no limit.
    ///
    /// Range: 1 or more (nodes).
    #[cfg_attr(feature = "recipe", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "recipe", schemars(range(min = 1), extend("unit" = "nodes")))]
    pub nodes: Option<usize>,
    /// The largest number of heap bytes. The search reserves them at once, for nodes, side tables
    /// and scratch space. Positions of the game are not counted. With this limit, AMAF tables and
    /// MAST learn only from the first L moves of each simulation. L is four times the number of
    /// legal moves at the start of the game, or 64 if that is more. Default: no limit.
    ///
    /// Range: 1 or more (bytes).
    #[cfg_attr(feature = "recipe", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "recipe", schemars(range(min = 1), extend("unit" = "bytes")))]
    pub bytes: Option<usize>,
}

/// A memory limit cannot be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryError {
    /// It leaves no room for a tree.
    TooSmall {
        /// The limit given, in bytes.
        bytes: usize,
        /// The least that would do for this game and these parts.
        least: usize,
    },
    /// This machine does not have so much.
    Unavailable {
        /// The limit given, in bytes.
        bytes: usize,
    },
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryError::TooSmall { bytes, least } => write!(
                f,
                "memory.bytes = {bytes} leaves no room for a tree; this game and these parts need at least {least} bytes"
            ),
            MemoryError::Unavailable { bytes } => {
                write!(f, "memory.bytes = {bytes} is more than this machine can give")
            }
        }
    }
}

impl core::error::Error for MemoryError {}
