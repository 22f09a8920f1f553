//! The table of states: their visits, values and actions.

use crate::mix::mix;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The states of a search: for each its visits, and of each of its options the tries and the mean
/// of the score that was still to come.
#[derive(Clone, Debug)]
pub(crate) struct StateTable {
    /// By the code of a state, where these are few: the place of its head among the entries plus 1,
    /// or 0.
    dense: Vec<u32>,
    /// The codes that `dense` has.
    codes: Vec<u32>,
    /// By the code of a state, where these are many: the place of its head.
    sparse: HashMap<u64, u32, BuildHasherDefault<Mixer>>,
    entries: Vec<Entry>,
    /// With N entries it is full.
    most: usize,
}

/// An option of a state; or the head of a state, which its options follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// How often it was tried; in a head: visits.
    pub(crate) n: u32,
    /// The mean of the score to come, the move's own gain included, Left's sign.
    pub(crate) q: f32,
    /// The number of the option in the space; in a head: how many options follow.
    pub(crate) option: u32,
}

impl StateTable {
    /// Codes that are looked up by their place: 16 MiB at most.
    const DENSE: u64 = 1 << 22;

    /// An empty table for codes below `codes`, or for any, that stays within these bytes.
    pub(crate) fn new(codes: Option<u64>, bytes: usize) -> StateTable {
        let dense = codes.filter(|&codes| codes <= StateTable::DENSE.min(bytes as u64 / 8)).unwrap_or(0);
        // A state has two entries or more, and all that grows may double.
        let most = (bytes - 4 * dense as usize) / (2 * size_of::<Entry>() + 24);
        StateTable {
            dense: vec![0; dense as usize],
            codes: Vec::new(),
            sparse: HashMap::default(),
            entries: Vec::new(),
            most: most.min(u32::MAX as usize / 2),
        }
    }

    /// Forgets all states.
    pub(crate) fn clear(&mut self) {
        if self.codes.len() < self.dense.len() / 8 {
            for &code in &self.codes {
                self.dense[code as usize] = 0;
            }
        } else {
            self.dense.fill(0);
        }
        self.codes.clear();
        self.sparse.clear();
        self.entries.clear();
    }

    /// The head of a state.
    #[inline]
    pub(crate) fn find(&self, code: u64) -> Option<usize> {
        if self.dense.is_empty() {
            return self.sparse.get(&code).map(|&head| head as usize);
        }
        (self.dense[code as usize] as usize).checked_sub(1)
    }

    /// Whether a state can be added.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.entries.len() < self.most
    }

    /// Adds a state that is not there yet, where there is room; `options` tells of its options.
    /// Gives its head.
    pub(crate) fn insert(&mut self, code: u64, options: impl FnOnce(&mut dyn FnMut(u32))) -> usize {
        let head = self.entries.len();
        self.entries.push(Entry { n: 0, q: 0.0, option: 0 });
        let entries = &mut self.entries;
        options(&mut |option| entries.push(Entry { n: 0, q: 0.0, option }));
        self.entries[head].option = (self.entries.len() - head - 1) as u32;
        if self.dense.is_empty() {
            self.sparse.insert(code, head as u32);
        } else {
            self.dense[code as usize] = head as u32 + 1;
            self.codes.push(code as u32);
        }
        head
    }

    /// How often a state was visited.
    #[inline]
    pub(crate) fn visits(&self, head: usize) -> u32 {
        self.entries[head].n
    }

    /// The options of a state.
    #[inline]
    pub(crate) fn options(&self, head: usize) -> &[Entry] {
        let options = self.entries[head].option as usize;
        &self.entries[head + 1..][..options]
    }

    /// Learns what came after an option, counted from 0, of a state.
    #[inline]
    pub(crate) fn learn(&mut self, head: usize, option: usize, to_come: f32) {
        self.entries[head].n += 1;
        let entry = &mut self.entries[head + 1 + option];
        entry.n += 1;
        entry.q += (to_come - entry.q) / entry.n as f32;
    }

    /// Whether states are looked up by their place.
    #[cfg(test)]
    pub(crate) fn is_dense(&self) -> bool {
        !self.dense.is_empty()
    }

    /// How many states it has.
    pub(crate) fn len(&self) -> usize {
        self.codes.len() + self.sparse.len()
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.dense.capacity() + self.codes.capacity())
            + 17 * self.sparse.capacity() * 8 / 7
            + self.entries.capacity() * size_of::<Entry>()
    }
}

/// Mixes the one number that is hashed.
#[derive(Clone, Copy, Default, Debug)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0 ^ number);
    }
}
