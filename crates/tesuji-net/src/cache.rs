//! A cache of evaluations.

/// Evaluations by the hash of the position: a table of fixed size, in which a new evaluation
/// replaces the one at its place.
#[derive(Clone, Debug)]
pub struct Cache {
    moves: usize,
    keys: Vec<Option<u64>>,
    values: Vec<f32>,
    logits: Vec<f32>,
    hits: u64,
}

impl Cache {
    /// A cache for policies of `moves` logits that takes at most `bytes` bytes, but always has room
    /// for one evaluation.
    pub fn new(moves: usize, bytes: usize) -> Cache {
        let slots = (bytes / Cache::bytes_per_slot(moves)).max(1);
        let (keys, values, logits) = (vec![None; slots], vec![0.0; slots], vec![0.0; slots * moves]);
        Cache { moves, keys, values, logits, hits: 0 }
    }

    /// The bytes of an evaluation with `moves` logits.
    pub fn bytes_per_slot(moves: usize) -> usize {
        size_of::<Option<u64>>() + (moves + 1) * size_of::<f32>()
    }

    /// The number of evaluations that fit.
    pub fn capacity(&self) -> usize {
        self.keys.len()
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        self.capacity() * Cache::bytes_per_slot(self.moves)
    }

    /// The number of evaluations found.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// The value kept under this key, if there is one; its logits are written. The bits of a key
    /// should be well mixed; positions with equal keys count as one.
    ///
    /// # Panics
    /// If there is room for another number of logits.
    pub fn get(&mut self, key: u64, logits: &mut [f32]) -> Option<f32> {
        let slot = self.slot(key);
        if self.keys[slot] == Some(key) {
            self.hits += 1;
            logits.copy_from_slice(&self.logits[slot * self.moves..][..self.moves]);
            Some(self.values[slot])
        } else {
            None
        }
    }

    /// Keeps logits and value of this key, in place of what was there.
    ///
    /// # Panics
    /// If there is another number of logits.
    pub fn insert(&mut self, key: u64, logits: &[f32], value: f32) {
        let slot = self.slot(key);
        self.logits[slot * self.moves..][..self.moves].copy_from_slice(logits);
        self.values[slot] = value;
        self.keys[slot] = Some(key);
    }

    fn slot(&self, key: u64) -> usize {
        ((u128::from(key) * self.keys.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::Rng;

    #[test]
    fn what_is_found_is_what_was_kept() {
        let mut cache = Cache::new(3, 50 * Cache::bytes_per_slot(3) + 7);
        assert_eq!(cache.capacity(), 50);
        let mut rng = Rng::new(1);
        let mut logits = [0.0; 3];
        let keys: Vec<u64> = (0..80).map(|_| rng.bits()).chain([0, u64::MAX]).collect();
        let mut found = 0;
        for _ in 0..2000 {
            let key = keys[rng.below(keys.len() as u32) as usize];
            let wanted = (key % 1000) as f32;
            match cache.get(key, &mut logits) {
                Some(value) => {
                    assert!(logits == [wanted; 3] && value == -wanted);
                    found += 1;
                }
                None => cache.insert(key, &[wanted; 3], -wanted),
            }
        }
        assert_eq!(cache.hits(), found);
        assert!(found > 200, "{found} hits");
    }
}
