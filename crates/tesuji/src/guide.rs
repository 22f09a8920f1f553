//! The guide of a playout: a policy that ranks cells, as the game sees it.

use crate::game::Trace;
use crate::player::Player;
use crate::rng::Rng;

/// Chooses the moves of a playout by cell, for
/// [`Playouts::guided_playout`](crate::Playouts::guided_playout): the game drives and asks, so that
/// its loop can be as tight as that of its uniform playout.
///
/// The cell of a [key](crate::Keyed::key) is the key minus the first key of its player.
pub trait Guide: Trace {
    /// Whether the next move is any of the playable ones, each equally likely; decided by 32 random
    /// bits.
    fn explores(&mut self, random: u32) -> bool;

    /// The move that `look` finds at the best cell for `player` where it finds one, or none; ties
    /// at random. The move is played next.
    fn best<M>(&mut self, player: Player, rng: &mut Rng, look: impl FnMut(usize) -> Look<M>) -> Option<M>;
}

/// The state of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look<M> {
    /// A move of the player.
    Found(M),
    /// No move at present.
    NotNow,
    /// The player has no move there until [`Trace::freed`] names the cell.
    Closed,
}
