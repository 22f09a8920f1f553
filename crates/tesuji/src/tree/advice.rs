//! The advice on the moves of each node.

use crate::archive::{Archive, ArchiveError};
use crate::bias::{Bias, Biasing};
use crate::code::NodeId;
use crate::reserved::Reserved;
use alloc::collections::TryReserveError;

/// For each node a row of opinions on its position's moves, by cell.
#[derive(Clone, Debug)]
pub(crate) struct Advice {
    rows: Reserved<i8>,
    states: Reserved<State>,
    /// The cells of a player.
    cells: usize,
    pub(super) bias: Biasing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The advisor was not asked yet.
    Open,
    /// It has no opinion on any move.
    Silent,
    Given,
}

impl Advice {
    pub(crate) fn new(bias: Bias, cells: usize) -> Advice {
        Advice { rows: Reserved::default(), states: Reserved::default(), cells, bias: Biasing::new(bias) }
    }

    pub(crate) const fn bytes_per_node(cells: usize) -> usize {
        cells + size_of::<State>()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() + self.states.capacity() * size_of::<State>() + self.bias.bytes()
    }

    pub(crate) fn reserve(&mut self, nodes: usize) -> Result<(), TryReserveError> {
        self.states.make_room_for(nodes)?;
        self.rows.make_room_for(nodes.saturating_mul(self.cells))
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.states.clear();
    }

    pub(super) fn extend_to(&mut self, nodes: usize) {
        self.states.resize(nodes, State::Open);
        self.rows.resize(nodes * self.cells, 0);
    }

    /// What was said about a node.
    pub(super) fn archive(&mut self, id: NodeId, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        let mut state = self.states[id.index()] as u8;
        archive.number(&mut state)?;
        let known = [State::Open, State::Silent, State::Given];
        self.states[id.index()] = *known.get(usize::from(state)).ok_or(ArchiveError::Damaged("opinions"))?;
        if self.states[id.index()] == State::Given {
            let row = &mut self.rows[id.index() * self.cells..][..self.cells];
            archive.numbers(row)?;
            archive.check(row.iter().all(|&h| h >= -i8::MAX), "opinions")?;
        }
        Ok(())
    }

    pub(super) fn forget(&mut self, id: NodeId) {
        self.states[id.index()] = State::Open;
    }

    /// Whether to ask the advisor about a node with `visits` visits.
    #[inline]
    pub(crate) fn is_due(&self, id: NodeId, visits: u32) -> bool {
        self.states[id.index()] == State::Open && visits >= self.bias.from()
    }

    /// Asks about a node.
    pub(crate) fn ask(&mut self, id: NodeId, advise: impl FnOnce(&mut [i8])) {
        let row = &mut self.rows[id.index() * self.cells..][..self.cells];
        row.fill(0);
        advise(row);
        row.iter_mut().for_each(|h| *h = (*h).max(-i8::MAX));
        let silent = row.iter().all(|&h| h == 0);
        self.states[id.index()] = if silent { State::Silent } else { State::Given };
    }

    /// What was said about a node, if anything was.
    #[inline]
    pub(crate) fn of(&self, id: NodeId) -> Option<&[i8]> {
        let row = &self.rows[id.index() * self.cells..][..self.cells];
        (self.states[id.index()] == State::Given).then_some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_asked_about_once_and_a_recycled_one_again() {
        let mut advice = Advice::new(Bias::LogDecay { c: 0.1, from: 3 }, 2);
        advice.extend_to(2);
        let (a, b) = (NodeId(0), NodeId(1));
        assert!(!advice.is_due(a, 2) && advice.is_due(a, 3));
        advice.ask(a, |row| row.copy_from_slice(&[5, -128]));
        assert_eq!((advice.of(a), advice.of(b)), (Some(&[5, -127][..]), None), "advice is at least -127");
        advice.ask(b, |_| {});
        assert!(advice.of(b).is_none() && !advice.is_due(a, 9) && !advice.is_due(b, 9));
        advice.forget(a);
        assert!(advice.of(a).is_none() && advice.is_due(a, 3));
        advice.ask(a, |row| assert_eq!(row, [0, 0]));
    }
}
