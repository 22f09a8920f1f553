//! The moves of one simulation.

use crate::game::{Played, Trace};
use crate::player::Player;
use crate::reserved::Reserved;
use crate::search::Options;
use alloc::vec::Vec;

/// The moves of one simulation in order.
#[derive(Clone, Default, Debug)]
pub struct Line {
    moves: Reserved<Played>,
    /// Whether it makes room for more moves than fit.
    grows: bool,
}

impl Line {
    /// An empty line with room for `capacity` moves; those beyond it are not kept, and so not
    /// learned from.
    pub fn with_capacity(capacity: usize) -> Line {
        Line { moves: Vec::with_capacity(capacity).into(), grows: false }
    }

    /// The line of a search of games that begin with `width` moves: as long as a simulation, but
    /// with a limit in bytes at most four times the width, or 64 if that is more. It has room for
    /// that number at once.
    pub(crate) fn of_search(width: usize, options: &Options) -> Line {
        let moves = Vec::with_capacity(width.saturating_mul(4).max(64));
        Line { moves: moves.into(), grows: options.memory.bytes.is_none() }
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
    }

    /// Keeps the first `len` moves only.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
    }

    /// The moves.
    #[inline]
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        self.moves.capacity() * size_of::<Played>()
    }

    /// A move that does not fit. Kept apart, so that the common case costs no call.
    #[cold]
    #[inline(never)]
    fn record_beyond(&mut self, played: Played) {
        if self.grows {
            self.moves.push(played);
        }
    }
}

impl Trace for Line {
    const RECORDS: bool = true;

    #[inline]
    fn record(&mut self, player: Player, key: usize) {
        let played = Played::new(player, key);
        if self.moves.len() < self.moves.capacity() {
            self.moves.push(played);
        } else {
            self.record_beyond(played);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    #[test]
    fn lines_are_cut_by_a_limit_in_bytes_alone() {
        let kept = |mut line: Line, moves: usize| {
            (0..moves).for_each(|key| line.record(Player::FIRST, key));
            assert!(line.moves().iter().zip(0..).all(|(played, key)| played.key() == key));
            line.moves().len()
        };
        let limited =
            Options { memory: Memory { bytes: Some(1 << 20), ..Memory::default() }, ..Options::default() };
        for (width, room) in [(2, 64), (100, 400)] {
            assert_eq!(kept(Line::of_search(width, &Options::default()), 1000), 1000);
            assert_eq!(kept(Line::of_search(width, &limited), 1000), room);
        }
        assert_eq!(kept(Line::with_capacity(5), 9), 5);
    }
}
