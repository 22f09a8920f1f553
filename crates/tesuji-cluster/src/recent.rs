//! Which jobs were done lately.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// How many are known for sure.
const KNOWN: usize = 500_000;

/// The identities of the latest jobs, as hashes: at least the last 500 000, in bounded memory.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    hasher: RandomState,
    young: HashSet<u64>,
    old: HashSet<u64>,
}

impl Recent {
    pub(crate) fn insert(&mut self, id: &str) {
        if self.young.len() == KNOWN {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(self.hasher.hash_one(id));
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        let hash = self.hasher.hash_one(id);
        self.young.contains(&hash) || self.old.contains(&hash)
    }
}
