//! The positions of a game so far, for superko and for undo.

use crate::zobrist::mix;
use tesuji::{Player, Trace};

const FILTER: usize = 8;

/// An entry of the log: a captured stone, or else a move; whose; and the number of the point, or
/// the one behind the last for a pass.
const CAPTURED: u16 = 1 << 15;
const WHITE: u16 = 1 << 14;
const POINT: u16 = WHITE - 1;

/// The hashes of all positions so far, the present one included, and the moves between them.
#[derive(Debug)]
pub(crate) struct History {
    hashes: Vec<u64>,
    /// The moves, each behind the stones that it captured.
    log: Vec<u16>,
    /// A Bloom filter: most positions that never occurred are told without a search.
    filter: [u64; FILTER],
    /// The sum of the mixed hashes: a fingerprint that does not depend on the order.
    sum: u64,
}

impl History {
    pub(crate) fn new(hash: u64) -> History {
        let mut history = History { hashes: Vec::new(), log: Vec::new(), filter: [0; FILTER], sum: 0 };
        history.push(hash);
        history
    }

    #[inline]
    pub(crate) fn push(&mut self, hash: u64) {
        let (word, bit) = Self::bit(hash);
        self.filter[word] |= bit;
        self.sum = self.sum.wrapping_add(mix(hash));
        self.hashes.push(hash);
    }

    /// A move was played at the point of this number, or a pass, and the history was told what it
    /// captured.
    #[inline]
    pub(crate) fn moved(&mut self, player: Player, point: usize) {
        let colour = if player == Player::FIRST { 0 } else { WHITE };
        self.log.push(colour | point as u16);
    }

    /// Who moved and the number of the point, or the one behind the last for a pass, from the first
    /// move on.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (Player, usize)> {
        let moves = self.log.iter().filter(|&&entry| entry & CAPTURED == 0);
        moves.map(|&entry| (Player::new(usize::from(entry & WHITE != 0)), usize::from(entry & POINT)))
    }

    /// The moves, the last one first.
    pub(crate) fn back(&self) -> Back<'_> {
        Back { hashes: &self.hashes, log: &self.log }
    }

    #[inline]
    pub(crate) fn contains(&self, hash: u64) -> bool {
        let (word, bit) = Self::bit(hash);
        self.filter[word] & bit != 0 && self.hashes.contains(&hash)
    }

    /// A fingerprint of the set.
    #[inline]
    pub(crate) fn fingerprint(&self) -> u64 {
        self.sum
    }

    #[inline]
    fn bit(hash: u64) -> (usize, u64) {
        (hash as usize % FILTER, 1 << (hash >> 58))
    }
}

/// Hears of captured stones.
impl Trace for History {
    const RECORDS: bool = false;

    #[inline]
    fn record(&mut self, _: Player, _: usize) {}

    #[inline]
    fn freed(&mut self, point: usize) {
        self.log.push(CAPTURED | point as u16);
    }
}

/// The way back from the present position.
#[derive(Clone, Debug)]
pub(crate) struct Back<'a> {
    /// Of the positions so far, the one reached included.
    hashes: &'a [u64],
    log: &'a [u16],
}

/// A move on the way back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undo<'a> {
    /// Who made it.
    pub(crate) player: Player,
    /// The number of its point, or the one behind the last for a pass.
    pub(crate) point: usize,
    captured: &'a [u16],
}

impl Undo<'_> {
    /// The points whose stones it took away. The mover's own if its point is among them, else the
    /// opponent's.
    pub(crate) fn captured(&self) -> impl Iterator<Item = usize> {
        self.captured.iter().map(|&entry| usize::from(entry & POINT))
    }
}

impl<'a> Back<'a> {
    /// The hash of the position reached.
    pub(crate) fn hash(&self) -> u64 {
        self.hashes.last().copied().unwrap_or_default()
    }

    /// Goes back one move; `points` is the number of points. None at the beginning.
    pub(crate) fn step(&mut self, points: usize) -> Option<Undo<'a>> {
        let (&entry, log) = self.log.split_last()?;
        let captures = log.iter().rev().take_while(|&&entry| entry & CAPTURED != 0).count();
        let (before, captured) = log.split_at(log.len() - captures);
        self.log = before;
        let point = usize::from(entry & POINT);
        if point < points {
            self.hashes = &self.hashes[..self.hashes.len() - 1];
        }
        Some(Undo { player: Player::new(usize::from(entry & WHITE != 0)), point, captured })
    }
}

impl Clone for History {
    fn clone(&self) -> History {
        History { hashes: self.hashes.clone(), log: self.log.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &History) {
        self.hashes.clone_from(&other.hashes);
        self.log.clone_from(&other.log);
        self.filter = other.filter;
        self.sum = other.sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_exactly_what_was_pushed() {
        let mut history = History::new(0);
        for i in 0..500 {
            assert!(!history.contains(mix(2 * i)));
            history.push(mix(2 * i));
        }
        for i in 0..500 {
            assert!(history.contains(mix(2 * i)));
            assert!(!history.contains(mix(2 * i + 1)));
        }
        assert!(history.contains(0));
    }

    #[test]
    fn a_copy_remembers_what_the_original_does() {
        let (mut history, mut copy) = (History::new(0), History::new(1));
        (2..20).for_each(|i| history.push(mix(i)));
        copy.clone_from(&history);
        assert!((2..20).all(|i| copy.contains(mix(i))) && !copy.contains(1));
        assert_eq!(copy.fingerprint(), history.fingerprint());
    }

    #[test]
    fn fingerprint_ignores_order() {
        let fill = |hashes: &[u64]| {
            let mut history = History::new(7);
            hashes.iter().for_each(|&h| history.push(h));
            history.fingerprint()
        };
        assert_eq!(fill(&[1, 2, 3]), fill(&[3, 1, 2]));
        assert_ne!(fill(&[1, 2, 3]), fill(&[1, 2, 4]));
    }
}
