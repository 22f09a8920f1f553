//! Why a text names no game.

use crate::error::faults;

faults! {
    /// Why a text names no game.
    GameError {
        Unknown { game: String, accepted: String, hint: String } => "unknown game {game:?}; accepted are {accepted}{hint}",
        Lines { lines: usize } => "a Go board has 2 to 19 lines, not {lines}",
        NoKomi { game: String } => "{game} has no komi; it belongs to Go",
        Untrainable { game: String, fault: String } => "{game} cannot be trained: {fault}",
        Parameters { fault: String } => "{fault}",
    }
}
