//! Words that nobody guesses.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// 128 bits in hexadecimal. The keys of the standard library's hasher come from the system's
/// source of random numbers.
pub(crate) fn random_word() -> String {
    let half = || {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u128(std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos()));
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ() {
        let (a, b) = (random_word(), random_word());
        assert!(a.len() == 32 && a != b && a[..16] != a[16..]);
    }
}
