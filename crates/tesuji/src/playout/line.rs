//! The moves of one simulation.

use crate::{Played, Player, Trace};
use alloc::vec::Vec;

/// The moves of one simulation in order, as many as fit the space reserved once; moves beyond it are not
/// learnt from.
#[derive(Clone, Default, Debug)]
pub struct Line(Vec<Played>);

impl Line {
    /// An empty line with room for `capacity` moves.
    pub fn with_capacity(capacity: usize) -> Line {
        Line(Vec::with_capacity(capacity))
    }

    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the first `len` moves only.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The moves.
    pub fn moves(&self) -> &[Played] {
        &self.0
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Played>()
    }
}

impl Trace for Line {
    const RECORDS: bool = true;

    #[inline]
    fn record(&mut self, player: Player, key: usize) {
        if self.0.len() < self.0.capacity() {
            self.0.push(Played::new(player, key));
        }
    }
}
