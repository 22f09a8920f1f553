//! The positions of a game so far, for superko.

use crate::zobrist::mix;

const FILTER: usize = 8;

/// The hashes of all positions so far, the present one included.
#[derive(Debug)]
pub(crate) struct History {
    hashes: Vec<u64>,
    /// A Bloom filter: most positions that never occurred are told without a search.
    filter: [u64; FILTER],
    /// The sum of the mixed hashes: a fingerprint that does not depend on the order.
    sum: u64,
}

impl History {
    pub(crate) fn new(hash: u64) -> History {
        let mut history = History { hashes: Vec::new(), filter: [0; FILTER], sum: 0 };
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

impl Clone for History {
    fn clone(&self) -> History {
        History { hashes: self.hashes.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &History) {
        self.hashes.clone_from(&other.hashes);
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
