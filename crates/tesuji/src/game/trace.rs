//! Listeners to a playout.

use crate::player::Player;
use alloc::vec::Vec;
use core::fmt::Debug;

/// A listener to a playout.
pub trait Trace {
    /// Whether [`Trace::record`] does anything: if not, a game need not compute keys.
    const RECORDS: bool;

    /// `player` is about to play the move with this [`Keyed::key`](crate::Keyed::key).
    fn record(&mut self, player: Player, key: usize);

    /// A cell that was taken is free again, such as the point of a captured stone. The cell of a
    /// key is the key minus the first key of its player. Default: nothing.
    #[inline]
    fn freed(&mut self, cell: usize) {
        let _ = cell;
    }
}

/// Listens to nothing.
impl Trace for () {
    const RECORDS: bool = false;

    #[inline]
    fn record(&mut self, _: Player, _: usize) {}
}

/// A move of a simulation, as methods that learn by key see it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Played(u32);

impl Played {
    /// The move of `player` with this [`Keyed::key`](crate::Keyed::key), of which the lowest 24
    /// bits are kept.
    #[inline]
    pub fn new(player: Player, key: usize) -> Played {
        Played((player.index() as u32) << 24 | key as u32 & 0xff_ffff)
    }

    /// The player who played it.
    #[inline]
    pub fn player(self) -> Player {
        Player::new((self.0 >> 24) as usize)
    }

    /// Its [`Keyed::key`](crate::Keyed::key).
    #[inline]
    pub fn key(self) -> usize {
        (self.0 & 0xff_ffff) as usize
    }
}

impl Debug for Played {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Played").field("player", &self.player()).field("key", &self.key()).finish()
    }
}

/// Keeps every move.
impl Trace for Vec<Played> {
    const RECORDS: bool = true;

    #[inline]
    fn record(&mut self, player: Player, key: usize) {
        self.push(Played::new(player, key));
    }
}
